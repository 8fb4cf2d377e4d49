// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each atomic operation on shared memory, reset between iterations by one thread.
#include "check.h"

__global__ void apply(int *out, int iterations) {
  __shared__ int cells[8];
  __shared__ unsigned turns;
  int me = threadIdx.x;
  for (int iteration = 0; iteration < iterations; iteration++) {
    if (me == 0) {
      for (int k = 0; k < 8; k++)
        cells[k] = k == 2 ? 100000 : k == 4 ? -1 : 0;
      turns = 0;
    }
    __syncthreads();
    atomicAdd(&cells[0], me + iteration);
    atomicSub(&cells[1], 2);
    atomicMin(&cells[2], 5000 - me * 3);
    atomicMax(&cells[3], me * 2 + iteration);
    atomicAnd(&cells[4], ~(1 << me % 20));
    atomicOr(&cells[5], 1 << (me + iteration) % 31);
    atomicXor(&cells[6], me);
    if (atomicCAS(&cells[7], 0, 77) == 0)
      atomicAdd(&cells[7], 1);
    atomicInc(&turns, 4);
    __syncthreads();
    if (me < 9)
      out[(blockIdx.x * iterations + iteration) * 9 + me] = me < 8 ? cells[me] : (int)turns;
    if (me == 0)
      for (int k = blockDim.x; k < 9; k++)
        out[(blockIdx.x * iterations + iteration) * 9 + k] = k < 8 ? cells[k] : (int)turns;
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, iterations = 3;
  buffer<int> out(blocks * iterations * 9);
  apply<<<blocks, block>>>(out.device, iterations);
  out.download();
  for (int b = 0; b < blocks; b++)
    for (int iteration = 0; iteration < iterations; iteration++) {
      int cells[9] = {0, -2 * block, 5000 - 3 * (block - 1), 2 * (block - 1) + iteration, -1, 0, 0, 78, block % 5};
      for (int t = 0; t < block; t++) {
        cells[0] += t + iteration;
        cells[4] &= ~(1 << t % 20);
        cells[5] |= 1 << (t + iteration) % 31;
        cells[6] ^= t;
      }
      for (int k = 0; k < 9; k++)
        expect(k, out[(b * iterations + iteration) * 9 + k], cells[k]);
    }
  return passed();
}
