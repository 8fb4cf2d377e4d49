// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusive scan of each block by doubling steps, one barrier a step, two buffers in one shared array.
#include "check.h"

__global__ void scan(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  int me = threadIdx.x, size = blockDim.x, i = blockIdx.x * size + me;
  int now = 0, next = 1;
  temp[me] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < size; step <<= 1) {
    temp[next * size + me] = temp[now * size + me] + (me >= step ? temp[now * size + me - step] : 0);
    now = 1 - now;
    next = 1 - next;
    __syncthreads();
  }
  if (i < n)
    out[i] = temp[now * size + me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 2000;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i % 11 - 4;
  in.upload();
  scan<<<blocks_for(n, block), block, 2 * block * sizeof(int)>>>(in.device, out.device, n);
  out.download();
  int running = 0;
  for (int i = 0; i < n; i++) {
    running = i % block ? running + in[i] : in[i];
    expect(i, out[i], running);
  }
  return passed();
}
