// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop made of goto, with barriers, and a goto that leaves from the middle.
#include "check.h"

__global__ void jump(int *out, int rounds, int stop_at) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x, round = 0;
  ring[me] = me;
again:
  if (round == rounds)
    goto done;
  {
    __syncthreads();
    int taken = ring[(me + 1) % size];
    __syncthreads();
    ring[me] = taken;
  }
  if (round == stop_at)
    goto stopped;
  round++;
  goto again;
stopped:
  ring[me] += 1000;
done:
  __syncthreads();
  out[blockIdx.x * size + me] = ring[size - 1 - me] * 10 + round;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  for (int rounds = 0; rounds < 5; rounds++) {
    jump<<<blocks, block>>>(out.device, rounds, 2);
    out.download();
    bool stopped = rounds > 2;
    int moved = stopped ? 3 : rounds;
    for (int i = 0; i < n; i++) {
      int origin = (block - 1 - i % block + moved) % block;
      expect(i, out[i], (origin + (stopped ? 1000 : 0)) * 10 + (stopped ? 2 : rounds));
    }
  }
  return passed();
}
