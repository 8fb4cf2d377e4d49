// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: integer arithmetic and bit instructions against the host, on corner cases and random numbers.
#include "check.h"

typedef unsigned u32;
typedef unsigned long long u64;
typedef long long s64;

struct input {
  u32 a, b, c;
  u64 x, y, z;
};

// Each line: the type of the result, its constraint, the instruction on a, b, c (%1 to %3) or x, y, z (%4 to %6), and the
// same in C.
// clang-format off
#define CASES(is)                                                                                                      \
  is(u32, "r", "add.u32 %0, %1, %2;", a + b)                                                                           \
  is(u32, "r", "sub.s32 %0, %1, -3;", a + 3)                                                                           \
  is(u32, "r", "add.sat.s32 %0, %1, %2;", limit((s64)(int)a + (int)b))                                                 \
  is(u32, "r", "sub.sat.s32 %0, %1, %2;", limit((s64)(int)a - (int)b))                                                 \
  is(u32, "r", "mul.lo.u32 %0, %1, %2;", a *b)                                                                         \
  is(u32, "r", "mul.hi.u32 %0, %1, %2;", (u32)((u64)a * b >> 32))                                                      \
  is(u32, "r", "mul.hi.s32 %0, %1, %2;", (u32)((s64)(int)a * (int)b >> 32))                                            \
  is(u64, "l", "mul.wide.u32 %0, %1, %2;", (u64)a *b)                                                                  \
  is(u64, "l", "mul.wide.s32 %0, %1, %2;", (u64)((s64)(int)a * (int)b))                                                \
  is(u64, "l", "mul.lo.s64 %0, %4, %5;", x *y)                                                                         \
  is(u64, "l", "mul.hi.u64 %0, %4, %5;", (u64)((unsigned __int128)x * y >> 64))                                        \
  is(u64, "l", "mul.hi.s64 %0, %4, %5;", (u64)((__int128)(s64)x * (s64)y >> 64))                                       \
  is(u32, "r", "mad.lo.s32 %0, %1, %2, %3;", a *b + c)                                                                 \
  is(u32, "r", "mad.hi.u32 %0, %1, %2, %3;", (u32)((u64)a * b >> 32) + c)                                              \
  is(u64, "l", "mad.wide.u32 %0, %1, %2, %4;", (u64)a *b + x)                                                          \
  is(u64, "l", "mad.wide.s32 %0, %1, %2, %4;", (u64)((s64)(int)a * (int)b) + x)                                        \
  is(u32, "r", "mul24.lo.u32 %0, %1, %2;", (a & 0xffffff) * (b & 0xffffff))                                            \
  is(u32, "r", "mul24.hi.u32 %0, %1, %2;", (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16))                          \
  is(u32, "r", "mad24.lo.s32 %0, %1, %2, %3;", low24(a) * low24(b) + c)                                     \
  is(u32, "r", "sad.u32 %0, %1, %2, %3;", (a > b ? a - b : b - a) + c)                                                 \
  is(u32, "r", "sad.s32 %0, %1, %2, %3;", ((int)a > (int)b ? a - b : b - a) + c)                                       \
  is(u32, "r", "div.u32 %0, %1, %2;", b ? a / b : ~0u)                                                                 \
  is(u32, "r", "rem.u32 %0, %1, %2;", b ? a % b : ~0u)                                                                 \
  is(u32, "r", "rem.s32 %0, %1, 7;", (u32)((int)a % 7))                                                                \
  is(u32, "r", "min.s32 %0, %1, %2;", (int)a < (int)b ? a : b)                                                         \
  is(u32, "r", "max.u32 %0, %1, %2;", a > b ? a : b)                                                                   \
  is(u64, "l", "min.u64 %0, %4, %5;", x < y ? x : y)                                                                   \
  is(u32, "r", "abs.s32 %0, %1;", (int)a < 0 ? 0 - a : a)                                                              \
  is(u64, "l", "neg.s64 %0, %4;", 0 - x)                                                                               \
  is(u32, "r", "and.b32 %0, %1, %2;", a &b)                                                                            \
  is(u64, "l", "xor.b64 %0, %4, %5;", x ^ y)                                                                           \
  is(u32, "r", "not.b32 %0, %1;", ~a)                                                                                  \
  is(u32, "r", "cnot.b32 %0, %1;", (u32)(a == 0))                                                                      \
  is(u32, "r", "lop3.b32 %0, %1, %2, %3, 0xe8;", (a & b) | (a & c) | (b & c))                                          \
  is(u32, "r", "lop3.b32 %0, %1, %2, %3, 0x96;", a ^ b ^ c)                                                            \
  is(u32, "r", "lop3.b32 %0, %1, %2, %3, 0xca;", (a & b) | (~a & c))                                                   \
  is(u32, "r", "shl.b32 %0, %1, %3;", c < 32 ? a << c : 0)                                                             \
  is(u32, "r", "shr.u32 %0, %1, %3;", c < 32 ? a >> c : 0)                                                             \
  is(u32, "r", "shr.s32 %0, %1, %3;", (u32)((int)a >> (c < 32 ? c : 31)))                                              \
  is(u64, "l", "shr.b64 %0, %4, %3;", c < 64 ? x >> c : 0)                                                             \
  is(u32, "r", "shf.l.wrap.b32 %0, %1, %2, %3;", (u32)((((u64)b << 32 | a) << (c & 31)) >> 32))                        \
  is(u32, "r", "shf.r.wrap.b32 %0, %1, %2, %3;", (u32)(((u64)b << 32 | a) >> (c & 31)))                                \
  is(u32, "r", "shf.l.clamp.b32 %0, %1, %2, %3;", c < 32 ? (u32)((((u64)b << 32 | a) << c) >> 32) : a)                 \
  is(u32, "r", "shf.r.clamp.b32 %0, %1, %2, %3;", c < 32 ? (u32)(((u64)b << 32 | a) >> c) : b)                         \
  is(u32, "r", "popc.b64 %0, %4;", count(x))                                                                           \
  is(u32, "r", "clz.b32 %0, %1;", 31 - highest(a))                                                                     \
  is(u32, "r", "clz.b64 %0, %4;", 63 - highest(x))                                                                     \
  is(u32, "r", "bfind.u32 %0, %1;", highest(a))                                                                        \
  is(u32, "r", "bfind.s32 %0, %1;", highest((int)a < 0 ? ~a : a))                                                      \
  is(u32, "r", "bfind.u64 %0, %4;", highest(x))                                                                        \
  is(u32, "r", "bfind.shiftamt.u32 %0, %1;", a ? 31 - highest(a) : ~0u)                                                \
  is(u32, "r", "brev.b32 %0, %1;", (u32)reversed(a, 32))                                                               \
  is(u64, "l", "brev.b64 %0, %4;", reversed(x, 64))                                                                    \
  is(u32, "r", "bfe.u32 %0, %1, %3, 5;", (u32)field(a, c & 255, 5, 32, 0))                                             \
  is(u32, "r", "bfe.s32 %0, %1, 9, %3;", (u32)field(a, 9, c & 255, 32, 1))                                             \
  is(u32, "r", "bfe.s32 %0, %1, %3, 11;", (u32)field(a, c & 255, 11, 32, 1))                                           \
  is(u64, "l", "bfe.u64 %0, %4, %3, 20;", field(x, up_to_64(c), 20, 64, 0))                                            \
  is(u64, "l", "bfe.s64 %0, %4, 40, %3;", field(x, 40, up_to_64(c), 64, 1))                                            \
  is(u64, "l", "bfe.s64 %0, %4, %3, 20;", field(x, up_to_64(c), 20, 64, 1))                                            \
  is(u32, "r", "bfi.b32 %0, %1, %2, %3, 6;", (u32)inserted(a, b, c & 255, 6, 32))                                      \
  is(u64, "l", "bfi.b64 %0, %4, %5, 30, %3;", inserted(x, y, 30, up_to_64(c), 64))                                     \
  is(u64, "l", "bfi.b64 %0, %4, %5, %3, 9;", inserted(x, y, up_to_64(c), 9, 64))                                       \
  is(u32, "r", "prmt.b32 %0, %1, %2, %3;", permuted(a, b, c))                                                          \
  is(u32, "r", "prmt.b32 %0, %1, %2, 0x8c41;", permuted(a, b, 0x8c41))                                                 \
  is(u32, "r", "prmt.b32.f4e %0, %1, %2, %3;", (u32)(((u64)b << 32 | a) >> 8 * (c & 3)))                               \
  is(u32, "r", "prmt.b32.rc16 %0, %1, %2, %3;", c & 1 ? a >> 16 | (a & 0xffff0000u) : a << 16 | (a & 0xffff))          \
  is(u32, "r", "bmsk.clamp.b32 %0, %3, 4;", (c < 32 ? 15u << c : 0))                                                   \
  is(u32, "r", "szext.wrap.s32 %0, %1, %3;", (u32)field(a, 0, c & 31, 32, 1))                                          \
  is(u32, "r", "fns.b32 %0, %1, 3, 4;", nth_set(a, 3, 4))                                                              \
  is(u32, "r", "dp4a.u32.u32 %0, %1, %2, %3;", dot(a, b, c, 0, 0))                                                     \
  is(u32, "r", "dp4a.s32.s32 %0, %1, %2, %3;", dot(a, b, c, 1, 1))                                                     \
  is(u32, "r", "dp4a.s32.u32 %0, %1, %2, %3;", dot(a, b, c, 1, 0))                                                     \
  is(u32, "r", "dp2a.lo.u32.u32 %0, %1, %2, %3;", (a & 0xffff) * (b & 255) + (a >> 16) * (b >> 8 & 255) + c)           \
  is(u32, "r", "dp2a.hi.s32.u32 %0, %1, %2, %3;",                                                                      \
     (u32)((short)a * (int)(b >> 16 & 255)) + (u32)((short)(a >> 16) * (int)(b >> 24)) + c)                            \
  is(u32, "r", "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", differences(a, b, c))                                      \
  is(u32, "r", "vadd4.u32.u32.u32.sat %0, %1, %2, %3;", added(a, b))                                                   \
  is(u32, "r", "cvt.u8.u32 %0, %1;", a & 255)                                                                          \
  is(u32, "r", "cvt.s32.s8 %0, %1;", (u32)(signed char)a)                                                              \
  is(u32, "r", "cvt.sat.s8.s32 %0, %1;", (u32)((int)a < -128 ? -128 : (int)a > 127 ? 127 : (int)a))                    \
  is(u32, "r", "cvt.sat.u16.s32 %0, %1;", (int)a < 0 ? 0 : a > 65535 ? 65535 : a)                                      \
  is(u32, "r", "cvt.sat.s32.u64 %0, %4;", x > 0x7fffffff ? 0x7fffffffu : (u32)x)                                       \
  is(u64, "l", "cvt.s64.s32 %0, %1;", (u64)(s64)(int)a)                                                                \
  is(u64, "l", "cvt.u64.u32 %0, %1;", (u64)a)                                                                          \
  is(u32, "r", "set.lt.u32.s32 %0, %1, %2;", (int)a < (int)b ? ~0u : 0u)                                               \
  is(u32, "r", "slct.u32.s32 %0, %1, %2, %3;", (int)c >= 0 ? a : b)                                                    \
  is(u32, "r", "{ .reg .b16 l, h; mov.b32 {l, h}, %1; add.s16 l, l, h; mul.wide.s16 %0, l, h; }",                      \
     (u32)((short)((short)a + (short)(a >> 16)) * (int)(short)(a >> 16)))
// clang-format on

static u32 limit(s64 value) {
  return (u32)(value > 2147483647 ? 2147483647 : value < -2147483648ll ? -2147483648ll : value);
}
static u32 low24(u32 a) { return (u32)((int)(a << 8) >> 8); }
static u32 count(u64 x) {
  u32 bits = 0;
  for (; x; x >>= 1)
    bits += x & 1;
  return bits;
}
static u32 highest(u64 x) {
  u32 at = ~0u;
  for (; x; x >>= 1)
    at++;
  return at;
}
static u64 reversed(u64 x, int bits) {
  u64 result = 0;
  for (int i = 0; i < bits; i++)
    result |= (x >> i & 1) << (bits - 1 - i);
  return result;
}
// In the forms of 32 bits the lowest 8 bits of an amount count, in those of 64 all.
static unsigned up_to_64(u32 amount) { return amount < 64 ? amount : 64; }
static int bit_of(u64 x, unsigned at) { return at < 64 ? x >> at & 1 : 0; }
static u64 field(u64 x, unsigned position, unsigned length, unsigned width, bool is_signed) {
  unsigned last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
  u64 fill = is_signed && length && bit_of(x, last), result = 0;
  for (unsigned i = 0; i < width; i++)
    result |= (i < length && position + i < width ? (u64)bit_of(x, position + i) : fill) << i;
  return result;
}
static u64 inserted(u64 from, u64 into, unsigned position, unsigned length, unsigned width) {
  for (unsigned i = 0; i < length && position + i < width; i++)
    into = (into & ~(1ull << (position + i))) | (u64)bit_of(from, i) << (position + i);
  return into;
}
static u32 permuted(u32 a, u32 b, u32 selectors) {
  unsigned char bytes[8], out[4];
  memcpy(bytes, &a, 4);
  memcpy(bytes + 4, &b, 4);
  for (int i = 0; i < 4; i++) {
    unsigned s = selectors >> 4 * i & 15;
    out[i] = s & 8 ? (bytes[s & 7] & 128 ? 255 : 0) : bytes[s];
  }
  u32 result;
  memcpy(&result, out, 4);
  return result;
}
static u32 nth_set(u32 a, int from, int n) {
  for (int i = from; i < 32; i++)
    if (a >> i & 1 && --n == 0)
      return i;
  return ~0u;
}
static u32 dot(u32 a, u32 b, u32 c, bool left_signed, bool right_signed) {
  for (int i = 0; i < 32; i += 8) {
    int l = left_signed ? (signed char)(a >> i) : (unsigned char)(a >> i);
    int r = right_signed ? (signed char)(b >> i) : (unsigned char)(b >> i);
    c += (u32)(l * r);
  }
  return c;
}
static u32 differences(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8)
    c += (u32)abs((int)(a >> i & 255) - (int)(b >> i & 255));
  return c;
}
static u32 added(u32 a, u32 b) {
  u32 result = 0;
  for (int i = 0; i < 32; i += 8) {
    u32 sum = (a >> i & 255) + (b >> i & 255);
    result |= (sum > 255 ? 255 : sum) << i;
  }
  return result;
}

#define COUNT(type, constraint, text, expression) +1
enum { RESULTS = 0 CASES(COUNT) };

__global__ void run(const input *in, u64 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  u32 a = in[i].a, b = in[i].b, c = in[i].c;
  u64 x = in[i].x, y = in[i].y, z = in[i].z, *next = out + (size_t)i * RESULTS;
#define ON_DEVICE(type, constraint, text, expression)                                                                  \
  {                                                                                                                    \
    type result;                                                                                                       \
    asm(text : "=" constraint(result) : "r"(a), "r"(b), "r"(c), "l"(x), "l"(y), "l"(z));                               \
    *next++ = result;                                                                                                  \
  }
  CASES(ON_DEVICE)
}

int main(int argc, char **argv) {
  const int n = 400;
  int block = block_size(argc, argv);
  static const u32 corners[] = {0, 1, 2, 0xffffffffu, 0x80000000u, 0x7fffffffu, 31, 32, 33, 0xff00ff80u};
  buffer<input> in(n);
  buffer<u64> out((size_t)n * RESULTS);
  unsigned state = 11;
  auto number = [&] {
    u32 kind = next_random(state);
    return kind % 3 ? next_random(state) << 16 ^ next_random(state) : corners[kind / 3 % 10];
  };
  for (int i = 0; i < n; i++) {
    input &v = in[i];
    v.a = number(), v.b = number(), v.c = i % 2 ? next_random(state) % 70 : number();
    v.x = (u64)number() << 32 | number(), v.y = (u64)number() << 32 | number(), v.z = number();
  }
  in.upload();
  run<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    u32 a = in[i].a, b = in[i].b, c = in[i].c;
    u64 x = in[i].x, y = in[i].y, *next = &out[(size_t)i * RESULTS];
#define ON_HOST(type, constraint, text, expression)                                                                    \
  if (*next != (type)(expression))                                                                                     \
    printf("%s with %x %x %x %llx %llx\n", text, a, b, c, x, y);                                                       \
  expect(i, *next++, (u64)(type)(expression));
    CASES(ON_HOST)
  }
  return passed();
}
