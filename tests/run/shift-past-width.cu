// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts by the width and more: PTX clamps the amount, so bits shifted out are gone and a sign fills the word.
// Unaligned copies of bit strings (word << (32 - bit) with bit 0) and masks ((1 << bits) - 1 with bits 32) count on it.
#include "check.h"

const int results = 8;

__global__ void shift(const unsigned *in, const int *amounts, unsigned long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = in[i], bit = i % 32;
  int by = amounts[i];
  unsigned long long wide = (unsigned long long)a << 29 | a, *to = out + i * results;
  to[0] = a << by;
  to[1] = a >> by;
  to[2] = (unsigned)((int)a >> by);
  to[3] = wide << by;
  to[4] = wide >> by;
  to[5] = (unsigned long long)((long long)(wide << 5) >> by);
  to[6] = in[i] >> bit | in[i + 1] << (32 - bit);
  to[7] = (unsigned)((1 << (bit + 1)) - 1);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  buffer<unsigned> in(n + 1);
  buffer<int> amounts(n);
  buffer<unsigned long long> out(n * results);
  unsigned state = 15;
  for (int i = 0; i <= n; i++)
    in[i] = next_random(state) * 259u | 1;
  for (int i = 0; i < n; i++)
    amounts[i] = i < 290 ? i : 289 - i; /* and some below zero: past any width */
  in.upload();
  amounts.upload();
  shift<<<blocks_for(n, block), block>>>(in.device, amounts.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned long long a = in[i], wide = a << 29 | a, expected[results] = {a, a, a, wide, wide, wide << 5, a, 1};
    for (int step = 0; step < (amounts[i] < 0 ? 64 : amounts[i]); step++) {
      expected[0] = expected[0] * 2 % 0x100000000ull;
      expected[1] /= 2;
      expected[2] = expected[2] / 2 + (a & 0x80000000ull);
      expected[3] *= 2;
      expected[4] /= 2;
      expected[5] = expected[5] / 2 + (wide << 5 & 0x8000000000000000ull);
    }
    for (int step = 0; step < i % 32; step++) {
      expected[6] = expected[6] / 2 + (in[i + 1] >> step & 1) * 0x80000000ull;
      expected[7] = expected[7] * 2 + 1;
    }
    if (i % 32 == 0)
      expected[6] = a;
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
