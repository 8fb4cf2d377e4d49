// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All warps of a block compute the same sum or maximum, each by itself, and close cases where they do not: what is added
// up depends on the warp, the warp wrote to it before, or counts that it was there.
#include "check.h"

enum { Size = 300, Threads = 128 };

__device__ int total(int value) {
  for (int step = 16; step; step /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

__device__ int most(int value) {
  for (int step = 16; step; step /= 2)
    value = max(value, __shfl_xor_sync(0xffffffffu, value, step));
  return value;
}

// Sum and sum of squares of the row, and its greatest element: the same in each warp.
__global__ void alike(const int *in, int *out, int size) {
  const int *row = in + blockIdx.x * size;
  int sum = 0, squares = 0, top = -1000;
  for (int k = threadIdx.x % 32; k < size; k += 32)
    sum += row[k], squares += row[k] * row[k];
  for (int k = threadIdx.x & 31; k < size; k += 32)
    top = max(top, row[k]);
  sum = total(sum), squares = total(squares), top = most(top);
  for (int k = threadIdx.x; k < size; k += blockDim.x)
    out[blockIdx.x * size + k] = row[k] + 3 * sum + 5 * squares + 7 * top;
}

// The same of what stands behind the first element of each warp.
__global__ void apart(const int *in, int *out, int size) {
  const int *row = in + blockIdx.x * size;
  int sum = 0;
  for (int k = threadIdx.x % 32; k < size - 32; k += 32)
    sum += row[k + threadIdx.x / 32];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total(sum);
}

// Each warp adds to its own part of shared memory before it adds up that part; `calls` counts warps.
__global__ void written(int *out, int *calls) {
  __shared__ int part[Threads];
  part[threadIdx.x] = threadIdx.x;
  __syncwarp();
  int sum = total(part[(threadIdx.x & ~31) + (threadIdx.x + 1) % 32]);
  if (threadIdx.x % 32 == 0)
    atomicAdd(calls, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// What all warps keep is the same, but half of it is written anew by one warp.
__global__ void mixed(const int *in, int *out) {
  int lane = threadIdx.x % 32, value = in[lane];
  if (threadIdx.x / 32 == 1 && lane < 16)
    value = -value;
  out[blockIdx.x * blockDim.x + threadIdx.x] = total(value) + most(in[lane]);
}

int main() {
  const int blocks = 5, n = blocks * Size, threads = blocks * Threads;
  buffer<int> in(n), out(n), each(threads), calls(1);
  for (int i = 0; i < n; i++)
    in[i] = (i * 37 + i / 7) % 50 - 20;
  calls[0] = 0;
  in.upload();
  calls.upload();

  for (int size : {20, 32, 33, int(Size)}) {
    alike<<<blocks, Threads>>>(in.device, out.device, size);
    out.download();
    for (int b = 0; b < blocks; b++) {
      int sum = 0, squares = 0, top = -1000;
      for (int k = 0; k < size; k++) {
        int v = in[b * size + k];
        sum += v, squares += v * v, top = v > top ? v : top;
      }
      for (int k = 0; k < size; k++)
        expect(b * size + k, out[b * size + k], in[b * size + k] + 3 * sum + 5 * squares + 7 * top);
    }
  }

  apart<<<blocks, Threads>>>(in.device, each.device, Size);
  each.download();
  for (int i = 0; i < threads; i++) {
    int sum = 0;
    for (int k = 0; k < Size - 32; k++)
      sum += in[i / Threads * Size + k + i % Threads / 32];
    expect(i, each[i], sum);
  }

  written<<<blocks, Threads>>>(each.device, calls.device);
  each.download();
  calls.download();
  expect(0, calls[0], blocks * Threads / 32);
  for (int i = 0; i < threads; i++)
    expect(i, each[i], 32 * (i % Threads / 32 * 32) + 31 * 16);

  mixed<<<blocks, Threads>>>(in.device, each.device);
  each.download();
  for (int i = 0; i < threads; i++) {
    int sum = 0, top = -1000;
    for (int k = 0; k < 32; k++) {
      sum += i % Threads / 32 == 1 && k < 16 ? -in[k] : in[k];
      top = in[k] > top ? in[k] : top;
    }
    expect(i, each[i], sum + top);
  }
  return passed();
}
