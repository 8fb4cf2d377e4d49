/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every operation with a rounding mode against the processor's own in that mode: random bit patterns of all exponents,
 * pairs that are close together, and the special values in all combinations.
 */
#include "check.h"

#include <fenv.h>

#pragma STDC FENV_ACCESS ON

static const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
static const char *const mode_names[4] = {"rn", "rz", "ru", "rd"};

#define DECLARE(type, name, parameters)                                                                                \
  type __nv_##name##_rn parameters;                                                                                    \
  type __nv_##name##_rz parameters;                                                                                    \
  type __nv_##name##_ru parameters;                                                                                    \
  type __nv_##name##_rd parameters;                                                                                    \
  static type(*const device_##name[4])                                                                                 \
      parameters = {__nv_##name##_rn, __nv_##name##_rz, __nv_##name##_ru, __nv_##name##_rd};
DECLARE(float, fadd, (float, float))
DECLARE(float, fsub, (float, float))
DECLARE(float, fmul, (float, float))
DECLARE(float, fdiv, (float, float))
DECLARE(float, frcp, (float))
DECLARE(float, fsqrt, (float))
DECLARE(float, fmaf, (float, float, float))
DECLARE(double, dadd, (double, double))
DECLARE(double, dsub, (double, double))
DECLARE(double, dmul, (double, double))
DECLARE(double, ddiv, (double, double))
DECLARE(double, drcp, (double))
DECLARE(double, dsqrt, (double))
DECLARE(double, fma, (double, double, double))
DECLARE(float, double2float, (double))
DECLARE(float, int2float, (int))
DECLARE(float, uint2float, (unsigned))
DECLARE(float, ll2float, (long long))
DECLARE(float, ull2float, (unsigned long long))
DECLARE(double, ll2double, (long long))
DECLARE(double, ull2double, (unsigned long long))
float __nv_frsqrt_rn(float);

/* volatile keeps the compiler from moving the operation out of the mode. */
#define REFERENCE(type, mode, expression)                                                                              \
  ({                                                                                                                   \
    fesetround(modes[mode]);                                                                                           \
    volatile type in_mode = (expression);                                                                              \
    fesetround(FE_TONEAREST);                                                                                          \
    in_mode;                                                                                                           \
  })

static void check_floats(float left_value, float right_value, float addend_value) {
  volatile float left = left_value, right = right_value, addend = addend_value;
  for (int mode = 0; mode < 4; ++mode) {
#define COMPARE(function, actual, expression)                                                                          \
  do {                                                                                                                 \
    float expected = REFERENCE(float, mode, expression), result = actual;                                              \
    CHECK(same_float(expected, result), "%s_%s(%a, %a, %a) = %a, not %a", function, mode_names[mode], left, right,     \
          addend, result, expected);                                                                                   \
  } while (0)
    COMPARE("fadd", device_fadd[mode](left, right), left + right);
    COMPARE("fsub", device_fsub[mode](left, right), left - right);
    COMPARE("fmul", device_fmul[mode](left, right), left * right);
    COMPARE("fdiv", device_fdiv[mode](left, right), left / right);
    COMPARE("frcp", device_frcp[mode](left), 1.0f / left);
    COMPARE("fsqrt", device_fsqrt[mode](left), sqrtf(left));
    COMPARE("fmaf", device_fmaf[mode](left, right, addend), __builtin_fmaf(left, right, addend));
#undef COMPARE
  }
}

static void check_doubles(double left_value, double right_value, double addend_value) {
  volatile double left = left_value, right = right_value, addend = addend_value;
  for (int mode = 0; mode < 4; ++mode) {
#define COMPARE(type, function, actual, expression)                                                                    \
  do {                                                                                                                 \
    type expected = REFERENCE(type, mode, expression), result = actual;                                                \
    CHECK(same_double(expected, result), "%s_%s(%a, %a, %a) = %a, not %a", function, mode_names[mode], left, right,    \
          addend, result, expected);                                                                                   \
  } while (0)
    COMPARE(double, "dadd", device_dadd[mode](left, right), left + right);
    COMPARE(double, "dsub", device_dsub[mode](left, right), left - right);
    COMPARE(double, "dmul", device_dmul[mode](left, right), left *right);
    COMPARE(double, "ddiv", device_ddiv[mode](left, right), left / right);
    COMPARE(double, "drcp", device_drcp[mode](left), 1.0 / left);
    COMPARE(double, "dsqrt", device_dsqrt[mode](left), sqrt(left));
    COMPARE(double, "fma", device_fma[mode](left, right, addend), __builtin_fma(left, right, addend));
    COMPARE(float, "double2float", device_double2float[mode](left), (float)left);
  }
#undef COMPARE
}

static void check_integers(uint64_t bits) {
  volatile int i = (int)bits;
  volatile unsigned u = (unsigned)bits;
  volatile long long l = (long long)bits;
  volatile unsigned long long ul = bits;
  for (int mode = 0; mode < 4; ++mode) {
#define COMPARE(type, function, value)                                                                                 \
  do {                                                                                                                 \
    type expected = REFERENCE(type, mode, (type)value), result = device_##function[mode](value);                       \
    CHECK(same_double(expected, result), "%s_%s(%llx) = %a, not %a", #function, mode_names[mode],                      \
          (unsigned long long)bits, result, expected);                                                                 \
  } while (0)
    COMPARE(float, int2float, i);
    COMPARE(float, uint2float, u);
    COMPARE(float, ll2float, l);
    COMPARE(float, ull2float, ul);
    COMPARE(double, ll2double, l);
    COMPARE(double, ull2double, ul);
#undef COMPARE
  }
}

/* y is 1 / sqrt(x) to nearest when x lies between the squared reciprocals of y's midpoints, which long double holds
 * closely enough to decide. */
static void check_reciprocal_root(float value) {
  float result = __nv_frsqrt_rn(value);
  long double exact = 1.0L / sqrtl((long double)value);
  CHECK(same_float(result, (float)exact), "frsqrt_rn(%a) = %a, not %a", value, result, (float)exact);
}

int main(void) {
  static const double special[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   0.5,
                                   3.0,
                                   -3.0,
                                   0x1p-1074,
                                   -0x1p-1074,
                                   0x1.fffffffffffffp-1023,
                                   0x1p-1022,
                                   -0x1p-1022,
                                   0x1.fffffffffffffp1023,
                                   -0x1.fffffffffffffp1023,
                                   0x1p-149,
                                   -0x1p-149,
                                   0x1p-150,
                                   0x1.8p-150,
                                   0x1p-126,
                                   0x1.fffffcp-127,
                                   0x1.fffffep127,
                                   -0x1.fffffep127,
                                   0x1.ffffffp127,
                                   0x1.000002p0,
                                   0x1.000001p0,
                                   0x1.0000000000001p0,
                                   INFINITY,
                                   -INFINITY,
                                   NAN};
  int count = sizeof special / sizeof special[0];
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      for (int k = 0; k < count; ++k) {
        check_doubles(special[i], special[j], special[k]);
        check_floats((float)special[i], (float)special[j], (float)special[k]);
      }
  for (int i = 0; i < 100000; ++i) {
    uint64_t one = random_bits(), two = random_bits(), three = random_bits();
    check_floats(as_float((uint32_t)one), as_float((uint32_t)two), as_float((uint32_t)three));
    check_doubles(as_double(one), as_double(two), as_double(three));
    /* Near 1, so that sums cancel and products meet their addend; and few bits, so that ties happen. */
    check_floats((float)random_between(-2, 2), (float)random_between(-2, 2), (float)random_between(-2, 2));
    double left = random_between(-2, 2), right = random_between(-2, 2);
    check_doubles(left, right, random_between(-2, 2));
    check_doubles(left, right, -left * right);
    check_doubles(left * 0x1p-500, right * 0x1p-540, left * right * 0x1p-1040);
    check_doubles(left * 0x1p-1030, right * 0x1p-1030, right * 0x1p-1060);
    check_doubles(left * 0x1p1023, right * 0x1p2, right * 0x1p1023);
    check_floats((float)left * 0x1p-100f, (float)right * 0x1p-30f, (float)left * 0x1p-130f);
    check_floats((float)left * 0x1p120f, (float)right * 0x1p6f, (float)(one >> 56) * 0x1p120f);
    check_doubles((double)(one >> 60), (double)(two >> 40) * 0x1p-52, 1.0);
    check_integers(one >> (two & 63));
    check_integers(~(one >> (two & 63)));
  }
  for (int i = 0; i < 64; ++i)
    for (int delta = -2; delta <= 2; ++delta)
      check_integers((1ull << i) + (uint64_t)delta), check_integers(0 - (1ull << i) + (uint64_t)delta);
  for (uint32_t bits = 0; bits < 1u << 24; bits += 7)
    check_reciprocal_root(as_float(0x3f800000u + bits));
  check_reciprocal_root(0x1p-149f), check_reciprocal_root(0.0f), check_reciprocal_root(-0.0f);
  check_reciprocal_root(-1.0f), check_reciprocal_root(INFINITY);
  return failures != 0;
}
