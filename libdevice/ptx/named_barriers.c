/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: barriers of a part of the block, those that are given a number of threads (PTX ISA, "bar, barrier"). Warps that
 * produce meet warps that consume at one, each from its own branch, which no order of loops over threads can run: so
 * such a barrier is a count in the block's shared memory and a loop that waits for its phase to end, and threads of the
 * block run beside each other (raise/waits.c). Kernels set the counts to zero where they begin (frontend/ptx/named.c).
 *
 * The count goes by warps, as if all lanes of each were there: the last warp's last thread stands for the lanes that it
 * lacks.
 */
#include "ptx.h"

#define SREG(name, intrinsic) uint32_t name(void) __asm__("llvm.nvvm.read.ptx.sreg." intrinsic);
SREG(thread_x, "tid.x")
SREG(thread_y, "tid.y")
SREG(thread_z, "tid.z")
SREG(threads_x, "ntid.x")
SREG(threads_y, "ntid.y")
SREG(threads_z, "ntid.z")
void uwrt_thread_moved(void); /* it got further: others' waits are not in vain */
__attribute__((convergent)) void fence_of_block(void) __asm__("llvm.nvvm.membar.cta");

enum { BARRIERS = 16, RESULTS = 4, WARP = 32 };

#define SHARED __attribute__((address_space(3)))
#define SCRATCH __attribute__((section(".unwarp.scratch"), aligned(16))) SHARED
typedef struct barrier {
  uint32_t arrived, phase, sum;
} barrier;
SCRATCH barrier __ptx_named_barriers[BARRIERS];
/* Of the last phases: threads may look a while after the end of theirs. */
SCRATCH uint32_t __ptx_named_results[BARRIERS][RESULTS];

/* This thread, and lanes that the last warp of the block lacks. */
UW_LOCAL uint32_t weight(void) {
  uint32_t threads = threads_x() * threads_y() * threads_z();
  uint32_t thread = (thread_z() * threads_y() + thread_y()) * threads_x() + thread_x();
  return thread + 1 == threads ? 1 + (WARP - threads % WARP) % WARP : 1;
}

#define ADD(place, value) __atomic_fetch_add((place), (value), __ATOMIC_SEQ_CST)

/* The phase that it arrives in. The last one ends it. */
UW_LOCAL uint32_t arrive(uint32_t id, uint32_t threads, uint32_t value) {
  SHARED barrier *at = &__ptx_named_barriers[id % BARRIERS];
  fence_of_block();
  uwrt_thread_moved();
  uint32_t phase = *(volatile SHARED uint32_t *)&at->phase, own = weight();
  if (value)
    ADD(&at->sum, value);
  if (ADD(&at->arrived, own) + own >= threads) {
    __ptx_named_results[id % BARRIERS][phase % RESULTS] = __atomic_exchange_n(&at->sum, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&at->arrived, 0, __ATOMIC_SEQ_CST);
    fence_of_block();
    ADD(&at->phase, 1);
  }
  return phase;
}

UW_LOCAL uint32_t meet(uint32_t id, uint32_t threads, uint32_t value) {
  uint32_t phase = arrive(id, threads, value);
  while (*(volatile SHARED uint32_t *)&__ptx_named_barriers[id % BARRIERS].phase == phase) {}
  fence_of_block();
  uwrt_thread_moved();
  return *(volatile SHARED uint32_t *)&__ptx_named_results[id % BARRIERS][phase % RESULTS];
}

PTX(void, bar_sync_2)(uint32_t id, uint32_t threads) { meet(id, threads, 0); }
PTX(void, bar_arrive)(uint32_t id, uint32_t threads) { arrive(id, threads, 0); }
PTX(uint32_t, bar_red_popc_u32_3)(uint32_t id, uint32_t threads, bool p) { return meet(id, threads, p); }
PTX(bool, bar_red_and_pred_3)(uint32_t id, uint32_t threads, bool p) { return meet(id, threads, !p) == 0; }
PTX(bool, bar_red_or_pred_3)(uint32_t id, uint32_t threads, bool p) { return meet(id, threads, p) != 0; }
