// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A for loop with barriers inside a uniform if; the other path has none.
#include "check.h"

__global__ void maybe_prefix(const int *in, int *out, int block_with_scan) {
  __shared__ int tile[1024];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  tile[me] = in[i];
  if (blockIdx.x % block_with_scan == 0) {
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
      int add = me >= step ? tile[me - step] : 0;
      __syncthreads();
      tile[me] += add;
      __syncthreads();
    }
  }
  out[i] = tile[me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 7, n = block * blocks;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i % 13 - 5;
  in.upload();
  maybe_prefix<<<blocks, block>>>(in.device, out.device, 3);
  out.download();
  int running = 0;
  for (int i = 0; i < n; i++) {
    if (i % block == 0)
      running = 0;
    running += in[i];
    expect(i, out[i], i / block % 3 == 0 ? running : in[i]);
  }
  return passed();
}
