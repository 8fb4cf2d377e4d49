// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in a loop whose condition is a short-circuit expression with loads on both sides.
#include "check.h"

__global__ void advance(const int *stops, int *out, int limit) {
  __shared__ int ring[1024];
  int me = threadIdx.x, size = blockDim.x, step = 0;
  const int *mine = stops + blockIdx.x * limit;
  ring[me] = me;
  __syncthreads();
  while (step < limit && (mine[step] == 0 || (step > 0 && mine[step - 1] == 2))) {
    int taken = ring[(me + 1) % size];
    __syncthreads();
    ring[me] = taken;
    __syncthreads();
    step++;
  }
  out[blockIdx.x * size + me] = ring[me] * 100 + step;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 4, n = block * blocks, limit = 5;
  buffer<int> stops(blocks * limit), out(n);
  const int table[4][5] = {{0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {1, 0, 0, 0, 0}, {0, 2, 0, 0, 0}};
  const int steps[4] = {5, 2, 0, 1};
  for (int k = 0; k < blocks * limit; k++)
    stops[k] = table[k / limit][k % limit];
  stops.upload();
  advance<<<blocks, block>>>(stops.device, out.device, limit);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (i % block + steps[i / block]) % block * 100 + steps[i / block]);
  return passed();
}
