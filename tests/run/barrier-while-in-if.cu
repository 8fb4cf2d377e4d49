// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A while loop with barriers, inside an if with an else that has a barrier of its own.
#include "check.h"

__global__ void walk(int *out, int mode, int steps) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x;
  ring[me] = me * me;
  if (mode == 1) {
    int left = steps;
    while (left != 0) {
      __syncthreads();
      int taken = ring[(me + left) % size];
      __syncthreads();
      ring[me] = taken + left;
      left--;
    }
  } else {
    __syncthreads();
    int taken = ring[size - 1 - me];
    __syncthreads();
    ring[me] = -taken;
  }
  out[blockIdx.x * size + me] = ring[me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks, steps = 4;
  buffer<int> out(n);
  for (int mode = 0; mode < 2; mode++) {
    walk<<<blocks, block>>>(out.device, mode, steps);
    out.download();
    for (int i = 0; i < n; i++) {
      int me = i % block;
      if (mode == 0) {
        expect(i, out[i], -(block - 1 - me) * (block - 1 - me));
      } else {
        int origin = (me + steps * (steps + 1) / 2) % block; // all rotations add up
        expect(i, out[i], origin * origin + steps * (steps + 1) / 2);
      }
    }
  }
  return passed();
}
