// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop made of goto, with barriers, and a goto that leaves from the middle.
#include "check.h"

__global__ void jump(int *out, int iterations, int stop_at) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x, iteration = 0;
  ring[me] = me;
again:
  if (iteration == iterations)
    goto done;
  {
    __syncthreads();
    int taken = ring[(me + 1) % size];
    __syncthreads();
    ring[me] = taken;
  }
  if (iteration == stop_at)
    goto stopped;
  iteration++;
  goto again;
stopped:
  ring[me] += 1000;
done:
  __syncthreads();
  out[blockIdx.x * size + me] = ring[size - 1 - me] * 10 + iteration;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> out(n);
  for (int iterations = 0; iterations < 5; iterations++) {
    jump<<<blocks, block>>>(out.device, iterations, 2);
    out.download();
    bool stopped = iterations > 2;
    int moved = stopped ? 3 : iterations;
    for (int i = 0; i < n; i++) {
      int origin = (block - 1 - i % block + moved) % block;
      expect(i, out[i], (origin + (stopped ? 1000 : 0)) * 10 + (stopped ? 2 : iterations));
    }
  }
  return passed();
}
