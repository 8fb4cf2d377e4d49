// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: arithmetic in bfloat16, minima by magnitude (.xorsign.abs), conversions to and from bfloat16, tf32 and floats of 8 bits,
// .satfinite, cvt.pack, pairs of 16-bit integers, against numbers that the host rounds in double by one rule for all formats.
#include "check.h"

typedef unsigned u32;
typedef unsigned short u16;
typedef unsigned long long u64;

// --- formats on the host: digits of the fraction with the leading one, least exponent, largest value ---------------

struct format {
  int digits, least;
  double most; // infinity beyond it
};
static const format BF16 = {8, -126, 0x1.fep127}, F16 = {11, -14, 65504}, TF32 = {11, -126, 0x1.ffcp127},
                    E4M3 = {4, -6, 448}, E5M2 = {3, -14, 57344};
enum way { NEAREST, ZERO, UP, DOWN };

static double rounded(double value, const format &f, way to, bool finite) {
  if (value == 0 || value != value)
    return value;
  if (!std::isinf(value)) {
    int exponent;
    std::frexp(value, &exponent);
    exponent = exponent - 1 < f.least ? f.least : exponent - 1;
    double unit = std::ldexp(1.0, exponent - f.digits + 1), count = value / unit;
    count = to == NEAREST ? std::nearbyint(count)
            : to == ZERO  ? std::trunc(count)
            : to == UP    ? std::ceil(count)
                          : std::floor(count);
    value = std::copysign(count * unit, value);
  }
  bool inwards = to == ZERO || (to == UP && value < 0) || (to == DOWN && value > 0);
  if (std::fabs(value) > f.most && (finite || (inwards && !std::isinf(value))))
    return std::copysign(f.most, value);
  return std::fabs(value) > f.most ? std::copysign(INFINITY, value) : value;
}

static u32 float_bits(double value) {
  float real = (float)value;
  u32 bits;
  memcpy(&bits, &real, 4);
  return bits;
}
static float float_of(u32 bits) {
  float real;
  memcpy(&real, &bits, 4);
  return real;
}
static u32 half_bits(double value) {
  _Float16 half = (_Float16)value;
  u16 bits;
  memcpy(&bits, &half, 2);
  return bits;
}
static double half_of(u32 bits) {
  u16 low = (u16)bits;
  _Float16 half;
  memcpy(&half, &low, 2);
  return (double)half;
}
static double brain_of(u32 bits) { return float_of(bits << 16); }

static u32 brain(double value, way to = NEAREST, bool finite = false) {
  return value != value ? 0x7fff : float_bits(rounded(value, BF16, to, finite)) >> 16;
}
static u32 half(double value, way to = NEAREST, bool finite = false) {
  return value != value ? 0x7fff : half_bits(rounded(value, F16, to, finite));
}
static u32 tensor(double value, way to = NEAREST, bool finite = false) {
  return value != value ? 0x7fffffff : float_bits(rounded(value, TF32, to, finite));
}
static u32 byte5(double value) { return value != value ? 0x7f : half_bits(rounded(value, E5M2, NEAREST, true)) >> 8; }
static u32 byte4(double value) { // its exponent is 8 lower than a half's
  return value != value
             ? 0x7f
             : (half_bits(rounded(value, E4M3, NEAREST, true) / 256) >> 7 & 0x7f) | (std::signbit(value) ? 0x80 : 0);
}
static u32 from_byte4(u32 bits) {
  return (bits & 0x7f) == 0x7f ? 0x7fff : half_bits(half_of((bits & 0x80) << 8 | (bits & 0x7f) << 7) * 256);
}
static u32 from_byte5(u32 bits) { return (bits & 0xff) << 8; }
static double positive(double value) { return value < 0 || (value == 0 && std::signbit(value)) ? 0 : value; }
static u32 two(u32 low, u32 high) { return low | high << 16; }

static double least(double a, double b) {
  return a != a ? b : b != b ? a : a < b || (a == b && std::signbit(a)) ? a : b;
}
static double by_magnitude(double a, double b, bool largest, bool nan) {
  if (nan && (a != a || b != b))
    return NAN;
  double value = largest ? -least(-std::fabs(a), -std::fabs(b)) : least(std::fabs(a), std::fabs(b));
  return value == value && std::signbit(a) != std::signbit(b) ? -value : value;
}
static u32 limited(int value, int bits, bool sign) {
  long long most = (1ll << (sign ? bits - 1 : bits)) - 1, low = sign ? -most - 1 : 0;
  return (u32)(value > most ? most : value < low ? low : value) & ((1u << bits) - 1);
}
static u32 whole(double value, double low, double high) {
  return value != value ? 0 : (u32)(long long)(value < low ? low : value > high ? high : value);
}
static u32 same_nan(u32 bits) { return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits; }

// --- what is computed: instruction, value --------------------------------------------------------------------------

// Of 16 bits: x, y, z are bfloat16, %1 to %3; p, q their halves of the same bits.
#define SHORTS(is)                                                                                                     \
  is("add.bf16 %0, %1, %2;", brain(x + y)) is("sub.bf16 %0, %1, %2;", brain(x - y)) is(                                \
      "mul.bf16 %0, %1, %2;", brain(x *y)) is("add.rn.bf16 %0, %1, %2;", brain(x + y))                                 \
      is("mul.rn.bf16 %0, %1, %2;", brain(x *y)) is("sub.rn.bf16 %0, %1, %2;", brain(x - y)) is(                       \
          "min.xorsign.abs.bf16 %0, %1, %2;",                                                                          \
          brain(by_magnitude(x, y, false, false))) is("max.NaN.xorsign.abs.bf16 %0, %1, %2;",                          \
                                                      brain(by_magnitude(x, y, true, true)))                           \
          is("min.NaN.xorsign.abs.f16 %0, %1, %2;", half(by_magnitude(p, q, false, true))) is(                         \
              "max.abs.xorsign.f16 %0, %1, %2;",                                                                       \
              half(by_magnitude(p, q, true, false))) is("cvt.rn.bf16.f16 %0, %1;", brain(p))                           \
              is("cvt.rz.bf16.f16 %0, %1;", brain(p, ZERO)) is("cvt.rn.f16.bf16 %0, %1;", half(x)) is(                 \
                  "cvt.rp.f16.bf16 %0, %1;",                                                                           \
                  half(x,                                                                                              \
                       UP)) is("cvt.rm.f16.bf16 %0, %1;",                                                              \
                               half(x, DOWN)) is("cvt.rni.bf16.bf16 %0, %1;", brain(std::nearbyint(x)))                \
                  is("cvt.rzi.bf16.bf16 %0, %1;", brain(std::trunc(x))) is(                                            \
                      "cvt.rpi.bf16.bf16 %0, %1;",                                                                     \
                      brain(std::ceil(x))) is("cvt.rzi.s16.bf16 %0, %1;", (u16)whole(std::trunc(x), -32768, 32767))    \
                      is("cvt.rmi.u16.bf16 %0, %1;", whole(std::floor(x), 0, 65535)) is(                               \
                          "cvt.rn.bf16.s16 %0, %1;",                                                                   \
                          brain((short)a)) is("cvt.rp.bf16.u16 %0, %1;", brain(a, UP))                                 \
                          is("{ .reg .b32 t; mov.b32 t, {%1, %2}; cvt.rn.satfinite.e4m3x2.f16x2 %0, t; }",             \
                             byte4(p) | byte4(q)                                                                       \
                                            << 8)                                                                      \
                              is("{ .reg .b32 t; mov.b32 t, {%1, %2}; cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, t; }",    \
                                 byte5(positive(p)) | byte5(positive(q)) << 8)

// Of 32 bits: x, y are floats, %1 and %2, a, b their bits, c is %3.
#define WORDS(is)                                                                                                      \
  is("add.bf16x2 %0, %1, %2;",                                                                                         \
     two(brain(brain_of(a) + brain_of(b)),                                                                             \
         brain(brain_of(a >> 16) + brain_of(b >> 16)))) is("mul.rn.bf16x2 %0, %1, %2;",                                \
                                                           two(brain(brain_of(a) * brain_of(b)),                       \
                                                               brain(brain_of(a >> 16) * brain_of(b >> 16))))          \
      is("sub.bf16x2 %0, %1, %2;",                                                                                     \
         two(brain(brain_of(a) - brain_of(b)),                                                                         \
             brain(brain_of(a >> 16) -                                                                                 \
                   brain_of(b >> 16)))) is("max.xorsign.abs.bf16x2 %0, %1, %2;",                                       \
                                           two(brain(by_magnitude(brain_of(a), brain_of(b), true, false)),             \
                                               brain(                                                                  \
                                                   by_magnitude(brain_of(a >> 16), brain_of(b >> 16), true, false))))  \
          is("min.NaN.xorsign.abs.f16x2 %0, %1, %2;",                                                                  \
             two(half(by_magnitude(half_of(a), half_of(b), false, true)),                                              \
                 half(by_magnitude(half_of(a >> 16), half_of(b >> 16), false,                                          \
                                   true)))) is("{ .reg .b32 t; min.xorsign.abs.f32 t, %1, %2; mov.b32 %0, t; }",       \
                                               float_bits(by_magnitude(x, y, false, false)))                           \
              is("max.NaN.xorsign.abs.f32 %0, %1, %2;", float_bits(by_magnitude(x, y, true, true))) is(                \
                  "add.sat.f16x2 %0, %1, %2;",                                                                         \
                  two(unit(half_of(a) + half_of(b)), unit(half_of(a >> 16) + half_of(b >> 16))))                       \
                  is("{ .reg .b16 t; cvt.rm.bf16.f32 t, %1; cvt.u32.u16 %0, t; }", brain(x, DOWN)) is(                 \
                      "{ .reg .b16 t; cvt.rp.bf16.f32 t, %1; cvt.u32.u16 %0, t; }",                                    \
                      brain(x, UP)) is("{ .reg .b16 t; cvt.rn.bf16.f64 t, %4; cvt.u32.u16 %0, t; }", brain(w))         \
                      is("{ .reg .b16 t; cvt.rz.bf16.f64 t, %4; cvt.u32.u16 %0, t; }", brain(w, ZERO)) is(             \
                          "{ .reg .b16 t; cvt.rp.bf16.f64 t, %4; cvt.u32.u16 %0, t; }",                                \
                          brain(w,                                                                                     \
                                UP)) is("{ .reg .b16 t; cvt.rn.bf16.s32 t, %1; cvt.u32.u16 %0, t; }", brain((int)a))   \
                          is("{ .reg .b16 t; cvt.rz.bf16.u32 t, %1; cvt.u32.u16 %0, t; }", brain(a, ZERO)) is(         \
                              "{ .reg .b16 t; cvt.rm.bf16.s64 t, %5; cvt.u32.u16 %0, t; }",                            \
                              brain(                                                                                   \
                                  (double)(long long)(l & ~1023ull),                                                   \
                                  DOWN)) is("{ .reg .b16 t; cvt.rn.bf16.u64 t, %5; cvt.u32.u16 %0, t; }",              \
                                            brain((double)(l & ~2047ull)))                                             \
                              is("{ .reg .b16 t; cvt.u16.u32 t, %1; cvt.rni.s32.bf16 %0, t; }",                        \
                                 whole(std::nearbyint(brain_of(a)), -2147483648.0,                                     \
                                       2147483647)) is("{ .reg .b16 t; cvt.u16.u32 t, %1; cvt.rpi.u32.bf16 %0, t; }",  \
                                                       whole(std::ceil(brain_of(a)), 0, 4294967295.0))                 \
                                  is("{ .reg .b16 t; cvt.rn.satfinite.bf16.f32 t, %1; cvt.u32.u16 %0, t; }",           \
                                     brain(x, NEAREST, true))                                                          \
                                      is("{ .reg .b16 t; cvt.rn.satfinite.f16.f32 t, %1; cvt.u32.u16 %0, t; }",        \
                                         half(x, NEAREST, true)) is("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;",          \
                                                                    two(half(y, NEAREST, true),                        \
                                                                        half(x, NEAREST, true)))                       \
                                          is("cvt.rz.relu.satfinite.bf16x2.f32 %0, %1, %2;",                           \
                                             two(brain(positive(y), ZERO, true),                                       \
                                                 brain(positive(x), ZERO,                                              \
                                                       true))) is("cvt.rn.tf32.f32 %0, %1;",                           \
                                                                  tensor(x)) is("cvt.rz.tf32.f32 %0, %1;",             \
                                                                                tensor(x, ZERO))                       \
                                              is("cvt.rz.relu.tf32.f32 %0, %1;", tensor(positive(x), ZERO)) is(        \
                                                  "{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, %1, %2; cvt.u32.u16 " \
                                                  "%0, t; }",                                                          \
                                                  byte4(y) |                                                           \
                                                      byte4(x) << 8) is("{ .reg .b16 t; cvt.rn.satfinite.e5m2x2.f32 "  \
                                                                        "t, %1, %2; cvt.u32.u16 %0, t; }",             \
                                                                        byte5(y) | byte5(x) << 8)                      \
                                                  is(                                                                  \
                                                      "{ .reg .b16 t; cvt.satfinite.rn.relu.e4m3x2.f32 t, %1, %2; "    \
                                                      "cvt.u32.u16 %0, t; }",                                          \
                                                      byte4(positive(y)) |                                             \
                                                          byte4(positive(x))                                           \
                                                              << 8) is("{ .reg .b16 t; cvt.u16.u32 t, %1; "            \
                                                                       "cvt.rn.f16x2.e4m3x2 %0, t; }",                 \
                                                                       two(from_byte4(a), from_byte4(a >> 8)))         \
                                                      is("{ .reg .b16 t; cvt.u16.u32 t, %1; cvt.rn.f16x2.e5m2x2 %0, "  \
                                                         "t; }",                                                       \
                                                         two(from_byte5(a),                                            \
                                                             from_byte5(a >>                                           \
                                                                        8))) is("cvt.pack.sat.s16.s32 %0, %1, %2;",    \
                                                                                two(limited((int)b, 16, true),         \
                                                                                    limited((int)a, 16, true)))        \
                                                          is("cvt.pack.sat.u16.s32 %0, %1, %2;",                       \
                                                             two(limited((int)b, 16, false),                           \
                                                                 limited((int)a, 16, false)))                          \
                                                              is("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;",            \
                                                                 c << 16 | limited((int)a, 8, false) << 8 |            \
                                                                     limited((int)b, 8, false))                        \
                                                                  is("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;",        \
                                                                     c << 16 | limited((int)a, 8, true) << 8 |         \
                                                                         limited(                                      \
                                                                             (int)b,                                   \
                                                                             8,                                        \
                                                                             true)) is("cvt.pack.sat.s4.s32.b32 %0, "  \
                                                                                       "%1, %2, %3;",                  \
                                                                                       c << 8 |                        \
                                                                                           limited((int)a, 4, true)    \
                                                                                               << 4 |                  \
                                                                                           limited((int)b, 4, true))   \
                                                                      is(                                              \
                                                                          "cvt.pack.sat.u2.s32.b32 %0, %1, %2, %3;",   \
                                                                          c << 4 | limited((int)a, 2, false) << 2 |    \
                                                                              limited(                                 \
                                                                                  (int)b,                              \
                                                                                  2,                                   \
                                                                                  false)) is("add.u16x2 %0, %1, %2;",  \
                                                                                             two((a + b) & 0xffff,     \
                                                                                                 ((a >> 16) + (b >>    \
                                                                                                               16)) &  \
                                                                                                     0xffff))          \
                                                                          is(                                          \
                                                                              "min.s16x2 %0, %1, %2;",                 \
                                                                              two((u16)smaller((short)a, (short)b),    \
                                                                                  (u16)smaller((short)(a >> 16),       \
                                                                                               (short)(b >> 16))))     \
                                                                              is("max.u16x2 %0, %1, %2;",              \
                                                                                 two((u16) -                           \
                                                                                         smaller(                      \
                                                                                             -(int)(u16)a,             \
                                                                                             -(int)(u16)b),            \
                                                                                     (u16) -                           \
                                                                                         smaller(                      \
                                                                                             -(int)(a >> 16),          \
                                                                                             -(int)(b >> 16))))        \
                                                                                  is(                                  \
                                                                                      "max.relu.s16x2 %0, %1, %2;",    \
                                                                                      two((u16) -                      \
                                                                                              smaller(                 \
                                                                                                  0,                   \
                                                                                                  smaller(-(short)a,   \
                                                                                                          -(short)b)), \
                                                                                          (u16) -                      \
                                                                                              smaller(                 \
                                                                                                  0,                   \
                                                                                                  smaller(             \
                                                                                                      -(short)(a >>    \
                                                                                                               16),    \
                                                                                                      -(short)(b >>    \
                                                                                                               16)))))

static int smaller(int a, int b) { return a < b ? a : b; }
static u32 unit(double value) { return half(value > 0 ? value < 1 ? value : 1 : 0); }

#define COUNT(...) +1
enum { OF_SHORTS = SHORTS(COUNT), OF_WORDS = WORDS(COUNT), ATOMICS = 40 };

__global__ void shorts(const u16 *in, u16 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
#define RUN(text, value)                                                                                               \
  asm(text : "=h"(out[i]) : "h"(in[3 * i]), "h"(in[3 * i + 1]), "h"(in[3 * i + 2]));                                   \
  out += n;
  SHORTS(RUN)
#undef RUN
}

__global__ void words(const u32 *in, u32 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  u32 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  u64 l = (u64)a << 32 | (b & ~2047u);
  double w =
      __longlong_as_double((long long)l) * 0 == 0 ? __longlong_as_double((long long)l) : (double)__uint_as_float(a) * 3;
#define RUN(text, value)                                                                                               \
  asm(text : "=r"(out[i]) : "r"(a), "r"(b), "r"(c), "d"(w), "l"(l));                                                   \
  out += n;
  WORDS(RUN)
#undef RUN
}

// Sums, least and greatest of what all threads add: small integers.
__global__ void atomics(u16 *at, float *sums, u16 *old) {
  u32 pair = 0x3f803f80, halves = 0x3c004000, number = 0x3f80;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u16 small = (u16)(0x3f80 + (i % 7) * 16), first;
  asm volatile("atom.add.noftz.bf16 %0, [%1], %2;" : "=h"(first) : "l"(at), "h"((u16)number) : "memory");
  asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(at + 2), "r"(pair) : "memory");
  asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(at + 4), "r"(halves) : "memory");
  asm volatile("red.global.max.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(at + 8), "r"((u32)small), "r"((u32)small << 16)
               : "memory");
  asm volatile("red.global.min.noftz.v4.f16 [%0], {%1, %2, %1, %2};" ::"l"(at + 16), "h"(small),
               "h"((u16)(small | 0x8000))
               : "memory");
  float x, y;
  asm volatile("atom.global.v2.f32.add {%0, %1}, [%2], {%3, %4};"
               : "=f"(x), "=f"(y)
               : "l"(sums), "f"(1.0f), "f"(-2.0f)
               : "memory");
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums + 4), "f"(1.0f), "f"(2.0f), "f"(3.0f),
               "f"(4.0f)
               : "memory");
  old[i] = first;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = 4 * 1024;
  static const u16 corners[] = {0,      0x8000, 1,      0x8001, 0x80,   0x8080, 0x7f7f, 0xff7f,
                                0x7f80, 0xff80, 0x7fc1, 0xffff, 0x3f80, 0xbf80, 0x3f81, 0x3c00,
                                0x7bff, 0xfc00, 0x7c01, 0x4f00, 0xcf00, 0x3300, 0x4780, 0x7f00};
  unsigned state = 3;
  buffer<u16> in(3 * (size_t)n), out((size_t)OF_SHORTS * n);
  for (int i = 0; i < 3 * n; i++)
    in[i] = next_random(state) % 2 ? corners[next_random(state) % 24] : (u16)next_random(state);
  in.upload();
  shorts<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    u32 a = in[3 * i], b = in[3 * i + 1];
    double x = brain_of(a), y = brain_of(b), p = half_of(a), q = half_of(b);
    const u32 wanted[] = {
#define VALUE(text, value) (value),
        SHORTS(VALUE)};
    for (int k = 0; k < OF_SHORTS; k++)
      expect(k * 100000 + i, (u32)out[(size_t)k * n + i], wanted[k]);
  }
  buffer<u32> from(3 * (size_t)n), to((size_t)OF_WORDS * n);
  for (int i = 0; i < 3 * n; i++) {
    u32 any = next_random(state) << 8 ^ next_random(state);
    switch (next_random(state) % 4) {
    case 0: from[i] = two(corners[next_random(state) % 24], corners[next_random(state) % 24]); break;
    case 1: from[i] = any; break;
    case 2: from[i] = (any & 0x807fffff) | (127 - 20 + any / 64 % 40) << 23; break;  // near what 8 bits hold
    default: from[i] = (any & 0x80f80000) | (127 - 20 + any / 64 % 40) << 23; break; // ties
    }
  }
  from.upload();
  words<<<blocks_for(n, block), block>>>(from.device, to.device, n);
  to.download();
  for (int i = 0; i < n; i++) {
    u32 a = from[3 * i], b = from[3 * i + 1], c = from[3 * i + 2];
    double x = float_of(a), y = float_of(b), w;
    u64 l = (u64)a << 32 | (b & ~2047u);
    memcpy(&w, &l, 8);
    if (!(w * 0 == 0))
      w = x * 3;
    const u32 wanted[] = {WORDS(VALUE)};
    for (int k = 0; k < OF_WORDS; k++)
      expect(k * 100000 + i, k == 5 || k == 6 ? same_nan(to[(size_t)k * n + i]) : to[(size_t)k * n + i],
             k == 5 || k == 6 ? same_nan(wanted[k]) : wanted[k]);
  }
  int threads = 128; // as many as a bfloat16 counts
  buffer<u16> at(ATOMICS), old(threads);
  buffer<float> sums(8);
  for (int i = 16; i < 20; i++)
    at[i] = 0x7c00;
  at.upload(), sums.upload();
  int each = block < threads ? block : threads;
  atomics<<<threads / each, each>>>(at.device, sums.device, old.device);
  at.download(), sums.download(), old.download();
  int ran = threads / each * each;
  u32 top = 0x3f80 + (ran < 7 ? ran - 1 : 6) * 16;
  const u32 wanted[] = {brain(ran), 0, brain(ran), brain(ran), half(2.0 * ran), half(ran), 0, 0, top, 0, 0, top};
  for (int i = 0; i < 12; i++)
    expect(i, (u32)at[i], wanted[i]);
  for (int i = 0; i < 4; i++)
    expect(16 + i, (u32)at[16 + i], i % 2 ? top | 0x8000 : 0x3f80u);
  static const float factors[] = {1, -2, 0, 0, 1, 2, 3, 4};
  for (int i = 0; i < 8; i++)
    expect(i, sums[i], factors[i] * (float)ran);
  bool seen[128] = {false};
  for (int i = 0; i < ran; i++)
    seen[(int)brain_of(old[i])] = true;
  for (int i = 0; i < ran; i++)
    expect(i, (int)seen[i], 1);
  return passed();
}
