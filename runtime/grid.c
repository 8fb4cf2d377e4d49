/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels whose blocks wait for each other. Each block is a fiber; the blocks go round robin to shares in chunks, a
 * share to each worker, so that they begin about in the order of their indices: many wait for lower-numbered ones. A
 * worker's way:
 *
 *   run each own block, in index order, until it is finished or waits for the grid; one that waits for something that other
 *   blocks write is left for the next of them, and comes again after the last
 *   meet the other workers
 *   while any block of the grid waits for it: the same again
 *
 * The blocks of a cluster are side by side in one share, and so on one worker. When all of them that are not finished have
 * come to a barrier of the cluster, they go on.
 *
 * A block that is finished no longer holds the others up. That all blocks of a cooperative launch run at once was
 * checked before (cudaErrorCooperativeLaunchTooLarge). Without that promise the first barrier of the grid ends its
 * block, as on a GPU, and only so many blocks are begun at a time as the device's multiprocessors hold: a block may
 * wait for those.
 *
 * When all blocks that were begun wait for something that none of them writes, it is for the host, or for work that the
 * host has yet to give to another stream. Then the workers leave the grid as it is, and whoever runs it looks at the
 * blocks by itself from time to time; when one gets further, the workers come back. aside.c takes such a grid off the
 * thread that launched it. A grid that nobody can help ends the program with a message.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "internal.h"
#include "workers.h"

/* Looks at what a block waits for before the worker leaves it: what another worker does soon need not cost two changes
 * of stacks and all that stands between them. */
enum { LOOKS = 64 };

/* Nanoseconds without progress after which the workers leave a grid. */
static const uint64_t PATIENCE = 1000000;

typedef struct block {
  struct block *next;
  uwrt_fiber *fiber;
  uwrt_grid *grid;
  uwrt_cluster *cluster; /* null: it has none */
  unsigned int rank;     /* in that */
  uint64_t number;
  unsigned int looks;
  int news;         /* of its fiber */
  int passed, naps; /* since it was last looked at: it came through a wait; it slept */
} block;

/* What one worker has to do. */
typedef struct share {
  block *begun;          /* in index order */
  uint64_t live;         /* how many these are */
  uint64_t next;         /* the first that is not begun: in index order, or one cluster after the other */
  uwrt_cluster *cluster; /* of the one before it */
  void *spare;           /* memory of a cluster that is finished */
  uint64_t spare_bytes;
  /* Of the worker with this index: the number of moves before which it began the last iteration in which it moved
   * nothing. */
  atomic_ullong seen;
} share;

struct uwrt_grid {
  const uwrt_kernel *kernel;
  const uwrt_dims *dims;
  void **args;
  uint64_t blocks, at_once, chunk; /* at_once: blocks of one share, from when there are shares */
  unsigned int cluster_size;       /* divides chunk; 0: the launch has none */
  share *shares;
  unsigned int share_count;
  /* How many workers have a block that waits, for the current, the last and the next turn: the workers read one after
   * they have met, while the first of them write the next. */
  atomic_uint waiting[3];
  atomic_ullong moves; /* how often a worker's iteration brought a block further; from 1 */
  atomic_ullong left;  /* the index of the turn after which the workers leave; 0: none */
  int alone;           /* there is one worker */
  int hopeless;        /* the next block that waits says so and ends the process */
  atomic_int naps;     /* a block slept, which may go on for long */
};

static void run_block(void *argument) {
  const block *own = argument;
  uwrt_dims dims = *own->grid->dims;
  dims.block_number = own->number;
  own->grid->kernel->entry(&dims, own->grid->args);
}

/* SYCL has no other launches of kernels whose groups meet (root_group). */
static int runs_at_once(const uwrt_kernel *kernel, const uwrt_dims *dims) {
  return dims->cooperative || (kernel->flags & UWRT_KERNEL_SYCL && kernel->flags & UWRT_KERNEL_MEETS);
}

void uwrt_grid_sync(void) {
  const block *own = uwrt_fiber_argument(); /* a barrier stands outside of the loops over threads */
  if (uwrt_replaying)
    return; /* the other blocks have gone on */
  if (runs_at_once(own->grid->kernel, own->grid->dims)) {
    uwrt_fiber_pause(UWRT_FIBER_WAITS);
  } else {
    uwrt_set_sticky_error(cudaErrorLaunchFailure);
    uwrt_fiber_pause(UWRT_FIBER_FINISHED);
  }
}

void uwrt_cluster_sync(void) {
  const block *own = uwrt_fiber_argument();
  if (own->cluster && !uwrt_replaying)
    uwrt_fiber_pause(UWRT_FIBER_MEETS);
}

/* The block whose code runs, not that of one of its threads (threads.c); null where there is none. */
static block *this_block(void) { return uwrt_fiber_runs(run_block) ? uwrt_fiber_argument() : NULL; }

uwrt_cluster *uwrt_grid_cluster(unsigned int *rank) {
  const block *own = uwrt_replaying ? NULL : this_block();
  if (own)
    *rank = own->rank;
  return own ? own->cluster : NULL;
}

int uwrt_grid_let_others_run(int naps) {
  block *own = this_block();
  if (!own || uwrt_replaying) {
    sched_yield();
    return 0;
  }
  /* A loop that counts its iterations should come to its end. */
  if (++own->looks % LOOKS == 0 || (!naps && own->grid->alone))
    uwrt_fiber_pause(UWRT_FIBER_SPINS);
  own->naps |= naps;
  return own->grid->hopeless;
}

void uwrt_grid_give_turn(void) {
  block *own = this_block();
  if (!own || uwrt_replaying)
    return;
  own->passed = 1;
  uwrt_fiber_pause(UWRT_FIBER_SPINS);
}

void uwrt_grid_moved(void) {
  block *own = this_block();
  if (own)
    own->passed = 1;
}

void uwrt_yield(const char *places) {
  int hopeless = uwrt_thread_pause(/*for_block=*/0, /*naps=*/0);
  if (hopeless < 0 ? uwrt_grid_let_others_run(/*naps=*/0) : hopeless)
    uwrt_wait_is_hopeless(__builtin_return_address(0), places);
}

void uwrt_nap(void) {
  if (uwrt_thread_pause(/*for_block=*/0, /*naps=*/1) < 0)
    uwrt_grid_let_others_run(/*naps=*/1);
}

void uwrt_waited(void) { uwrt_thread_moved(); }

/* The cluster of the next block of the share. */
static uwrt_cluster *next_cluster(const uwrt_grid *all, share *own) {
  if (own->next % all->cluster_size)
    return own->cluster;
  own->cluster = calloc(1, sizeof *own->cluster);
  if (!own->cluster)
    uwrt_fatal("out of memory: no room for one more cluster");
  own->cluster->size = all->cluster_size;
  own->cluster->memory = own->spare;
  own->cluster->room = own->spare_bytes;
  own->spare = NULL;
  own->spare_bytes = 0;
  return own->cluster;
}

static block *begin(uwrt_grid *all, share *own) {
  block *fresh = malloc(sizeof *fresh);
  if (!fresh)
    uwrt_fatal("out of memory: no room for one more block that waits for others");
  *fresh = (block){.fiber = uwrt_fiber_take(run_block, fresh),
                   .grid = all,
                   .cluster = all->cluster_size ? next_cluster(all, own) : NULL,
                   .rank = all->cluster_size ? (unsigned int)(own->next % all->cluster_size) : 0,
                   .number = uwrt_cluster_block(all->dims, own->next),
                   .news = UWRT_FIBER_SPINS};
  if (++own->next % all->chunk == 0)
    own->next += all->chunk * (all->share_count - 1);
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

/* A block of the cluster came to a barrier of it, or to its end. How many blocks go on. */
static uint64_t settle(share *own, uwrt_cluster *cluster) {
  uint64_t released = cluster->waiting;
  if (cluster->finished == cluster->size) {
    uwrt_cluster_free(own->spare, own->spare_bytes);
    own->spare = cluster->memory;
    own->spare_bytes = cluster->room;
    free(cluster);
    return 0;
  }
  if (!released || cluster->waiting + cluster->finished < cluster->size)
    return 0;
  for (block *one = own->begun; one; one = one->next)
    if (one->cluster == cluster)
      one->news = UWRT_FIBER_SPINS;
  cluster->waiting = 0;
  return released;
}

/* Goes through the blocks once; begins new ones after them. Gives how many wait for something else than the grid. */
static uint64_t go_round(uwrt_grid *all, share *own, int *moved) {
  uint64_t spinning = 0;
  for (block **place = &own->begun;;) {
    if (!*place) {
      if (own->next >= all->blocks || own->live >= all->at_once)
        return spinning;
      *place = begin(all, own);
    }
    block *here = *place;
    int ran = here->news == UWRT_FIBER_SPINS;
    if (ran) {
      here->news = uwrt_fiber_resume(here->fiber);
      *moved |= here->news != UWRT_FIBER_SPINS || here->passed;
      if (here->naps)
        atomic_store(&all->naps, 1);
      here->passed = here->naps = 0;
    }
    spinning += here->news == UWRT_FIBER_SPINS;
    uwrt_cluster *cluster = ran ? here->cluster : NULL;
    if (cluster) {
      cluster->waiting += here->news == UWRT_FIBER_MEETS;
      cluster->finished += here->news == UWRT_FIBER_FINISHED;
    }
    if (here->news == UWRT_FIBER_FINISHED)
      end(own, place);
    else
      place = &here->next;
    if (cluster)
      spinning += settle(own, cluster);
  }
}

/* Whether every worker has gone through its blocks without one that got further, since the last time that one did
 * anywhere, and that was a while ago. Then nothing here changes any more. since: when the caller first saw that number
 * of moves. */
static int is_stuck(uwrt_grid *all, unsigned int workers, uint64_t *moves, uint64_t *since) {
  uint64_t now = uwrt_nanoseconds(), seen = atomic_load(&all->moves);
  if (seen != *moves || !*since) {
    *moves = seen;
    *since = now;
  }
  if (now - *since <= PATIENCE)
    return 0;
  for (unsigned int w = 0; w < workers; w++)
    if (atomic_load(&all->shares[w].seen) < seen)
      return 0;
  return 1;
}

/* Whether any block of the grid waits for it. */
static int meet(uwrt_grid *all, uint64_t turn, int waits) {
  if (waits)
    atomic_fetch_add(&all->waiting[turn], 1);
#pragma omp barrier
  unsigned int others = atomic_load(&all->waiting[turn]);
  atomic_store(&all->waiting[(turn + 2) % 3], 0);
  return others != 0;
}

/* A worker's shares: its own one, unless there are fewer workers now than there were at first. */
static void work(uwrt_grid *all, unsigned int rank, unsigned int workers) {
  atomic_ullong *seen = &all->shares[rank].seen;
  uint64_t moves = 0, since = 0;
  for (uint64_t turn = 1;; turn++) {
    int begun = 0;
    while (!atomic_load(&all->left)) { /* if set, then to this turn: all of the last one have met */
      int moved = 0;
      uint64_t spinning = 0, before = atomic_load(&all->moves);
      for (unsigned int s = rank; s < all->share_count; s += workers)
        spinning += go_round(all, &all->shares[s], &moved);
      if (!spinning)
        break;
      if (moved) {
        atomic_fetch_add(&all->moves, 1);
        continue;
      }
      atomic_store(seen, before);
      if (is_stuck(all, workers, &moves, &since))
        atomic_store(&all->left, turn);
      sched_yield(); /* it is another worker's turn */
    }
    for (unsigned int s = rank; s < all->share_count; s += workers)
      begun |= all->shares[s].begun != NULL;
    atomic_store(seen, UINT64_MAX);
    if (!meet(all, turn % 3, begun) || atomic_load(&all->left) == turn) /* a faster one may have set the next */
      return;
    atomic_store(seen, 0);
    for (unsigned int s = rank; s < all->share_count; s += workers)
      for (block *waiter = all->shares[s].begun; waiter; waiter = waiter->next)
        if (waiter->news == UWRT_FIBER_WAITS)
          waiter->news = UWRT_FIBER_SPINS;
  }
}

/* The first team of workers decides how many shares there are. */
static void share_out(uwrt_grid *all, unsigned int workers) {
  uint64_t chunks = (all->at_once + all->chunk - 1) / all->chunk;
  all->shares = calloc(workers, sizeof *all->shares);
  if (!all->shares)
    uwrt_fatal("out of memory: no room for blocks that wait for others");
  all->share_count = workers;
  all->at_once = (chunks + workers - 1) / workers * all->chunk;
  for (unsigned int s = 0; s < workers; s++)
    all->shares[s].next = s * all->chunk;
}

uwrt_grid *uwrt_grid_begin(const uwrt_running *launch) {
  const uwrt_dims *dims = &launch->dims;
  uint64_t blocks = (uint64_t)dims->grid[0] * dims->grid[1] * dims->grid[2];
  uwrt_grid *all = calloc(1, sizeof *all);
  uwrt_kernel_settings settings;
  if (!all)
    uwrt_fatal("out of memory: no room for blocks that wait for others");
  *all = (uwrt_grid){.kernel = launch->kernel,
                     .dims = dims,
                     .args = launch->args,
                     .blocks = blocks,
                     .at_once = blocks,
                     .chunk = 1,
                     .moves = 1};
  if (!runs_at_once(launch->kernel, dims) && uwrt_kernel_find(launch->kernel->stub, NULL, &settings)) {
    all->chunk = blocks / 256 < 1 ? 1 : blocks / 256 < 64 ? blocks / 256 : 64;
    all->at_once =
        (uint64_t)uwrt_this_machine()->cores *
        uwrt_blocks_per_multiprocessor(launch->kernel, &settings,
                                       (uint64_t)dims->block[0] * dims->block[1] * dims->block[2], dims->shared_bytes);
  }
  if (dims->cluster[0]) {
    all->cluster_size = uwrt_cluster_size(dims->cluster);
    all->chunk = (all->chunk + all->cluster_size - 1) / all->cluster_size * all->cluster_size;
  }
  return all;
}

static int is_finished(const uwrt_grid *all) {
  for (unsigned int s = 0; s < all->share_count; s++)
    if (all->shares[s].begun || all->shares[s].next < all->blocks)
      return 0;
  return 1;
}

int uwrt_grid_go(uwrt_grid *all) {
  const void *outer = uwrt_run_begins(all->kernel);
  atomic_store(&all->left, 0);
  for (int i = 0; i < 3; i++)
    atomic_store(&all->waiting[i], 0);
  for (unsigned int s = 0; s < all->share_count; s++)
    atomic_store(&all->shares[s].seen, 0);
  int workers_wanted = uwrt_checks ? 1 : all->share_count ? (int)all->share_count : uwrt_max_workers();
#pragma omp parallel if (all->blocks > 1) num_threads(workers_wanted)
  {
    unsigned int rank = (unsigned int)__kmpc_bound_thread_num(NULL),
                 workers = (unsigned int)__kmpc_bound_num_threads(NULL);
#pragma omp single
    {
      all->alone = workers == 1;
      if (!all->shares)
        share_out(all, workers);
    }
    work(all, rank, workers);
  }
  uwrt_run_is(outer);
  return is_finished(all);
}

int uwrt_grid_look(uwrt_grid *all) {
  int moved = 0;
  all->alone = 1;
  for (unsigned int s = 0; s < all->share_count; s++)
    go_round(all, &all->shares[s], &moved);
  return moved;
}

int uwrt_grid_naps(uwrt_grid *all) { return atomic_exchange(&all->naps, 0); }

void uwrt_grid_give_up(uwrt_grid *all) {
  all->hopeless = 1;
  for (;;)
    uwrt_grid_look(all);
}

void uwrt_grid_end(uwrt_grid *all) {
  for (unsigned int s = 0; s < all->share_count; s++)
    uwrt_cluster_free(all->shares[s].spare, all->shares[s].spare_bytes);
  free(all->shares);
  free(all);
}
