// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums by trees whose last iterations count on the lanes of a warp in step: no barrier between them. Through a volatile pointer, a volatile
// array, unrolled by a template on the block's size, in a loop, by plain accesses, with several values, in all warps of a block.
#include "check.h"

__device__ __noinline__ void last_iterations(volatile int *tile, int thread) {
  tile[thread] += tile[thread + 32];
  tile[thread] += tile[thread + 16];
  tile[thread] += tile[thread + 8];
  tile[thread] += tile[thread + 4];
  tile[thread] += tile[thread + 2];
  tile[thread] += tile[thread + 1];
}

// The block's threads are those of a power of two, the rest bring zeros.
__global__ void by_pointer(const int *in, int *out, int n) {
  extern __shared__ int tile[];
  int thread = threadIdx.x;
  tile[thread] = blockIdx.x * n + thread < (blockIdx.x + 1) * n && thread < n ? in[blockIdx.x * n + thread] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 32; half >>= 1) {
    if (thread < half)
      tile[thread] += tile[thread + half];
    __syncthreads();
  }
  if (thread < 32)
    last_iterations(tile, thread);
  if (thread == 0)
    out[blockIdx.x] = tile[0];
}

__global__ void by_array(const int *in, int *out, int n) {
  volatile __shared__ int tile[64];
  int thread = threadIdx.x;
  tile[thread] = 0;
  for (int i = thread; i < n; i += 64)
    tile[thread] += in[blockIdx.x * n + i];
  __syncthreads();
  if (thread < 32) {
    tile[thread] += tile[thread + 32];
    tile[thread] += tile[thread + 16];
    tile[thread] += tile[thread + 8];
    tile[thread] += tile[thread + 4];
    tile[thread] += tile[thread + 2];
    tile[thread] += tile[thread + 1];
  }
  if (thread == 0)
    out[blockIdx.x] = tile[0];
}

template <class T, unsigned size> __device__ void last_iterations_of(volatile T *tile, unsigned thread) {
  if (size >= 64)
    tile[thread] += tile[thread + 32];
  if (size >= 32)
    tile[thread] += tile[thread + 16];
  if (size >= 16)
    tile[thread] += tile[thread + 8];
  if (size >= 8)
    tile[thread] += tile[thread + 4];
  if (size >= 4)
    tile[thread] += tile[thread + 2];
  if (size >= 2)
    tile[thread] += tile[thread + 1];
}

template <class T, unsigned size> __global__ void unrolled(const T *in, T *out, int n) {
  __shared__ T tile[size + 32];
  unsigned thread = threadIdx.x;
  T sum = 0;
  for (unsigned i = thread; i < n; i += size)
    sum += in[blockIdx.x * n + i];
  tile[thread] = sum;
  if (thread < 32)
    tile[size + thread] = 0;
  __syncthreads();
  if (size >= 512) {
    if (thread < 256)
      tile[thread] = sum = sum + tile[thread + 256];
    __syncthreads();
  }
  if (size >= 256) {
    if (thread < 128)
      tile[thread] = sum = sum + tile[thread + 128];
    __syncthreads();
  }
  if (size >= 128) {
    if (thread < 64)
      tile[thread] = sum = sum + tile[thread + 64];
    __syncthreads();
  }
  if (thread < 32)
    last_iterations_of<T, size>(tile, thread);
  if (thread == 0)
    out[blockIdx.x] = tile[0];
}

// In a loop; lanes that have nothing to add take no part.
__global__ void in_loop(const int *in, int *out, int n) {
  __shared__ volatile int tile[1024 + 32];
  int thread = threadIdx.x, lane = thread & 31, count = (blockDim.x + 31) / 32;
  tile[thread] = thread < n ? in[blockIdx.x * n + thread] : 0;
  if (thread == blockDim.x - 1)
    for (int k = 1; k < 32; k++)
      tile[thread + k] = 0;
  __syncthreads();
  for (int half = 16; half > 0; half >>= 1)
    if (lane < half)
      tile[thread] += tile[thread + half];
  if (lane == 0)
    out[blockIdx.x * count + thread / 32] = tile[thread];
}

// The same by plain accesses, all lanes taking part.
__global__ void plainly(const int *in, int *out, int n) {
  __shared__ int tile[1024 + 32];
  int thread = threadIdx.x, lane = thread & 31, count = (blockDim.x + 31) / 32;
  tile[thread] = thread < n ? in[blockIdx.x * n + thread] : 0;
  if (thread == blockDim.x - 1)
    for (int k = 1; k < 32; k++)
      tile[thread + k] = 0;
  __syncthreads();
  for (int half = 16; half > 0; half >>= 1) {
    int other = tile[thread + half];
    if (lane + half < 32)
      tile[thread] += other;
  }
  if (lane == 0)
    out[blockIdx.x * count + thread / 32] = tile[thread];
}

// The largest and its position, of values of 16 bytes.
struct found {
  double value;
  int place, unused;
};

__global__ void largest(const int *in, int *out, int n) {
  __shared__ found tile[64];
  int thread = threadIdx.x;
  found own = {-1e9, -1, 0};
  for (int i = thread; i < n; i += 32)
    if (in[blockIdx.x * n + i] > own.value)
      own = {(double)in[blockIdx.x * n + i], i, 0};
  tile[thread] = own;
  tile[thread + 32] = {-1e9, -1, 0};
  for (int half = 16; half > 0; half >>= 1)
    if (tile[thread + half].value > tile[thread].value)
      tile[thread] = tile[thread + half];
  if (thread == 0)
    out[blockIdx.x] = tile[0].place;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block < 50 ? block : 1000, warps = blocks_for(block, 32);
  int power = 64;
  while (power < block)
    power *= 2;
  buffer<int> in(blocks * n), out(blocks * 32);
  buffer<double> in_double(blocks * n), out_double(blocks);
  for (int i = 0; i < blocks * n; i++)
    in_double[i] = in[i] = (i * 7919) % 1009 - 300;
  in.upload();
  in_double.upload();
  for (int kernel = 0; kernel < 8; kernel++) {
    const int taken = kernel == 0 ? (n < power ? n : power) : kernel >= 5 && kernel <= 6 ? (n < block ? n : block) : n;
    if (kernel == 0)
      by_pointer<<<blocks, power, (power + 32) * sizeof(int)>>>(in.device, out.device, n);
    if (kernel == 1)
      by_array<<<blocks, 64>>>(in.device, out.device, n);
    if (kernel == 2)
      unrolled<int, 256><<<blocks, 256>>>(in.device, out.device, n);
    if (kernel == 3)
      unrolled<int, 16><<<blocks, 16>>>(in.device, out.device, n);
    if (kernel == 4)
      unrolled<double, 512><<<blocks, 512>>>(in_double.device, out_double.device, n);
    if (kernel == 5)
      in_loop<<<blocks, block>>>(in.device, out.device, n);
    if (kernel == 6)
      plainly<<<blocks, block>>>(in.device, out.device, n);
    if (kernel == 7)
      largest<<<blocks, 32>>>(in.device, out.device, n);
    CHECK(cudaDeviceSynchronize());
    out.download();
    if (kernel == 4)
      out_double.download();
    for (int b = 0; b < blocks; b++) {
      int sum = 0, place = 0;
      for (int i = 0; i < taken; i++) {
        sum += in[b * n + i];
        if (in[b * n + i] > in[b * n + place])
          place = i;
      }
      if (kernel == 7) {
        expect(b, in[b * n + out[b]], in[b * n + place]);
      } else if (kernel == 4) {
        expect(b, out_double[b], (double)sum);
      } else if (kernel >= 5) {
        for (int w = 0; w < warps; w++) {
          int part = 0;
          for (int i = w * 32; i < (w + 1) * 32 && i < taken; i++)
            part += in[b * n + i];
          // The lanes past the end of the block are no lanes: what lies there is 0.
          expect(kernel * 1000 + b * warps + w, out[b * warps + w], part);
        }
      } else {
        expect(kernel * 1000 + b, out[b], sum);
      }
    }
  }
  return passed();
}
