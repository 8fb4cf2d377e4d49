/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches and blocks that run, and whose each segment was (shadow.h).
 *
 * Blocks run one after the other, in index order, on the thread that launches: what is found in one run of the program
 * is found in the next. Blocks of kernels that wait for each other take turns on that thread. So a block has a stretch
 * of segments, or several; runs[] has the start of each, of what the host does not know to be over (streams.c).
 *
 * Blocks that cannot meet (apart.c) run on all threads. Each worker takes segments in pieces, and notes its runs by itself;
 * they join the others when the launch is over. Until then a worker knows of its own runs alone, which is enough: nobody
 * else is at the cells that its blocks look at.
 */
#include <execinfo.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "thread_memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The last segment that anybody has, and above it the id of the block that took it; 0: it was no block. That block takes
 * the next one without the lock. Segment 1: written by nobody of interest. */
static _Atomic uint64_t latest = 1;
static uint32_t last_id;
static uwrt_check_run *runs;
static size_t run_count, run_room;
static uwrt_check_launch *launches;       /* that run */
static uwrt_check_launch *_Atomic shared; /* the only one, if its blocks run at the same time */
static uwrt_check_launch *ended,
    **last_ended = &ended; /* those that runs[] may name, in order of their start, or nearly */
static uint64_t launch_count;
static uwrt_check_block_state *spare;
static _Thread_local uwrt_check_block_state *own_spare;
static uint32_t forgotten; /* how often an entry of runs[] went, or changed */
static _Thread_local uwrt_check_block_state *current;

enum { LAST_SEGMENT = 0xFFFFFF00u, FIRST_PIECE = 64, MOST_PIECE = 4096 };

/* Of a launch whose blocks run at the same time: what one thread does of it. */
typedef struct uwrt_check_worker {
  uint32_t next, end, piece; /* segments that it may have, and how many it asks for next */
  uint32_t last_id;          /* of the block that had the last one */
  uwrt_check_run *runs;
  size_t run_count, run_room;
  struct uwrt_check_worker *next_worker;
} uwrt_check_worker;
static _Thread_local struct {
  uwrt_check_worker *worker;
  const uwrt_check_launch *launch;
  uint64_t number;
} mine;

uwrt_check_block_state *uwrt_check_current(void) { return current; }
uwrt_check_state *uwrt_check_here(void) {
  if (current)
    return &current->fast;
  uwrt_check_block_state *nowhere = /* called by code that is not checked */
      uwrt_check_memory_of_thread(UWRT_CHECK_NOWHERE, sizeof *nowhere);
  nowhere->fast.pages = uwrt_shadow_pages();
  return &nowhere->fast;
}

static void add_run(uwrt_check_run **list, size_t *count, size_t *room, uwrt_check_run run) {
  if (*count == *room) {
    *room = *room ? 2 * *room : 4096;
    uwrt_check_run *more = realloc(*list, *room * sizeof *more);
    if (!more)
      uwrt_fatal("out of memory: the checker cannot note which block ran when");
    *list = more;
  }
  (*list)[(*count)++] = run;
}

static uint32_t last_segment(void) { return (uint32_t)atomic_load(&latest); }

/* The caller holds the lock. Gives the last one before these; where no more are left, all is in order. */
static uint32_t take_segments(uint32_t *count, uint32_t id) {
  uint64_t was = atomic_load(&latest);
  for (;;) {
    uint32_t last = (uint32_t)was, most = LAST_SEGMENT - last;
    uint32_t here = *count < most ? *count : most;
    if (atomic_compare_exchange_weak(&latest, &was, (uint64_t)id << 32 | (last + here))) {
      *count = here;
      return last;
    }
  }
}

static void note_run(uint32_t start, uint32_t id, uint64_t block, const uwrt_check_launch *launch) {
  add_run(&runs, &run_count, &run_room, (uwrt_check_run){start, id, block, launch});
}

/* The caller holds the lock, here and below. Drops the runs before the one that has the segment, and launches that had
 * only those. */
static void forget_runs(uint32_t before) {
  size_t kept = 0;
  while (kept + 1 < run_count && runs[kept + 1].start <= before)
    kept++;
  if (before > last_segment())
    kept = run_count;
  if (kept) {
    __atomic_fetch_add(&forgotten, 1, __ATOMIC_RELAXED);
    memmove(runs, runs + kept, (run_count - kept) * sizeof *runs);
    run_count -= kept;
  }
  while (ended && (!run_count || ended->end < runs[0].start)) {
    uwrt_check_launch *gone = ended;
    ended = gone->next;
    free(gone);
  }
  if (!ended)
    last_ended = &ended;
}

/* Many launches that nobody waited for: of this one it is not known any more which block had which segment, then of the
 * oldest nothing. */
static void save_room(const uwrt_check_launch *launch) {
  enum { MANY = 1 << 16, MOST = 1 << 18 };
  if (run_count > MANY) {
    size_t first = run_count;
    while (first > 0 && runs[first - 1].launch == launch)
      first--;
    run_count = first;
    __atomic_fetch_add(&forgotten, 1, __ATOMIC_RELAXED);
    note_run(launch->start, 0, UWRT_CHECK_SOME_BLOCK, launch);
  }
  if (run_count > MOST)
    forget_runs(runs[MOST / 2].start);
}

static void note_end(uwrt_check_launch *launch) {
  launch->end = last_segment();
  launch->next = NULL;
  *last_ended = launch;
  last_ended = &launch->next;
  save_room(launch);
}

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uwrt_check_worker *own_worker(uwrt_check_launch *launch) {
  if (mine.launch == launch && mine.number == launch->number)
    return mine.worker;
  uwrt_check_worker *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    uwrt_fatal("out of memory: the checker cannot note which block ran when");
  fresh->piece = FIRST_PIECE;
  pthread_mutex_lock(&lock);
  fresh->next_worker = launch->workers;
  launch->workers = fresh;
  pthread_mutex_unlock(&lock);
  mine.worker = fresh;
  mine.launch = launch;
  mine.number = launch->number;
  return fresh;
}

static void begin_segment(uwrt_check_block_state *state, uint32_t fresh) {
  state->fast.segment = fresh;
  state->fast.phase_start = later(state->real_phase, state->fast.block_start);
  state->fast.warp_start = later(state->real_warp, state->fast.phase_start);
}

static uint32_t new_shared_segment(uwrt_check_block_state *state) {
  uwrt_check_worker *worker = own_worker(state->launch);
  int goes_on = worker->last_id == state->id;
  if (worker->next == worker->end) {
    pthread_mutex_lock(&lock);
    uint32_t count = worker->piece, last = take_segments(&count, 0);
    worker->next = last + (count != 0);
    worker->end = worker->next + (count ? count : 1);
    worker->piece = worker->piece < MOST_PIECE ? 2 * worker->piece : MOST_PIECE;
    pthread_mutex_unlock(&lock);
    goes_on = 0;
  }
  uint32_t fresh = worker->next++;
  if (!goes_on) {
    add_run(&worker->runs, &worker->run_count, &worker->run_room,
            (uwrt_check_run){fresh, state->id, state->block, state->launch});
    state->fast.acquires |= state->fast.block_start != 0;
    state->fast.block_start = fresh;
  }
  worker->last_id = state->id;
  begin_segment(state, fresh);
  return fresh;
}

uint32_t uwrt_check_new_segment(uwrt_check_block_state *state) {
  if (state && state->launch && state->launch->is_shared)
    return new_shared_segment(state);
  uint64_t was = atomic_load_explicit(&latest, memory_order_relaxed);
  if (state && state->id && was >> 32 == state->id && (uint32_t)was < LAST_SEGMENT &&
      atomic_compare_exchange_strong(&latest, &was, was + 1)) {
    begin_segment(state, (uint32_t)was + 1);
    return (uint32_t)was + 1;
  }
  pthread_mutex_lock(&lock);
  uint32_t count = 1, last = take_segments(&count, state ? state->id : 0), fresh = last + count;
  if (state) {
    if (!run_count || runs[run_count - 1].id != state->id) { /* others ran since */
      note_run(fresh, state->id, state->block, state->launch);
      state->fast.acquires |= state->fast.block_start != 0;
      state->fast.block_start = fresh;
    }
    begin_segment(state, fresh);
  }
  pthread_mutex_unlock(&lock);
  return fresh;
}

uint32_t uwrt_check_next_segment(void) {
  pthread_mutex_lock(&lock);
  uint32_t last = last_segment(), next = last + (last < LAST_SEGMENT);
  pthread_mutex_unlock(&lock);
  return next;
}

/* The last of the runs that begins there or before; null: none does. */
static const uwrt_check_run *find_in(const uwrt_check_run *list, size_t count, uint32_t segment) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (list[middle].start <= segment)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &list[low - 1] : NULL;
}

/* Most questions are about the block that asks, or about few others again and again. */
int uwrt_check_find_run(uint32_t segment, uwrt_check_run *found) {
  enum { KNOWN = 512 };
  struct {
    uint32_t segment, forgotten;
    uwrt_check_run run;
  } *known = uwrt_check_memory_of_thread(UWRT_CHECK_RUNS, KNOWN * sizeof *known);
  const uwrt_check_block_state *own = current;
  uint32_t now = __atomic_load_n(&forgotten, __ATOMIC_RELAXED), at = segment % KNOWN;
  if (own && own->launch && segment - own->fast.block_start <= own->fast.segment - own->fast.block_start) {
    *found = (uwrt_check_run){own->fast.block_start, own->id, own->block, own->launch};
    return 1;
  }
  if (known[at].run.id && known[at].segment == segment && known[at].forgotten == now) {
    *found = known[at].run;
    return 1;
  }
  if (own && own->launch && own->launch->is_shared && segment >= own->launch->start) {
    const uwrt_check_worker *worker = own_worker(own->launch);
    const uwrt_check_run *run = find_in(worker->runs, worker->run_count, segment);
    if (!run || segment - run->start >= MOST_PIECE) /* another worker's: by a wild access, of which its block is told */
      return 0;
    *found = known[at].run = *run;
    known[at].segment = segment;
    known[at].forgotten = now;
    return 1;
  }
  pthread_mutex_lock(&lock);
  const uwrt_check_run *run = find_in(runs, run_count, segment);
  if (run) {
    *found = known[at].run = *run;
    known[at].segment = segment;
    known[at].forgotten = now;
  }
  pthread_mutex_unlock(&lock);
  return run != NULL;
}

/* --- launches --- */

void uwrt_check_launch_begins(const uwrt_running *running) {
  uwrt_check_launch *launch = calloc(1, sizeof *launch);
  if (!launch)
    uwrt_fatal("out of memory: the checker cannot note a launch");
  launch->running = running;
  launch->kernel = running->kernel;
  memcpy(launch->grid, running->dims.grid, sizeof launch->grid);
  memcpy(launch->block, running->dims.block, sizeof launch->block);
  launch->is_quiet =
      uwrt_check_settings.kernel && !strstr(uwrt_kernel_shown(running->kernel), uwrt_check_settings.kernel);
  launch->start = uwrt_check_new_segment(NULL);
  uwrt_check_place_launch(launch);
  uint32_t open = uwrt_check_first_open();
  pthread_mutex_lock(&lock);
  if (!launches)
    forget_runs(open);
  launch->number = ++launch_count;
  launch->next = launches;
  launches = launch;
  pthread_mutex_unlock(&lock);
}

void *uwrt_check_use(void *state) {
  uwrt_check_block_state *before = current;
  current = state;
  return before;
}

uwrt_check_launch *uwrt_check_launch_of(const uwrt_running *running) {
  uwrt_check_launch *only = atomic_load(&shared);
  if (only && only->running == running)
    return only;
  pthread_mutex_lock(&lock);
  uwrt_check_launch *launch = launches;
  while (launch && launch->running != running)
    launch = launch->next;
  pthread_mutex_unlock(&lock);
  return launch;
}

void uwrt_check_share(uwrt_check_launch *launch) {
  launch->is_shared = 1;
  atomic_store(&shared, launch);
}

uwrt_check_launch *uwrt_check_shared_launch(void) { return atomic_load(&shared); }

int uwrt_check_is_only_launch(const uwrt_check_launch *launch) {
  pthread_mutex_lock(&lock);
  int is_only = launches == launch && !launch->next;
  pthread_mutex_unlock(&lock);
  return is_only;
}

static int compare_runs(const void *left, const void *right) {
  const uwrt_check_run *a = left, *b = right;
  return a->start < b->start ? -1 : a->start > b->start;
}

/* The caller holds the lock. */
static void join_workers(uwrt_check_launch *launch) {
  while (launch->workers) {
    uwrt_check_worker *gone = launch->workers;
    launch->workers = gone->next_worker;
    for (size_t i = 0; i < gone->run_count; i++)
      note_run(gone->runs[i].start, gone->runs[i].id, gone->runs[i].block, launch);
    free(gone->runs);
    free(gone);
  }
  qsort(runs, run_count, sizeof *runs, compare_runs);
  __atomic_fetch_add(&forgotten, 1, __ATOMIC_RELAXED);
}

void uwrt_check_unshare(uwrt_check_launch *launch) {
  atomic_store(&shared, NULL);
  pthread_mutex_lock(&lock);
  while (launch->workers) {
    uwrt_check_worker *gone = launch->workers;
    launch->workers = gone->next_worker;
    free(gone->runs);
    free(gone);
  }
  launch->is_shared = 0;
  __atomic_fetch_add(&forgotten, 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
  launch->start = launch->since = uwrt_check_new_segment(NULL); /* it runs alone: all before is in order */
}

/* Before a parent that waited for it knows what it did. */
static void end_shared(const uwrt_running *running) {
  uwrt_check_launch *launch = uwrt_check_launch_of(running);
  if (!launch || !launch->is_shared)
    return;
  uwrt_shadow_unshare();
  atomic_store(&shared, NULL);
  pthread_mutex_lock(&lock);
  join_workers(launch);
  launch->is_shared = 0;
  pthread_mutex_unlock(&lock);
  uwrt_check_say_late();
}

/* A parent that waited for it knows what it did. */
void uwrt_check_launch_ends(const uwrt_running *running) {
  end_shared(running);
  uint32_t after = uwrt_check_new_segment(NULL);
  pthread_mutex_lock(&lock);
  for (uwrt_check_launch **at = &launches; *at; at = &(*at)->next)
    if ((*at)->running == running) {
      uwrt_check_launch *gone = *at;
      *at = gone->next;
      note_end(gone);
      break;
    }
  pthread_mutex_unlock(&lock);
  if (current)
    current->fast.since = current->acquired_all = after;
}

const uwrt_check_launch *uwrt_check_note_copy(void) {
  uwrt_check_launch *copy = calloc(1, sizeof *copy);
  if (!copy)
    uwrt_fatal("out of memory: the checker cannot note a copy");
  copy->start = uwrt_check_new_segment(NULL);
  backtrace(copy->calls, UWRT_CHECK_CALLS);
  uwrt_check_place_launch(copy);
  pthread_mutex_lock(&lock);
  note_run(copy->start, __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED), 0, copy);
  note_end(copy);
  pthread_mutex_unlock(&lock);
  return copy;
}

/* --- blocks --- */

static uwrt_check_block_state *take_state(void) {
  uwrt_check_block_state *state = own_spare;
  own_spare = NULL;
  if (!state) {
    pthread_mutex_lock(&lock);
    if ((state = spare))
      spare = state->free_next;
    pthread_mutex_unlock(&lock);
  }
  if (!state && !(state = malloc(sizeof *state)))
    uwrt_fatal("out of memory: the checker cannot note a block");
  return state;
}

uwrt_check_state *uwrt_check_block(const uwrt_dims *dims, uint64_t block) {
  uwrt_check_block_state *state = take_state();
  memset(state, 0, offsetof(uwrt_check_block_state, per_thread));
  state->threads = dims->block[0] * dims->block[1] * dims->block[2];
  uint32_t **const lists[] = {&state->fast.arrivals, &state->left_at};
  for (int i = 0; i < UWRT_CHECK_LISTS; i++) {
    *lists[i] = state->per_thread + i * UWRT_CHECK_MOST_THREADS;
    memset(*lists[i], 0, state->threads * sizeof **lists[i]);
  }
  state->launch = uwrt_check_launch_of(dims->running);
  state->block = block;
  state->id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
  uint32_t first = uwrt_check_new_segment(state);
  state->first = state->real_phase = state->real_warp = first;
  state->fast.block_start = state->fast.phase_start = state->fast.warp_start = first;
  state->fast.since = state->launch ? state->launch->since : first;
  state->fast.acquires =
      state->launch && state->launch->since < state->launch->start; /* so some that came before are in order */
  state->fast.pages = uwrt_shadow_pages();
  state->outer = current;
  current = state;
  uwrt_check_begins_in_trial(state);
  return &state->fast;
}

void uwrt_check_block_end(uwrt_check_state *ended) {
  uwrt_check_block_state *state = uwrt_check_full(ended);
  current = state->outer;
  uwrt_table_free(&state->handed_over);
  if (!own_spare) {
    own_spare = state;
    return;
  }
  pthread_mutex_lock(&lock);
  state->free_next = spare;
  spare = state;
  pthread_mutex_unlock(&lock);
}

void uwrt_check_end_blocks(uwrt_check_block_state *before) {
  while (current != before)
    uwrt_check_block_end(&current->fast);
}

/* Blocks find their shared memory where the last one had it: it is told again only where that changed. */
void uwrt_check_shared(uwrt_check_state *fast, void *memory, uint64_t bytes, uint64_t room, uint32_t site) {
  struct {
    uintptr_t start;
    uint64_t bytes, launch;
  } *known = uwrt_check_memory_of_thread(UWRT_CHECK_ARRAYS, UWRT_CHECK_MOST_SHARED * sizeof *known);
  uwrt_check_block_state *state = uwrt_check_full(fast);
  uintptr_t start = (uintptr_t)memory;
  uint32_t at = state->shared_count;
  uint64_t launch = state->launch ? state->launch->start : 0;
  if (at == UWRT_CHECK_MOST_SHARED)
    return;
  state->shared[at].start = start;
  state->shared[at].end = start + bytes;
  state->shared[at].room = start + bytes + room;
  state->shared[at].filled = start;
  state->shared[at].site = site;
  state->shared_count++;
  if (known[at].start == start && known[at].bytes == bytes && known[at].launch == launch)
    return;
  known[at].start = start;
  known[at].bytes = bytes;
  known[at].launch = launch;
  uwrt_shadow_set(start, bytes, 0, UWRT_CELL_WRITTEN);
  uwrt_shadow_set(start + bytes, room, UWRT_CELL_POISON, UWRT_CELL_WRITTEN);
}

void uwrt_check_forgets(const void *start, size_t bytes) {
  uwrt_shadow_set((uintptr_t)start, bytes, UWRT_CELL_WRITTEN, UWRT_CELL_WRITTEN);
}

/* What was written stays so until the block ends: each question goes on where the last one stopped. */
uint64_t uwrt_check_filled(uwrt_check_state *fast, const void *start) {
  uwrt_check_block_state *state = uwrt_check_full(fast);
  for (uint32_t i = 0; i < state->shared_count; i++) {
    if (state->shared[i].start != (uintptr_t)start)
      continue;
    uintptr_t at = state->shared[i].filled, end = state->shared[i].end;
    while (at < end) {
      uint64_t page = fast->pages[at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK];
      if (!page)
        break;
      unsigned int width = (unsigned int)(page & UWRT_PAGE_WIDTH) - 1;
      const uwrt_cell *cell =
          (const uwrt_cell *)(page & ~(uint64_t)UWRT_PAGE_WIDTH) + ((at & (UWRT_PAGE_BYTES - 1)) >> width);
      if (uwrt_check_segment_in(cell->write) < state->first || cell->write == UWRT_CELL_POISON)
        break;
      at = (at | ((1u << width) - 1)) + 1;
    }
    state->shared[i].filled = at;
    return (at < end ? at : end) - (uintptr_t)start;
  }
  return 0;
}
