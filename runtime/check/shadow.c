/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cells of memory (shadow.h). A page that is all alike has none: a second table of words has the write that all of
 * its cells would have, and says that the page is known at all. Cells are made when the page is first looked at, as
 * wide as that look; they only get narrower, until the whole page is set anew.
 *
 * Kernels that run at the same time read cells without a lock: cells that were replaced keep their memory until it is
 * needed for another page, and what is read there meanwhile is at worst out of date.
 *
 * A worker of a trial (trial.c) has a table of its own, with copies of the cells of those pages that it looks at; the
 * table of all stays as it was until these are joined. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

/* Of each page: 0, or the write of all its bytes with the lowest bit set. */
#define ALIKE ((uint64_t *)0x240000000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *spare[UWRT_WIDEST_CELL + 1]; /* cells of pages, by width: lists through their first words */

static _Thread_local uwrt_shadow *own; /* null: the table of all */
/* Held by a trial: other threads of the host that change pages meanwhile wait until its cells are everybody's. */
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

void uwrt_shadow_hold(void) { pthread_mutex_lock(&changing); }
void uwrt_shadow_let_go(void) { pthread_mutex_unlock(&changing); }

/* A process that was forked in the midst of a trial has none of its threads, and nobody would let go. To wait for the trial
 * before a fork would be waiting for workers, whose locks libomp may have taken for that fork already. */
static void after_fork(void) {
  pthread_mutex_init(&lock, NULL);
  pthread_mutex_init(&changing, NULL);
}

/* Of pages; by a worker: its own pages alone. */
static void begin_change(void) {
  if (!own)
    pthread_mutex_lock(&changing);
  pthread_mutex_lock(&lock);
}

static void end_change(void) {
  pthread_mutex_unlock(&lock);
  if (!own)
    pthread_mutex_unlock(&changing);
}

uint64_t *uwrt_shadow_pages(void) { return own ? own->pages : UWRT_CHECK_PAGES; }
void uwrt_shadow_use(uwrt_shadow *shadow) { own = shadow; }

static uint64_t encode(uint64_t write) { return write | 1; }
static uint64_t decode(uint64_t word) { return word == UWRT_CELL_POISON ? word : word & ~(uint64_t)1; }

void uwrt_shadow_reserve(void) {
  size_t bytes = sizeof(uint64_t) << UWRT_PAGE_COUNT_SHIFT;
  void *const places[] = {UWRT_CHECK_PAGES, ALIKE, UWRT_CHECK_NO_PAGES};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (mmap(places[i], bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != places[i])
      uwrt_fatal("the checker cannot have its tables at %p; is there a limit on virtual memory (ulimit -v)?",
                 places[i]);
  if (pthread_atfork(NULL, NULL, after_fork) != 0)
    uwrt_fatal("out of memory: the checker cannot watch for forks");
}

static unsigned int shared_width; /* of a launch whose blocks run at the same time, plus 1; 0: there is none */

void uwrt_shadow_share(unsigned int width) { __atomic_store_n(&shared_width, width + 1, __ATOMIC_RELAXED); }
void uwrt_shadow_unshare(void) { __atomic_store_n(&shared_width, 0, __ATOMIC_RELAXED); }

static size_t cell_count(unsigned int width) { return (size_t)UWRT_PAGE_BYTES >> width; }

static void fill(uwrt_cell *cells, size_t count, uint64_t write) {
  for (size_t i = 0; i < count; i++)
    cells[i] = (uwrt_cell){write, 0};
}

/* From large pieces in large pages: most of what a first look at memory costs is else the faults of its cells. Null: out of
 * memory. */
static uwrt_cell *fresh_cells(size_t bytes) {
  enum { PIECE = 32 << 20, LARGE_PAGE = 2 << 20 };
  static char *at, *end;
  if ((size_t)(end - at) < bytes) {
    char *piece =
        mmap(NULL, PIECE + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (piece == MAP_FAILED)
      return NULL;
    at = piece + (LARGE_PAGE - (uintptr_t)piece % LARGE_PAGE) % LARGE_PAGE;
    end = at + PIECE;
    madvise(at, PIECE, MADV_HUGEPAGE); /* where that is not to be had, pages are small */
  }
  at += bytes;
  return (uwrt_cell *)(at - bytes);
}

/* As fresh_cells. is_zero: whether they are. */
static uwrt_cell *take_room(unsigned int width, int *is_zero) {
  uwrt_cell *cells = spare[width];
  *is_zero = !cells;
  if (!cells)
    return fresh_cells(cell_count(width) * sizeof *cells);
  memcpy(&spare[width], cells, sizeof(void *));
  return cells;
}

static uwrt_cell *take_cells(unsigned int width, uint64_t write) {
  int is_zero;
  uwrt_cell *cells = take_room(width, &is_zero);
  if (!cells)
    uwrt_fatal("out of memory: the checker needs four times the memory that kernels use");
  if (write || !is_zero)
    fill(cells, cell_count(width), write);
  return cells;
}

static void drop_cells(uint64_t word) {
  if (!word)
    return;
  unsigned int width = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
  uwrt_cell *cells = (uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH);
  memcpy(cells, &spare[width], sizeof(void *));
  spare[width] = cells;
}

static void set_cells(uint64_t page, uwrt_cell *cells, unsigned int width) {
  __atomic_store_n(&UWRT_CHECK_PAGES[page], (uint64_t)cells | (width + 1), __ATOMIC_RELEASE);
}

/* Gives the page cells at most that wide; may_narrow: also where others may look at those that it has. Such an access is a
 * mistake that is told: a wild or misaligned one. */
static uwrt_cell *narrow_to(uint64_t page, unsigned int wanted, unsigned int *width, int may_narrow) {
  uint64_t word = UWRT_CHECK_PAGES[page];
  unsigned int had = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
  uwrt_cell *old = (uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH), *cells;
  unsigned int shared = __atomic_load_n(&shared_width, __ATOMIC_RELAXED);
  if (shared && wanted >= shared)
    wanted = shared - 1;
  if (word && (had <= wanted || (shared && !may_narrow))) {
    *width = had;
    return old;
  }
  *width = wanted;
  cells = take_cells(wanted, word ? UWRT_CELL_WRITTEN : decode(ALIKE[page]));
  for (size_t i = 0; word && i < cell_count(wanted); i++)
    cells[i] = old[i >> (had - wanted)];
  set_cells(page, cells, wanted);
  drop_cells(word);
  return cells;
}

static uwrt_cell *narrow(uint64_t page, unsigned int wanted, unsigned int *width) {
  return narrow_to(page, wanted, width, 0);
}

static unsigned int width_in(uint64_t word) { return (unsigned int)(word & UWRT_PAGE_WIDTH) - 1; }
static uwrt_cell *cells_in(uint64_t word) { return (uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH); }

static void copy_cells(uwrt_cell *to, unsigned int width, uint64_t from) {
  if (width_in(from) == width)
    memcpy(to, cells_in(from), cell_count(width) * sizeof *to);
  else
    for (size_t i = 0; i < cell_count(width); i++)
      to[i] = cells_in(from)[i >> (width_in(from) - width)];
}

/* As narrow(), in a worker's table. Nobody else is at its cells, nor does the page of all change meanwhile, so that
 * the copy needs no lock. */
static uwrt_cell *narrow_own(uwrt_shadow *shadow, uint64_t page, unsigned int wanted, unsigned int *width) {
  uint64_t had = shadow->pages[page], from = had ? had : UWRT_CHECK_PAGES[page];
  int is_zero;
  if (from && width_in(from) < wanted)
    wanted = width_in(from);
  *width = wanted;
  if (had && width_in(had) == wanted)
    return cells_in(had);
  pthread_mutex_lock(&lock);
  uwrt_cell *cells = take_room(wanted, &is_zero);
  pthread_mutex_unlock(&lock);
  if (!cells) {
    uwrt_check_doubts(); /* in order it takes less */
    return NULL;
  }
  if (from)
    copy_cells(cells, wanted, from);
  else if (decode(ALIKE[page]) || !is_zero)
    fill(cells, cell_count(wanted), decode(ALIKE[page]));
  shadow->pages[page] = (uint64_t)cells | (wanted + 1);
  if (had) {
    pthread_mutex_lock(&lock);
    drop_cells(had);
    pthread_mutex_unlock(&lock);
    return cells;
  }
  if (shadow->count == shadow->room) {
    shadow->room = shadow->room ? 2 * shadow->room : 256;
    shadow->touched = realloc(shadow->touched, shadow->room * sizeof *shadow->touched);
    if (!shadow->touched)
      uwrt_fatal("out of memory: the checker cannot note which memory a worker used");
  }
  shadow->touched[shadow->count++] = page;
  uwrt_check_first_look(page);
  return cells;
}

uwrt_cell *uwrt_shadow_own(uwrt_shadow *shadow, uint64_t page, unsigned int wanted, unsigned int *width) {
  return narrow_own(shadow, page, wanted, width);
}

void uwrt_shadow_give(uwrt_shadow *shadow, uint64_t page) {
  uint64_t word = UWRT_CHECK_PAGES[page];
  pthread_mutex_lock(&lock);
  __atomic_store_n(&UWRT_CHECK_PAGES[page], shadow->pages[page], __ATOMIC_RELEASE);
  shadow->pages[page] = 0;
  drop_cells(word);
  pthread_mutex_unlock(&lock);
}

void uwrt_shadow_drop_page(uwrt_shadow *shadow, uint64_t page) {
  pthread_mutex_lock(&lock);
  drop_cells(shadow->pages[page]);
  shadow->pages[page] = 0;
  pthread_mutex_unlock(&lock);
}

void uwrt_shadow_drop(uwrt_shadow *shadow) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < shadow->count; i++) {
    uint64_t page = shadow->touched[i], word = shadow->pages[page];
    shadow->pages[page] = 0; /* it may be listed twice */
    drop_cells(word);
  }
  pthread_mutex_unlock(&lock);
  shadow->count = 0;
}

void uwrt_shadow_narrow(uintptr_t start, size_t bytes) {
  unsigned int width;
  pthread_mutex_lock(&lock);
  for (uintptr_t at = start, end = start + bytes; at < end; at = (at | (UWRT_PAGE_BYTES - 1)) + 1) {
    uint64_t page = at >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK;
    if (UWRT_CHECK_PAGES[page])
      narrow_to(page, UWRT_WIDEST_CELL, &width, 1);
  }
  pthread_mutex_unlock(&lock);
}

static unsigned int width_of(uint64_t bits) { return (unsigned int)__builtin_ctzll(bits | 1 << UWRT_WIDEST_CELL); }

/* Ranges of which every byte was written, as far as that was asked: none is again without uwrt_shadow_set. */
enum { MOST_WRITTEN = 64 };
static struct {
  uintptr_t start, end;
} written[MOST_WRITTEN];
static unsigned int next_written;

static void forget_written(uintptr_t start, size_t bytes) {
  for (int i = 0; i < MOST_WRITTEN; i++)
    if (start < written[i].end && written[i].start < start + bytes)
      written[i].start = written[i].end = 0;
}

static int is_unwritten(uint64_t write) { return uwrt_check_segment_in(write) == 0 || write == UWRT_CELL_POISON; }

/* Of a piece of one page. */
static int is_written_here(uintptr_t start, size_t bytes) {
  uint64_t page = start >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK, word = UWRT_CHECK_PAGES[page],
           offset = start & (UWRT_PAGE_BYTES - 1);
  if (!ALIKE[page] || !word)
    return ALIKE[page] && !is_unwritten(decode(ALIKE[page]));
  unsigned int width = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
  const uwrt_cell *cells = (const uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH);
  for (size_t i = offset >> width; i <= (offset + bytes - 1) >> width; i++)
    if (is_unwritten(cells[i].write))
      return 0;
  return 1;
}

int uwrt_shadow_is_written(uintptr_t start, size_t bytes) {
  uintptr_t end = start + bytes;
  int all = 1;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < MOST_WRITTEN; i++)
    if (written[i].start <= start && end <= written[i].end) {
      pthread_mutex_unlock(&lock);
      return 1;
    }
  for (uintptr_t at = start; at < end && all;) {
    uintptr_t next = (at | (UWRT_PAGE_BYTES - 1)) + 1;
    all = is_written_here(at, (next < end ? next : end) - at);
    at = next;
  }
  if (all) {
    written[next_written].start = start;
    written[next_written].end = end;
    next_written = (next_written + 1) % MOST_WRITTEN;
  }
  pthread_mutex_unlock(&lock);
  return all;
}

void uwrt_shadow_set(uintptr_t start, size_t bytes, uint64_t write, uint64_t around) {
  begin_change();
  if (is_unwritten(write))
    forget_written(start, bytes);
  while (bytes) {
    uint64_t page = start >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK, offset = start & (UWRT_PAGE_BYTES - 1);
    size_t here = UWRT_PAGE_BYTES - offset < bytes ? UWRT_PAGE_BYTES - offset : bytes;
    if (own) { /* its copy of the page is made anew */
      drop_cells(own->pages[page]);
      own->pages[page] = 0;
    }
    if (here == UWRT_PAGE_BYTES) {
      uint64_t word = UWRT_CHECK_PAGES[page];
      ALIKE[page] = encode(write);
      __atomic_store_n(&UWRT_CHECK_PAGES[page], 0, __ATOMIC_RELEASE);
      drop_cells(word);
    } else {
      unsigned int width;
      if (!ALIKE[page])
        ALIKE[page] = encode(around);
      uwrt_cell *cells = narrow_to(page, width_of(offset | (offset + here)), &width, 1);
      fill(cells + (offset >> width), here >> width, write);
    }
    start += here;
    bytes -= here;
  }
  end_change();
}

int uwrt_shadow_is_known(uintptr_t address) { return ALIKE[address >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK] != 0; }

uwrt_cell *uwrt_shadow_cells(uintptr_t start, size_t bytes, unsigned int *width) {
  uint64_t page = start >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK, offset = start & (UWRT_PAGE_BYTES - 1);
  uint64_t word = __atomic_load_n(&uwrt_shadow_pages()[page], __ATOMIC_ACQUIRE);
  if (!ALIKE[page])
    return NULL;
  unsigned int wanted = width_of(offset | bytes);
  if (word && (word & UWRT_PAGE_WIDTH) <= wanted + 1) { /* and so it stays */
    *width = width_in(word);
    return cells_in(word) + (offset >> *width);
  }
  if (own) {
    uwrt_cell *copy = narrow_own(own, page, wanted, width);
    return copy + (offset >> *width);
  }
  begin_change();
  uwrt_cell *cells = narrow(page, wanted, width) + (offset >> *width);
  end_change();
  return cells;
}
