// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of 32 bits into 4 GiB of bytes that wrap around from one thread of a block to the next, through 0 and from 2^31 - 1 to -2^31: stored
// to, read, read by way of shared memory, by strided loops, by neighbours, in rows that are 2 GiB apart. All but a few pages stay untouched.
#include "check.h"

typedef unsigned char byte;
static const size_t ALL = (size_t)1 << 32, NEAR = 8192;

__global__ void store(byte *p, unsigned from) { p[from + threadIdx.x] = threadIdx.x * 7 + 1; }

__global__ void store_signed(byte *p, unsigned from) {
  int i = from + threadIdx.x;
  p[i] = threadIdx.x * 5 + 3;
}

__global__ void read(int *out, const byte *p, unsigned from, unsigned by) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[from + i] + 3 * p[from + i * by] + 5 * p[from - i];
}

__global__ void neighbours(int *out, const byte *__restrict__ p, unsigned from) {
  __shared__ int tile[1024 + 2];
  unsigned at = from + threadIdx.x;
  tile[threadIdx.x + 1] = p[at];
  if (threadIdx.x == 0)
    tile[0] = p[at - 1];
  if (threadIdx.x == blockDim.x - 1)
    tile[blockDim.x + 1] = p[at + 1];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + 2 * tile[threadIdx.x + 1] + 3 * tile[threadIdx.x + 2];
}

template <int N> __global__ void all_of_tile(int *out, const byte *__restrict__ p, unsigned from) {
  __shared__ byte tile[N];
  int sum = 0;
  if (threadIdx.x < N)
    tile[threadIdx.x] = p[from + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < N; k++)
    sum = sum * 3 + tile[k];
  out[threadIdx.x] = sum;
}

template <int N> __global__ void all_of_block(int *out, const byte *__restrict__ p, unsigned from) {
  __shared__ byte tile[N];
  int sum = 0;
  tile[threadIdx.x] = p[from + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < N; k++)
    sum = sum * 3 + tile[k];
  out[threadIdx.x] = sum;
}

__global__ void strided(int *out, const byte *p, unsigned from, unsigned iterations) {
  int sum = 0;
  for (unsigned k = 0; k < iterations; k++)
    sum = sum * 5 + p[from + threadIdx.x + k * blockDim.x];
  out[threadIdx.x] = sum;
}

__global__ void walk(int *out, const byte *p, unsigned from, unsigned end) {
  int sum = 0;
  for (unsigned i = from + threadIdx.x; i != end + threadIdx.x; i += blockDim.x)
    sum = sum * 5 + p[i];
  out[threadIdx.x] = sum;
}

__global__ void rows(int *out, const byte *p, unsigned pitch, unsigned from) {
  unsigned y = blockIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  out[(y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = p[y * pitch + x + from];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  byte *p;
  if (cudaMalloc((void **)&p, ALL + NEAR) != cudaSuccess) {
    cudaGetLastError();
    return passed(); // no room
  }
  byte *host = (byte *)malloc(4 * NEAR); // what is near 0, near 2^31 on both sides, and near 2^32
  const size_t starts[] = {0, ALL / 2 - NEAR, ALL / 2, ALL - NEAR};
  for (int w = 0; w < 4; w++) {
    for (size_t i = 0; i < NEAR; i++)
      host[w * NEAR + i] = (byte)(i * 13 + i / 256 + 50 * w);
    CHECK(cudaMemcpy(p + starts[w], host + w * NEAR, NEAR, cudaMemcpyHostToDevice));
  }
  auto at = [&](unsigned i) -> byte & {
    for (int w = 0; w < 4; w++)
      if (i - (unsigned)starts[w] < NEAR)
        return host[w * NEAR + (i - (unsigned)starts[w])];
    printf("the test looks at %u\n", i);
    exit(1);
  };
  buffer<int> out(8 * block);
  const unsigned half = 1u << 31, froms[] = {-1u, -5u, -20u, -300u, half - 1, half - 17, half - 200, 700};
  for (unsigned from : froms) {
    if (from != 700) {
      read<<<2, block>>>(out.device, p, from, 3);
      out.download();
      for (unsigned i = 0; i < 2u * block; i++)
        expect((int)i, out[i], at(from + i) + 3 * at(from + 3 * i) + 5 * at(from - i));
    }
    neighbours<<<1, block>>>(out.device, p, from);
    out.download();
    for (int i = 0; i < block; i++)
      expect(i, out[i], at(from + i - 1) + 2 * at(from + i) + 3 * at(from + i + 1));
    auto check_sum = [&](int n) {
      int sum = 0;
      for (int k = 0; k < n; k++)
        sum = (int)(sum * 3u + at(from + k));
      out.download();
      for (int i = 0; i < block; i++)
        expect(i, out[i], sum);
    };
    all_of_tile<32><<<1, block>>>(out.device, p, from);
    if (block >= 32)
      check_sum(32);
    if (block == 256)
      all_of_block<256><<<1, 256>>>(out.device, p, from), check_sum(256);
    if (block == 32)
      all_of_block<32><<<1, 32>>>(out.device, p, from), check_sum(32);
    for (int turn = 0; turn < 2; turn++) {
      const unsigned iterations = 6;
      if (turn)
        walk<<<1, block>>>(out.device, p, from, from + iterations * block);
      else
        strided<<<1, block>>>(out.device, p, from, iterations);
      out.download();
      for (int i = 0; i < block; i++) {
        unsigned sum = 0;
        for (unsigned k = 0; k < iterations; k++)
          sum = sum * 5 + at(from + i + k * block);
        expect(i, out[i], (int)sum);
      }
    }
    rows<<<dim3(2, 4), block>>>(out.device, p, half, from);
    out.download();
    for (int i = 0; i < 8 * block; i++)
      expect(i, out[i], (int)at(i / (2 * block) * half + i % (2 * block) + from));
    store<<<1, block>>>(p, from);
    for (int i = 0; i < block; i++)
      at(from + i) = (byte)(i * 7 + 1);
    store_signed<<<1, block>>>(p + half, from + 2048);
    for (int i = 0; i < block; i++)
      at(from + 2048 + half + i) = (byte)(i * 5 + 3);
    CHECK(cudaDeviceSynchronize());
    byte *now = (byte *)malloc(NEAR);
    for (int w = 0; w < 4; w++) {
      CHECK(cudaMemcpy(now, p + starts[w], NEAR, cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < NEAR; i++)
        expect((int)(w * NEAR + i), (int)now[i], (int)host[w * NEAR + i]);
    }
    free(now);
  }
  CHECK(cudaFree(p));
  free(host);
  return passed();
}
