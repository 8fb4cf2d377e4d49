// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaDeviceReset in the middle and at the end: what was made before is gone, also a sticky error; the device works again.
#include "check.h"

__global__ void fill(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value + i;
}
__global__ void stop() { __trap(); }

static void use(int block, int value) {
  const int n = 100;
  buffer<int> data(n);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  fill<<<blocks_for(n, block), block, 0, stream>>>(data.device, n, value);
  data.download();
  for (int i = 0; i < n; i++) expect(i, data[i], value + i);
  CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  cudaStream_t old_stream;
  int *old_memory;
  use(block, 1);
  CHECK(cudaStreamCreate(&old_stream));
  CHECK(cudaMalloc(&old_memory, 400));
  stop<<<1, 1>>>();
  expect(-1, (int)cudaDeviceSynchronize(), (int)cudaErrorLaunchFailure);
  expect(-2, (int)cudaMalloc(&old_memory, 4), (int)cudaErrorLaunchFailure); // sticky
  CHECK(cudaDeviceReset());
  CHECK(cudaGetLastError());
  expect(-3, (int)cudaStreamSynchronize(old_stream), (int)cudaErrorInvalidResourceHandle);
  expect(-4, (int)cudaGetLastError(), (int)cudaErrorInvalidResourceHandle);
  use(block, 2);
  CHECK(cudaDeviceReset());
  CHECK(cudaDeviceReset());
  return passed();
}
