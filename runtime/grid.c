/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels whose blocks wait for each other. Each block is a fiber; a worker has every n-th of them, n workers in all:
 *
 *   run each own block, in index order, until it waits or is finished
 *   meet the other workers
 *   while any block of the grid waits: the same again
 *
 * A block that is finished no longer holds the others up. The launch that all blocks run at once was checked before
 * (cudaErrorCooperativeLaunchTooLarge); without that promise the first barrier of the grid ends its block, as on a GPU.
 */
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "internal.h"

typedef struct grid {
  const uwrt_kernel *kernel;
  const uwrt_dims *dims;
  void **args;
  uint64_t blocks;
  /* How many workers have a block that waits, for the current, the last and the next turn: the workers read one after they
   * have met, while the first of them write the next. */
  atomic_uint waiting[3];
} grid;

typedef struct block {
  struct block *next;
  uwrt_fiber *fiber;
  const grid *grid;
  uint64_t number;
} block;

static void run_block(void *argument) {
  const block *own = argument;
  uwrt_dims dims = *own->grid->dims;
  dims.block_number = own->number;
  own->grid->kernel->entry(&dims, own->grid->args);
}

void uwrt_grid_sync(void) {
  const block *own = uwrt_fiber_argument();
  if (own->grid->dims->cooperative) {
    const uwrt_place here = uwrt_own_place; /* the worker goes on with others */
    uwrt_fiber_pause(UWRT_FIBER_WAITS);
    uwrt_own_place = here;
  } else {
    uwrt_set_sticky_error(cudaErrorLaunchFailure);
    uwrt_fiber_pause(UWRT_FIBER_FINISHED);
  }
}

/* Whether any block of the grid waits. */
static int meet(grid *all, unsigned int turn, int waits) {
  if (waits)
    atomic_fetch_add(&all->waiting[turn], 1);
#pragma omp barrier
  unsigned int others = atomic_load(&all->waiting[turn]);
  atomic_store(&all->waiting[(turn + 2) % 3], 0);
  return others != 0;
}

/* Runs the block until it waits or is finished; gives its place in the list to the next one in the latter case. */
static block **go_on(block **place) {
  block *own = *place;
  if (uwrt_fiber_resume(own->fiber) == UWRT_FIBER_WAITS)
    return &own->next;
  *place = own->next;
  uwrt_fiber_give(own->fiber);
  free(own);
  return place;
}

static block *create(const grid *all, uint64_t number) {
  block *own = malloc(sizeof *own);
  if (!own)
    uwrt_fatal("out of memory: no room for one more block that waits for others");
  *own = (block){NULL, uwrt_fiber_take(run_block, own), all, number};
  return own;
}

static void work(grid *all) {
  block *own = NULL, **end = &own;
  for (uint64_t number = (uint64_t)omp_get_thread_num(); number < all->blocks; number += (uint64_t)omp_get_num_threads()) {
    *end = create(all, number);
    end = go_on(end);
  }
  for (unsigned int turn = 0; meet(all, turn, own != NULL); turn = (turn + 1) % 3)
    for (block **place = &own; *place;)
      place = go_on(place);
  uwrt_own_place.launch = NULL;
}

void uwrt_grid_run(const uwrt_kernel *kernel, const uwrt_dims *dims, void **args) {
  grid all = {kernel, dims, args, (uint64_t)dims->grid[0] * dims->grid[1] * dims->grid[2], {0, 0, 0}};
#pragma omp parallel if (all.blocks > 1)
  work(&all);
}
