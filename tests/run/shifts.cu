// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts by variable amounts: logical and arithmetic, 32 and 64 bits, of narrow types, and rotations.
#include "check.h"

const int results = 8;

__global__ void shift(const unsigned *in, unsigned long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = in[i], by = i % 32, by64 = i % 64;
  unsigned long long wide = (unsigned long long)a << 29 | a, *to = out + i * results;
  to[0] = a << by;
  to[1] = a >> by;
  to[2] = (unsigned)((int)a >> by);
  to[3] = wide << by64;
  to[4] = wide >> by64;
  to[5] = (unsigned long long)((long long)(wide << 5) >> by64);
  to[6] = a << by | a >> ((32 - by) & 31);
  to[7] = (unsigned)((signed char)a >> (i % 8));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 257;
  buffer<unsigned> in(n);
  buffer<unsigned long long> out(n * results);
  unsigned state = 15;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) * 259u | 1;
  in.upload();
  shift<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned long long a = in[i], wide = a << 29 | a, expected[results] = {a, a, a, wide, wide, wide << 5, a, a & 255};
    if (a & 128)
      expected[7] |= 0xffffff00ull;
    for (int step = 0; step < i % 32; step++) {
      expected[0] = expected[0] * 2 % 0x100000000ull;
      expected[1] /= 2;
      expected[2] = expected[2] / 2 + (a & 0x80000000ull);
      expected[6] = expected[6] * 2 % 0x100000000ull + expected[6] / 0x80000000ull;
    }
    for (int step = 0; step < i % 64; step++) {
      expected[3] *= 2;
      expected[4] /= 2;
      expected[5] = expected[5] / 2 + (wide << 5 & 0x8000000000000000ull);
    }
    for (int step = 0; step < i % 8; step++)
      expected[7] = expected[7] / 2 + (a & 128 ? 0x80000000ull : 0);
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
