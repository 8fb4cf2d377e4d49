// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics on signed ints: add, sub, min, max, and, or, xor, from every thread to few addresses.
#include "check.h"

const int slots = 5, kinds = 7;

__global__ void apply(const int *in, int *cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = in[i];
  int *cell = cells + (i % slots) * kinds;
  atomicAdd(cell + 0, value);
  atomicSub(cell + 1, value);
  atomicMin(cell + 2, value);
  atomicMax(cell + 3, value);
  atomicAnd(cell + 4, value | 0x0f0f0000);
  atomicOr(cell + 5, value & 0x00ff00ff);
  atomicXor(cell + 6, value);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1003;
  buffer<int> in(n), cells(slots * kinds);
  int expected[slots * kinds];
  unsigned state = 1;
  for (int i = 0; i < n; i++)
    in[i] = (int)(next_random(state) % 2000000) - 1000000;
  for (int k = 0; k < slots * kinds; k++) {
    cells[k] = k % kinds == 2 ? 5 : k % kinds == 4 ? -1 : -3;
    expected[k] = cells[k];
  }
  for (int i = 0; i < n; i++) {
    int *cell = expected + (i % slots) * kinds, value = in[i];
    cell[0] += value;
    cell[1] -= value;
    cell[2] = value < cell[2] ? value : cell[2];
    cell[3] = value > cell[3] ? value : cell[3];
    cell[4] &= value | 0x0f0f0000;
    cell[5] |= value & 0x00ff00ff;
    cell[6] ^= value;
  }
  in.upload();
  cells.upload();
  apply<<<blocks_for(n, block), block>>>(in.device, cells.device, n);
  cells.download();
  for (int k = 0; k < slots * kinds; k++)
    expect(k, cells[k], expected[k]);
  return passed();
}
