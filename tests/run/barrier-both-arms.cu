// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier in each arm of an if: every thread of a block meets the one of its arm.
#include "check.h"

__global__ void two_ways(const int *in, int *out, const int *way) {
  __shared__ int tile[1024];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me, last = blockDim.x - 1;
  tile[me] = in[i];
  int value;
  if (way[blockIdx.x] > 0) {
    __syncthreads();
    value = tile[last - me];
  } else {
    __syncthreads();
    value = tile[0] + tile[last] + tile[me];
  }
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 8, n = block * blocks;
  buffer<int> in(n), out(n), way(blocks);
  for (int i = 0; i < n; i++)
    in[i] = i * i % 1009;
  for (int b = 0; b < blocks; b++)
    way[b] = b % 3 - 1;
  in.upload();
  way.upload();
  two_ways<<<blocks, block>>>(in.device, out.device, way.device);
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < block; t++) {
      int first = b * block, last = first + block - 1;
      expect(first + t, out[first + t], b % 3 == 2 ? in[last - t] : in[first] + in[last] + in[first + t]);
    }
  return passed();
}
