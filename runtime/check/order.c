/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is in order with what, as far as the inlined checks (shadow.h) do not see it: other blocks, warps, fences.
 *
 * A fence begins a segment: what came before it, in all the run, is before that index. An atomic operation, or a store
 * to volatile memory, of a thread that has fenced leaves the index at its address; so does one that releases, for itself
 * alone. A thread that reads the address so has seen it, and with a fence after, or by an operation that acquires, knows
 * of all segments before. That is more than CUDA promises (it covers threads that had nothing to do with it) and never
 * less: no false alarm, and what lies behind the fence is found. What one thread knows all threads of its block know
 * after the next barrier, which is a fence here: the guide has its last block read what others wrote so ("Memory Fence
 * Functions").
 *
 * Where the fence or the operation has the scope of its block, on either side, that holds within the block alone: for
 * what the block itself ran, and what the thread knew of others. A store ends what others left at the address before;
 * an operation that reads and writes passes it on.
 *
 * Polling alone acquires nothing, but no GPU runs an atomic or volatile access before the poll that it hangs on: those
 * are in order with atomic and volatile ones before the release that the thread saw. Not where it polled by a
 * compare-and-swap, which takes a lock.
 *
 * Who took a lock first needs no fence in the order of this run, and needs one in any other. So the last threads that
 * had a lock are kept, with the segments before they had acquired it: what they did there is in no order with what a
 * later one does that has the lock, unless that knows of it by another way. A lock is what a compare-and-swap changed
 * and a store of the value of before gives back. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uwrt_table handed_over; /* address -> segment */
uint32_t uwrt_check_fences;

enum { LOCKS = 4096, HOLDS = 4 };
typedef struct unfenced { /* by a thread, in segments from start, before all or own */
  uint32_t run, thread, start, all, own;
} unfenced;
static struct {
  uintptr_t lock;
  uint64_t free;
  uint32_t next;
  unfenced last[HOLDS];
} locks[LOCKS]; /* where two have one place, the later one has it */

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uwrt_check_knowledge both(uwrt_check_knowledge a, uwrt_check_knowledge b) {
  return (uwrt_check_knowledge){later(a.all, b.all), later(a.own, b.own)};
}

/* Of most blocks nobody ever asks. */
static uwrt_check_order *order_of(uwrt_check_block_state *state, uint32_t thread) {
  if (!state->has_order)
    memset(state->order, 0, state->threads * sizeof *state->order);
  state->has_order = 1;
  return &state->order[thread];
}

uwrt_check_knowledge uwrt_check_knows(const uwrt_check_block_state *state, uint32_t thread) {
  uwrt_check_knowledge known = {0};
  if (state->has_order)
    known = state->order[thread].acquired;
  known.all = later(known.all, state->acquired_all);
  return known;
}

int uwrt_check_is_ordered(uwrt_check_block_state *state, uint64_t half, uint32_t thread, int of_shared,
                          int is_relaxed) {
  uint32_t segment = uwrt_check_segment_in(half);
  uwrt_check_knowledge known = uwrt_check_knows(state, thread);
  if (is_relaxed && state->has_order)
    known = both(known, state->order[thread].polled);
  uwrt_check_run run;
  if (segment < (of_shared ? state->first : state->fast.since) || segment < known.all)
    return 1;
  if (!uwrt_check_find_run(segment, &run))
    return 1;
  if (run.launch != state->launch && state->launch)
    return uwrt_check_is_after(state->launch, run.launch, segment);
  if (run.id != state->id)
    return 0;
  uint32_t other = uwrt_check_thread_in(half);
  return segment < state->real_phase || segment < known.own || other == thread ||
         (other / 32 == thread / 32 && segment < state->real_warp);
}

static void acquire(uwrt_check_block_state *state, uint32_t thread, uint32_t of_all, uwrt_check_knowledge of_block) {
  uwrt_check_order *order = order_of(state, thread);
  order->acquired = both(order->acquired, both(of_block, (uwrt_check_knowledge){of_all, 0}));
  state->fast.acquires |= order->acquired.all || order->acquired.own;
}

/* --- locks --- */

static size_t place_of(uintptr_t lock) { return (lock >> 2) * 2654435761u % LOCKS; }

static void take(uwrt_check_block_state *state, uwrt_check_order *order, uintptr_t lock, uint64_t free,
                 uwrt_check_knowledge apart, uint32_t kind) {
  uint32_t start = uwrt_check_new_segment(state);
  int acquires = (kind & UWRT_CHECK_ACQUIRES) != 0;
  order->hold = (uwrt_check_hold){.lock = lock,
                                  .free = free,
                                  .start = start,
                                  .all = acquires && !(kind & UWRT_CHECK_OF_BLOCK) ? start : 0,
                                  .own = acquires ? start : 0,
                                  .apart = apart};
}

static void give_back(uwrt_check_block_state *state, uwrt_check_order *order, uint32_t thread) {
  const uwrt_check_hold *hold = &order->hold;
  uint32_t end = state->fast.segment + 1;
  size_t at = place_of(hold->lock);
  pthread_mutex_lock(&lock);
  if (locks[at].lock != hold->lock || locks[at].free != hold->free) {
    memset(&locks[at], 0, sizeof locks[at]);
    locks[at].lock = hold->lock;
    locks[at].free = hold->free;
  }
  locks[at].last[locks[at].next++ % HOLDS] = (unfenced){.run = state->id,
                                                        .thread = thread,
                                                        .start = hold->start,
                                                        .all = hold->all ? hold->all : end,
                                                        .own = hold->own ? hold->own : end};
  pthread_mutex_unlock(&lock);
}

int uwrt_check_is_unfenced(const uwrt_check_block_state *state, uint64_t half, uint32_t thread) {
  uint32_t segment = uwrt_check_segment_in(half), other = uwrt_check_thread_in(half);
  if (!state->has_order || !state->order[thread].hold.lock)
    return 0;
  const uwrt_check_hold *hold = &state->order[thread].hold;
  uwrt_check_run run;
  if (segment < hold->apart.all || segment < state->acquired_all || !uwrt_check_find_run(segment, &run) ||
      run.launch != state->launch)
    return 0;
  int is_own = run.id == state->id;
  if (is_own && (other == thread || segment < hold->apart.own || segment < state->real_phase ||
                 (other / 32 == thread / 32 && segment < state->real_warp)))
    return 0;
  size_t at = place_of(hold->lock);
  int found = 0;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < HOLDS && locks[at].lock == hold->lock && locks[at].free == hold->free; i++) {
    const unfenced *last = &locks[at].last[i];
    found |= last->run == run.id && last->thread == other && segment >= last->start &&
             segment < (is_own ? last->own : last->all);
  }
  pthread_mutex_unlock(&lock);
  return found;
}

static uwrt_check_knowledge release(uwrt_check_block_state *state, uint32_t thread) {
  return (uwrt_check_knowledge){uwrt_check_knows(state, thread).all, uwrt_check_new_segment(state)};
}

void uwrt_check_fence(uwrt_check_state *fast, uint32_t thread, uint32_t what) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  int for_block = (what & UWRT_CHECK_OF_BLOCK) != 0;
  if (!state->launch || !(what & (UWRT_CHECK_ACQUIRES | UWRT_CHECK_RELEASES)))
    return;
  uwrt_check_fences |= UWRT_CHECK_FENCES;
  uwrt_check_order *order = order_of(state, thread);
  uwrt_check_hold *hold = &order->hold;
  if (what & UWRT_CHECK_ACQUIRES) {
    acquire(state, thread, for_block ? 0 : order->seen, order->seen_block);
    if (hold->lock && !(for_block ? hold->own : hold->all)) {
      uint32_t after = uwrt_check_new_segment(state);
      hold->own = hold->own ? hold->own : after;
      hold->all = for_block ? hold->all : after;
    }
  }
  if (what & UWRT_CHECK_RELEASES) {
    order->fenced_block = release(state, thread);
    if (!for_block)
      order->fenced = state->fenced_last = order->fenced_block.own;
  }
}

/* Within the block: a segment in the lower half, what the thread that left it knew in the upper one. */
static uwrt_check_knowledge left_in_block(const uwrt_check_block_state *state, const void *address) {
  uint64_t left = state->handed_over.count ? (uint64_t)(uintptr_t)uwrt_table_find(&state->handed_over, address) : 0;
  return (uwrt_check_knowledge){(uint32_t)(left >> 32), (uint32_t)left};
}

static void leave(uwrt_table *table, const void *address, uint64_t what) {
  if (what)
    uwrt_table_insert(table, address, (void *)(uintptr_t)what);
  else if (table->count)
    uwrt_table_remove(table, address);
}

/* Is that what is there? Swaps say what they expect, and stores what they store. */
static int is_there(uintptr_t at, uint64_t bytes, uint64_t value) {
  return bytes <= sizeof value && memcmp((const void *)at, &value, bytes) == 0;
}

void uwrt_check_meet(uwrt_check_block_state *state, uintptr_t at, uint64_t bytes, uint32_t thread, uint32_t kind,
                     uint64_t value) {
  const void *address = (const void *)at;
  uint32_t what = kind & UWRT_CHECK_KIND;
  int for_block = (kind & UWRT_CHECK_OF_BLOCK) != 0, reads = what != UWRT_CHECK_MEETING_STORE,
      writes = what != UWRT_CHECK_MEETING_LOAD, releases = writes && (kind & UWRT_CHECK_RELEASES),
      swaps = (kind & UWRT_CHECK_SWAPS) != 0;
  if (releases || swaps)
    uwrt_check_fences |= UWRT_CHECK_FENCES;
  if (!(uwrt_check_fences & UWRT_CHECK_FENCES))
    return;
  uwrt_check_order *order = order_of(state, thread);
  uwrt_check_hold *hold = &order->hold;
  uwrt_check_knowledge of_block = left_in_block(state, address), own = order->fenced_block;
  if (swaps && is_there(at, bytes, value)) {
    uwrt_check_knowledge apart = both(uwrt_check_knows(state, thread), order->seen_block);
    take(state, order, at, value, both(apart, (uwrt_check_knowledge){order->seen, 0}), kind);
  } else if (writes && !swaps && hold->lock == at) {
    if (value == hold->free && (!reads || (kind & UWRT_CHECK_BLIND)))
      give_back(state, order, thread);
    hold->lock = 0;
  }
  pthread_mutex_lock(&lock);
  uint32_t of_all = handed_over.count ? (uint32_t)(uintptr_t)uwrt_table_find(&handed_over, address) : 0;
  if (reads) {
    order->seen = later(order->seen, for_block ? 0 : of_all);
    order->seen_block = both(order->seen_block, of_block);
    state->pending = later(state->pending, later(order->seen, order->seen_block.all));
    uwrt_check_knowledge of_others = both(of_block, (uwrt_check_knowledge){for_block ? 0 : of_all, 0});
    if (kind & UWRT_CHECK_POLLS)
      order->polled = both(order->polled, of_others);
    if (hold->lock != at)
      hold->apart = both(hold->apart, of_others);
    if (kind & UWRT_CHECK_ACQUIRES)
      acquire(state, thread, for_block ? 0 : of_all, of_block);
  }
  if (!writes) {
    pthread_mutex_unlock(&lock);
    return;
  }
  if (releases)
    own = release(state, thread);
  uint32_t for_all = for_block ? 0 : releases ? own.own : later(order->fenced, state->fenced_all);
  if (reads) { /* what others left stays */
    own = both(own, of_block);
    for_all = later(for_all, of_all);
  }
  if (own.own != of_block.own || own.all != of_block.all)
    leave(&state->handed_over, address, (uint64_t)own.all << 32 | own.own);
  if (for_all != of_all)
    leave(&handed_over, address, for_all);
  pthread_mutex_unlock(&lock);
}

void uwrt_check_share_order(uwrt_check_block_state *state, uint32_t first, uint32_t count) {
  uwrt_check_order most = {0};
  if (!state->has_order)
    return;
  uint32_t end = first + count < state->threads ? first + count : state->threads;
  for (uint32_t thread = first; thread < end; thread++) {
    const uwrt_check_order *order = &state->order[thread];
    most.seen = later(most.seen, order->seen);
    most.seen_block = both(most.seen_block, order->seen_block);
    most.acquired = both(most.acquired, order->acquired);
    most.polled = both(most.polled, order->polled);
  }
  for (uint32_t thread = first; thread < end; thread++) {
    uwrt_check_order *order = &state->order[thread];
    order->seen = most.seen;
    order->seen_block = most.seen_block;
    order->acquired = most.acquired;
    order->polled = most.polled;
    if (order->hold.lock) { /* of the lock, too, but it is not known which part */
      uwrt_check_knowledge seen = both(most.seen_block, (uwrt_check_knowledge){most.seen, 0});
      order->hold.apart = both(order->hold.apart, both(most.acquired, seen));
    }
  }
}
