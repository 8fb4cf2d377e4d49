// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All 48 KiB of static shared memory, and more dynamic memory after cudaFuncSetAttribute.
#include "check.h"

__global__ void fill_static(unsigned *sums) {
  __shared__ unsigned words[12288];
  for (int k = threadIdx.x; k < 12288; k += blockDim.x)
    words[k] = k + blockIdx.x;
  __syncthreads();
  unsigned sum = 0;
  for (int k = threadIdx.x; k < 12288; k += blockDim.x)
    sum += words[12287 - k];
  atomicAdd(&sums[blockIdx.x], sum);
}

__global__ void fill_dynamic(unsigned *sums, int count) {
  extern __shared__ unsigned sized[];
  for (int k = threadIdx.x; k < count; k += blockDim.x)
    sized[k] = 3 * k + blockIdx.x;
  __syncthreads();
  unsigned sum = 0;
  for (int k = threadIdx.x; k < count; k += blockDim.x)
    sum += sized[count - 1 - k];
  atomicAdd(&sums[blockIdx.x], sum);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 4, count = 16384;
  buffer<unsigned> sums(blocks);
  sums.upload();
  fill_static<<<blocks, block>>>(sums.device);
  sums.download();
  for (int b = 0; b < blocks; b++)
    expect(b, sums[b], 12288u * 12287 / 2 + 12288 * b);
  CHECK(cudaMemset(sums.device, 0, blocks * sizeof(unsigned)));
  CHECK(cudaFuncSetAttribute(fill_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, count * sizeof(unsigned)));
  fill_dynamic<<<blocks, block, count * sizeof(unsigned)>>>(sums.device, count);
  sums.download();
  for (int b = 0; b < blocks; b++)
    expect(100 + b, sums[b], 3u * (16384u * 16383 / 2) + 16384 * b);
  return passed();
}
