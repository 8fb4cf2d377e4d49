/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The other names of half precision types. */
#ifndef UNWARP_HALF_ALIASES_H
#define UNWARP_HALF_ALIASES_H

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#endif
