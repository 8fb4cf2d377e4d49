// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays on the stack of the function that launches, registered: the threads of a kernel share them as they share any others. What one
// stored before a barrier others read after it, under the same pointer or under another one, and what one adds all see.
#include "check.h"

__global__ void reversed(int *data, int n) {
  int t = threadIdx.x;
  data[t] = data[t] * 2 + 1;
  __syncthreads();
  int other = data[n - 1 - t];
  __syncthreads();
  data[t] = other;
}

__global__ void other_name(int *written, const int *read, int *out, int n) {
  int t = threadIdx.x;
  written[t] = 3 * t;
  __syncthreads();
  out[t] = read[n - 1 - t];
}

__global__ void ranks(int *counter, int *rank_of) {
  __shared__ int first;
  if (threadIdx.x == 0)
    first = atomicAdd(counter, (int)blockDim.x);
  __syncthreads();
  rank_of[blockIdx.x * blockDim.x + threadIdx.x] = first + (int)threadIdx.x;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), grid = 5;
  enum { MOST = 1024 };
  alignas(4096) int data[MOST], counter[MOST] = {0};
  int *alias = nullptr, *counted = nullptr;
  CHECK(cudaHostRegister(data, sizeof data, cudaHostRegisterMapped));
  CHECK(cudaHostRegister(counter, sizeof counter, cudaHostRegisterMapped));
  CHECK(cudaHostGetDevicePointer((void **)&alias, data, 0));
  CHECK(cudaHostGetDevicePointer((void **)&counted, counter, 0));
  buffer<int> out(grid * block);

  for (int i = 0; i < block; i++)
    data[i] = i;
  reversed<<<1, block>>>(data, block);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < block; i++)
    expect(i, data[i], 2 * (block - 1 - i) + 1);

  for (int i = 0; i < block; i++)
    data[i] = -1;
  other_name<<<1, block>>>(data, alias, out.device, block);
  out.download();
  for (int i = 0; i < block; i++)
    expect(i, out[i], 3 * (block - 1 - i));

  ranks<<<grid, block>>>(counter, out.device);
  out.download();
  bool taken[5 * MOST] = {false};
  for (int i = 0; i < grid * block; i++) {
    expect(i, out[i] % block, i % block);
    expect(i, (int)taken[out[i]], 0);
    taken[out[i]] = true;
  }
  expect(0, counter[0], grid * block);
  CHECK(cudaHostUnregister(data));
  CHECK(cudaHostUnregister(counter));
  return passed();
}
