// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaDeviceReset in the middle and at the end: what was made before is gone, and the device works again. So it does here after a
// kernel that failed, where a GPU may want another process.
#include "check.h"

__global__ void fill(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = value + i;
}
__global__ void stop() { __trap(); }

static void use(int block, int value) {
  const int n = 100;
  buffer<int> data(n);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  fill<<<blocks_for(n, block), block, 0, stream>>>(data.device, n, value);
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], value + i);
  CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  cudaStream_t old_stream;
  int *old_memory;
  use(block, 1);
  CHECK(cudaStreamCreate(&old_stream));
  CHECK(cudaMalloc(&old_memory, 400));
  CHECK(cudaDeviceReset());
  use(block, 2);
  stop<<<1, 1>>>();
  expect(-1, (int)cudaDeviceSynchronize(), (int)cudaErrorLaunchFailure);
  expect(-2, (int)cudaMalloc(&old_memory, 4), (int)cudaErrorLaunchFailure); // sticky
  CHECK(cudaDeviceReset());
  expect(-3, (int)cudaGetLastError(), (int)cudaErrorLaunchFailure); // this thread's, which has not asked for it
  expect(-4, (int)cudaGetLastError(), (int)cudaSuccess);
#ifdef __UNWARP__
  expect(-5, (int)cudaStreamSynchronize(old_stream), (int)cudaErrorInvalidResourceHandle);
  expect(-6, (int)cudaGetLastError(), (int)cudaErrorInvalidResourceHandle);
  use(block, 3);
#endif
  CHECK(cudaDeviceReset());
  CHECK(cudaDeviceReset());
  return passed();
}
