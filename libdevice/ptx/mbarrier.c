/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: mbarrier, barriers in shared memory that a thread arrives at and waits for in two steps. (PTX ISA, "Parallel
 * Synchronization and Communication Instructions: mbarrier".) What libcu++'s barriers and pipelines of a block are made
 * of. The 64 bits are those of cuda_awbarrier_primitives.h: 0 to 19 count the arrivals that are missing in this phase,
 * 20 to 39 those that each phase expects, 40 to 42 the phases that are over, the rest (with a sign) the bytes of bulk
 * copies that this phase still waits for. A state is the barrier as it was before the arrival, of this phase or of the one
 * before.
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

enum { PHASE_AT = 2 * COUNT_BITS, PHASES = 8, BYTES_AT = PHASE_AT + 3 };

UW_LOCAL uint64_t phase(uint64_t barrier) { return barrier >> PHASE_AT & (PHASES - 1); }

/* With this many arrivals less, `drops` fewer of them in later phases, and so many bytes more to come: the last of both
 * begins the next phase. The barrier as it was before. */
UW_LOCAL uint64_t change(void *barrier, uint32_t arrivals, uint32_t drops, int64_t bytes) {
  uint64_t before = *(volatile uint64_t *)barrier, after;
  do {
    after = before - arrivals - ((uint64_t)drops << COUNT_BITS) + ((uint64_t)bytes << BYTES_AT);
    if ((after & MOST) == 0 && after >> BYTES_AT == 0) {
      uint64_t expected = after >> COUNT_BITS & MOST;
      after = ((phase(after) + 1) & (PHASES - 1)) << PHASE_AT | expected << COUNT_BITS | expected;
    }
  } while (!__atomic_compare_exchange_n((uint64_t *)barrier, &before, after, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return before;
}
UW_LOCAL uint64_t arrive(void *barrier, uint32_t arrivals, uint32_t drops) {
  uwrt_note_mbarrier(barrier, UWRT_MBARRIER_ARRIVE, arrivals);
  return change(barrier, arrivals, drops, 0);
}
UW_LOCAL uint64_t arrive_expecting(void *barrier, uint32_t bytes, uint32_t drops) {
  uwrt_note_mbarrier(barrier, UWRT_MBARRIER_ARRIVE, 1);
  return change(barrier, 1, drops, bytes);
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

/* What bulk copies count in. */
PTX(void, mbarrier_expect_tx_b64)(void *barrier, uint32_t bytes) { change(barrier, 0, 0, bytes); }
PTX(void, mbarrier_complete_tx_b64)(void *barrier, uint32_t bytes) { change(barrier, 0, 0, -(int64_t)bytes); }
PTX(uint64_t, mbarrier_arrive_expect_tx_b64)(void *barrier, uint32_t bytes) {
  return arrive_expecting(barrier, bytes, 0);
}
PTX(uint64_t, mbarrier_arrive_drop_expect_tx_b64)(void *barrier, uint32_t bytes) {
  return arrive_expecting(barrier, bytes, 1);
}
