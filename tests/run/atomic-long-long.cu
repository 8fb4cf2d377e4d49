// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64-bit atomics: unsigned add, exch, cas, and, or, xor; signed and unsigned min and max.
#include "check.h"

typedef unsigned long long wide;

__global__ void apply(const wide *in, wide *cells, long long *bounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&cells[0], in[i]);
  atomicMin(&cells[1], in[i]);
  atomicMax(&cells[2], in[i]);
  atomicAnd(&cells[3], in[i] | 0xff00000000000000ull);
  atomicOr(&cells[4], in[i] & 0x00ff0000000000ffull);
  atomicXor(&cells[5], in[i]);
  atomicMin(&bounds[0], (long long)in[i]);
  atomicMax(&bounds[1], (long long)in[i]);
  wide seen = cells[6], before; // add by compare-and-swap
  do {
    before = seen;
    seen = atomicCAS(&cells[6], before, before + in[i]);
  } while (seen != before);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 600;
  buffer<wide> in(n), cells(7);
  buffer<long long> bounds(2);
  wide expected[7] = {1, ~0ull, 0, ~0ull, 0, 5, 0};
  long long low = 0, high = 0;
  unsigned state = 9;
  for (int k = 0; k < 7; k++)
    cells[k] = expected[k];
  for (int i = 0; i < n; i++) {
    wide value = in[i] = ((wide)next_random(state) << 42) ^ next_random(state);
    expected[0] += value;
    if (value < expected[1])
      expected[1] = value;
    if (value > expected[2])
      expected[2] = value;
    expected[3] &= value | 0xff00000000000000ull;
    expected[4] |= value & 0x00ff0000000000ffull;
    expected[5] ^= value;
    expected[6] += value;
    if ((long long)value < low)
      low = (long long)value;
    if ((long long)value > high)
      high = (long long)value;
  }
  in.upload();
  cells.upload();
  bounds.upload();
  apply<<<blocks_for(n, block), block>>>(in.device, cells.device, bounds.device, n);
  cells.download();
  bounds.download();
  for (int k = 0; k < 7; k++)
    expect(k, cells[k], expected[k]);
  expect(7, bounds[0], low);
  expect(8, bounds[1], high);
  return passed();
}
