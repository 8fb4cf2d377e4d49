/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is in order with what, as far as the inlined checks (shadow.h) do not see it: other blocks, warps, fences.
 *
 * A fence begins a segment: what came before it, in all the run, is before that index. An atomic operation, or a store
 * to volatile memory, of a thread that has fenced leaves the index at its address; a thread that reads the address so
 * takes it, and from then on knows of all segments before. That is more than CUDA promises (it covers threads that had
 * nothing to do with it) and never less: no false alarm, and what lies behind the fence is found. What one thread knows
 * all threads of its block know after the next barrier. */
#include <pthread.h>
#include <stdlib.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uwrt_table handed_over; /* address -> segment */
uint32_t uwrt_check_fences;

int uwrt_check_is_ordered(uwrt_check_block_state *state, uint64_t half, uint32_t thread, int of_shared) {
  uint32_t segment = uwrt_check_segment_in(half);
  uwrt_check_run run;
  if (segment < (of_shared ? state->first : state->fast.since) || segment < state->acquired_all ||
      segment < state->acquired[thread])
    return 1;
  if (!uwrt_check_find_run(segment, &run))
    return 1;
  if (run.launch != state->launch && state->launch)
    return uwrt_check_is_after(state->launch, run.launch, segment);
  if (run.id != state->id)
    return 0;
  uint32_t other = uwrt_check_thread_in(half);
  return segment < state->real_phase || other == thread || (other / 32 == thread / 32 && segment < state->real_warp);
}

void uwrt_check_fence(uwrt_check_state *fast, uint32_t thread) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  if (!state->launch)
    return;
  uwrt_check_fences = 1;
  state->fenced[thread] = state->fenced_last = uwrt_check_new_segment(state);
}

void uwrt_check_meet(uwrt_check_block_state *state, uintptr_t address, uint32_t thread, uint32_t kind) {
  uint32_t what = kind & UWRT_CHECK_KIND;
  if ((kind & UWRT_CHECK_ORDERED) && what != UWRT_CHECK_MEETING_LOAD)
    uwrt_check_fence(&state->fast, thread);
  if (!uwrt_check_fences)
    return;
  pthread_mutex_lock(&lock);
  uintptr_t known = handed_over.count ? (uintptr_t)uwrt_table_find(&handed_over, (const void *)address) : 0;
  if (known && what != UWRT_CHECK_MEETING_STORE && known > state->acquired[thread]) {
    state->acquired[thread] = (uint32_t)known;
    state->fast.acquires = 1;
    if (known > state->pending)
      state->pending = (uint32_t)known;
  }
  uint32_t fenced = state->fenced[thread] > state->fenced_all ? state->fenced[thread] : state->fenced_all;
  if (what != UWRT_CHECK_MEETING_LOAD && fenced > known)
    uwrt_table_insert(&handed_over, (const void *)address, (void *)(uintptr_t)fenced);
  pthread_mutex_unlock(&lock);
}
