/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The pipeline primitives: copies to shared memory that a GPU does in the background. Here a copy is done when the call
 * returns, so there is nothing to commit or to wait for. (CUDA C++ Programming Guide, "Asynchronous Data Copies".)
 */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__cplusplus)

/* Copies bytes - zeros bytes and fills the rest with zeros; bytes is 4, 8 or 16. */
__UW_DEVICE__ void __pipeline_memcpy_async(void *__to, const void *__from, size_t __bytes, size_t __zeros = 0) {
  if (__zeros == 0 && __bytes == 16) {
    *(int4 *)__to = *(const int4 *)__from;
  } else if (__zeros == 0 && __bytes == 8) {
    *(int2 *)__to = *(const int2 *)__from;
  } else if (__zeros == 0 && __bytes == 4) {
    *(int *)__to = *(const int *)__from;
  } else {
    for (size_t __i = 0; __i < __bytes; ++__i)
      ((char *)__to)[__i] = __i < __bytes - __zeros ? ((const char *)__from)[__i] : 0;
  }
}
__UW_DEVICE__ void __pipeline_commit() {}
__UW_DEVICE__ void __pipeline_wait_prior(size_t) {}
/* The barrier expects one arrival more, and gets it once the copies are done. */
__UW_DEVICE__ void __pipeline_arrive_on(unsigned long long *) {}

#endif
#endif
