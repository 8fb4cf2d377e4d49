// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics on unsigned ints: min and max compare as unsigned, add and sub wrap around.
#include "check.h"

__global__ void apply(const unsigned *in, unsigned *cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&cells[0], in[i]);
  atomicSub(&cells[1], in[i]);
  atomicMin(&cells[2], in[i]);
  atomicMax(&cells[3], in[i]);
  atomicAnd(&cells[4], in[i] | 0xff000000u);
  atomicOr(&cells[5], in[i] & 0x8000ffffu);
  atomicXor(&cells[6], in[i]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 777;
  buffer<unsigned> in(n), cells(7);
  unsigned state = 2, expected[7] = {10, 20, 0xffffffffu, 0, 0xffffffffu, 0, 99};
  for (int k = 0; k < 7; k++)
    cells[k] = expected[k];
  for (int i = 0; i < n; i++) {
    unsigned value = in[i] = next_random(state) * 257u + 0x70000000u; // on both sides of the sign bit
    expected[0] += value;
    expected[1] -= value;
    if (value < expected[2])
      expected[2] = value;
    if (value > expected[3])
      expected[3] = value;
    expected[4] &= value | 0xff000000u;
    expected[5] |= value & 0x8000ffffu;
    expected[6] ^= value;
  }
  in.upload();
  cells.upload();
  apply<<<blocks_for(n, block), block>>>(in.device, cells.device, n);
  cells.download();
  for (int k = 0; k < 7; k++)
    expect(k, cells[k], expected[k]);
  return passed();
}
