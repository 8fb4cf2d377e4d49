/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 8-bit floating point numbers, stored only: e4m3 (4 exponent and 3 fraction bits, up to 448) and e5m2 (up to 57344),
 * and the conversions between them and the larger types. (CUDA Math API, "FP8 Intrinsics".)
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus) && (defined(__CUDA__) || __cplusplus >= 201103L)

#include "unwarp/small_float.h"

#define __CUDA_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define __UW_FP8(call) __interpretation == __NV_E4M3 ? __uw_small_float<4, 3>::call : __uw_small_float<5, 2>::call

__UW_BOTH__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float __value, const __nv_saturation_t __saturate,
                                                     const __nv_fp8_interpretation_t __interpretation) {
  return (__nv_fp8_storage_t)(__UW_FP8(__encode(__value, __saturate == __NV_SATFINITE)));
}
__UW_BOTH__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double __value, const __nv_saturation_t __saturate,
                                                      const __nv_fp8_interpretation_t __interpretation) {
  return __nv_cvt_float_to_fp8(__uw_odd_float(__value), __saturate, __interpretation);
}
__UW_BOTH__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw __value, const __nv_saturation_t __saturate,
                                                       const __nv_fp8_interpretation_t __interpretation) {
  return __nv_cvt_float_to_fp8((float)__half(__value), __saturate, __interpretation);
}
__UW_BOTH__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw __value,
                                                           const __nv_saturation_t __saturate,
                                                           const __nv_fp8_interpretation_t __interpretation) {
  return __nv_cvt_float_to_fp8((float)__nv_bfloat16(__value), __saturate, __interpretation);
}
/* e5m2 is the upper byte of a half. All NaN become the same one. */
__UW_BOTH__ __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t __code,
                                               const __nv_fp8_interpretation_t __interpretation) {
  if ((__code & 0x7f) > (__interpretation == __NV_E5M2 ? 0x7c : 0x7e))
    return __half_raw{0x7fff};
  if (__interpretation == __NV_E5M2)
    return __half_raw{(unsigned short)(__code << 8)};
  return __half(__uw_small_float<4, 3>::__decode(__code));
}

#define __UW_FP8_PAIR(name, type, number, first, second)                                                               \
  __UW_BOTH__ __nv_fp8x2_storage_t name(const type __value, const __nv_saturation_t __saturate,                        \
                                        const __nv_fp8_interpretation_t __interpretation) {                            \
    return (__nv_fp8x2_storage_t)(number(first, __saturate, __interpretation) |                                        \
                                  number(second, __saturate, __interpretation) << 8);                                  \
  }
__UW_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, __value.x, __value.y)
__UW_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, __value.x, __value.y)
__UW_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw{__value.x},
              __half_raw{__value.y})
__UW_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
              __nv_bfloat16_raw{__value.x}, __nv_bfloat16_raw{__value.y})
__UW_BOTH__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t __codes,
                                                   const __nv_fp8_interpretation_t __interpretation) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)__codes, __interpretation).x,
                     __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(__codes >> 8), __interpretation).x};
}
#undef __UW_FP8_PAIR
#undef __UW_FP8

__UW_SMALL_CLASS(__nv_fp8_e4m3, 4, 3, __nv_fp8_storage_t)
__UW_SMALL_CLASS(__nv_fp8_e5m2, 5, 2, __nv_fp8_storage_t)
__UW_SMALL_PAIR_CLASS(__nv_fp8x2_e4m3, __nv_fp8_e4m3, __nv_fp8x2_storage_t, 8)
__UW_SMALL_PAIR_CLASS(__nv_fp8x2_e5m2, __nv_fp8_e5m2, __nv_fp8x2_storage_t, 8)
__UW_SMALL_QUAD_CLASS(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_storage_t, __nv_fp8x2_storage_t)
__UW_SMALL_QUAD_CLASS(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_storage_t, __nv_fp8x2_storage_t)

#endif
#endif
