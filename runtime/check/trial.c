/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches of which nobody knows beforehand whether their blocks meet: whose addresses come out of memory, or that use
 * what atomic operations return. Their blocks run at the same time in a trial, in which nothing may be found:
 *
 *   - Each worker notes accesses in cells of its own (shadow.c), copied page by page as it first looks at them. So it
 *     finds what its blocks do wrong among themselves, and pays no more for a note than one thread does.
 *   - When all are through, the cells of pages that several workers used are compared. Two accesses of two workers at one
 *     place are in no order, as nothing in such a kernel makes any: where one of them writes, and not both are atomic, they race.
 *   - If there is nothing to tell, the cells become those of all, and that was the launch.
 *   - At the first mistake, sure or not, and before the access that makes it, the trial ends. What it wrote to memory is
 *     taken back, nothing is left of its notes, and the blocks run in order, on one thread. What is said is said there.
 *
 * So what is found in order is told in the words of one thread, and there are no false alarms; and none is lost:
 * whether two workers' accesses conflict does not hang on who came first. What hangs on the order of atomic operations is
 * the program's own affair, as on a GPU.
 *
 * Memory is kept as it was, page by page, before a worker's first look at it, which comes before each access; only what
 * the notes say was written is put back. A cell tells of one write and one read, the plain ones where there are any; a plain
 * access that an atomic one takes the place of is listed (uwrt_check_hides).
 *
 * The compiler refuses what hands values over from block to block beside atomic operations, and what cannot be taken back
 * (compiler/instrument/parallel_blocks.c). A kernel whose trial failed gets no other one. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../workers.h"
#include "check.h"

enum { LEAST_THREADS = 4096 /* fewer are no work */, MOST_HIDDEN = 1024 };

typedef struct worker {
  uwrt_shadow shadow;
  jmp_buf out;                             /* to leave the blocks that it is in */
  uwrt_check_block_state *_Atomic running; /* its block; null: none yet */
  uintptr_t hidden[MOST_HIDDEN];
  size_t hidden_count;
  struct worker *next;
} worker;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of lists */
static worker *idle;
static uwrt_table in_order;        /* kernels, whose launches are not tried */
static _Thread_local worker *mine; /* null: no trial */
static struct {
  uwrt_check_launch *launch; /* null: there is none */
  uwrt_share *share;
  void *data;
  worker *workers;
  _Atomic int failed;
  _Atomic size_t cells; /* bytes of them */
  size_t most_cells;
} trial;

/* Memory as it was before the trial. */
static pthread_mutex_t saving = PTHREAD_MUTEX_INITIALIZER;
static uwrt_table saved; /* page's address -> its bytes */
static char *unused;     /* rooms for a page: a list through their first words */

int uwrt_check_tries(void) { return mine != NULL; }

/* --- how a trial ends ----------------------------------------------------------------------------------------------- */

static _Noreturn void leave(void) {
  atomic_store(&trial.failed, 1);
  pthread_mutex_lock(&lock);
  /* Whoever waits for what this one will not do any more looks for a cell meanwhile, and gets here. */
  for (worker *w = trial.workers; w; w = w->next) {
    uwrt_check_block_state *state = atomic_load(&w->running);
    if (state)
      __atomic_store_n(&state->fast.pages, UWRT_CHECK_NO_PAGES, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&lock);
  longjmp(mine->out, 1);
}

void uwrt_check_doubts(void) {
  if (mine)
    leave();
}

void uwrt_check_look_round(void) {
  if (mine && atomic_load_explicit(&trial.failed, memory_order_relaxed))
    leave();
}

void uwrt_check_begins_in_trial(uwrt_check_block_state *state) {
  if (!mine)
    return;
  atomic_store(&mine->running, state); /* before it looks whether to go on, as leave() looks here after it said so */
  if (atomic_load(&trial.failed))
    leave();
}

void uwrt_check_hides(uintptr_t address) {
  if (!mine || (mine->hidden_count && mine->hidden[mine->hidden_count - 1] == address))
    return;
  if (mine->hidden_count == MOST_HIDDEN)
    leave();
  mine->hidden[mine->hidden_count++] = address;
}

/* --- memory --------------------------------------------------------------------------------------------------------- */

typedef struct stack {
  uintptr_t start, end;
} stack;

static stack own_stack(void) {
  static _Thread_local stack known;
  pthread_attr_t attributes;
  void *start;
  size_t bytes;
  if (!known.end && pthread_getattr_np(pthread_self(), &attributes) == 0) {
    if (pthread_attr_getstack(&attributes, &start, &bytes) == 0)
      known = (stack){(uintptr_t)start, (uintptr_t)start + bytes};
    pthread_attr_destroy(&attributes);
  }
  return known;
}

int uwrt_check_is_workers(uintptr_t address) {
  const stack own = own_stack();
  return (address >= own.start && address < own.end) || uwrt_scratch_has((const void *)address);
}

static char *take_room(void) { /* null: there is none */
  char *room = unused;
  if (!room)
    return malloc(UWRT_PAGE_BYTES);
  memcpy(&unused, room, sizeof unused);
  return room;
}

static void give_room(char *room) {
  memcpy(room, &unused, sizeof unused);
  unused = room;
}

static int is_poison(const uwrt_cell *cell) { return cell->write == UWRT_CELL_POISON; }

/* The bytes that the device has there: what is around may not even be there. */
static void copy_known(char *to, const char *from, const uwrt_cell *cells, unsigned int width) {
  size_t count = (size_t)UWRT_PAGE_BYTES >> width;
  for (size_t i = 0, end; i < count; i = end + 1) {
    for (end = i; end < count && !is_poison(&cells[end]); end++)
      ;
    memcpy(to + (i << width), from + (i << width), (end - i) << width);
  }
}

/* Around variables all counts as known, but what the program has there may end within the page. Whether that could be asked. */
static int copy_mapped(char *to, const char *from) {
  enum { LEAST_PAGE = 4096 };
  for (size_t at = 0; at < UWRT_PAGE_BYTES; at += LEAST_PAGE) {
    const struct iovec own = {to + at, LEAST_PAGE}, there = {(void *)(uintptr_t)(from + at), LEAST_PAGE};
    if (process_vm_readv(getpid(), &own, 1, &there, 1, 0) < 0 && errno != EFAULT)
      return 0;
  }
  return 1;
}

static int keep_page(char *room, const char *start, const uwrt_cell *cells, unsigned int width) {
  uwrt_allocation of;
  if (!uwrt_allocation_find(start, &of) || (of.space & UWRT_SPACE_VARIABLE))
    return copy_mapped(room, start);
  copy_known(room, start, cells, width);
  return 1;
}

void uwrt_check_first_look(uint64_t page) {
  uintptr_t start = page << UWRT_PAGE_SHIFT;
  uint64_t word = mine->shadow.pages[page];
  unsigned int width = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
  size_t bytes = ((size_t)UWRT_PAGE_BYTES >> width) * sizeof(uwrt_cell);
  const stack own = own_stack();
  if ((start + UWRT_PAGE_BYTES > own.start && start < own.end) || uwrt_scratch_has((const void *)start))
    return;
  if (!uwrt_check_is_devices(start, UWRT_PAGE_BYTES) ||
      atomic_fetch_add(&trial.cells, bytes) + bytes > trial.most_cells)
    leave();
  pthread_mutex_lock(&saving);
  if (!uwrt_table_find(&saved, (const void *)start)) {
    char *room = take_room();
    int is_kept = room &&
                  keep_page(room, (const char *)start, (const uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH), width) &&
                  uwrt_table_insert(&saved, (const void *)start, room);
    if (room && !is_kept)
      give_room(room);
    if (!is_kept) {
      pthread_mutex_unlock(&saving);
      leave();
    }
  }
  pthread_mutex_unlock(&saving);
}

static void forget_saved(uint64_t page) {
  const void *start = (const void *)(uintptr_t)(page << UWRT_PAGE_SHIFT);
  char *room = uwrt_table_find(&saved, start);
  if (!room)
    return;
  uwrt_table_remove(&saved, start);
  give_room(room);
}

static int is_of_trial(uint64_t half) {
  return uwrt_check_segment_in(half) >= trial.launch->start && half != UWRT_CELL_POISON;
}

static void put_back(const worker *w, uint64_t page) {
  uint64_t word = w->shadow.pages[page];
  char *at = (char *)(uintptr_t)(page << UWRT_PAGE_SHIFT);
  const char *room = uwrt_table_find(&saved, at);
  unsigned int width = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
  const uwrt_cell *cells = (const uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH);
  for (size_t i = 0; word && room && i < (size_t)UWRT_PAGE_BYTES >> width; i++)
    if (is_of_trial(cells[i].write))
      memcpy(at + (i << width), room + (i << width), (size_t)1 << width);
}

/* --- what workers did to each other's ------------------------------------------------------------------------------- */

static int is_atomic(uint64_t write) { return (write & (UWRT_CELL_ATOMIC | UWRT_CELL_OF_BLOCK)) == UWRT_CELL_ATOMIC; }
static int is_plain(uint64_t read) { return !(read & (UWRT_CELL_ATOMIC | UWRT_CELL_VOLATILE)); }

/* A write of one worker, and a read of another one. */
static int meet(uint64_t write, uint64_t read) {
  return is_of_trial(write) && is_of_trial(read) && (!is_atomic(write) || is_plain(read));
}

/* Adds what the other one noted; whether there is no conflict. */
static int join_cell(uwrt_cell *cell, const uwrt_cell *other) {
  uint64_t write = cell->write, read = cell->read;
  if (is_of_trial(other->write)) {
    if (is_of_trial(write) && !(is_atomic(write) && is_atomic(other->write)))
      return 0;
    if (meet(other->write, read))
      return 0;
    if (!is_of_trial(write) || other->write > write)
      cell->write = other->write;
  } else if (uwrt_check_segment_in(write) == 0) {
    cell->write = other->write;
  }
  if (!is_of_trial(other->read))
    return 1;
  if (meet(write, other->read))
    return 0;
  if (!is_of_trial(read))
    cell->read = other->read;
  else
    cell->read = (is_plain(read) || !is_plain(other->read) ? read : other->read) | UWRT_CELL_BLOCKS;
  return 1;
}

static int join_page(worker *into, worker *from, uint64_t page) {
  unsigned int one = (unsigned int)(into->shadow.pages[page] & UWRT_PAGE_WIDTH) - 1, width,
               other = (unsigned int)(from->shadow.pages[page] & UWRT_PAGE_WIDTH) - 1,
               least = one < other ? one : other;
  uwrt_cell *cells = uwrt_shadow_own(&into->shadow, page, least, &width);
  const uwrt_cell *others = uwrt_shadow_own(&from->shadow, page, least, &width);
  for (size_t i = 0; cells && others && i < (size_t)UWRT_PAGE_BYTES >> least; i++)
    if (!join_cell(&cells[i], &others[i]))
      return 0;
  if (!cells || !others) /* out of memory */
    return 0;
  uwrt_shadow_drop_page(&from->shadow, page); /* all that it said is in the other one's */
  return 1;
}

static worker *first_with(uint64_t page) {
  worker *w = trial.workers;
  while (w && !w->shadow.pages[page])
    w = w->next;
  return w;
}

/* Did another worker touch what this one had a plain access to? */
static int are_hidden_apart(const worker *w) {
  for (size_t i = 0; i < w->hidden_count; i++)
    for (const worker *other = trial.workers; other; other = other->next) {
      uint64_t at = w->hidden[i], word = other->shadow.pages[at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK];
      unsigned int width = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
      if (other == w || !word)
        continue;
      enum { WIDEST = 16 }; /* bytes of an access */
      const uwrt_cell *cells = (const uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH);
      size_t offset = at & (UWRT_PAGE_BYTES - 1), end = offset + WIDEST;
      for (size_t k = offset >> width; k << width < end && k < (size_t)UWRT_PAGE_BYTES >> width; k++)
        if (is_of_trial(cells[k].write) || is_of_trial(cells[k].read))
          return 0;
    }
  return 1;
}

static int are_apart(void) {
  for (worker *w = trial.workers; w; w = w->next)
    if (!are_hidden_apart(w))
      return 0;
  for (worker *w = trial.workers; w; w = w->next)
    for (size_t i = 0; i < w->shadow.count; i++) {
      uint64_t page = w->shadow.touched[i];
      worker *first = first_with(page);
      if (first && first != w && w->shadow.pages[page] && !join_page(first, w, page))
        return 0;
    }
  return 1;
}

/* --- a trial -------------------------------------------------------------------------------------------------------- */

static worker *take_worker(void) {
  pthread_mutex_lock(&lock);
  worker *w = idle;
  if (w)
    idle = w->next;
  pthread_mutex_unlock(&lock);
  if (w)
    return w;
  void *pages = mmap(NULL, sizeof(uint64_t) << UWRT_PAGE_COUNT_SHIFT, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    return NULL;
  if (!(w = calloc(1, sizeof *w)))
    uwrt_fatal("out of memory: the checker cannot have another worker");
  w->shadow.pages = pages;
  return w;
}

static void work(int32_t *thread, int32_t *bound, void *data) {
  uwrt_check_block_state *const outer = uwrt_check_current();
  const uwrt_place place = uwrt_own_place;
  const uint64_t mark = uwrt_scratch_mark();
  worker *w = take_worker();
  (void)data;
  if (!w) {
    atomic_store(&trial.failed, 1);
    return;
  }
  atomic_store(&w->running, NULL);
  w->hidden_count = 0;
  pthread_mutex_lock(&lock);
  w->next = trial.workers;
  trial.workers = w;
  pthread_mutex_unlock(&lock);
  mine = w;
  uwrt_shadow_use(&w->shadow);
  uwrt_shares_ascend(1);
  if (setjmp(w->out) == 0) {
    trial.share(thread, bound, trial.data);
  } else { /* from the midst of a block */
    uwrt_check_end_blocks(outer);
    uwrt_scratch_release(mark);
    uwrt_own_place = place;
  }
  uwrt_shares_ascend(0);
  uwrt_shadow_use(NULL);
  mine = NULL;
}

static void settle(int is_fine) {
  for (worker *w = trial.workers; w; w = w->next)
    for (size_t i = 0; i < w->shadow.count; i++) {
      uint64_t page = w->shadow.touched[i];
      if (!is_fine)
        put_back(w, page);
      else if (w->shadow.pages[page]) /* nobody else has it any more */
        uwrt_shadow_give(&w->shadow, page);
    }
  while (trial.workers) {
    worker *gone = trial.workers;
    for (size_t i = 0; i < gone->shadow.count; i++)
      forget_saved(gone->shadow.touched[i]);
    uwrt_shadow_drop(&gone->shadow);
    trial.workers = gone->next;
    gone->next = idle;
    idle = gone;
  }
}

static int is_tried(const uwrt_kernel *kernel) {
  pthread_mutex_lock(&lock);
  int is_known = uwrt_table_find(&in_order, kernel) != NULL;
  pthread_mutex_unlock(&lock);
  return !is_known;
}

int uwrt_check_may_try(const uwrt_check_launch *launch) {
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++)
    threads *= (uint64_t)launch->grid[i] * launch->block[i];
  return threads >= LEAST_THREADS && !(launch->kernel->flags & UWRT_KERNEL_BLOCKS_WAIT) && !trial.launch &&
         is_tried(launch->kernel);
}

void uwrt_check_try_next(uwrt_check_launch *launch) { trial.launch = launch; }

static void fail(uwrt_check_launch *launch) {
  pthread_mutex_lock(&lock);
  uwrt_table_insert(&in_order, launch->kernel, (void *)launch->kernel);
  pthread_mutex_unlock(&lock);
  uwrt_check_unshare(launch);
}

void uwrt_check_fork(uwrt_omp_place *place, int32_t count, uwrt_share *share, int32_t wanted, void *data) {
  enum { PART = 4 }; /* of the machine's memory */
  uwrt_check_launch *launch = trial.launch;
  if (!launch || !wanted || launch != uwrt_check_shared_launch()) {
    if (launch && launch == uwrt_check_shared_launch())
      trial.launch = NULL;
    __kmpc_fork_call_if(place, count, share, wanted, data);
    return;
  }
  trial.share = share;
  trial.data = data;
  trial.most_cells = uwrt_this_machine()->memory_bytes / PART;
  atomic_store(&trial.failed, 0);
  atomic_store(&trial.cells, 0);
  uwrt_shadow_hold();
  __kmpc_fork_call(place, 1, work, NULL);
  int is_fine = !atomic_load(&trial.failed) && are_apart();
  settle(is_fine);
  uwrt_shadow_let_go();
  trial.launch = NULL;
  if (is_fine)
    return;
  fail(launch);
  __kmpc_fork_call_if(place, count, share, 0, data);
}
