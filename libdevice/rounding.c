/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic with a rounding mode: rn to nearest even, rz towards zero, ru up, rd down. (CUDA Math API, "Single /
 * Double Precision Intrinsics".)
 *
 * The processor's mode is never changed. Each operation is done to nearest, the sign of what rounding lost is found by
 * an error-free transformation, and the result is moved to its neighbour where the mode asks for that one:
 *
 *   float   exactly in double where it fits, as a sum of two doubles elsewhere; then one rounding to float;
 *   double  the sum's error by Knuth's two-sum; product, quotient and root by the remainder that fma gives, on
 *           operands scaled to the middle of the range so that no remainder underflows; fma in 128-bit integers.
 */
#include "libdevice.h"

enum mode { TO_NEAREST, TO_ZERO, UP, DOWN };

/* The next value above, also from the negative infinity to the lowest finite one. */
UW_LOCAL float next_float(float value) {
  uint32_t bits = float_bits(value);
  return value == 0 ? 0x1p-149f : float_of_bits(value > 0 ? bits + 1 : bits - 1);
}
UW_LOCAL double next_double(double value) {
  uint64_t bits = double_bits(value);
  return value == 0 ? 0x1p-1074 : double_of_bits(value > 0 ? bits + 1 : bits - 1);
}

/* nearest, moved if the exact value lies on the other side of it. lost has the sign of exact - nearest. negative is
 * the sign of the exact value: nearest may be a zero. */
UW_LOCAL float move_float(float nearest, double lost, int negative, enum mode mode) {
  if (mode == TO_ZERO)
    mode = negative ? UP : DOWN;
  if (lost > 0 && mode == UP)
    return next_float(nearest);
  if (lost < 0 && mode == DOWN)
    return -next_float(-nearest);
  return nearest;
}
UW_LOCAL double move_double(double nearest, double lost, int negative, enum mode mode) {
  if (mode == TO_ZERO)
    mode = negative ? UP : DOWN;
  if (lost > 0 && mode == UP)
    return next_double(nearest);
  if (lost < 0 && mode == DOWN)
    return -next_double(-nearest);
  return nearest;
}

/* sum is to nearest; the result is what sum lost. Exact unless the sum overflows. */
UW_LOCAL double lost_by_sum(double left, double right, double sum) {
  double large = __builtin_fabs(left) < __builtin_fabs(right) ? right : left;
  double small = __builtin_fabs(left) < __builtin_fabs(right) ? left : right;
  return small - (sum - large);
}

/* value + rest to float, where |rest| is at most half a unit in the last place of value: value decides unless it is
 * a float itself. */
UW_LOCAL float round_to_float(double value, double rest, enum mode mode) {
  float nearest = (float)value;
  if (!is_finite(value))
    return nearest;
  double lost = value != (double)nearest ? (value > (double)nearest ? 1 : -1) : rest;
  return move_float(nearest, lost, value < 0 || (value == 0 && rest < 0), mode);
}

/* An exact sum of zero is negative when rounding down, unless both terms are positive zeros. */
UW_LOCAL int is_negative(double value) { return (int)(double_bits(value) >> 63); }
UW_LOCAL double zero_sum(double left, double right, double sum, enum mode mode) {
  if (sum == 0 && mode == DOWN && (is_negative(left) || is_negative(right)))
    return -0.0;
  return sum;
}

UW_LOCAL float add_float(float left, float right, enum mode mode) {
  double sum = (double)left + (double)right;
  if (sum == 0)
    return (float)zero_sum(left, right, sum, mode);
  return round_to_float(sum, lost_by_sum(left, right, sum), mode);
}

UW_LOCAL float multiply_float(float left, float right, enum mode mode) {
  double product = (double)left * (double)right;
  return product == 0 ? (float)product : round_to_float(product, 0, mode);
}

UW_LOCAL float divide_float(float left, float right, enum mode mode) {
  double quotient = (double)left / (double)right;
  if (quotient == 0 || !is_finite(quotient) || right != right || __builtin_isinf(right))
    return (float)quotient;
  double remainder = __builtin_fma(-quotient, (double)right, (double)left);
  return round_to_float(quotient, right < 0 ? -remainder : remainder, mode);
}

UW_LOCAL float root_float(float value, enum mode mode) {
  double root = __builtin_sqrt((double)value);
  if (root == 0 || !is_finite(root))
    return (float)root;
  return round_to_float(root, __builtin_fma(-root, root, (double)value), mode);
}

UW_LOCAL float fma_float(float left, float right, float addend, enum mode mode) {
  double product = (double)left * (double)right, sum = product + (double)addend;
  if (sum == 0)
    return (float)zero_sum(product, addend, sum, mode);
  if (!is_finite(sum))
    return (float)sum;
  double rest = lost_by_sum(product, addend, sum);
  if (mode != TO_NEAREST)
    return round_to_float(sum, rest, mode);
  return __builtin_fmaf(left, right, addend);
}

UW_LOCAL double add_double(double left, double right, enum mode mode) {
  double sum = left + right;
  if (sum == 0)
    return zero_sum(left, right, sum, mode);
  if (!is_finite(left) || !is_finite(right))
    return sum;
  if (__builtin_isinf(sum))
    return move_double(sum, -sum, sum < 0, mode);
  return move_double(sum, lost_by_sum(left, right, sum), sum < 0, mode);
}

/* value = result * 2^exponent with 1 <= |result| < 2, for a finite value other than 0. */
UW_LOCAL double normalize(double value, int *exponent) {
  uint64_t bits = double_bits(value);
  int shift = 0;
  if ((bits >> 52 & 0x7ff) == 0) {
    bits = double_bits(value * 0x1p64);
    shift = 64;
  }
  *exponent = (int)(bits >> 52 & 0x7ff) - 1023 - shift;
  return double_of_bits((bits & 0x800fffffffffffffu) | 0x3ff0000000000000u);
}

/* value * 2^exponent, where the result is known to be exact and neither tiny nor huge. Two steps reach every exponent
 * that brings a double back to about 1. */
UW_LOCAL double scale(double value, int exponent) {
  int half = exponent / 2, rest = exponent - half;
  return value * double_of_bits((uint64_t)(half + 1023) << 52) * double_of_bits((uint64_t)(rest + 1023) << 52);
}

UW_LOCAL double multiply_double(double left, double right, enum mode mode) {
  double product = left * right;
  if (left == 0 || right == 0 || !is_finite(left) || !is_finite(right))
    return product;
  int left_exponent, right_exponent, negative = is_negative(left) ^ is_negative(right);
  if (__builtin_isinf(product))
    return move_double(product, -product, negative, mode);
  if (product == 0)
    return move_double(product, negative ? -1 : 1, negative, mode);
  double left_part = normalize(left, &left_exponent), right_part = normalize(right, &right_exponent);
  double scaled = scale(product, -(left_exponent + right_exponent));
  return move_double(product, __builtin_fma(left_part, right_part, -scaled), negative, mode);
}

UW_LOCAL double divide_double(double left, double right, enum mode mode) {
  double quotient = left / right;
  if (left == 0 || right == 0 || !is_finite(left) || !is_finite(right))
    return quotient;
  int left_exponent, right_exponent, negative = is_negative(left) ^ is_negative(right);
  if (__builtin_isinf(quotient))
    return move_double(quotient, -quotient, negative, mode);
  if (quotient == 0)
    return move_double(quotient, negative ? -1 : 1, negative, mode);
  double left_part = normalize(left, &left_exponent), right_part = normalize(right, &right_exponent);
  double scaled = scale(quotient, right_exponent - left_exponent);
  double remainder = __builtin_fma(-scaled, right_part, left_part);
  return move_double(quotient, right_part < 0 ? -remainder : remainder, negative, mode);
}

UW_LOCAL double root_double(double value, enum mode mode) {
  double root = __builtin_sqrt(value);
  if (!(value > 0) || __builtin_isinf(value))
    return root;
  double scaled = value < 0x1p-900 ? value * 0x1p200 : value, scaled_root = value < 0x1p-900 ? root * 0x1p100 : root;
  return move_double(root, __builtin_fma(-scaled_root, scaled_root, scaled), 0, mode);
}

/* fma on integers. The product of two 53-bit significands has at most 106 bits. The larger of product and addend is
 * placed with its top bit at bit 125, the smaller is shifted to the same unit, and what falls below bit 0 is kept as
 * one sticky bit; then the sum is cut to 53 bits, or to what a denormal has. */
typedef unsigned __int128 wide;

UW_LOCAL int top_bit(wide value) {
  uint64_t high = (uint64_t)(value >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)value);
}
UW_LOCAL wide shift_sticky(wide value, int count) {
  if (count <= 0)
    return value;
  if (count > 127)
    return value != 0;
  return value >> count | ((value & (((wide)1 << count) - 1)) != 0);
}
UW_LOCAL uint64_t significand(double value, int *exponent) {
  uint64_t bits = double_bits(value), fraction = bits & 0xfffffffffffffu;
  int field = (int)(bits >> 52 & 0x7ff);
  *exponent = (field ? field : 1) - 1075;
  return field ? fraction | 0x10000000000000u : fraction;
}

static double fma_double(double left, double right, double addend, enum mode mode) {
  if (!is_finite(left) || !is_finite(right) || !is_finite(addend))
    return __builtin_fma(left, right, addend);
  int negative = is_negative(left) ^ is_negative(right), addend_negative = is_negative(addend);
  if (left == 0 || right == 0)
    return addend == 0 ? zero_sum(negative ? -0.0 : 0.0, addend, (negative ? -0.0 : 0.0) + addend, mode) : addend;
  int left_exponent, right_exponent, addend_exponent;
  uint64_t left_bits = significand(left, &left_exponent), right_bits = significand(right, &right_exponent);
  wide sum = (wide)left_bits * right_bits, other = significand(addend, &addend_exponent);
  int exponent = left_exponent + right_exponent;
  int shift = 125 - top_bit(sum);
  sum <<= shift;
  exponent -= shift;
  if (other) {
    shift = 125 - top_bit(other);
    other <<= shift;
    addend_exponent -= shift;
    if (addend_exponent > exponent || (addend_exponent == exponent && other > sum)) {
      wide swap = sum;
      sum = other, other = swap;
      int swap_exponent = exponent, swap_negative = negative;
      exponent = addend_exponent, addend_exponent = swap_exponent;
      negative = addend_negative, addend_negative = swap_negative;
    }
    other = shift_sticky(other, exponent - addend_exponent);
    if (negative == addend_negative)
      sum += other;
    else
      sum -= other;
    if (sum == 0)
      return mode == DOWN ? -0.0 : 0.0;
  }
  /* The unit of the last place: 52 bits below the top one, but no lower than that of denormals. */
  int drop = top_bit(sum) - 52;
  if (exponent + drop < -1074)
    drop = -1074 - exponent;
  wide kept = drop > 127 ? 0 : drop >= 0 ? sum >> drop : sum << -drop;
  wide rest = drop > 127 ? 1 : drop > 0 ? sum & (((wide)1 << drop) - 1) : 0;
  exponent += drop;
  if (rest && mode == (negative ? DOWN : UP))
    ++kept;
  uint64_t bits;
  if (kept == 0)
    bits = 0;
  else if (kept >> 53 ? exponent + 1 > 971 : exponent > 971 && kept >> 52)
    bits = mode == TO_ZERO || mode == (negative ? UP : DOWN) ? 0x7fefffffffffffffu : 0x7ff0000000000000u;
  else if (kept < 0x10000000000000u)
    bits = (uint64_t)kept;
  else /* a carry out of the significand goes on into the exponent, as it should */
    bits = ((uint64_t)(exponent + 1074) << 52) + (uint64_t)kept;
  return double_of_bits(bits | (uint64_t)negative << 63);
}

#define ROUNDED_2(prefix, name, type, nearest)                                                                         \
  UW_SHORT type __nv_##prefix##_rn(type left, type right) { return nearest; }                                          \
  UW_SHORT type __nv_##prefix##_rz(type left, type right) { return name(left, right, TO_ZERO); }                       \
  UW_SHORT type __nv_##prefix##_ru(type left, type right) { return name(left, right, UP); }                            \
  UW_SHORT type __nv_##prefix##_rd(type left, type right) { return name(left, right, DOWN); }
ROUNDED_2(fadd, add_float, float, left + right)
ROUNDED_2(fmul, multiply_float, float, left *right)
ROUNDED_2(fdiv, divide_float, float, left / right)
ROUNDED_2(dadd, add_double, double, left + right)
ROUNDED_2(dmul, multiply_double, double, left *right)
ROUNDED_2(ddiv, divide_double, double, left / right)
#define subtract_float(left, right, mode) add_float(left, -(right), mode)
#define subtract_double(left, right, mode) add_double(left, -(right), mode)
ROUNDED_2(fsub, subtract_float, float, left - right)
ROUNDED_2(dsub, subtract_double, double, left - right)

#define ROUNDED_1(prefix, name, type, nearest)                                                                         \
  UW_SHORT type __nv_##prefix##_rn(type value) { return nearest; }                                                     \
  UW_SHORT type __nv_##prefix##_rz(type value) { return name(value, TO_ZERO); }                                        \
  UW_SHORT type __nv_##prefix##_ru(type value) { return name(value, UP); }                                             \
  UW_SHORT type __nv_##prefix##_rd(type value) { return name(value, DOWN); }
#define reciprocal_float(value, mode) divide_float(1, value, mode)
#define reciprocal_double(value, mode) divide_double(1, value, mode)
ROUNDED_1(frcp, reciprocal_float, float, 1.0f / value)
ROUNDED_1(drcp, reciprocal_double, double, 1.0 / value)
ROUNDED_1(fsqrt, root_float, float, __builtin_sqrtf(value))
ROUNDED_1(dsqrt, root_double, double, __builtin_sqrt(value))

#define ROUNDED_3(prefix, name, type, nearest)                                                                         \
  UW_SHORT type __nv_##prefix##_rn(type left, type right, type addend) { return nearest; }                             \
  UW_SHORT type __nv_##prefix##_rz(type left, type right, type addend) { return name(left, right, addend, TO_ZERO); }  \
  UW_SHORT type __nv_##prefix##_ru(type left, type right, type addend) { return name(left, right, addend, UP); }       \
  UW_SHORT type __nv_##prefix##_rd(type left, type right, type addend) { return name(left, right, addend, DOWN); }
ROUNDED_3(fmaf, fma_float, float, __builtin_fmaf(left, right, addend))
ROUNDED_3(fmaf_ieee, fma_float, float, __builtin_fmaf(left, right, addend))
ROUNDED_3(fma, fma_double, double, __builtin_fma(left, right, addend))

/* 1 / sqrt in double is so close that rounding it to float is the correctly rounded result for every float. */
UW_SHORT float __nv_frsqrt_rn(float value) { return (float)(1.0 / __builtin_sqrt((double)value)); }
