// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in the inner and in the outer of two for loops.
#include "check.h"

__global__ void mix(unsigned *out, int outer, int inner) {
  __shared__ unsigned ring[1024];
  unsigned me = threadIdx.x, size = blockDim.x;
  ring[me] = me + 1;
  __syncthreads();
  for (int i = 0; i < outer; i++) {
    unsigned gathered = 0;
    for (int j = 1; j <= inner; j++) {
      gathered += ring[(me + i + j) % size] * j;
      __syncthreads();
      ring[me] += i + j;
      __syncthreads();
    }
    ring[me] = ring[me] * 3 + gathered;
    __syncthreads();
  }
  out[blockIdx.x * size + me] = ring[me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, outer = 4, inner = 3;
  buffer<unsigned> out(blocks * block);
  unsigned *ring = new unsigned[block], *gathered = new unsigned[block];
  for (int t = 0; t < block; t++)
    ring[t] = t + 1;
  for (int i = 0; i < outer; i++) {
    for (int t = 0; t < block; t++)
      gathered[t] = 0;
    for (int j = 1; j <= inner; j++) {
      for (int t = 0; t < block; t++)
        gathered[t] += ring[(t + i + j) % block] * j;
      for (int t = 0; t < block; t++)
        ring[t] += i + j;
    }
    for (int t = 0; t < block; t++)
      ring[t] = ring[t] * 3 + gathered[t];
  }
  mix<<<blocks, block>>>(out.device, outer, inner);
  out.download();
  for (int i = 0; i < blocks * block; i++)
    expect(i, out[i], ring[i % block]);
  delete[] ring;
  delete[] gathered;
  return passed();
}
