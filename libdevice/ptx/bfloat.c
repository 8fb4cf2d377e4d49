/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: bfloat16, by its bits: "Half Precision Floating Point Instructions" of .bf16 and .bf16x2. A tie of fma may be
 * decided by a number far below 53 bits: the double sum is rounded to odd, and so is the float of it, which then has
 * what the last rounding needs.
 */
#include "odd.h"

uint16_t __ptx_cvt_rn_bf16_f32(float);
PTX(uint16_t, fma_rn_bf16)(uint16_t a, uint16_t b, uint16_t c) {
  double product = (double)bfloat_of_bits(a) * (double)bfloat_of_bits(b);
  return __ptx_cvt_rn_bf16_f32(odd_float(odd_sum(product, (double)bfloat_of_bits(c))));
}
/* A sum of two numbers of 8 bits is not rounded by float where that could matter to the second rounding; a product is
 * where it is subnormal. */
#define ARITHMETIC(mode)                                                                                               \
  PTX(uint16_t, add##mode##_bf16)(uint16_t a, uint16_t b) {                                                            \
    return __ptx_cvt_rn_bf16_f32(bfloat_of_bits(a) + bfloat_of_bits(b));                                               \
  }                                                                                                                    \
  PTX(uint16_t, sub##mode##_bf16)(uint16_t a, uint16_t b) {                                                            \
    return __ptx_cvt_rn_bf16_f32(bfloat_of_bits(a) - bfloat_of_bits(b));                                               \
  }                                                                                                                    \
  PTX(uint16_t, mul##mode##_bf16)(uint16_t a, uint16_t b) {                                                            \
    return __ptx_cvt_rn_bf16_f32(odd_float((double)bfloat_of_bits(a) * (double)bfloat_of_bits(b)));                    \
  }
ARITHMETIC()
ARITHMETIC(_rn)
float __nv_tanhf(float), __nv_exp2f(float);
PTX(uint16_t, tanh_approx_bf16)(uint16_t a) { return __ptx_cvt_rn_bf16_f32(__nv_tanhf(bfloat_of_bits(a))); }
/* .ftz, which it always has. */
float __ptx_flush_f32(float);
PTX(uint16_t, ex2_approx_bf16)(uint16_t a) {
  return __ptx_cvt_rn_bf16_f32(__ptx_flush_f32(__nv_exp2f(__ptx_flush_f32(bfloat_of_bits(a)))));
}
PTX(uint16_t, neg_bf16)(uint16_t a) { return a ^ 0x8000; }
PTX(uint16_t, abs_bf16)(uint16_t a) { return a & 0x7fff; }
float __ptx_min_f32(float, float), __ptx_max_f32(float, float), __ptx_min_NaN_f32(float, float),
    __ptx_max_NaN_f32(float, float), __ptx_min_xorsign_abs_f32(float, float), __ptx_max_xorsign_abs_f32(float, float),
    __ptx_min_NaN_xorsign_abs_f32(float, float), __ptx_max_NaN_xorsign_abs_f32(float, float);
#define BFLOAT_EXTREME(name)                                                                                           \
  PTX(uint16_t, name##_bf16)(uint16_t a, uint16_t b) {                                                                 \
    return (uint16_t)(float_bits(__ptx_##name##_f32(bfloat_of_bits(a), bfloat_of_bits(b))) >> 16);                     \
  }
BFLOAT_EXTREME(min)
BFLOAT_EXTREME(max)
BFLOAT_EXTREME(min_NaN)
BFLOAT_EXTREME(max_NaN)
BFLOAT_EXTREME(min_xorsign_abs)
BFLOAT_EXTREME(max_xorsign_abs)
BFLOAT_EXTREME(min_NaN_xorsign_abs)
BFLOAT_EXTREME(max_NaN_xorsign_abs)
#define BFLOAT_PAIR(name, of_low, of_high, ...)                                                                        \
  PTX(uint32_t, name##_bf16x2)(__VA_ARGS__) { return both(__ptx_##name##_bf16 of_low, __ptx_##name##_bf16 of_high); }
#define BLOW(a) ((uint16_t)(a))
#define BHIGH(a) ((uint16_t)((a) >> 16))
#define BFLOAT_PAIR_1(name) BFLOAT_PAIR(name, (BLOW(a)), (BHIGH(a)), uint32_t a)
#define BFLOAT_PAIR_2(name) BFLOAT_PAIR(name, (BLOW(a), BLOW(b)), (BHIGH(a), BHIGH(b)), uint32_t a, uint32_t b)
BFLOAT_PAIR_1(neg)
BFLOAT_PAIR_1(abs)
BFLOAT_PAIR_2(min)
BFLOAT_PAIR_2(max)
BFLOAT_PAIR_2(min_NaN)
BFLOAT_PAIR_2(max_NaN)
BFLOAT_PAIR_2(min_xorsign_abs)
BFLOAT_PAIR_2(max_xorsign_abs)
BFLOAT_PAIR_2(min_NaN_xorsign_abs)
BFLOAT_PAIR_2(max_NaN_xorsign_abs)
BFLOAT_PAIR_2(add)
BFLOAT_PAIR_2(sub)
BFLOAT_PAIR_2(mul)
BFLOAT_PAIR_2(add_rn)
BFLOAT_PAIR_2(sub_rn)
BFLOAT_PAIR_2(mul_rn)
BFLOAT_PAIR_1(tanh_approx)
BFLOAT_PAIR_1(ex2_approx)
PTX(uint16_t, fma_rn_relu_bf16)(uint16_t a, uint16_t b, uint16_t c) {
  uint16_t result = __ptx_fma_rn_bf16(a, b, c);
  return (result & 0x7fff) > 0x7f80 ? 0x7fff : result & 0x8000 ? 0 : result;
}
BFLOAT_PAIR(fma_rn_relu, (BLOW(a), BLOW(b), BLOW(c)), (BHIGH(a), BHIGH(b), BHIGH(c)), uint32_t a, uint32_t b,
            uint32_t c)
BFLOAT_PAIR(fma_rn, (BLOW(a), BLOW(b), BLOW(c)), (BHIGH(a), BHIGH(b), BHIGH(c)), uint32_t a, uint32_t b, uint32_t c)
