// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private struct that lives across barriers, changed as a whole and by field.
#include "check.h"

struct particle {
  float x, y;
  int hits;
  short tag[3];
};

__global__ void bounce(particle *out) {
  __shared__ particle shared[1024];
  int me = threadIdx.x, size = blockDim.x;
  particle mine = {me * 0.5f, 1.0f, 0, {(short)me, 2, 3}};
  shared[me] = mine;
  __syncthreads();
  particle other = shared[(me + 1) % size];
  mine.x += other.x;
  mine.hits++;
  __syncthreads();
  shared[me] = mine;
  __syncthreads();
  particle back = shared[(me + size - 1) % size];
  mine.y = back.x;
  mine.tag[me % 3] = other.tag[0];
  __syncthreads();
  out[blockIdx.x * size + me] = mine;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<particle> out(n);
  bounce<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int me = i % block, next = (me + 1) % block, previous = (me + block - 1) % block;
    short tag[3] = {(short)me, 2, 3};
    tag[me % 3] = (short)next;
    expect(i, out[i].x, me * 0.5f + next * 0.5f);
    expect(i, out[i].y, previous * 0.5f + me * 0.5f);
    expect(i, out[i].hits, 1);
    for (int k = 0; k < 3; k++)
      expect(i, (int)out[i].tag[k], tag[k]);
  }
  return passed();
}
