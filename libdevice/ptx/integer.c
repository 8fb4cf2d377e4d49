/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic Instructions".
 *
 * The carry is a register of the thread, CC.CF. Here it is one global; when everything is inlined the compiler makes it
 * a local variable of each function (frontend/ptx/carry.c). After sub it holds the borrow.
 */
#include "ptx.h"

bool __ptx_carry;

/* Wraps around, also where int would promote. */
#define WRAPPING(name, op)                                                                                             \
  UW_LOCAL uint64_t name(uint64_t left, uint64_t right) { return left op right; }
WRAPPING(sum, +)
WRAPPING(difference, -)
WRAPPING(product, *)

#define BINARY(ptx, type, name, expression)                                                                            \
  PTX(type, name##_##ptx)(type a, type b) { return (type)(expression); }
EACH_INTEGER(BINARY, add, sum(a, b))
EACH_INTEGER(BINARY, sub, difference(a, b))
EACH_INTEGER(BINARY, mul_lo, product(a, b))
EACH_INTEGER(BINARY, min, a < b ? a : b)
EACH_INTEGER(BINARY, max, a > b ? a : b)
/* By zero: all ones, quotient and remainder. The least integer by -1 overflows to itself. */
EACH_U(BINARY, div, b == 0 ? -1 : a / b)
EACH_U(BINARY, rem, b == 0 ? -1 : a % b)
EACH_S(BINARY, div, b == 0 ? -1 : b == -1 ? difference(0, a) : (uint64_t)(a / b))
EACH_S(BINARY, rem, b == 0 ? -1 : b == -1 ? 0 : a % b)
#undef BINARY

UW_LOCAL int32_t saturated(int64_t value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}
PTX(int32_t, add_sat_s32)(int32_t a, int32_t b) { return saturated((int64_t)a + b); }
PTX(int32_t, sub_sat_s32)(int32_t a, int32_t b) { return saturated((int64_t)a - b); }
PTX(int32_t, min_relu_s32)(int32_t a, int32_t b) { return a < 0 || b < 0 ? 0 : a < b ? a : b; }
PTX(int32_t, max_relu_s32)(int32_t a, int32_t b) { return a < 0 && b < 0 ? 0 : a > b ? a : b; }

/* Pairs of 16 bits. */
#define PAIRS(ptx, half)                                                                                               \
  UW_LOCAL half low_##ptx(uint32_t word) { return (half)word; }                                                        \
  UW_LOCAL half high_##ptx(uint32_t word) { return (half)(word >> 16); }                                               \
  PTX(uint32_t, add_##ptx)(uint32_t a, uint32_t b) {                                                                   \
    return ((a + b) & 0xffff) | ((a & 0xffff0000u) + (b & 0xffff0000u));                                               \
  }                                                                                                                    \
  PAIR_OF(min_##ptx, ptx, half, l < r ? l : r)                                                                         \
  PAIR_OF(max_##ptx, ptx, half, l > r ? l : r)
#define PAIR_OF(name, ptx, half, expression)                                                                           \
  UW_LOCAL uint32_t part_of_##name(half l, half r) { return (uint16_t)(expression); }                                  \
  PTX(uint32_t, name)(uint32_t a, uint32_t b) {                                                                        \
    return part_of_##name(low_##ptx(a), low_##ptx(b)) | part_of_##name(high_##ptx(a), high_##ptx(b)) << 16;            \
  }
PAIRS(u16x2, uint16_t)
PAIRS(s16x2, int16_t)
PAIR_OF(min_relu_s16x2, s16x2, int16_t, l < 0 || r < 0 ? 0 : l < r ? l : r)
PAIR_OF(max_relu_s16x2, s16x2, int16_t, l < 0 && r < 0 ? 0 : l > r ? l : r)

#define MAD_LO(ptx, type, ...)                                                                                         \
  PTX(type, mad_lo_##ptx)(type a, type b, type c) { return (type)sum(product(a, b), c); }
EACH_INTEGER(MAD_LO, )

#define HIGH(ptx, type, wide, bits)                                                                                    \
  PTX(type, mul_hi_##ptx)(type a, type b) { return (type)(((wide)a * (wide)b) >> bits); }                              \
  PTX(type, mad_hi_##ptx)(type a, type b, type c) { return (type)sum(__ptx_mul_hi_##ptx(a, b), c); }
HIGH(u16, uint16_t, uint32_t, 16)
HIGH(s16, int16_t, int32_t, 16)
HIGH(u32, uint32_t, uint64_t, 32)
HIGH(s32, int32_t, int64_t, 32)
HIGH(u64, uint64_t, unsigned __int128, 64)
HIGH(s64, int64_t, __int128, 64)
PTX(int32_t, mad_hi_sat_s32)(int32_t a, int32_t b, int32_t c) { return saturated((int64_t)__ptx_mul_hi_s32(a, b) + c); }

#define WIDE(ptx, type, wide)                                                                                          \
  PTX(wide, mul_wide_##ptx)(type a, type b) { return (wide)((wide)a * (wide)b); }                                      \
  PTX(wide, mad_wide_##ptx)(type a, type b, wide c) { return (wide)sum((uint64_t)((wide)a * (wide)b), (uint64_t)c); }
WIDE(u16, uint16_t, uint32_t)
WIDE(s16, int16_t, int32_t)
WIDE(u32, uint32_t, uint64_t)
WIDE(s32, int32_t, int64_t)

/* Products of the lower 24 bits: 48 bits, of which lo are the lower 32 and hi the upper 32. */
UW_LOCAL int64_t product24_s32(int32_t a, int32_t b) {
  return (int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8);
}
UW_LOCAL uint64_t product24_u32(uint32_t a, uint32_t b) { return (uint64_t)(a & 0xffffff) * (b & 0xffffff); }
#define TWENTY_FOUR(ptx, type)                                                                                         \
  PTX(type, mul24_lo_##ptx)(type a, type b) { return (type)product24_##ptx(a, b); }                                    \
  PTX(type, mul24_hi_##ptx)(type a, type b) { return (type)(product24_##ptx(a, b) >> 16); }                            \
  PTX(type, mad24_lo_##ptx)(type a, type b, type c) { return (type)sum((uint64_t)product24_##ptx(a, b), c); }          \
  PTX(type, mad24_hi_##ptx)(type a, type b, type c) { return (type)sum((uint64_t)(product24_##ptx(a, b) >> 16), c); }
TWENTY_FOUR(u32, uint32_t)
TWENTY_FOUR(s32, int32_t)
PTX(int32_t, mad24_hi_sat_s32)(int32_t a, int32_t b, int32_t c) {
  return saturated((int64_t)__ptx_mul24_hi_s32(a, b) + c);
}

#define SAD(ptx, type, ...)                                                                                            \
  PTX(type, sad_##ptx)(type a, type b, type c) { return (type)sum(c, a < b ? difference(b, a) : difference(a, b)); }
EACH_INTEGER(SAD, )
#define SIGN(ptx, type, ...)                                                                                           \
  PTX(type, abs_##ptx)(type a) { return (type)(a < 0 ? difference(0, a) : (uint64_t)a); }                              \
  PTX(type, neg_##ptx)(type a) { return (type)difference(0, a); }
EACH_S(SIGN, )

/* With carry. */

#define CARRIES(ptx, type, bits, wide, half)                                                                           \
  UW_LOCAL type add_with_##ptx(type a, type b, bool in, bool *out) {                                                   \
    unsigned bits total = (unsigned bits)(wide)a + (wide)b + in;                                                       \
    *out = (total >> half) & 1;                                                                                        \
    return (type)total;                                                                                                \
  }                                                                                                                    \
  UW_LOCAL type sub_with_##ptx(type a, type b, bool in, bool *out) {                                                   \
    unsigned bits total = (unsigned bits)(wide)a - (wide)b - in;                                                       \
    *out = (total >> half) & 1;                                                                                        \
    return (type)total;                                                                                                \
  }                                                                                                                    \
  PTX(type, add_cc_##ptx)(type a, type b) { return add_with_##ptx(a, b, 0, &__ptx_carry); }                            \
  PTX(type, addc_cc_##ptx)(type a, type b) { return add_with_##ptx(a, b, __ptx_carry, &__ptx_carry); }                 \
  PTX(type, sub_cc_##ptx)(type a, type b) { return sub_with_##ptx(a, b, 0, &__ptx_carry); }                            \
  PTX(type, subc_cc_##ptx)(type a, type b) { return sub_with_##ptx(a, b, __ptx_carry, &__ptx_carry); }                 \
  PTX(type, addc_##ptx)(type a, type b) {                                                                              \
    bool lost;                                                                                                         \
    return add_with_##ptx(a, b, __ptx_carry, &lost);                                                                   \
  }                                                                                                                    \
  PTX(type, subc_##ptx)(type a, type b) {                                                                              \
    bool lost;                                                                                                         \
    return sub_with_##ptx(a, b, __ptx_carry, &lost);                                                                   \
  }                                                                                                                    \
  PTX(type, mad_lo_cc_##ptx)(type a, type b, type c) { return __ptx_add_cc_##ptx(__ptx_mul_lo_##ptx(a, b), c); }       \
  PTX(type, mad_hi_cc_##ptx)(type a, type b, type c) { return __ptx_add_cc_##ptx(__ptx_mul_hi_##ptx(a, b), c); }       \
  PTX(type, madc_lo_##ptx)(type a, type b, type c) { return __ptx_addc_##ptx(__ptx_mul_lo_##ptx(a, b), c); }           \
  PTX(type, madc_hi_##ptx)(type a, type b, type c) { return __ptx_addc_##ptx(__ptx_mul_hi_##ptx(a, b), c); }           \
  PTX(type, madc_lo_cc_##ptx)(type a, type b, type c) { return __ptx_addc_cc_##ptx(__ptx_mul_lo_##ptx(a, b), c); }     \
  PTX(type, madc_hi_cc_##ptx)(type a, type b, type c) { return __ptx_addc_cc_##ptx(__ptx_mul_hi_##ptx(a, b), c); }
CARRIES(u32, uint32_t, long, uint32_t, 32)
CARRIES(s32, int32_t, long, uint32_t, 32)
CARRIES(u64, uint64_t, __int128, uint64_t, 64)
CARRIES(s64, int64_t, __int128, uint64_t, 64)

/* Dot products of bytes, and of halves with bytes. */

#define BYTE_u32(word, at) ((int32_t)(uint8_t)((word) >> 8 * (at)))
#define BYTE_s32(word, at) ((int32_t)(int8_t)((word) >> 8 * (at)))
#define HALF_u32(word, at) ((int64_t)(uint16_t)((word) >> 16 * (at)))
#define HALF_s32(word, at) ((int64_t)(int16_t)((word) >> 16 * (at)))
#define DOT(left, right, result)                                                                                       \
  PTX(result, dp4a_##left##_##right)(uint32_t a, uint32_t b, result c) {                                               \
    uint32_t total = (uint32_t)c;                                                                                      \
    for (int i = 0; i < 4; i++)                                                                                        \
      total += (uint32_t)(BYTE_##left(a, i) * BYTE_##right(b, i));                                                     \
    return (result)total;                                                                                              \
  }                                                                                                                    \
  PTX(result, dp2a_lo_##left##_##right)(uint32_t a, uint32_t b, result c) {                                            \
    return (result)((uint32_t)c + (uint32_t)(HALF_##left(a, 0) * BYTE_##right(b, 0)) +                                 \
                    (uint32_t)(HALF_##left(a, 1) * BYTE_##right(b, 1)));                                               \
  }                                                                                                                    \
  PTX(result, dp2a_hi_##left##_##right)(uint32_t a, uint32_t b, result c) {                                            \
    return __ptx_dp2a_lo_##left##_##right(a, b >> 16, c);                                                              \
  }
DOT(u32, u32, uint32_t)
DOT(u32, s32, int32_t)
DOT(s32, u32, int32_t)
DOT(s32, s32, int32_t)
