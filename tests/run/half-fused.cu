// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __hfma rounds once: random halves, and addends that leave a tie, or next to one. A half is a multiple of 2^-24, so the
// exact sum is an integer of 128 bits. A double that lies next to a tie is rounded once, too.
#include <cstdio>
#include <cuda_fp16.h>

__global__ void fuse(const unsigned short *a, const unsigned short *b, const unsigned short *c, unsigned short *sums,
                     int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    sums[i] = __half_as_ushort(__hfma(__ushort_as_half(a[i]), __ushort_as_half(b[i]), __ushort_as_half(c[i])));
}

__global__ void narrow(const double *from, unsigned short *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] = __half_as_ushort(__double2half(from[i]));
}

static bool is_finite(unsigned short bits) { return (bits & 0x7c00) != 0x7c00; }

// A finite half, in units of 2^-24.
static __int128 units(unsigned short bits) {
  int exponent = bits >> 10 & 31;
  __int128 size = exponent ? (__int128)(bits & 0x3ff | 0x400) << (exponent - 1) : bits & 0x3ff;
  return bits & 0x8000 ? -size : size;
}

// The half nearest to so many units of 2^-48, to even where two are.
static unsigned short nearest(__int128 sum, bool is_negative) {
  unsigned __int128 size = sum < 0 ? -sum : sum;
  int last = 24; // the last bit that a half of this size has
  while (size >> last >= 2048)
    last++;
  unsigned __int128 kept = size >> last, rest = size & (((unsigned __int128)1 << last) - 1),
                    middle = (unsigned __int128)1 << (last - 1);
  kept += rest > middle || (rest == middle && (kept & 1));
  if (kept == 2048)
    kept = 1024, last++;
  int exponent = kept < 1024 ? 0 : last - 23;
  unsigned bits = exponent > 30 ? 0x7c00 : exponent << 10 | (unsigned)(kept & 0x3ff);
  return (unsigned short)(bits | (is_negative ? 0x8000 : 0));
}

int main() {
  const int count = 1 << 16;
  unsigned short *a, *b, *c, *sums;
  double *doubles;
  cudaMallocManaged(&a, count * sizeof *a);
  cudaMallocManaged(&b, count * sizeof *b);
  cudaMallocManaged(&c, count * sizeof *c);
  cudaMallocManaged(&sums, count * sizeof *sums);
  cudaMallocManaged(&doubles, count * sizeof *doubles);
  unsigned long long state = 88172645463325252ull;
  int wrong = 0, ties = 0;
  for (int round = 0; round < 8; round++) {
    for (int i = 0; i < count; i++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      a[i] = (unsigned short)state, b[i] = (unsigned short)(state >> 16), c[i] = (unsigned short)(state >> 32);
      if (round % 2) { // one addend of the other's size, times a power of two: bits just below and just above a tie
        int exponent = (a[i] >> 10 & 31) + (b[i] >> 10 & 31) - 15 + (int)(state >> 48 & 31) - 16;
        exponent = exponent < 0 ? 0 : exponent > 30 ? 30 : exponent;
        a[i] &= 0xfc3f, b[i] &= 0xfc1f; // short fractions: ties
        c[i] = (unsigned short)(c[i] & 0x83ff | exponent << 10);
      }
    }
    fuse<<<count / 256, 256>>>(a, b, c, sums, count);
    cudaDeviceSynchronize();
    for (int i = 0; i < count; i++) {
      if (!is_finite(a[i]) || !is_finite(b[i]) || !is_finite(c[i]))
        continue;
      __int128 sum = units(a[i]) * units(b[i]) + (units(c[i]) << 24);
      bool is_negative = sum < 0 || (sum == 0 && ((a[i] ^ b[i]) & c[i] & 0x8000));
      unsigned short right = nearest(sum, is_negative);
      wrong += sums[i] != right;
      if (sums[i] != right && wrong < 4)
        printf("%04x * %04x + %04x: %04x, not %04x\n", a[i], b[i], c[i], sums[i], right);
    }
  }
  for (int i = 0; i < count; i++) { // the middle of two halves, and the doubles next to it
    unsigned short low = (unsigned short)(i % 0x7bff);
    double middle = ((double)units(low) + (double)units((unsigned short)(low + 1))) * 0x1p-25;
    doubles[i] = i % 3 == 0 ? middle : middle * (1 + (i % 3 == 1 ? 0x1p-50 : -0x1p-50));
  }
  narrow<<<count / 256, 256>>>(doubles, sums, count);
  cudaDeviceSynchronize();
  for (int i = 0; i < count; i++) {
    unsigned short low = (unsigned short)(i % 0x7bff), even = (unsigned short)(low + (low & 1));
    ties += i % 3 == 0;
    wrong += sums[i] != (i % 3 == 0 ? even : i % 3 == 1 ? low + 1 : low);
  }
  printf(wrong ? "%d wrong\n" : "ok\n", wrong);
  return wrong != 0 || !ties;
}
