// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programmatic dependent launch: a kernel that waits for the one before it in its stream, which says early that others may begin.
// nvcc flags: -arch=sm_90
#include "check.h"

__global__ void fill(int *values, int n) {
  cudaTriggerProgrammaticLaunchCompletion();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = 3 * i;
}
__global__ void add(const int *values, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaGridDependencySynchronize();
  if (i < n)
    sums[i] = values[i] + values[n - 1 - i];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1000;
  buffer<int> values(n), sums(n);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  fill<<<7, block, 0, stream>>>(values.device, n);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks_for(n, block));
  config.blockDim = dim3(block);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, add, (const int *)values.device, sums.device, n));
  sums.download();
  for (int i = 0; i < n; i++)
    expect(i, sums[i], 3 * (n - 1));
  CHECK(cudaStreamDestroy(stream));
  return passed();
}
