/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Barriers in shared memory that a thread arrives at and waits for in two steps (CUDA C++ Programming Guide,
 * "Arrive/Wait Barrier Primitives"): bits 0 to 19 count the arrivals that are missing in this phase, 20 to 39 those
 * that each phase expects, 40 to 42 the phases that are over, the rest the bytes of bulk copies that are missing (PTX's
 * expect_tx). A token is the barrier as it was before the arrival, of this phase or the one before.
 *
 * Asking takes the whole block along: its threads, but for those that have returned, come by as at __syncthreads, so
 * that all arrivals that stand before this position in the code have been made.
 */
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__cplusplus)

#define __UW_MBARRIER_BITS 20
#define __UW_MBARRIER_MOST ((1u << __UW_MBARRIER_BITS) - 1)
#define __UW_MBARRIER_PHASE(bits) ((bits) >> 2 * __UW_MBARRIER_BITS & 7)

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

/* For -fcheck; without it nothing is called. what: UWRT_MBARRIER_* of the runtime, with: the count or the token. */
extern "C" __attribute__((device, nothrow)) void uwrt_note_mbarrier(const void *__barrier, unsigned int __what,
                                                                    unsigned long long __with);
extern "C" __attribute__((device, nothrow)) void uwrt_note_tile(void); /* as in cooperative_groups.h */

static __inline__ __attribute__((host, device, unused)) unsigned int __mbarrier_maximum_count() {
  return __UW_MBARRIER_MOST;
}

__UW_DEVICE__ void __mbarrier_init(__mbarrier_t *__barrier, unsigned int __expected) {
  uwrt_note_mbarrier(__barrier, 0, __expected);
  *(volatile __mbarrier_t *)__barrier = (__mbarrier_t)__expected << __UW_MBARRIER_BITS | __expected;
}
__UW_DEVICE__ void __mbarrier_inval(__mbarrier_t *__barrier) { uwrt_note_mbarrier(__barrier, 1, 0); }

/* __drops: 1 if later phases expect one arrival less. The last arrival begins the next phase. */
__UW_DEVICE__ __mbarrier_token_t __uw_mbarrier_arrive(__mbarrier_t *__barrier, unsigned int __drops) {
  uwrt_note_mbarrier(__barrier, 2, 1);
  __mbarrier_t __before = *(volatile __mbarrier_t *)__barrier, __seen, __after;
  do {
    __seen = __before;
    __after = __seen - 1 - ((__mbarrier_t)__drops << __UW_MBARRIER_BITS);
    if ((__after & __UW_MBARRIER_MOST) == 0 && __after >> (2 * __UW_MBARRIER_BITS + 3) == 0) {
      __mbarrier_t __expected = __after >> __UW_MBARRIER_BITS & __UW_MBARRIER_MOST;
      __after = (__UW_MBARRIER_PHASE(__after) + 1 & 7) << 2 * __UW_MBARRIER_BITS | __expected << __UW_MBARRIER_BITS | __expected;
    }
    __before = atomicCAS(__barrier, __seen, __after);
  } while (__before != __seen);
  return __seen;
}
__UW_DEVICE__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *__barrier) {
  return __uw_mbarrier_arrive(__barrier, 0);
}
__UW_DEVICE__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *__barrier) {
  return __uw_mbarrier_arrive(__barrier, 1);
}
__UW_DEVICE__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t __token) {
  return (unsigned int)__token & __UW_MBARRIER_MOST;
}

/* Whether the phase of the token, or the last one with this parity, is over. */
__UW_DEVICE__ bool __mbarrier_test_wait_parity(__mbarrier_t *__barrier, bool __parity) {
  uwrt_note_mbarrier(__barrier, 3, 0);
  uwrt_note_tile(); /* who waits elsewhere, or not at all, has left nothing out */
  __syncthreads();
  return (*(volatile __mbarrier_t *)__barrier >> 2 * __UW_MBARRIER_BITS & 1) != (__parity ? 1 : 0);
}
__UW_DEVICE__ bool __mbarrier_test_wait(__mbarrier_t *__barrier, __mbarrier_token_t __token) {
  uwrt_note_mbarrier(__barrier, 4, __token);
  uwrt_note_tile();
  __syncthreads();
  return __UW_MBARRIER_PHASE(*(volatile __mbarrier_t *)__barrier) != __UW_MBARRIER_PHASE(__token);
}
__UW_DEVICE__ bool __mbarrier_try_wait_parity(__mbarrier_t *__barrier, bool __parity, unsigned int) {
  return __mbarrier_test_wait_parity(__barrier, __parity);
}
__UW_DEVICE__ bool __mbarrier_try_wait(__mbarrier_t *__barrier, __mbarrier_token_t __token, unsigned int) {
  return __mbarrier_test_wait(__barrier, __token);
}

#endif
#endif
