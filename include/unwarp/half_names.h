/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The names of half and bfloat16 for C, and for host code that includes no header for them: the libraries' headers
 * take pointers to them. */
#ifndef UNWARP_HALF_NAMES_H
#define UNWARP_HALF_NAMES_H

#if !(defined(__CUDA__) && defined(__cplusplus))
typedef struct __half __half;
typedef struct __nv_bfloat16 __nv_bfloat16;
#endif

#endif
