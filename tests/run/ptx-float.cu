// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: floating point arithmetic, conversions and half precision against the host, which rounds as <cfenv> says.
// Everything is exact but the approximate functions, whose bounds here are PTX's or a little above; libdevice gives a few units in the
// last place.
// flags: -Xcompiler -frounding-math
#include "check.h"

#include <cfenv>

typedef unsigned u32;
typedef unsigned long long u64;

struct input {
  float a, b, c;
  double x, y, z;
};

static u64 bits_of(float value) {
  u32 bits;
  memcpy(&bits, &value, 4);
  return value != value ? 0x7fc00000 : bits;
}
static u64 bits_of(double value) {
  u64 bits;
  memcpy(&bits, &value, 8);
  return value != value ? 0x7ff8000000000000ull : bits;
}
static u64 bits_of(u64 value) { return value; }
static u64 bits_of(u32 value) { return value; }
__device__ u64 device_bits(float value) { return value != value ? 0x7fc00000 : __float_as_uint(value); }
__device__ u64 device_bits(double value) {
  return value != value ? 0x7ff8000000000000ull : (u64)__double_as_longlong(value);
}
__device__ u64 device_bits(u64 value) { return value; }
__device__ u64 device_bits(u32 value) { return value; }

// As in ptx-integer: type and constraint of the result, instruction, rounding on the host, expression. a, b, c are %1 to %3,
// x, y, z %4 to %6.
#define N FE_TONEAREST
#define Z FE_TOWARDZERO
#define U FE_UPWARD
#define D FE_DOWNWARD
#define CASES(is)                                                                                                                   \
  is(float, "f", "add.f32 %0, %1, %2;", N, a + b) is(float, "f", "add.rz.f32 %0, %1, %2;", Z, a + b) is(                            \
      float, "f", "sub.rm.f32 %0, %1, %2;", D, a - b) is(float, "f", "mul.rp.f32 %0, %1, %2;", U, a *b)                             \
      is(float, "f", "mul.rn.ftz.f32 %0, %1, %2;", N, flushed(flushed(a) * flushed(b))) is(                                         \
          float, "f", "add.sat.f32 %0, %1, %2;", N,                                                                                 \
          clamped(a + b)) is(float, "f", "fma.rn.f32 %0, %1, %2, %3;", N,                                                           \
                             std::fma(a, b, c)) is(float, "f", "fma.rz.f32 %0, %1, %2, %3;", Z, std::fma(a, b, c))                  \
          is(float, "f", "div.rn.f32 %0, %1, %2;", N, a / b) is(float, "f", "div.rp.f32 %0, %1, %2;", U, a / b) is(                 \
              float,                                                                                                                \
              "f", "rcp.rm.f32 %0, %1;",                                                                                            \
              D,                                                                                                                    \
              one / a) is(float, "f", "sqrt.rn.f32 %0, %1;", N, std::sqrt(a))                                                       \
              is(float, "f", "neg.f32 %0, %1;",                                                                                     \
                 N, -a) is(float, "f", "abs.ftz.f32 %0, %1;", N,                                                                    \
                           flushed(std::fabs(a))) is(float, "f", "min.f32 %0, %1, %2;", N, least(a, b))                             \
                  is(float, "f", "max.NaN.f32 %0, %1, %2;", N, a != a || b != b ? NAN : -least(-a, -b)) is(                         \
                      float,                                                                                                        \
                      "f", "copysign.f32 %0, %1, %2;",                                                                              \
                      N,                                                                                                            \
                      std::copysign(b, a)) is(double, "d", "add.rz.f64 %0, %4, %5;", Z, x + y)                                      \
                      is(double, "d", "fma.rp.f64 %0, %4, %5, %6;", U, std::fma(x, y, z)) is(                                       \
                          double,                                                                                                   \
                          "d", "div.rm.f64 %0, %4, %5;",                                                                            \
                          D,                                                                                                        \
                          x / y) is(double, "d", "sqrt.rz.f64 %0, %4;", Z, std::sqrt(x))                                            \
                          is(double, "d", "add.f64 %0, %4, 0d3FF8000000000000;",                                                    \
                             N, x + 1.5) is(float, "f", "mul.f32 %0, %1, 0f3FC00000;",                                              \
                                            N, a * 1.5f) is(float, "f", "cvt.rn.f32.f64 %0, %4;", N, (float)x)                      \
                              is(float, "f", "cvt.rz.f32.f64 %0, %4;", Z, (float)x) is(                                             \
                                  float,                                                                                            \
                                  "f", "cvt.rp.f32.f64 %0, %4;",                                                                    \
                                  U,                                                                                                \
                                  (float)x) is(double, "d", "cvt.f64.f32 %0, %1;", N, (double)a)                                    \
                                  is(float, "f", "cvt.rni.f32.f32 %0, %1;", N, std::rint(a)) is(                                    \
                                      float,                                                                                        \
                                      "f", "cvt.rmi.f32.f32 %0, %1;",                                                               \
                                      N,                                                                                            \
                                      std::floor(a)) is(float, "f", "cvt.sat.f32.f32 %0, %1;", N, clamped(a))                       \
                                      is(u32, "r", "cvt.rzi.s32.f32 %0, %1;", N,                                                    \
                                         (u32)(int)                                                                                 \
                                             whole(std::trunc(a), -0x1p31,                                                          \
                                                   0x7fffffff)) is(u32, "r", "cvt.rni.u32.f32 %0, %1;", N,                          \
                                                                   (u32)whole(std::rint(a), 0, 4294967295.0))                       \
                                          is(u32, "r", "cvt.rpi.s16.f32 %0, %1;", N,                                                \
                                             (u32)(int)whole(std::ceil(a), -32768, 32767))                                          \
                                              is(u32, "r", "cvt.rmi.u8.f64 %0, %4;", N,                                             \
                                                 x != x                                                                             \
                                                     ? 0x80                                                                         \
                                                     : (u32)whole(std::floor(x), 0, 255))                                           \
                                                  is(u64, "l", "cvt.rzi.s64.f64 %0, %4;", N,                                        \
                                                     x != x || x <= -0x1p63                                                         \
                                                         ? 1ull << 63                                                               \
                                                     : x >= 0x1p63 ? ~0ull >> 1                                                     \
                                                                   : (u64)(long long)                                               \
                                                                         std::trunc(                                                \
                                                                             x)) is(float, "f",                                     \
                                                                                    "{ .reg .u64 t; mov.b64 t, %4; "                \
                                                                                    "cvt.rz.f32.u64 %0, t; }",                      \
                                                                                    Z, (float)pattern(x))                           \
                                                      is(float, "f",                                                                \
                                                         "{ .reg .s64 t; mov.b64 t, %4; cvt.rp.f32.s64 %0, t; }", U,                \
                                                         (float)(long long)pattern(                                                 \
                                                             x)) is(double, "d",                                                    \
                                                                    "{ .reg .s64 t; mov.b64 t, %4; cvt.rn.f64.s64 "                 \
                                                                    "%0, t; }",                                                     \
                                                                    N, (double)(long long)pattern(x))                               \
                                                          is(u32, "r",                                                              \
                                                             "{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.u32 %0, "                \
                                                             "1, 0, p; }",                                                          \
                                                             N,                                                                     \
                                                             (u32) !(                                                               \
                                                                 a >=                                                               \
                                                                 b)) is(u32, "r",                                                   \
                                                                        "{ .reg .pred p; setp.num.or.f32 p, %1, %2, "               \
                                                                        "0; selp.u32 %0, 1, 0, p; }",                               \
                                                                        N, (u32)(a == a && b == b))                                 \
                                                              is(u32, "r",                                                          \
                                                                 "{ .reg .pred p; testp.subnormal.f32 p, %1; "                      \
                                                                 "selp.u32 %0, 1, 0, p; }",                                         \
                                                                 N,                                                                 \
                                                                 (u32)(std::fpclassify(a) ==                                        \
                                                                       FP_SUBNORMAL)) is(float, "f",                                \
                                                                                         "set.gt.f32.f32 %0, %1, %2;",              \
                                                                                         N, a > b ? 1.0f : 0.0f)                    \
                                                                  is(float, "f",                                                    \
                                                                     "{ .reg .b16 h; set.gt.f16.f32 h, %1, %2; "                    \
                                                                     "cvt.f32.f16 %0, h; }",                                        \
                                                                     N,                                                             \
                                                                     a > b                                                          \
                                                                         ? 1.0f                                                     \
                                                                         : 0.0f) is(float, "f",                                     \
                                                                                    "{ .reg .b16 z, p, q; mov.b32 "                 \
                                                                                    "{z, p}, %1; "                                  \
                                                                                    "mov.b32 {z, q}, %2; "                          \
                                                                                    "set.leu.bf16.bf16 p, "                         \
                                                                                    "p, q;"                                         \
                                                                                    "  mov.b32 %0, {0, p}; }",                      \
                                                                                    N,                                              \
                                                                                    upper(a) > upper(b)                             \
                                                                                        ? 0.0f                                      \
                                                                                        : 1.0f) is(float, "f",                      \
                                                                                                   "{ .reg .b16 h; "                \
                                                                                                   "cvt.rn.f16.f32 "                \
                                                                                                   "h, %1; "                        \
                                                                                                   "cvt.f32.f16 %0, "               \
                                                                                                   "h; }",                          \
                                                                                                   N,                               \
                                                                                                   (float)(_Float16)a)              \
                                                                      is(float, "f",                                                \
                                                                         "{ .reg .b16 h; cvt.rz.f16.f32 h, %1; "                    \
                                                                         "cvt.f32.f16 %0, h; }",                                    \
                                                                         N,                                                         \
                                                                         half_towards_zero(                                         \
                                                                             a)) is(float, "f",                                     \
                                                                                    "{ .reg .b16 h; "                               \
                                                                                    "cvt.rz.bf16.f32 h, %1; "                       \
                                                                                    "mov.b32 %0, {0, h}; }",                        \
                                                                                    N, upper(a))                                    \
                                                                          is(float, "f",                                            \
                                                                             "{ .reg .b32 p, q, s; .reg .b16 l, "                   \
                                                                             "h; cvt.rn.f16x2.f32 p, %1, %2; "                      \
                                                                             "cvt.rn.f16x2.f32 q, %3, %3;"                          \
                                                                             "  add.f16x2 s, p, q; mov.b32 {l, "                    \
                                                                             "h}, s; cvt.f32.f16 %0, h; }",                         \
                                                                             N,                                                     \
                                                                             (float)(_Float16)((float)(_Float16)a +                 \
                                                                                               (float)(_Float16)c))                 \
                                                                              is(float, "f",                                        \
                                                                                 "{ .reg .f16 p, q; "                               \
                                                                                 "cvt.rn.f16.f32 p, %1; "                           \
                                                                                 "cvt.rn.f16.f32 q, %2; "                           \
                                                                                 "fma.rn.f16 p, p, q, q; "                          \
                                                                                 "cvt.f32.f16 %0, p; }",                            \
                                                                                 N,                                                 \
                                                                                 (float)(_Float16)((double)(_Float16)               \
                                                                                                           a *                      \
                                                                                                       (double)(_Float16)           \
                                                                                                           b +                      \
                                                                                                   (double)(_Float16)               \
                                                                                                       b))                          \
                                                                                  is(float, "f",                                    \
                                                                                     "{ .reg .b16 z, p, q; .reg "                   \
                                                                                     ".b32 t; and.b32 t, %1, "                      \
                                                                                     "0x807fffff; or.b32 t, t, "                    \
                                                                                     "0x3f800000; mov.b32 {z, "                     \
                                                                                     "p}, t;"                                       \
                                                                                     "  mov.b32 {z, q}, %2; "                       \
                                                                                     "fma.rn.bf16 p, p, q, q; "                     \
                                                                                     "mov.b32 %0, {0, p}; }",                       \
                                                                                     N,                                             \
                                                                                     rounded(                                       \
                                                                                         (float)((double)one_to_two(                \
                                                                                                     a) *                           \
                                                                                                     upper(b) +                     \
                                                                                                 upper(b))))                        \
                                                                                      is(u32, "r",                                  \
                                                                                         "{ .reg .b16 a, b, c; "                    \
                                                                                         "mov.b16 a, 0x3fc0; "                      \
                                                                                         "mov.b16 b, 0x3f81; "                      \
                                                                                         "mov.b16 c, 0xa180;" /* a tie but for c */ \
                                                                                         "  fma.rn.bf16 a, a, b, "                  \
                                                                                         "c; cvt.u32.u16 %0, a; "                   \
                                                                                         "}",                                       \
                                                                                         N, 0x3fc1u)                                \
                                                                                          is(float, "f",                            \
                                                                                             "{ .reg .b16 z, p; "                   \
                                                                                             ".reg .b32 t, u; "                     \
                                                                                             "mov.b32 t, %1; "                      \
                                                                                             "mov.b32 u, %2; "                      \
                                                                                             "min.bf16x2 t, t, "                    \
                                                                                             "u; mov.b32 {z, p}, "                  \
                                                                                             "t;"                                   \
                                                                                             "  mov.b32 %0, {0, "                   \
                                                                                             "p}; }",                               \
                                                                                             N,                                     \
                                                                                             a == a && b == b                       \
                                                                                                 ? least(upper(a),                  \
                                                                                                         upper(b))                  \
                                                                                                 : upper(a == a ? a                 \
                                                                                                                : b))               \
                                                                                              is(u32, "r",                          \
                                                                                                 "cvt.rna.tf32."                    \
                                                                                                 "f32 %0, %1;",                     \
                                                                                                 N,                                 \
                                                                                                 ((u32)bits_of(a) +                 \
                                                                                                  (std::isfinite(a)                 \
                                                                                                       ? 0x1000                     \
                                                                                                       : 0)) &                      \
                                                                                                     0xffffe000u)

static volatile float one = 1;
// -0 is less than +0, of which std::fmin says nothing.
static float least(float a, float b) { return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b); }
static float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a; }
static float clamped(float a) { return a >= 1 ? 1 : a > 0 ? a : 0; }
static double whole(double a, double least, double most) {
  return a != a ? 0 : a < least ? least : a > most ? most : a;
}
static u64 pattern(double x) {
  u64 bits;
  memcpy(&bits, &x, 8);
  return bits;
}
static float upper(float a) {
  u32 bits;
  memcpy(&bits, &a, 4);
  bits = a != a ? 0x7fff0000u : bits & 0xffff0000u;
  memcpy(&a, &bits, 4);
  return a;
}
// The sign and the upper bits of the fraction.
static float one_to_two(float a) {
  u32 bits;
  memcpy(&bits, &a, 4);
  bits = (bits & 0x807f0000u) | 0x3f800000u;
  memcpy(&a, &bits, 4);
  return a;
}
// To bfloat16 and back.
static float rounded(float a) {
  u32 bits = (u32)bits_of(a);
  bits = a != a ? 0x7fff0000u : (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u;
  memcpy(&a, &bits, 4);
  return a;
}
static float half_towards_zero(float a) {
  if (a != a || std::isinf(a))
    return a;
  if (std::fabs(a) >= 65504)
    return std::copysign(65504.0f, a);
  int exponent;
  std::frexp(a, &exponent);
  float unit = std::ldexp(1.0f, exponent < -13 ? -24 : exponent - 11);
  return std::copysign(std::trunc(a / unit) * unit, a);
}

#define COUNT(...) +1
enum { RESULTS = 0 CASES(COUNT), APPROXIMATE = 9 };

__global__ void run(const input *in, u64 *out, float *approximate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = in[i].a, b = in[i].b, c = in[i].c;
  double x = in[i].x, y = in[i].y, z = in[i].z;
  u64 *next = out + (size_t)i * RESULTS;
#define ON_DEVICE(type, constraint, text, mode, expression)                                                            \
  {                                                                                                                    \
    type result;                                                                                                       \
    asm(text : "=" constraint(result) : "f"(a), "f"(b), "f"(c), "d"(x), "d"(y), "d"(z));                               \
    *next++ = device_bits(result);                                                                                     \
  }
  CASES(ON_DEVICE)
  float *r = approximate + APPROXIMATE * i, t = (i + 1) * 0x1p-7f;
  asm("sin.approx.f32 %0, %1;" : "=f"(r[0]) : "f"(t));
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(r[1]) : "f"(t));
  asm("ex2.approx.f32 %0, %1;" : "=f"(r[2]) : "f"(t));
  asm("lg2.approx.f32 %0, %1;" : "=f"(r[3]) : "f"(t));
  asm("rcp.approx.f32 %0, %1;" : "=f"(r[4]) : "f"(t));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r[5]) : "f"(t));
  asm("tanh.approx.f32 %0, %1;" : "=f"(r[6]) : "f"(t));
  asm("div.full.f32 %0, %1, 3.5;" : "=f"(r[7]) : "f"(t));
  asm("div.approx.f32 %0, %1, 0f7F000000;" : "=f"(r[8]) : "f"(t)); // by 2^127, beyond 2^126
}

int main(int argc, char **argv) {
  const int n = 600;
  int block = block_size(argc, argv);
  static const float corners[] = {0.0f, -0.0f, 1.0f,  0x1p-140f, -0x1p-127f, INFINITY,
                                  NAN,  3e38f, -0.5f, 2.5f,      65519.0f,   65536.0f};
  buffer<input> in(n);
  buffer<u64> out((size_t)n * RESULTS);
  buffer<float> approximate((size_t)n * APPROXIMATE);
  unsigned state = 5;
  auto number = [&]() -> float {
    unsigned kind = next_random(state);
    if (kind % 4 == 0)
      return corners[kind / 4 % 12];
    float value = (float)((int)(next_random(state) % 200001) - 100000) / 3;
    return std::ldexp(value, kind % 4 == 1 ? (int)(next_random(state) % 200) - 100 : -(int)(next_random(state) % 12));
  };
  for (int i = 0; i < n; i++)
    in[i] = {number(), number(), number(), number() * 1.1, number() / 3.0, number() * 0.7};
  in.upload();
  run<<<blocks_for(n, block), block>>>(in.device, out.device, approximate.device, n);
  out.download();
  approximate.download();
  for (int i = 0; i < n; i++) {
    volatile float va = in[i].a, vb = in[i].b, vc = in[i].c;
    volatile double vx = in[i].x, vy = in[i].y, vz = in[i].z;
    u64 *next = &out[(size_t)i * RESULTS];
#define ON_HOST(type, constraint, text, mode, expression)                                                              \
  {                                                                                                                    \
    fesetround(mode);                                                                                                  \
    float a = va, b = vb, c = vc;                                                                                      \
    double x = vx, y = vy, z = vz;                                                                                     \
    volatile type expected = (type)(expression);                                                                       \
    fesetround(FE_TONEAREST);                                                                                          \
    (void)a, (void)b, (void)c, (void)x, (void)y, (void)z;                                                              \
    if (*next != bits_of((type)expected))                                                                              \
      printf("%s with %a %a %a %a %a %a\n", text, a, b, c, x, y, z);                                                   \
    expect(i, *next++, bits_of((type)expected));                                                                       \
  }
    CASES(ON_HOST)
    double t = (i + 1) * 0x1p-7;
    const double exact[] = {
        std::sin(t), std::cos(t), std::exp2(t), std::log2(t), 1 / t, 1 / std::sqrt(t), std::tanh(t), t / 3.5, 0};
    const double bounds[] = {0x1p-20, 0x1p-20, 0x1p-20, 0x1p-20, 0x1p-20, 0x1p-20, 0x1p-11, 0x1p-20, 0};
    for (int k = 0; k < APPROXIMATE; k++)
      if (!(std::fabs(approximate[(size_t)i * APPROXIMATE + k] - exact[k]) <=
            bounds[k] * std::fmax(1, std::fabs(exact[k]))))
        fail_at(i, approximate[(size_t)i * APPROXIMATE + k], (float)exact[k]);
  }
  return passed();
}
