// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// if (i >= n) return; and then a loop with barriers: the threads that left take no further part.
#include "check.h"

__global__ void prefix(const int *in, int *out, int n) {
  __shared__ int tile[1024];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  if (i >= n)
    return;
  tile[me] = in[i];
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    int add = me >= step ? tile[me - step] : 0;
    __syncthreads();
    tile[me] += add;
    __syncthreads();
  }
  out[i] = tile[me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  const int sizes[] = {1, 40, 257, 1000};
  for (int n : sizes) {
    buffer<int> in(n), out(n);
    for (int i = 0; i < n; i++)
      in[i] = i % 17 - 3;
    in.upload();
    prefix<<<blocks_for(n, block), block>>>(in.device, out.device, n);
    out.download();
    int running = 0;
    for (int i = 0; i < n; i++) {
      running = i % block ? running + in[i] : in[i];
      expect(i, out[i], running);
    }
  }
  return passed();
}
