// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loaded value used after a barrier must not be loaded again: its location has a new content by then.
#include "check.h"

__global__ void shift_in_place(int *data, int steps) {
  int me = threadIdx.x, size = blockDim.x;
  int *mine = data + blockIdx.x * size;
  for (int step = 0; step < steps; step++) {
    int taken = mine[(me + 1) % size];
    int doubled = 2 * taken;
    __syncthreads();
    mine[me] = doubled - taken + 1;
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks, steps = 5;
  buffer<int> data(n);
  for (int i = 0; i < n; i++)
    data[i] = i * 4;
  data.upload();
  shift_in_place<<<blocks, block>>>(data.device, steps);
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], (i / block * block + (i + steps - i / block * block) % block) * 4 + steps);
  return passed();
}
