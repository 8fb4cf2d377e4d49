/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 4-bit floating point numbers, stored only: e2m1 (2 exponent bits and a fraction bit, up to 6, without infinities and NaN), two in
 * a byte, and the conversions between them and the larger types. (CUDA Math API, "FP4 Intrinsics".)
 */
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#include "cuda_fp8.h"

#if defined(__cplusplus) && (defined(__CUDA__) || __cplusplus >= 201103L)

#define __CUDA_FP4_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#define __UW_FP4(format, call) ((void)(format), __uw_small_float<2, 1>::call)
__UW_SHORT_CONVERSIONS(fp4, 4, __UW_FP4)
#undef __UW_FP4

__UW_SMALL_CLASS(__nv_fp4_e2m1, 2, 1, __nv_fp4_storage_t)
__UW_SMALL_PAIR_CLASS(__nv_fp4x2_e2m1, __nv_fp4_e2m1, __nv_fp4x2_storage_t, 4)
__UW_SMALL_QUAD_CLASS(__nv_fp4x4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_storage_t, __nv_fp4x2_storage_t)

#endif
#endif
