// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in the cases of a switch on a uniform value, with a fall-through and a default without one.
#include "check.h"

__global__ void dispatch(int *out, const int *modes) {
  __shared__ int tile[1024];
  int me = threadIdx.x, last = blockDim.x - 1, value = me;
  tile[me] = me;
  switch (modes[blockIdx.x]) {
  case 0:
    __syncthreads();
    value = tile[last - me];
    break;
  case 1:
    tile[me] = me + 100;
    // falls through
  case 2:
    __syncthreads();
    value = tile[(me + 1) % blockDim.x];
    break;
  case 5: value = -1; break;
  default: value = me * 2;
  }
  __syncthreads();
  tile[me] = value;
  __syncthreads();
  out[blockIdx.x * blockDim.x + me] = tile[last - me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 7, n = block * blocks;
  buffer<int> out(n), modes(blocks);
  for (int b = 0; b < blocks; b++)
    modes[b] = b;
  modes.upload();
  dispatch<<<blocks, block>>>(out.device, modes.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int mode = i / block, mirror = block - 1 - i % block, next = (mirror + 1) % block;
    const int expected[7] = {i % block, next + 100, next, mirror * 2, mirror * 2, -1, mirror * 2};
    expect(i, out[i], expected[mode]);
  }
  return passed();
}
