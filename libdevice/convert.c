/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conversions with a rounding mode. (PTX ISA, "cvt".)
 *
 * Towards integers, what does not fit becomes the nearest value of the type. NaN becomes 0 where both sides have 32
 * bits, and the top bit alone elsewhere, as the instruction does.
 * Towards floating point, the conversion is done to nearest and then, where the mode asks for the other neighbour,
 * moved by one unit in the last place.
 */
#include "libdevice.h"

/* value is integral or NaN. limit is the first power of two above the type; lowest is the type's least value. Written
 * without branches: the conversion itself is only ever done on a value that fits. */
#define SATURATE(value, type, limit, lowest, nan_bits)                                                                 \
  type least = (type) - 1 < 0 ? (type)((uint64_t)1 << (sizeof(type) * 8 - 1)) : (type)0;                               \
  int above = (value) >= (limit), fits = (value) > (lowest) && !above;                                                 \
  type converted = (type)(fits ? (value) : 0);                                                                         \
  type result = fits ? converted : above ? (type)~least : least;                                                       \
  return (value) != (value) ? (type)(nan_bits) : result

#define TO_INTEGER(from, to, from_type, to_type, suffix, limit, lowest, nan_bits)                                      \
  UW_SHORT to_type __nv_##from##2##to##_rn(from_type value) {                                                          \
    from_type integral = __builtin_rint##suffix(value);                                                                \
    SATURATE(integral, to_type, limit, lowest, nan_bits);                                                              \
  }                                                                                                                    \
  UW_SHORT to_type __nv_##from##2##to##_rz(from_type value) {                                                          \
    from_type integral = __builtin_trunc##suffix(value);                                                               \
    SATURATE(integral, to_type, limit, lowest, nan_bits);                                                              \
  }                                                                                                                    \
  UW_SHORT to_type __nv_##from##2##to##_ru(from_type value) {                                                          \
    from_type integral = __builtin_ceil##suffix(value);                                                                \
    SATURATE(integral, to_type, limit, lowest, nan_bits);                                                              \
  }                                                                                                                    \
  UW_SHORT to_type __nv_##from##2##to##_rd(from_type value) {                                                          \
    from_type integral = __builtin_floor##suffix(value);                                                               \
    SATURATE(integral, to_type, limit, lowest, nan_bits);                                                              \
  }
TO_INTEGER(float, int, float, int, f, 0x1p31f, -0x1p31f, 0)
TO_INTEGER(float, uint, float, unsigned, f, 0x1p32f, 0.0f, 0)
TO_INTEGER(float, ll, float, long long, f, 0x1p63f, -0x1p63f, 0x8000000000000000u)
TO_INTEGER(float, ull, float, unsigned long long, f, 0x1p64f, 0.0f, 0x8000000000000000u)
TO_INTEGER(double, int, double, int, , 0x1p31, -0x1p31, 0x80000000u)
TO_INTEGER(double, uint, double, unsigned, , 0x1p32, 0.0, 0x80000000u)
TO_INTEGER(double, ll, double, long long, , 0x1p63, -0x1p63, 0x8000000000000000u)
TO_INTEGER(double, ull, double, unsigned long long, , 0x1p64, 0.0, 0x8000000000000000u)

UW_SHORT long long __nv_llrint(double value) { return __nv_double2ll_rn(value); }
UW_SHORT long long __nv_llrintf(float value) { return __nv_float2ll_rn(value); }
UW_SHORT long long __nv_llround(double value) { return __nv_double2ll_rz(__builtin_round(value)); }
UW_SHORT long long __nv_llroundf(float value) { return __nv_float2ll_rz(__builtin_roundf(value)); }

/* The neighbours of a finite number; from an infinity the largest finite number, from zero the least denormal. */
UW_LOCAL float up_f(float value) {
  uint32_t bits = float_bits(value);
  return value == 0 ? 0x1p-149f : float_of_bits(value > 0 ? bits + 1 : bits - 1);
}
UW_LOCAL float down_f(float value) { return -up_f(-value); }
UW_LOCAL double up_d(double value) {
  uint64_t bits = double_bits(value);
  return value == 0 ? 0x1p-1074 : double_of_bits(value > 0 ? bits + 1 : bits - 1);
}
UW_LOCAL double down_d(double value) { return -up_d(-value); }

/* error has the sign of (exact value - nearest). */
#define DIRECTED(to_type, up, down, name, from_type, error)                                                            \
  UW_SHORT to_type name##_rn(from_type value) { return (to_type)value; }                                               \
  UW_SHORT to_type name##_ru(from_type value) {                                                                        \
    to_type nearest = (to_type)value;                                                                                  \
    return (error) > 0 ? up(nearest) : nearest;                                                                        \
  }                                                                                                                    \
  UW_SHORT to_type name##_rd(from_type value) {                                                                        \
    to_type nearest = (to_type)value;                                                                                  \
    return (error) < 0 ? down(nearest) : nearest;                                                                      \
  }                                                                                                                    \
  UW_SHORT to_type name##_rz(from_type value) {                                                                        \
    to_type nearest = (to_type)value;                                                                                  \
    return value > 0 ? ((error) < 0 ? down(nearest) : nearest) : ((error) > 0 ? up(nearest) : nearest);                \
  }

/* An int and its float are exact in double. nearest is compared as an integer where the source has 64 bits: it can be
 * 2^63 or 2^64, which is above every value of the type. */
UW_LOCAL int compare_ll(long long value, double nearest) {
  if (nearest >= 0x1p63)
    return -1;
  long long back = (long long)nearest;
  return (value > back) - (value < back);
}
UW_LOCAL int compare_ull(unsigned long long value, double nearest) {
  if (nearest >= 0x1p64)
    return -1;
  unsigned long long back = (unsigned long long)nearest;
  return (value > back) - (value < back);
}
UW_LOCAL double difference(double value, float nearest) {
  return value > (double)nearest ? 1 : value < (double)nearest ? -1 : 0;
}
DIRECTED(float, up_f, down_f, __nv_int2float, int, difference(value, nearest))
DIRECTED(float, up_f, down_f, __nv_uint2float, unsigned, difference(value, nearest))
DIRECTED(float, up_f, down_f, __nv_double2float, double, difference(value, nearest))
DIRECTED(float, up_f, down_f, __nv_ll2float, long long, compare_ll(value, nearest))
DIRECTED(float, up_f, down_f, __nv_ull2float, unsigned long long, compare_ull(value, nearest))
DIRECTED(double, up_d, down_d, __nv_ll2double, long long, compare_ll(value, nearest))
DIRECTED(double, up_d, down_d, __nv_ull2double, unsigned long long, compare_ull(value, nearest))

UW_SHORT double __nv_int2double_rn(int value) { return (double)value; }
UW_SHORT double __nv_uint2double_rn(unsigned value) { return (double)value; }

/* IEEE half precision by its bits. */
UW_SHORT float __nv_half2float(unsigned short bits) {
  _Float16 value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return (float)value;
}
UW_SHORT unsigned short __nv_float2half_rn(float value) {
  _Float16 half = (_Float16)value;
  unsigned short bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  return bits;
}
