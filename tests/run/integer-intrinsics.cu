// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics against loops over the bits: popc, clz, ffs, brev, mulhi, mul24, byte_perm, sad and more.
#include "check.h"

const int results = 20;

__global__ void apply(const unsigned *a_in, const unsigned *b_in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = a_in[i], b = b_in[i], *to = out + i * results;
  unsigned long long wide = (unsigned long long)a << 32 | b;
  to[0] = __popc(a), to[1] = __clz(a), to[2] = __ffs(a), to[3] = __brev(a);
  to[4] = __umulhi(a, b), to[5] = __mulhi((int)a, (int)b), to[6] = __umul24(a, b), to[7] = __mul24((int)a, (int)b);
  to[8] = __byte_perm(a, b, 0x5170 + i % 8), to[9] = __sad((int)a, (int)b, 77), to[10] = __usad(a, b, 5);
  to[11] = __popcll(wide), to[12] = __clzll(wide), to[13] = __ffsll(wide);
  to[14] = (unsigned)(__brevll(wide) >> 32) ^ (unsigned)__brevll(wide);
  to[15] = __funnelshift_l(a, b, i), to[16] = __funnelshift_r(a, b, i);
  to[17] = __hadd((int)a, (int)b), to[18] = __rhadd((int)a, (int)b), to[19] = (unsigned)__umul64hi(wide, wide);
}

static unsigned byte_of(unsigned a, unsigned b, unsigned k) { return (k < 4 ? a >> 8 * k : b >> 8 * (k - 4)) & 255; }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 260;
  buffer<unsigned> a(n), b(n), out(n * results);
  unsigned state = 55;
  for (int i = 0; i < n; i++) {
    a[i] = i == 0 ? 0 : i < 33 ? 1u << (i - 1) : next_random(state) * 263u;
    b[i] = i % 40 == 0 ? 0 : next_random(state) * 271u;
  }
  a.upload();
  b.upload();
  apply<<<blocks_for(n, block), block>>>(a.device, b.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned x = a[i], y = b[i], expected[results] = {0}, selector = 0x5170 + i % 8;
    int sx = (int)x, sy = (int)y, low24x = (int)(x << 8) >> 8, low24y = (int)(y << 8) >> 8;
    unsigned long long wide = (unsigned long long)x << 32 | y, mirrored = 0;
    expected[1] = 32;
    expected[12] = 64;
    for (int k = 0; k < 32; k++)
      if (x >> k & 1) {
        expected[0]++;
        expected[1] = 31 - k;
        if (expected[2] == 0)
          expected[2] = k + 1;
        expected[3] |= 1u << (31 - k);
      }
    for (int k = 0; k < 64; k++)
      if (wide >> k & 1) {
        expected[11]++;
        expected[12] = 63 - k;
        if (expected[13] == 0)
          expected[13] = k + 1;
        mirrored |= 1ull << (63 - k);
      }
    expected[4] = (unsigned)(((unsigned long long)x * y) >> 32);
    expected[5] = (unsigned)(((long long)sx * sy) >> 32);
    expected[6] = (unsigned)((unsigned long long)(x & 0xffffff) * (y & 0xffffff));
    expected[7] = (unsigned)((long long)low24x * low24y);
    for (int k = 0; k < 4; k++)
      expected[8] |= byte_of(x, y, selector >> 4 * k & 7) << 8 * k;
    expected[9] = (unsigned)(sx > sy ? (long long)sx - sy : (long long)sy - sx) + 77;
    expected[10] = (x > y ? x - y : y - x) + 5;
    expected[14] = (unsigned)(mirrored >> 32) ^ (unsigned)mirrored;
    unsigned long long pair = (unsigned long long)y << 32 | x; // b is the high half
    expected[15] = (unsigned)((pair << i % 32) >> 32);
    expected[16] = (unsigned)(pair >> i % 32);
    expected[17] = (unsigned)(((long long)sx + sy) >> 1);
    expected[18] = (unsigned)(((long long)sx + sy + 1) >> 1);
    expected[19] = (unsigned)(((unsigned __int128)wide * wide) >> 64);
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
