// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd on double, in global and in shared memory.
#include "check.h"

__global__ void accumulate(const double *in, double *total, double *by_block, int n) {
  __shared__ double sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(total, in[i]);
    atomicAdd(&sum, in[i] * 2);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    by_block[blockIdx.x] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 900, blocks = blocks_for(n, block);
  buffer<double> in(n), total(1), by_block(blocks);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[i] = (i * 7 % 100) / 16.0;
  in.upload();
  total.upload();
  accumulate<<<blocks, block>>>(in.device, total.device, by_block.device, n);
  total.download();
  by_block.download();
  expect(-1, total[0], sum);
  for (int b = 0; b < blocks; b++) {
    double part = 0;
    for (int i = b * block; i < n && i < (b + 1) * block; i++)
      part += in[i];
    expect(b, by_block[b], 2 * part);
  }
  return passed();
}
