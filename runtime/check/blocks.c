/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches and blocks that run, and whose each segment was (shadow.h).
 *
 * Blocks run one after the other, in index order, on the thread that launches: what is found in one run of the program
 * is found in the next. Blocks of kernels that wait for each other take turns on that thread. So a block has a stretch
 * of segments, or several; runs[] has the start of each, of what the host does not know to be over (streams.c).
 */
#include <execinfo.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t last_segment = 1, last_id; /* segment 1: written by nobody of interest */
static uwrt_check_run *runs;
static size_t run_count, run_room;
static uwrt_check_launch *launches; /* that run */
static uwrt_check_launch *ended,
    **last_ended = &ended; /* those that runs[] may name, in order of their start, or nearly */
static uint64_t launch_count;
static uwrt_check_block_state *spare;
static uint32_t forgotten; /* how often an entry of runs[] went, or changed */
static _Thread_local uwrt_check_block_state *current;

enum { LAST_SEGMENT = 0xFFFFFF00u };

uwrt_check_block_state *uwrt_check_current(void) { return current; }
uwrt_check_state *uwrt_check_here(void) {
  static _Thread_local uwrt_check_block_state nowhere; /* called by code that is not checked */
  return current ? &current->fast : &nowhere.fast;
}

static void note_run(uint32_t start, uint32_t id, uint64_t block, const uwrt_check_launch *launch) {
  if (run_count == run_room) {
    size_t room = run_room ? 2 * run_room : 4096;
    uwrt_check_run *more = realloc(runs, room * sizeof *more);
    if (!more)
      uwrt_fatal("out of memory: the checker cannot note which block ran when");
    runs = more;
    run_room = room;
  }
  runs[run_count++] = (uwrt_check_run){start, id, block, launch};
}

/* The caller holds the lock, here and below. Drops the runs before the one that has the segment, and launches that had
 * only those. */
static void forget_runs(uint32_t before) {
  size_t kept = 0;
  while (kept + 1 < run_count && runs[kept + 1].start <= before)
    kept++;
  if (before > last_segment)
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
  launch->end = last_segment;
  launch->next = NULL;
  *last_ended = launch;
  last_ended = &launch->next;
  save_room(launch);
}

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

uint32_t uwrt_check_new_segment(uwrt_check_block_state *state) {
  pthread_mutex_lock(&lock);
  last_segment += last_segment < LAST_SEGMENT; /* then all is in order */
  uint32_t fresh = last_segment;
  if (state) {
    if (!run_count || runs[run_count - 1].id != state->id) { /* others ran since */
      note_run(last_segment, state->id, state->block, state->launch);
      state->fast.acquires |= state->fast.block_start != 0;
      state->fast.block_start = fresh;
    }
    state->fast.segment = fresh;
    state->fast.phase_start = later(state->real_phase, state->fast.block_start);
    state->fast.warp_start = later(state->real_warp, state->fast.phase_start);
  }
  pthread_mutex_unlock(&lock);
  return fresh;
}

uint32_t uwrt_check_next_segment(void) {
  pthread_mutex_lock(&lock);
  uint32_t next = last_segment + (last_segment < LAST_SEGMENT);
  pthread_mutex_unlock(&lock);
  return next;
}

/* Most questions are about the block that asks, or about few others again and again. */
int uwrt_check_find_run(uint32_t segment, uwrt_check_run *found) {
  enum { KNOWN = 512 };
  static _Thread_local struct {
    uint32_t segment, forgotten;
    uwrt_check_run run;
  } known[KNOWN];
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
  pthread_mutex_lock(&lock);
  size_t low = 0, high = run_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (runs[middle].start <= segment)
      low = middle + 1;
    else
      high = middle;
  }
  if (low) {
    *found = known[at].run = runs[low - 1];
    known[at].segment = segment;
    known[at].forgotten = now;
  }
  pthread_mutex_unlock(&lock);
  return low != 0;
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

static uwrt_check_launch *launch_of(const uwrt_running *running) {
  pthread_mutex_lock(&lock);
  uwrt_check_launch *launch = launches;
  while (launch && launch->running != running)
    launch = launch->next;
  pthread_mutex_unlock(&lock);
  return launch;
}

/* A parent that waited for it knows what it did. */
void uwrt_check_launch_ends(const uwrt_running *running) {
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
  note_run(copy->start, ++last_id, 0, copy);
  note_end(copy);
  pthread_mutex_unlock(&lock);
  return copy;
}

/* --- blocks --- */

uwrt_check_state *uwrt_check_block(const uwrt_dims *dims, uint64_t block) {
  pthread_mutex_lock(&lock);
  uwrt_check_block_state *state = spare;
  if (state)
    spare = state->free_next;
  pthread_mutex_unlock(&lock);
  if (!state && !(state = malloc(sizeof *state)))
    uwrt_fatal("out of memory: the checker cannot note a block");
  memset(state, 0, offsetof(uwrt_check_block_state, per_thread));
  state->threads = dims->block[0] * dims->block[1] * dims->block[2];
  uint32_t **const lists[] = {&state->fast.arrivals, &state->left_at};
  for (int i = 0; i < UWRT_CHECK_LISTS; i++) {
    *lists[i] = state->per_thread + i * UWRT_CHECK_MOST_THREADS;
    memset(*lists[i], 0, state->threads * sizeof **lists[i]);
  }
  state->launch = launch_of(dims->running);
  state->block = block;
  pthread_mutex_lock(&lock);
  state->id = ++last_id;
  pthread_mutex_unlock(&lock);
  uint32_t first = uwrt_check_new_segment(state);
  state->first = state->real_phase = state->real_warp = first;
  state->fast.block_start = state->fast.phase_start = state->fast.warp_start = first;
  state->fast.since = state->launch ? state->launch->since : first;
  state->fast.acquires =
      state->launch && state->launch->since < state->launch->start; /* so some that came before are in order */
  state->outer = current;
  current = state;
  return &state->fast;
}

void uwrt_check_block_end(uwrt_check_state *ended) {
  uwrt_check_block_state *state = uwrt_check_full(ended);
  current = state->outer;
  uwrt_table_free(&state->handed_over);
  pthread_mutex_lock(&lock);
  state->free_next = spare;
  spare = state;
  pthread_mutex_unlock(&lock);
}

/* Blocks find their shared memory where the last one had it: it is told again only where that changed. */
void uwrt_check_shared(uwrt_check_state *fast, void *memory, uint64_t bytes, uint64_t room, uint32_t site) {
  static _Thread_local struct {
    uintptr_t start;
    uint64_t bytes, launch;
  } known[UWRT_CHECK_MOST_SHARED];
  uwrt_check_block_state *state = uwrt_check_full(fast);
  uintptr_t start = (uintptr_t)memory;
  uint32_t at = state->shared_count;
  uint64_t launch = state->launch ? state->launch->number : 0;
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
      uint64_t page = UWRT_CHECK_PAGES[at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK];
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
