/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of products of the elements that lie in 32 bits, for each type that matrices have: wmma. And the end of .satfinite,
 * which mma has, too (its sums are runtime/matrix.c's).
 */
#ifndef UW_PTX_DOTS_H
#define UW_PTX_DOTS_H

#include "ptx.h"

/* sum + the products of one register's elements. Those are exact unless they leave a float's range, so it may be fused
 * where a CPU can. */
#pragma clang fp contract(fast)
UW_LOCAL float dot_f16(float sum, uint32_t a, uint32_t b) {
  return sum + (float)half_of_bits(a) * (float)half_of_bits(b) +
         (float)half_of_bits(a >> 16) * (float)half_of_bits(b >> 16);
}
UW_LOCAL float dot_bf16(float sum, uint32_t a, uint32_t b) {
  return sum + bfloat_of_bits(a & 0xffff) * bfloat_of_bits(b & 0xffff) +
         bfloat_of_bits(a >> 16) * bfloat_of_bits(b >> 16);
}
/* The lower 13 bits of a tf32 do not count. */
UW_LOCAL float dot_tf32(float sum, uint32_t a, uint32_t b) {
  return sum + float_of_bits(a & 0xffffe000u) * float_of_bits(b & 0xffffe000u);
}
#define DOT_BYTES(left, left_type, right, right_type)                                                                  \
  UW_LOCAL uint32_t dot_##left##_##right(uint32_t sum, uint32_t a, uint32_t b) {                                       \
    for (int i = 0; i < 32; i += 8)                                                                                    \
      sum += (uint32_t)((int32_t)(left_type)(a >> i) * (int32_t)(right_type)(b >> i));                                 \
    return sum;                                                                                                        \
  }
DOT_BYTES(u8, uint8_t, u8, uint8_t)
DOT_BYTES(u8, uint8_t, s8, int8_t)
DOT_BYTES(s8, int8_t, u8, uint8_t)
DOT_BYTES(s8, int8_t, s8, int8_t)
UW_LOCAL int32_t element_u4(uint32_t bits, int at) { return bits >> at & 15; }
UW_LOCAL int32_t element_s4(uint32_t bits, int at) { return (int32_t)(bits << (28 - at)) >> 28; }
#define DOT_NIBBLES(left, right)                                                                                       \
  UW_LOCAL uint32_t dot_##left##_##right(uint32_t sum, uint32_t a, uint32_t b) {                                       \
    for (int i = 0; i < 32; i += 4)                                                                                    \
      sum += (uint32_t)(element_##left(a, i) * element_##right(b, i));                                                 \
    return sum;                                                                                                        \
  }
DOT_NIBBLES(u4, u4)
DOT_NIBBLES(u4, s4)
DOT_NIBBLES(s4, u4)
DOT_NIBBLES(s4, s4)
UW_LOCAL uint32_t dot_xor(uint32_t sum, uint32_t a, uint32_t b) { return sum + (uint32_t)__builtin_popcount(a ^ b); }
UW_LOCAL uint32_t dot_and(uint32_t sum, uint32_t a, uint32_t b) { return sum + (uint32_t)__builtin_popcount(a & b); }

/* c + the products' sum, which fits into 32 bits, limited to the range of an int (.satfinite). */
UW_LOCAL uint32_t limit(uint32_t c, uint32_t sum) {
  int64_t exact = (int64_t)(int32_t)c + (int32_t)sum;
  return (uint32_t)(exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? INT32_MIN : (int32_t)exact);
}

#endif
