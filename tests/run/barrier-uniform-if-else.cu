// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier in the then-arm of a uniform if, plain code in the else-arm.
#include "check.h"

__global__ void reverse_even_blocks(const int *in, int *out) {
  __shared__ int tile[1024];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  int result;
  if (blockIdx.x % 2 == 0) {
    tile[me] = in[i];
    __syncthreads();
    result = tile[blockDim.x - 1 - me];
  } else {
    result = in[i] * 2;
  }
  out[i] = result + 1;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = block * blocks;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = 5 * i;
  in.upload();
  reverse_even_blocks<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int b = i / block, me = i % block;
    expect(i, out[i], b % 2 == 0 ? 5 * (b * block + block - 1 - me) + 1 : 10 * i + 1);
  }
  return passed();
}
