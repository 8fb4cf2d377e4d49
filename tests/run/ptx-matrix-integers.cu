// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: mma of bytes, of 4 bits and of single bits in all their shapes, sums that wrap around or (.satfinite) end at the limits, and
// movmatrix.
#include "check.h"

enum { M = 16, N = 8, RESULTS = M * N };

// The elements of `bits` bits of a register, k from `from` on.
__device__ unsigned pack(const signed char *row, int from, int bits) {
  unsigned result = 0;
  for (int i = 0; i < 32 / bits; i++)
    result |= ((unsigned)row[from + i] & ((1u << bits) - 1)) << i * bits;
  return result;
}

struct fragments {
  unsigned a[4], b[2], c[4];
  int group, place;
  __device__ fragments(const signed char *rows, const signed char *columns, const int *start, int k, int bits) {
    int lane = threadIdx.x % 32, each = 32 / bits;
    group = lane / 4, place = lane % 4;
    for (int i = 0; i < 4; i++)
      a[i] = pack(rows + (group + i % 2 * 8) * k, place * each + i / 2 * 4 * each, bits);
    for (int i = 0; i < 2; i++)
      b[i] = pack(columns + group * k, place * each + i * 4 * each, bits);
    for (int i = 0; i < 4; i++)
      c[i] = start[(group + i / 2 * 8) * N + 2 * place + i % 2];
  }
  __device__ void keep(int *to, const unsigned *d, int count) const {
    for (int i = 0; i < count; i++)
      to[threadIdx.x / 32 * RESULTS + (group + i / 2 * 8) * N + 2 * place + i % 2] = d[i];
  }
};

#define FOUR(name, text)                                                                                               \
  __global__ void name(const signed char *rows, const signed char *columns, const int *start, int k, int bits,         \
                       int *to) {                                                                                      \
    fragments f(rows, columns, start, k, bits);                                                                        \
    unsigned d[4];                                                                                                     \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                 \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                      \
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1]), "r"(f.c[0]),          \
                   "r"(f.c[1]), "r"(f.c[2]), "r"(f.c[3]));                                                             \
    f.keep(to, d, 4);                                                                                                  \
  }
#define TWO(name, text)                                                                                                \
  __global__ void name(const signed char *rows, const signed char *columns, const int *start, int k, int bits,         \
                       int *to) {                                                                                      \
    fragments f(rows, columns, start, k, bits);                                                                        \
    unsigned d[4];                                                                                                     \
    asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"                             \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                      \
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]), "r"(f.c[0]), "r"(f.c[1]), "r"(f.c[2]), "r"(f.c[3]));         \
    f.keep(to, d, 4);                                                                                                  \
  }
#define ONE(name, text)                                                                                                \
  __global__ void name(const signed char *rows, const signed char *columns, const int *start, int k, int bits,         \
                       int *to) {                                                                                      \
    fragments f(rows, columns, start, k, bits);                                                                        \
    unsigned d[2];                                                                                                     \
    asm volatile("mma.sync.aligned." text " {%0,%1}, {%2}, {%3}, {%4,%5};"                                             \
                 : "=r"(d[0]), "=r"(d[1])                                                                              \
                 : "r"(f.a[0]), "r"(f.b[0]), "r"(f.c[0]), "r"(f.c[1]));                                                \
    f.keep(to, d, 2);                                                                                                  \
  }

FOUR(bytes_4, "m16n8k32.row.col.satfinite.s32.s8.s8.s32")
TWO(bytes_2, "m16n8k16.row.col.satfinite.s32.u8.s8.s32")
ONE(bytes_1, "m8n8k16.row.col.satfinite.s32.s8.u8.s32")
FOUR(wrapping_bytes, "m16n8k32.row.col.s32.s8.s8.s32")
FOUR(nibbles_4, "m16n8k64.row.col.s32.s4.s4.s32")
TWO(nibbles_2, "m16n8k32.row.col.satfinite.s32.s4.u4.s32")
ONE(nibbles_1, "m8n8k32.row.col.s32.u4.s4.s32")
FOUR(bits_4, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
TWO(bits_2, "m16n8k128.row.col.s32.b1.b1.s32.and.popc")
ONE(bits_1, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")

__global__ void turn(unsigned *to) {
  unsigned lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2, d;
  unsigned own = (row * 8 + column) | (row * 8 + column + 1) << 16;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(own));
  to[threadIdx.x] = d;
}

static int element(signed char value, int bits, bool has_sign) {
  int cut = value & ((1 << bits) - 1);
  return has_sign && cut >> (bits - 1) ? cut - (1 << bits) : cut;
}

struct shape {
  void (*kernel)(const signed char *, const signed char *, const int *, int, int, int *);
  int m, k, bits;
  bool left_sign, right_sign, at_limits, is_xor;
};

int main(int argc, char **argv) {
  static const shape shapes[] = {
      {bytes_4, 16, 32, 8, true, true, true, false},    {bytes_2, 16, 16, 8, false, true, true, false},
      {bytes_1, 8, 16, 8, true, false, true, false},    {wrapping_bytes, 16, 32, 8, true, true, false, false},
      {nibbles_4, 16, 64, 4, true, true, false, false}, {nibbles_2, 16, 32, 4, true, false, true, false},
      {nibbles_1, 8, 32, 4, false, true, false, false}, {bits_4, 16, 256, 1, false, false, false, true},
      {bits_2, 16, 128, 1, false, false, false, false}, {bits_1, 8, 128, 1, false, false, false, true}};
  int warps = (block_size(argc, argv) + 31) / 32;
  unsigned state = 5;
  buffer<signed char> a(M * 256), b(N * 256);
  buffer<int> c(RESULTS), d((size_t)warps * RESULTS);
  for (int i = 0; i < M * 256; i++)
    a[i] = (signed char)next_random(state);
  for (int i = 0; i < N * 256; i++)
    b[i] = (signed char)next_random(state);
  static const int starts[] = {2147483647, -2147483647 - 1, 0, 2147480000, -2147480000};
  for (int i = 0; i < RESULTS; i++)
    c[i] = starts[next_random(state) % 5];
  a.upload(), b.upload(), c.upload();
  for (const shape &s : shapes) {
    s.kernel<<<1, 32 * warps>>>(a.device, b.device, c.device, s.k, s.bits, d.device);
    d.download();
    for (int w = 0; w < warps; w++)
      for (int row = 0; row < s.m; row++)
        for (int column = 0; column < N; column++) {
          long long sum = c[row * N + column];
          for (int k = 0; k < s.k; k++) {
            int left = element(a[row * s.k + k], s.bits, s.left_sign),
                right = element(b[column * s.k + k], s.bits, s.right_sign);
            sum += s.is_xor ? left ^ right : left * right;
          }
          long long ends = sum > 2147483647 ? 2147483647 : sum < -2147483648ll ? -2147483648ll : sum;
          int at = (w * M + row) * N + column;
          expect((int)(&s - shapes) * 100000 + at, d[at], (int)(s.at_limits ? ends : (long long)(int)(unsigned)sum));
        }
  }
  buffer<unsigned> turned(32 * (size_t)warps);
  turn<<<1, 32 * warps>>>(turned.device);
  turned.download();
  for (int i = 0; i < 32 * warps; i++) {
    unsigned row = i % 32 / 4, column = i % 4 * 2;
    expect(i, turned[i], (column * 8 + row) | ((column + 1) * 8 + row) << 16);
  }
  return passed();
}
