// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads past the end return before a barrier; those that stay reverse what is left of their block.
#include "check.h"

__global__ void reverse_in_block(const int *in, int *out, int n) {
  __shared__ int tile[1024];
  int base = blockIdx.x * blockDim.x;
  int i = base + threadIdx.x;
  if (i >= n)
    return;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  int live = n - base < (int)blockDim.x ? n - base : (int)blockDim.x;
  out[i] = tile[live - 1 - threadIdx.x];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int sizes[] = {1, 50, 999};
  for (int n : sizes) {
    buffer<int> in(n), out(n);
    for (int i = 0; i < n; i++)
      in[i] = 3 * i + 1;
    in.upload();
    reverse_in_block<<<blocks_for(n, block), block>>>(in.device, out.device, n);
    out.download();
    for (int first = 0; first < n; first += block) {
      int last = first + block < n ? first + block : n;
      for (int i = first; i < last; i++)
        expect(i, out[i], 3 * (first + last - 1 - i) + 1);
    }
  }
  return passed();
}
