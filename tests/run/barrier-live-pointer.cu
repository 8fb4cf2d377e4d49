// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that live across a barrier: into global, into shared and into private memory.
#include "check.h"

__global__ void chase(const int *left, const int *right, int *out) {
  __shared__ int tile[1024];
  int me = threadIdx.x, size = blockDim.x, i = blockIdx.x * size + me;
  int private_value = me * 2;
  const int *from = me % 2 ? left + i : right + i;
  int *own = &tile[me], *opposite = &tile[size - 1 - me];
  int *counter = &private_value;
  *own = *from;
  __syncthreads();
  int taken = *opposite;
  *counter += taken;
  __syncthreads();
  *own = *counter + *from;
  __syncthreads();
  out[i] = *opposite + private_value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> left(n), right(n), out(n);
  for (int i = 0; i < n; i++) {
    left[i] = i;
    right[i] = 1000 - i;
  }
  left.upload();
  right.upload();
  chase<<<blocks, block>>>(left.device, right.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int me = i % block, mirror = block - 1 - me, j = i / block * block + mirror;
    int at_i = me % 2 ? i : 1000 - i, at_j = mirror % 2 ? j : 1000 - j;
    int mine = me * 2 + at_j, theirs = mirror * 2 + at_i;
    expect(i, out[i], theirs + at_j + mine);
  }
  return passed();
}
