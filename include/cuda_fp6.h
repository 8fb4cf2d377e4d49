/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 6-bit floating point numbers, stored only, one in a byte: e2m3 (2 exponent and 3 fraction bits, up to 7.5) and e3m2 (up to 28),
 * both without infinities and NaN, and the conversions between them and the larger types. (CUDA Math API, "FP6 Intrinsics".)
 */
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__

#include "cuda_fp8.h"

#if defined(__cplusplus) && (defined(__CUDA__) || __cplusplus >= 201103L)

#define __CUDA_FP6_TYPES_EXIST__

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#define __UW_FP6(format, call) ((format) == __NV_E2M3 ? __uw_small_float<2, 3>::call : __uw_small_float<3, 2>::call)
__UW_SHORT_CONVERSIONS(fp6, 8, __UW_FP6)
#undef __UW_FP6

__UW_SMALL_CLASS(__nv_fp6_e2m3, 2, 3, __nv_fp6_storage_t)
__UW_SMALL_CLASS(__nv_fp6_e3m2, 3, 2, __nv_fp6_storage_t)
__UW_SMALL_PAIR_CLASS(__nv_fp6x2_e2m3, __nv_fp6_e2m3, __nv_fp6x2_storage_t, 8)
__UW_SMALL_PAIR_CLASS(__nv_fp6x2_e3m2, __nv_fp6_e3m2, __nv_fp6x2_storage_t, 8)
__UW_SMALL_QUAD_CLASS(__nv_fp6x4_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_storage_t, __nv_fp6x2_storage_t)
__UW_SMALL_QUAD_CLASS(__nv_fp6x4_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_storage_t, __nv_fp6x2_storage_t)

#endif
#endif
