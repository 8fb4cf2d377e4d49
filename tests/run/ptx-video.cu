// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: scalar video instructions against the host, on corner cases and random numbers.
#include "check.h"

typedef unsigned u32;
typedef long long s64;
typedef __int128 wide;

// Each line: the instruction on a, b, c (%1 to %3), and the same in C.
// clang-format off
#define CASES(is)                                                                                                      \
  is("vadd.u32.u32.u32 %0, %1, %2;", a + b)                                                                            \
  is("vadd.u32.u32.u32.sat %0, %1, %2;", limit((s64)a + b, 0, 0xffffffff))                                             \
  is("vadd.s32.u32.s32.sat %0, %1, %2;", limit((s64)a + (int)b, -0x80000000ll, 0x7fffffff))                            \
  is("vadd.u32.s32.s32.sat %0, %1.h1, %2.b3;", limit((short)(a >> 16) + (signed char)(b >> 24), 0, 0xffffffff))        \
  is("vadd.s32.s32.s32.sat %0.b1, %1, %2, %3;", merge(c, 8, 8, limit((s64)(int)a + (int)b, -128, 127)))                \
  is("vadd.u32.s32.s32.sat %0.h1, %1, %2.h0, %3;", merge(c, 16, 16, limit((s64)(int)a + (short)b, 0, 65535)))          \
  is("vsub.s32.u32.u32.sat %0, %1, %2;", limit((s64)a - b, -0x80000000ll, 0x7fffffff))                                 \
  is("vsub.u32.u32.u32.add %0, %1.b0, %2.b1, %3;", (a & 255) - (b >> 8 & 255) + c)                                     \
  is("vsub.s32.s32.s32.max %0, %1.h0, %2.h1, %3;", (u32)larger((short)a - (short)(b >> 16), (int)c))                   \
  is("vsub.u32.u32.u32 %0.b3, %1, %2, %3;", merge(c, 24, 8, a - b))                                                    \
  is("vabsdiff.u32.u32.u32.add %0, %1, %2, %3;", (a > b ? a - b : b - a) + c)                                          \
  is("vabsdiff.s32.s32.s32.sat %0.h0, %1.b0, %2.b2, %3;",                                                              \
     merge(c, 0, 16, (u32)abs((signed char)a - (signed char)(b >> 16))))                                               \
  is("vabsdiff.s32.s32.s32.sat %0, %1, %2;", limit(larger((s64)(int)a - (int)b, (s64)(int)b - (int)a), 0, 0x7fffffff)) \
  is("vmin.s32.s32.s32 %0, %1.b3, %2.h1;", (u32)smaller((signed char)(a >> 24), (short)(b >> 16)))                     \
  is("vmin.u32.u32.s32 %0, %1, %2;", (u32)smaller((s64)a, (int)b))                                                     \
  is("vmax.s32.s32.s32.sat.add %0, %1, %2, %3;", (u32)larger((int)a, (int)b) + c)                                      \
  is("vmax.u32.u32.u32.min %0, %1.h1, %2, %3;", (u32)smaller(larger(a >> 16, b), c))                                   \
  is("vshl.u32.u32.u32.clamp %0, %1, %2;", b < 32 ? a << b : 0)                                                        \
  is("vshl.u32.u32.u32.wrap %0, %1, %2;", a << (b & 31))                                                               \
  is("vshl.u32.u32.u32.sat.clamp %0, %1, %2.b0;", limit((wide)a << smaller(b & 255, 32), 0, 0xffffffff))               \
  is("vshl.s32.s32.u32.sat.wrap.add %0, %1.h0, %2, %3;",                                                               \
     limit((wide)(short)a * ((wide)1 << (b & 31)), -0x80000000ll, 0x7fffffff) + c)                                     \
  is("vshr.s32.s32.u32.clamp %0, %1, %2;", (u32)((s64)(int)a >> smaller(b, 32)))                                       \
  is("vshr.u32.u32.u32.clamp %0.b2, %1, %2.b0, %3;", merge(c, 16, 8, (u32)((s64)a >> smaller(b & 255, 32))))           \
  is("vshr.u32.s32.u32.wrap %0, %1.h1, %2;", (u32)((short)(a >> 16) >> (b & 31)))                                      \
  is("vmad.u32.u32.u32 %0, %1, %2, %3;", a *b + c)                                                                     \
  is("vmad.u32.u32.u32.po %0, %1.b0, %2.b1, %3;", (a & 255) * (b >> 8 & 255) + c + 1)                                  \
  is("vmad.u32.u32.u32.sat %0, %1, %2, %3;", limit((wide)a * b + c, 0, 0xffffffff))                                    \
  is("vmad.u32.u32.u32.shr15 %0, %1, %2, %3;", (u32)(((wide)a * b + c) >> 15))                                         \
  is("vmad.s32.s32.u32.sat.shr7 %0, %1, %2.h1, %3;",                                                                   \
     limit(((wide)(int)a * (b >> 16) + (int)c) >> 7, -0x80000000ll, 0x7fffffff))                                       \
  is("vmad.s32.u32.u32.sat %0, -%1, %2.h0, %3;",                                                                       \
     limit(-((wide)a * (b & 65535)) + (int)c, -0x80000000ll, 0x7fffffff))                                              \
  is("vmad.s32.s32.s32.po.shr7 %0, %1.h0, %2.h1, %3;",                                                                 \
     (u32)(((wide)(short)a * (short)(b >> 16) + (int)c + 1) >> 7))                                                     \
  is("vmad.s32.s32.s32 %0, %1, %2, -%3;", a *b - c)                                                                    \
  is("vmad.s32.s32.s32 %0, -%1, -%2, %3;", a *b + c)                                                                   \
  is("vset.u32.u32.lt %0, %1.b0, %2.b1;", (a & 255) < (b >> 8 & 255))                                                  \
  is("vset.s32.u32.ge %0, %1, %2;", (s64)(int)a >= (s64)b)                                                             \
  is("vset.s32.s32.ne.add %0, %1.h0, %2.h0, %3;", ((short)a != (short)b) + c)                                          \
  is("vset.u32.u32.gt %0.h1, %1, %2, %3;", merge(c, 16, 16, a > b))                                                    \
  is("vset2.u32.u32.le %0, %1, %2, 0;", each(a, b, 16, false) )                                                        \
  is("vset4.s32.s32.le %0, %1, %2, 0;", each(a, b, 8, true))                                                           \
  is("vset4.u32.u32.eq.add %0, %1, %1, %3;", c + 4)
// clang-format on

static u32 limit(wide value, s64 least, s64 most) { return (u32)(value < least ? least : value > most ? most : value); }
static s64 smaller(s64 x, s64 y) { return x < y ? x : y; }
static s64 larger(s64 x, s64 y) { return x > y ? x : y; }
static u32 merge(u32 into, int from, int bits, u32 value) {
  u32 mask = ((1u << bits) - 1) << from;
  return (into & ~mask) | (value << from & mask);
}
static u32 each(u32 a, u32 b, int bits, bool is_signed) {
  u32 result = 0;
  for (int i = 0; i < 32; i += bits) {
    int x = (int)(a << (32 - bits - i)), y = (int)(b << (32 - bits - i));
    result |= (u32)(is_signed ? x >> (32 - bits) <= y >> (32 - bits) : (u32)x >> (32 - bits) <= (u32)y >> (32 - bits))
              << i;
  }
  return result;
}

#define COUNT(text, expression) +1
enum { RESULTS = 0 CASES(COUNT), INPUTS = 500 };

struct input {
  u32 a, b, c;
};

__global__ void run(const input *in, u32 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= INPUTS)
    return;
  u32 a = in[i].a, b = in[i].b, c = in[i].c, *next = out + (size_t)i * RESULTS;
#define ON_DEVICE(text, expression)                                                                                    \
  {                                                                                                                    \
    u32 result;                                                                                                        \
    asm(text : "=r"(result) : "r"(a), "r"(b), "r"(c));                                                                 \
    *next++ = result;                                                                                                  \
  }
  CASES(ON_DEVICE)
}

int main(int argc, char **argv) {
  static const u32 corners[] = {0, 1, 31, 32, 33, 127, 128, 255, 0x7fffffff, 0x80000000, 0x80008080, ~0u};
  int block = block_size(argc, argv);
  buffer<input> in(INPUTS);
  buffer<u32> out((size_t)INPUTS * RESULTS);
  unsigned state = 7;
  auto number = [&] {
    u32 kind = next_random(state);
    return kind % 3 ? next_random(state) << 16 ^ next_random(state) : corners[kind / 3 % 12];
  };
  for (int i = 0; i < INPUTS; i++)
    in[i].a = number(), in[i].b = number(), in[i].c = number();
  in.upload();
  run<<<blocks_for(INPUTS, block), block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < INPUTS; i++) {
    u32 a = in[i].a, b = in[i].b, c = in[i].c, *next = &out[(size_t)i * RESULTS];
#define ON_HOST(text, expression)                                                                                      \
  if (*next != (u32)(expression))                                                                                      \
    printf("%s with %x %x %x\n", text, a, b, c);                                                                       \
  expect(i, *next++, (u32)(expression));
    CASES(ON_HOST)
  }
  return passed();
}
