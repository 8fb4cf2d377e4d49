/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: mbarrier, barriers in shared memory that a thread arrives at and waits for in two steps. (PTX ISA, "Parallel
 * Synchronization and Communication Instructions: mbarrier".) What libcu++'s barriers and pipelines of a block are made
 * of. The 64 bits are those of cuda_awbarrier_primitives.h: 0 to 19 count the arrivals that are missing in this phase,
 * 20 to 39 those that each phase expects, the rest the phases that are over. A state is the barrier as it was before
 * the arrival.
 *
 * Asking takes the whole block along: its threads, but for those that have returned, come by as at bar.sync, so that
 * all arrivals that stand before this position in the code have been made.
 */
#include "../../runtime/uwrt.h"
#include "ptx.h"

enum { COUNT_BITS = 20, MOST = (1 << COUNT_BITS) - 1 };

__attribute__((convergent)) void block_comes_by(uint32_t id) __asm__("llvm.nvvm.barrier.cta.sync.aligned.all");

void uwrt_note_mbarrier(const void *barrier, uint32_t what,
                        uint64_t with); /* for -fcheck; without it nothing is called */

UW_LOCAL uint64_t phase(uint64_t barrier) { return barrier >> 2 * COUNT_BITS; }

/* The last arrival begins the next phase, which expects `drops` arrivals less. */
UW_LOCAL uint64_t arrive(void *barrier, uint32_t arrivals, uint32_t drops) {
  uwrt_note_mbarrier(barrier, UWRT_MBARRIER_ARRIVE, arrivals);
  uint64_t before = *(volatile uint64_t *)barrier, after;
  do {
    after = before - arrivals - ((uint64_t)drops << COUNT_BITS);
    if ((after & MOST) == 0)
      after += ((uint64_t)1 << 2 * COUNT_BITS) + (after >> COUNT_BITS & MOST);
  } while (!__atomic_compare_exchange_n((uint64_t *)barrier, &before, after, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return before;
}

UW_LOCAL bool is_over(void *barrier, uint64_t state) {
  uwrt_note_mbarrier(barrier, UWRT_MBARRIER_WAIT, state);
  block_comes_by(0);
  return phase(*(volatile uint64_t *)barrier) != phase(state);
}
UW_LOCAL bool is_parity_over(void *barrier, uint32_t parity) {
  uwrt_note_mbarrier(barrier, UWRT_MBARRIER_PARITY, parity);
  block_comes_by(0);
  return (phase(*(volatile uint64_t *)barrier) & 1) != (parity & 1);
}

PTX(uint32_t, mbarrier_pending_count_b64)(uint64_t state) { return (uint32_t)state & MOST; }

/* Shared addresses may be marked as such or be generic. A wait may have a time limit, which is a hint. .noComplete
 * promises. */
#define MBARRIER(space)                                                                                                \
  PTX(void, mbarrier_init##space##_b64)(void *barrier, uint32_t expected) {                                            \
    uwrt_note_mbarrier(barrier, UWRT_MBARRIER_INIT, expected);                                                         \
    *(volatile uint64_t *)barrier = (uint64_t)expected << COUNT_BITS | expected;                                       \
  }                                                                                                                    \
  PTX(void, mbarrier_inval##space##_b64)(void *barrier) { uwrt_note_mbarrier(barrier, UWRT_MBARRIER_INVAL, 0); }       \
  ARRIVE(arrive##space, 0)                                                                                             \
  ARRIVE(arrive_noComplete##space, 0)                                                                                  \
  ARRIVE(arrive_drop##space, 1)                                                                                        \
  ARRIVE(arrive_drop_noComplete##space, 1)                                                                             \
  WAIT(test_wait, space)                                                                                               \
  WAIT(try_wait, space)                                                                                                \
  PTX(void, cp_async_mbarrier_arrive##space##_b64)(void *barrier) {                                                    \
    (void)barrier;                                                                                                     \
  } /* one expected more, and there it is */                                                                           \
  PTX(void, cp_async_mbarrier_arrive_noinc##space##_b64)(void *barrier) { arrive(barrier, 1, 0); }
#define ARRIVE(name, drop)                                                                                             \
  PTX(uint64_t, mbarrier_##name##_b64)(void *barrier) { return arrive(barrier, 1, drop); }                             \
  PTX(uint64_t, mbarrier_##name##_b64_2)(void *barrier, uint32_t count) { return arrive(barrier, count, count * drop); }
#define WAIT(name, space)                                                                                              \
  PTX(bool, mbarrier_##name##space##_b64)(void *barrier, uint64_t state) { return is_over(barrier, state); }           \
  PTX(bool, mbarrier_##name##space##_b64_3)(void *barrier, uint64_t state, uint32_t limit) {                           \
    (void)limit;                                                                                                       \
    return is_over(barrier, state);                                                                                    \
  }                                                                                                                    \
  PTX(bool, mbarrier_##name##_parity##space##_b64)(void *barrier, uint32_t parity) {                                   \
    return is_parity_over(barrier, parity);                                                                            \
  }                                                                                                                    \
  PTX(bool, mbarrier_##name##_parity##space##_b64_3)(void *barrier, uint32_t parity, uint32_t limit) {                 \
    (void)limit;                                                                                                       \
    return is_parity_over(barrier, parity);                                                                            \
  }
MBARRIER()
MBARRIER(_shared)
