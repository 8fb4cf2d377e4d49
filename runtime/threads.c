/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Threads of a block that wait for each other between two barriers. The compiler makes a function of such a loop over
 * threads (lower/concurrent.c), which takes one thread after the other and runs it to its end:
 *
 *   while ((thread = uwrt_thread_next()) < threads) …
 *
 * It runs on a fiber. Where a thread waits in vain, its fiber stays there and the function begins anew on another one,
 * with the next thread; so a thread that does not wait costs no fiber of its own. When all threads have begun, those
 * that wait have another look, in turn, until none is left: as on a GPU each of them gets on. Between two turns in
 * which nothing moved the block lets other blocks run (grid.c).
 *
 * Where a kernel has warp operations, there may be warps that run so, each with lanes that do: lanes none of which got
 * further let other warps run.
 *
 * Threads that wait for shared memory, which their own block alone can write, wait in vain when all threads that are
 * left do so and a turn has changed nothing: then one of them says where, and the process ends.
 */
#include <stdlib.h>

#include "internal.h"

/* What moves all the time may wait all the same: it takes a lock, looks, and gives it back. So many rounds of a block's
 * threads, or iterations of a loop of theirs, are enough until others have their turn. */
enum { ROUNDS = 32, TURNS = 1024 };

typedef struct threads threads;

typedef struct member {
  struct member *next;
  uwrt_fiber *fiber;
  threads *all;
  int moved;     /* since it was last looked at: it came through a wait, or wrote */
  int for_block; /* it waits for its own block */
} member;

struct threads {
  void (*run)(int32_t *, int32_t *, void *);
  void *data;
  uint64_t next;
  member *waiting; /* in the order in which they began */
  int naps;        /* one slept */
  int hopeless;    /* the next one that looks says so and ends the process */
};

/* Where a replay runs threads (replay.c), and where no fiber does: one after the other. */
static _Thread_local threads *in_order;

static void run_member(void *argument) {
  const member *own = argument;
  int32_t zero[2] = {0, 0};
  own->all->run(&zero[0], &zero[1], own->all->data);
}

static member *this_member(void) { return uwrt_fiber_runs(run_member) ? uwrt_fiber_argument() : NULL; }

/* In functions of their own, as in fiber.c: the thread may be another one after a pause. */
static __attribute__((noinline)) threads *exchange_in_order(threads *with) {
  threads *before = in_order;
  in_order = with;
  return before;
}

uint64_t uwrt_thread_next(void) {
  member *own = this_member();
  threads *all = own ? own->all : in_order;
  return all->next++;
}

void uwrt_thread_moved(void) {
  member *own = this_member();
  if (own)
    own->moved = 1;
  uwrt_grid_moved();
}

int uwrt_thread_pause(int for_block, int naps) {
  member *own = this_member();
  if (!own)
    return -1;
  own->for_block = for_block;
  own->all->naps |= naps;
  uwrt_fiber_pause(UWRT_FIBER_SPINS);
  return own->all->hopeless;
}

void uwrt_thread_give_turn(void) {
  member *own = this_member();
  if (!own) {
    uwrt_grid_give_turn();
    return;
  }
  own->for_block = 0;
  own->moved = 1;
  uwrt_fiber_pause(UWRT_FIBER_SPINS);
}

/* Fibers share the count of the worker they are on: about so often is enough. */
static __attribute__((noinline)) int is_due(void) {
  static _Thread_local unsigned int turns;
  return ++turns % TURNS == 0;
}

void uwrt_turn(void) {
  if (is_due())
    uwrt_thread_give_turn();
}

/* Runs it to its end or its next wait. Whether it is still there. */
static int go_on(member *one) {
  one->moved = 0;
  if (uwrt_fiber_resume(one->fiber) != UWRT_FIBER_FINISHED)
    return 1;
  uwrt_fiber_give(one->fiber);
  free(one);
  return 0;
}

/* Until all threads have begun. */
static void begin(threads *all) {
  for (member **end = &all->waiting;; end = &(*end)->next) {
    member *one = malloc(sizeof *one);
    if (!one)
      uwrt_fatal("out of memory: no room for one more thread that waits for others");
    *one = (member){NULL, uwrt_fiber_take_here(run_member, one), all, 0, 0};
    *end = one;
    if (!go_on(one)) {
      *end = NULL;
      return;
    }
  }
}

/* Whether a thread got further. */
static int go_round(threads *all) {
  int moved = 0;
  for (member **place = &all->waiting; *place;) {
    member *one = *place, *next = one->next;
    if (go_on(one)) {
      moved |= one->moved;
      place = &one->next;
    } else {
      *place = next;
      moved = 1;
    }
  }
  return moved;
}

static int all_wait_for_block(const threads *all) {
  for (const member *one = all->waiting; one; one = one->next)
    if (!one->for_block)
      return 0;
  return 1;
}

/* None got further. Gives whether that is hopeless. */
static int wait_for_others(const threads *all) {
  int for_block = all_wait_for_block(all), hopeless = uwrt_thread_pause(for_block, all->naps);
  return hopeless >= 0 ? hopeless : for_block || uwrt_grid_let_others_run(all->naps);
}

void uwrt_threads_fork(void *place, int32_t count, void (*run)(int32_t *, int32_t *, void *), void *data) {
  (void)place, (void)count;
  threads all = {.run = run, .data = data};
  const uwrt_thread_context context = *uwrt_context();
  if (uwrt_replaying) {
    int32_t zero[2] = {0, 0};
    threads *outer = exchange_in_order(&all);
    run(&zero[0], &zero[1], data);
    exchange_in_order(outer);
    return;
  }
  begin(&all);
  uwrt_thread_moved();
  for (unsigned int rounds = 1; all.waiting; rounds++) {
    all.naps = 0;
    if (!go_round(&all))
      all.hopeless = wait_for_others(&all);
    else if (rounds % ROUNDS == 0)
      uwrt_thread_give_turn();
    else
      uwrt_thread_moved();
  }
  *uwrt_context() = context;
}
