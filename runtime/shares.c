/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which blocks of a grid a worker runs. Each has a share of neighbours, the same in each launch of as many blocks, so
 * that what it wrote in one is in its caches in the next, and only the ends of shares are near to other workers'
 * addresses. It takes pieces off the front of its share, in index order; when that is used up, it takes pieces off the
 * ends of others' shares:
 *
 *   blocks    0 … n/2 - 1                            n/2 … n - 1
 *   worker 0  takes 0, 1, 2, … →                     when it is through: ← takes …, n - 2, n - 1
 *
 * A block may wait for one with a lower index, as chained scans do: of those that are not finished, the lowest runs or
 * is the next of its share's worker, which has nothing else to do. For a piece runs in index order; a worker that takes
 * from others has finished its own share, or has seen others take the rest; and who takes an end runs it at once.
 *
 * A share's state is an integer that its worker and thieves change by compare-and-swap: of the launch, and how much of
 * the share has been taken at the front and at the end. What an earlier launch left there counts as nothing taken, so
 * nobody has to clear it.
 */
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

enum {
  MOST_DEPTH = 32 /* kernels that launch kernels: 24 */,
  UNIT_BITS = 12,
  MOST_UNITS = (1 << UNIT_BITS) - 1,
  PARTS = 8
};

typedef struct share {
  _Alignas(64) _Atomic uint64_t state; /* launch number, units taken at the front, units taken at the end */
} share;

struct uwrt_shares {
  uint64_t launch;
  uint32_t room;
  share of[];
};

/* Those of the launches that this thread is in, which are nested. */
typedef struct levels {
  uwrt_shares *at[MOST_DEPTH];
  unsigned int depth;
} levels;

static _Thread_local levels own;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void free_levels(void *of_thread) {
  levels *gone = of_thread;
  for (unsigned int i = 0; i < MOST_DEPTH; i++) {
    free(gone->at[i]);
    gone->at[i] = NULL;
  }
}

static void make_key(void) {
  if (pthread_key_create(&key, free_levels) != 0)
    uwrt_fatal("cannot have memory for a launch freed with its thread");
}

static uwrt_shares *provide(unsigned int level, uint32_t workers) {
  size_t bytes = sizeof(uwrt_shares) + workers * sizeof(share);
  bytes = (bytes + _Alignof(share) - 1) / _Alignof(share) * _Alignof(share);
  pthread_once(&key_once, make_key);
  pthread_setspecific(key, &own);
  free(own.at[level]);
  uwrt_shares *fresh = own.at[level] = aligned_alloc(_Alignof(share), bytes);
  if (!fresh)
    uwrt_fatal("out of memory: no room for what %u workers have to do", workers);
  fresh->launch = 0;
  fresh->room = workers;
  for (uint32_t i = 0; i < workers; i++)
    atomic_init(&fresh->of[i].state, 0);
  return fresh;
}

uwrt_shares *uwrt_shares_open(void) {
  uint32_t most = (uint32_t)uwrt_max_workers(), crew = (uint32_t)uwrt_crew_size();
  if (crew > most)
    most = crew;
  if (own.depth == MOST_DEPTH)
    uwrt_fatal("launches are nested too deeply");
  uwrt_shares *all = own.at[own.depth];
  if (!all || all->room < most)
    all = provide(own.depth, most);
  own.depth++;
  all->launch++;
  return all;
}

void uwrt_shares_close(void) { own.depth--; }

/* Of so many units that nobody has taken: enough that a long share takes few pieces, and few enough to leave something
 * to take. */
static uint32_t piece_of(uint32_t left, uint32_t parts) { return left <= 2 * parts ? (left + 3) / 4 : left / parts; }

static _Thread_local int ascends;

void uwrt_shares_ascend(int is_so) { ascends = is_so; }

/* The first block of a worker's share. Of a single one it is the first worker's, who may be the only one to come. */
static uint64_t start_of(uint64_t blocks, uint32_t rank, uint32_t workers) {
  uint64_t whole = blocks / workers, more = blocks % workers;
  return whole * rank + (rank < more ? rank : more);
}

/* The next piece of a share, from its front or its end; empty if all is taken. */
static uwrt_piece take(uwrt_shares *all, uint64_t blocks, uint32_t rank, uint32_t workers, int from_end,
                       uint32_t parts) {
  const uint64_t start = start_of(blocks, rank, workers), end = start_of(blocks, rank + 1, workers);
  const uint64_t unit = (end - start) / MOST_UNITS + 1;
  const uint32_t units = (uint32_t)((end - start + unit - 1) / unit);
  _Atomic uint64_t *state = &all->of[rank].state;
  uint64_t before = atomic_load_explicit(state, memory_order_relaxed), next;
  uint32_t first, count;
  do {
    int is_fresh = before >> (2 * UNIT_BITS) != (all->launch & (UINT64_MAX >> (2 * UNIT_BITS)));
    uint32_t front = is_fresh ? 0 : (uint32_t)(before >> UNIT_BITS) & MOST_UNITS;
    uint32_t back = is_fresh ? 0 : (uint32_t)before & MOST_UNITS;
    if (front + back == units)
      return (uwrt_piece){0, 0};
    count = piece_of(units - front - back, parts);
    first = from_end ? units - back - count : front;
    front += from_end ? 0 : count;
    back += from_end ? count : 0;
    next = all->launch << (2 * UNIT_BITS) | (uint64_t)front << UNIT_BITS | back;
  } while (!atomic_compare_exchange_weak_explicit(state, &before, next, memory_order_relaxed, memory_order_relaxed));
  uint64_t end_of_piece = start + (first + count) * unit;
  return (uwrt_piece){start + first * unit, end_of_piece < end ? end_of_piece : end};
}

/* Others are asked at distances that double: few, and in the end by somebody each. Nobody has to: each runs its own
 * share. */
uwrt_piece uwrt_shares_take(uwrt_shares *all, uint64_t blocks, uint64_t place, uint64_t before) {
  uint32_t workers = (uint32_t)(place >> 32), rank = (uint32_t)place;
  if (workers == 1)
    return (uwrt_piece){before, blocks};
  if (workers > all->room)
    uwrt_fatal("%u workers came where %u were expected", workers, all->room);
  if (ascends)
    return take(all, blocks, 0, 1, 0, 4 * workers);
  uwrt_piece piece = take(all, blocks, rank, workers, 0, PARTS);
  if (piece.from == piece.to && uwrt_crew_others_done())
    return piece;
  for (uint32_t distance = 1; piece.from == piece.to && distance < workers; distance *= 2)
    piece = take(all, blocks, (rank + distance) % workers, workers, 1, PARTS);
  return piece;
}
