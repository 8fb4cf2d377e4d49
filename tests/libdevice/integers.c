/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integer functions, casts, and conversions from floating point to integers with each rounding mode, against plain
 * definitions in wider types.
 */
#include "check.h"

#include <limits.h>

int __nv_abs(int), __nv_min(int, int), __nv_max(int, int), __nv_brev(int), __nv_clz(int), __nv_clzll(long long);
int __nv_ffs(int), __nv_ffsll(long long), __nv_popc(unsigned), __nv_popcll(unsigned long long);
int __nv_byte_perm(int, int, int), __nv_mul24(int, int), __nv_mulhi(int, int), __nv_sad(int, int, int);
int __nv_hadd(int, int), __nv_rhadd(int, int), __nv_uhadd(unsigned, unsigned);
unsigned __nv_umul24(unsigned, unsigned), __nv_umulhi(unsigned, unsigned), __nv_urhadd(unsigned, unsigned);
unsigned __nv_usad(unsigned, unsigned, unsigned), __nv_umin(unsigned, unsigned), __nv_umax(unsigned, unsigned);
long long __nv_llabs(long long), __nv_brevll(long long), __nv_mul64hi(long long, long long);
long long __nv_llmin(long long, long long), __nv_llmax(long long, long long);
unsigned long long __nv_umul64hi(unsigned long long, unsigned long long);
int __nv_double2hiint(double), __nv_double2loint(double);
double __nv_hiloint2double(int, int);
float __nv_half2float(unsigned short);
unsigned short __nv_float2half_rn(float);
long long __nv_llrint(double), __nv_llround(double), __nv_llroundf(float);

#define DECLARE(from, to, from_type, to_type)                                                                          \
  to_type __nv_##from##2##to##_rn(from_type), __nv_##from##2##to##_rz(from_type), __nv_##from##2##to##_ru(from_type),  \
      __nv_##from##2##to##_rd(from_type);
DECLARE(float, int, float, int)
DECLARE(float, uint, float, unsigned)
DECLARE(float, ll, float, long long)
DECLARE(float, ull, float, unsigned long long)
DECLARE(double, int, double, int)
DECLARE(double, uint, double, unsigned)
DECLARE(double, ll, double, long long)
DECLARE(double, ull, double, unsigned long long)

/* The rule of the conversion instruction, in long double, which holds all 64-bit integers. */
static unsigned long long reference(long double value, long double low, long double high, unsigned long long nan_value,
                                    int mode) {
  if (isnan(value))
    return nan_value;
  value = mode == 0 ? rintl(value) : mode == 1 ? truncl(value) : mode == 2 ? ceill(value) : floorl(value);
  value = value < low ? low : value > high ? high : value;
  return value < 0 ? (unsigned long long)(long long)value : (unsigned long long)value;
}

static void check_conversions(double value) {
  const unsigned long long top = 0x8000000000000000u;
  float value_f = (float)value;
#define CHECK_ONE(from, to, type, argument, low, high, nan_value, suffix, mode)                                        \
  do {                                                                                                                 \
    type expected = (type)reference(argument, low, high, nan_value, mode);                                             \
    type result = __nv_##from##2##to##_##suffix(argument);                                                             \
    CHECK(result == expected, "%s2%s_%s(%a) = %llx, not %llx", #from, #to, #suffix, argument,                          \
          (unsigned long long)result, (unsigned long long)expected);                                                   \
  } while (0)
#define CHECK_MODES(from, to, type, argument, low, high, nan_value)                                                    \
  CHECK_ONE(from, to, type, argument, low, high, nan_value, rn, 0);                                                    \
  CHECK_ONE(from, to, type, argument, low, high, nan_value, rz, 1);                                                    \
  CHECK_ONE(from, to, type, argument, low, high, nan_value, ru, 2);                                                    \
  CHECK_ONE(from, to, type, argument, low, high, nan_value, rd, 3)
  CHECK_MODES(float, int, int, value_f, INT_MIN, INT_MAX, 0);
  CHECK_MODES(float, uint, unsigned, value_f, 0, UINT_MAX, 0);
  CHECK_MODES(float, ll, long long, value_f, LLONG_MIN, LLONG_MAX, top);
  CHECK_MODES(float, ull, unsigned long long, value_f, 0, ULLONG_MAX, top);
  CHECK_MODES(double, int, int, value, INT_MIN, INT_MAX, 0x80000000u);
  CHECK_MODES(double, uint, unsigned, value, 0, UINT_MAX, 0x80000000u);
  CHECK_MODES(double, ll, long long, value, LLONG_MIN, LLONG_MAX, top);
  CHECK_MODES(double, ull, unsigned long long, value, 0, ULLONG_MAX, top);
}

static void check_integers(uint64_t one, uint64_t two) {
  int i = (int)one, j = (int)two;
  unsigned u = (unsigned)one, v = (unsigned)two;
  long long l = (long long)one, m = (long long)two;
#define SAME(expression, expected)                                                                                     \
  CHECK((unsigned long long)(expression) == (unsigned long long)(expected), "%s with %llx, %llx", #expression,         \
        (unsigned long long)one, (unsigned long long)two)
  SAME(__nv_min(i, j), i < j ? i : j);
  SAME(__nv_max(i, j), i > j ? i : j);
  SAME(__nv_umin(u, v), u < v ? u : v);
  SAME(__nv_umax(u, v), u > v ? u : v);
  SAME(__nv_llmin(l, m), l < m ? l : m);
  SAME(__nv_llmax(l, m), l > m ? l : m);
  SAME(__nv_abs(i), (int)(i < 0 ? 0u - u : u));
  SAME(__nv_llabs(l), l < 0 ? 0 - one : one);
  int ones = 0, leading = 64, first = 0;
  unsigned long long reversed = 0;
  for (int bit = 0; bit < 64; ++bit) {
    ones += one >> bit & 1;
    reversed |= (one >> bit & 1) << (63 - bit);
    if (one >> bit & 1)
      leading = 63 - bit, first = first ? first : bit + 1;
  }
  SAME(__nv_popcll(one), ones);
  SAME(__nv_clzll(l), leading);
  SAME(__nv_ffsll(l), first);
  SAME(__nv_brevll(l), reversed);
  SAME((unsigned)__nv_brev(i), (unsigned)((unsigned long long)__nv_brevll((long long)u) >> 32));
  SAME(__nv_popc(u), __builtin_popcount(u));
  SAME(__nv_clz(i), u ? __builtin_clz(u) : 32);
  SAME(__nv_ffs(i), __builtin_ffs(i));
  unsigned picked = 0;
  for (int byte = 0; byte < 4; ++byte) {
    int which = (int)(two >> (32 + 4 * byte)) & 7;
    picked |= ((which < 4 ? u >> 8 * which : v >> 8 * (which - 4)) & 0xff) << 8 * byte;
  }
  SAME((unsigned)__nv_byte_perm(i, j, (int)(two >> 32)), picked);
  long long left24 = (u & 0x800000) ? (long long)(u & 0xffffff) - 0x1000000 : (long long)(u & 0xffffff);
  long long right24 = (v & 0x800000) ? (long long)(v & 0xffffff) - 0x1000000 : (long long)(v & 0xffffff);
  SAME(__nv_mul24(i, j), (int)(left24 * right24));
  SAME(__nv_umul24(u, v), (unsigned)((unsigned long long)(u & 0xffffff) * (v & 0xffffff)));
  SAME(__nv_mulhi(i, j), (int)((long long)i * j >> 32));
  SAME(__nv_umulhi(u, v), (unsigned)((unsigned long long)u * v >> 32));
  SAME(__nv_mul64hi(l, m), (long long)((__int128)l * m >> 64));
  SAME(__nv_umul64hi(one, two), (unsigned long long)((unsigned __int128)one * two >> 64));
  long long distance = (long long)i - j;
  SAME((unsigned)__nv_sad(i, j, 7), (unsigned)((distance < 0 ? -distance : distance) + 7));
  SAME(__nv_usad(u, v, 7), (unsigned)((u > v ? u - v : v - u) + 7));
  SAME(__nv_hadd(i, j), (int)(((long long)i + j) >> 1));
  SAME(__nv_rhadd(i, j), (int)(((long long)i + j + 1) >> 1));
  SAME((unsigned)__nv_uhadd(u, v), (unsigned)(((unsigned long long)u + v) >> 1));
  SAME(__nv_urhadd(u, v), (unsigned)(((unsigned long long)u + v + 1) >> 1));
  double number = as_double(one);
  SAME((unsigned)__nv_double2hiint(number), one >> 32);
  SAME((unsigned)__nv_double2loint(number), (unsigned)one);
  SAME(bits_of_double(__nv_hiloint2double((int)(one >> 32), (int)one)), one);
}

static void check_half(void) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    double exact = exponent == 31 ? (fraction ? NAN : INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    float value = __nv_half2float((unsigned short)bits);
    CHECK(same_float(value, (float)(bits >> 15 ? -exact : exact)), "half2float(%x) = %a", bits, value);
    if (!isnan(value))
      CHECK(__nv_float2half_rn(value) == bits, "float2half_rn(%a) = %x", value, __nv_float2half_rn(value));
    /* Half way to the next integer goes to the even one. */
    if (exponent < 30) {
      float next = __nv_half2float((unsigned short)(bits + 1)), middle = (value + next) / 2;
      CHECK(__nv_float2half_rn(middle) == (bits & 1 ? bits + 1 : bits), "float2half_rn(%a) = %x", middle,
            __nv_float2half_rn(middle));
    }
  }
}

int main(void) {
  static const double special[] = {0.0,
                                   -0.0,
                                   0.5,
                                   -0.5,
                                   1.5,
                                   2.5,
                                   -1.5,
                                   0x1p31,
                                   -0x1p31,
                                   2147483647.5,
                                   -2147483648.5,
                                   2147483646.5,
                                   4294967295.5,
                                   4294967294.5,
                                   0x1p32,
                                   0x1p63,
                                   -0x1p63,
                                   0x1p64,
                                   0x1.fffffffffffffp62,
                                   0x1.fffffffffffffp63,
                                   1e300,
                                   -1e300,
                                   0x1p-1074,
                                   INFINITY,
                                   -INFINITY,
                                   NAN};
  for (unsigned i = 0; i < sizeof special / sizeof special[0]; ++i)
    check_conversions(special[i]);
  for (int i = 0; i < 300000; ++i) {
    uint64_t one = random_bits(), two = random_bits();
    check_integers(one >> (two & 63), two);
    check_integers(one, one + (two & 3) - 1);
    check_conversions(ldexp(random_between(-2, 2), (int)(two % 70) - 3));
  }
  uint64_t edges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, ~0ull};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      check_integers(edges[i], edges[j]);
  check_half();
  CHECK(__nv_llround(2.5) == 3 && __nv_llround(-2.5) == -3 && __nv_llroundf(0.5f) == 1, "llround");
  CHECK(__nv_llrint(2.5) == 2 && __nv_llrint(3.5) == 4, "llrint");
  return failures != 0;
}
