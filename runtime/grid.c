/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels whose blocks wait for each other. Each block is a fiber; the blocks go round robin to the workers in chunks, as in other
 * kernels (compiler/lower/openmp.c). A worker's way:
 *
 *   run each own block, in index order, until it is finished or waits for the grid; one that waits for something that other
 *   blocks write is left for the next of them, and comes again behind the last
 *   meet the other workers
 *   while any block of the grid waits for it: the same again
 *
 * A block that is finished no longer holds the others up. That all blocks of a cooperative launch run at once was checked before
 * (cudaErrorCooperativeLaunchTooLarge). Without that promise the first barrier of the grid ends its block, as on a GPU, and only
 * so many blocks are begun at a time as the device's multiprocessors hold: a block may wait for those.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "internal.h"
#include "workers.h"

/* Looks at what a block waits for before the worker leaves it: what another worker does soon need not cost two changes of
 * stacks and all that stands between them. */
enum { LOOKS = 64 };

typedef struct grid {
  const uwrt_kernel *kernel;
  const uwrt_dims *dims;
  void **args;
  uint64_t blocks, at_once, chunk;
  /* How many workers have a block that waits, for the current, the last and the next turn: the workers read one after they
   * have met, while the first of them write the next. */
  atomic_uint waiting[3];
  int alone; /* there is one worker */
} grid;

typedef struct block {
  struct block *next;
  uwrt_fiber *fiber;
  const grid *grid;
  uint64_t number;
  unsigned int looks;
  int news; /* of its fiber */
} block;

/* What one worker has to do. */
typedef struct share {
  const grid *all;
  block *begun;            /* in index order */
  uint64_t live;           /* how many these are */
  uint64_t next, workers, at_once;
} share;

static void run_block(void *argument) {
  const block *own = argument;
  uwrt_dims dims = *own->grid->dims;
  dims.block_number = own->number;
  own->grid->kernel->entry(&dims, own->grid->args);
}

void uwrt_grid_sync(void) {
  const block *own = uwrt_fiber_argument();
  if (uwrt_replaying)
    return; /* the other blocks have gone on */
  if (own->grid->dims->cooperative) {
    uwrt_fiber_pause(UWRT_FIBER_WAITS);
  } else {
    uwrt_set_sticky_error(cudaErrorLaunchFailure);
    uwrt_fiber_pause(UWRT_FIBER_FINISHED);
  }
}

void uwrt_yield(void) {
  block *own = uwrt_fiber_argument();
  if (!own || uwrt_replaying)
    sched_yield();
  else if (++own->looks % LOOKS == 0 || own->grid->alone)
    uwrt_fiber_pause(UWRT_FIBER_SPINS);
}

static block *begin(share *own) {
  block *fresh = malloc(sizeof *fresh);
  if (!fresh)
    uwrt_fatal("out of memory: no room for one more block that waits for others");
  *fresh = (block){NULL, uwrt_fiber_take(run_block, fresh), own->all, own->next, 0, UWRT_FIBER_SPINS};
  if (++own->next % own->all->chunk == 0)
    own->next += own->all->chunk * (own->workers - 1);
  own->live++;
  return fresh;
}

/* Takes the first block off the list. */
static void end(share *own, block **place) {
  block *gone = *place;
  *place = gone->next;
  uwrt_fiber_give(gone->fiber);
  free(gone);
  own->live--;
}

/* Goes through the blocks once; begins new ones behind them. Gives how many wait for something else than the grid. */
static uint64_t go_round(share *own, int *moved) {
  uint64_t spinning = 0;
  for (block **place = &own->begun;;) {
    if (!*place) {
      if (own->next >= own->all->blocks || own->live >= own->at_once)
        return spinning;
      *place = begin(own);
    }
    block *here = *place;
    if (here->news == UWRT_FIBER_SPINS) {
      here->news = uwrt_fiber_resume(here->fiber);
      *moved |= here->news != UWRT_FIBER_SPINS;
    }
    spinning += here->news == UWRT_FIBER_SPINS;
    if (here->news == UWRT_FIBER_FINISHED)
      end(own, place);
    else
      place = &here->next;
  }
}

/* Whether any block of the grid waits for it. */
static int meet(grid *all, unsigned int turn, int waits) {
  if (waits)
    atomic_fetch_add(&all->waiting[turn], 1);
#pragma omp barrier
  unsigned int others = atomic_load(&all->waiting[turn]);
  atomic_store(&all->waiting[(turn + 2) % 3], 0);
  return others != 0;
}

static void work(grid *all) {
  uint64_t rank = (uint64_t)__kmpc_bound_thread_num(NULL), workers = (uint64_t)__kmpc_bound_num_threads(NULL);
  uint64_t chunks = (all->at_once + all->chunk - 1) / all->chunk;
  share own = {all, NULL, 0, rank * all->chunk, workers, (chunks + workers - 1) / workers * all->chunk};
  for (unsigned int turn = 0;; turn = (turn + 1) % 3) {
    for (int moved = 0; go_round(&own, &moved) != 0; moved = 0)
      if (!moved)
        sched_yield(); /* it is another worker's turn */
    if (!meet(all, turn, own.begun != NULL))
      break;
    for (block *waiter = own.begun; waiter; waiter = waiter->next)
      waiter->news = UWRT_FIBER_SPINS;
  }
  uwrt_own_place.launch = NULL;
}

void uwrt_grid_run(const uwrt_kernel *kernel, const uwrt_dims *dims, void **args) {
  uint64_t blocks = (uint64_t)dims->grid[0] * dims->grid[1] * dims->grid[2];
  grid all = {kernel, dims, args, blocks, blocks, 1, {0, 0, 0}, 0};
  uwrt_kernel_settings settings;
  if (!dims->cooperative && uwrt_kernel_find(kernel->stub, NULL, &settings)) {
    all.chunk = blocks / 256 < 1 ? 1 : blocks / 256 < 64 ? blocks / 256 : 64;
    all.at_once = (uint64_t)uwrt_this_machine()->cores *
                  uwrt_blocks_per_multiprocessor(kernel, &settings, (uint64_t)dims->block[0] * dims->block[1] * dims->block[2],
                                                 dims->shared_bytes);
  }
#pragma omp parallel if (blocks > 1)
  {
#pragma omp single
    all.alone = __kmpc_bound_num_threads(NULL) == 1;
    work(&all);
  }
}
