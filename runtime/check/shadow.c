/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The cells of memory (shadow.h). A page that is all alike has none: a second table of words has the write that all of
 * its cells would have, and says that the page is known at all. Cells are made when the page is first looked at, as
 * wide as that look; they only get narrower, until the whole page is set anew.
 *
 * Kernels that run at the same time read cells without a lock: cells that were replaced keep their memory until it is
 * needed for another page, and what is read there meanwhile is at worst out of date. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

/* Of each page: 0, or the write of all its bytes with the lowest bit set. */
#define ALIKE ((uint64_t *)0x140000000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *spare[UWRT_WIDEST_CELL + 1]; /* cells of pages, by width: lists through their first words */

static uint64_t encode(uint64_t write) { return write | 1; }
static uint64_t decode(uint64_t word) { return word == UWRT_CELL_POISON ? word : word & ~(uint64_t)1; }

void uwrt_shadow_reserve(void) {
  size_t bytes = sizeof(uint64_t) << UWRT_PAGE_COUNT_SHIFT;
  void *const places[] = {UWRT_CHECK_PAGES, ALIKE};
  for (int i = 0; i < 2; i++)
    if (mmap(places[i], bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != places[i])
      uwrt_fatal("the checker cannot have its tables at %p; is there a limit on virtual memory (ulimit -v)?",
                 places[i]);
}

static size_t cell_count(unsigned int width) { return (size_t)UWRT_PAGE_BYTES >> width; }

static void fill(uwrt_cell *cells, size_t count, uint64_t write) {
  for (size_t i = 0; i < count; i++)
    cells[i] = (uwrt_cell){write, 0};
}

/* From large pieces in large pages: most of what a first look at memory costs is else the faults of its cells. */
static uwrt_cell *fresh_cells(size_t bytes) {
  enum { PIECE = 32 << 20, LARGE_PAGE = 2 << 20 };
  static char *at, *end;
  if ((size_t)(end - at) < bytes) {
    char *piece =
        mmap(NULL, PIECE + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (piece == MAP_FAILED)
      uwrt_fatal("out of memory: the checker needs four times the memory that kernels use");
    at = piece + (LARGE_PAGE - (uintptr_t)piece % LARGE_PAGE) % LARGE_PAGE;
    end = at + PIECE;
    madvise(at, PIECE, MADV_HUGEPAGE); /* where that is not to be had, pages are small */
  }
  at += bytes;
  return (uwrt_cell *)(at - bytes);
}

static uwrt_cell *take_cells(unsigned int width, uint64_t write) {
  uwrt_cell *cells = spare[width];
  if (cells) {
    memcpy(&spare[width], cells, sizeof(void *));
  } else {
    cells = fresh_cells(cell_count(width) * sizeof *cells);
    if (!write)
      return cells;
  }
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

/* Gives the page cells at most that wide. */
static uwrt_cell *narrow(uint64_t page, unsigned int wanted, unsigned int *width) {
  uint64_t word = UWRT_CHECK_PAGES[page];
  unsigned int had = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
  uwrt_cell *old = (uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH), *cells;
  if (word && had <= wanted) {
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
  pthread_mutex_lock(&lock);
  if (is_unwritten(write))
    forget_written(start, bytes);
  while (bytes) {
    uint64_t page = start >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK, offset = start & (UWRT_PAGE_BYTES - 1);
    size_t here = UWRT_PAGE_BYTES - offset < bytes ? UWRT_PAGE_BYTES - offset : bytes;
    if (here == UWRT_PAGE_BYTES) {
      uint64_t word = UWRT_CHECK_PAGES[page];
      ALIKE[page] = encode(write);
      __atomic_store_n(&UWRT_CHECK_PAGES[page], 0, __ATOMIC_RELEASE);
      drop_cells(word);
    } else {
      unsigned int width;
      if (!ALIKE[page])
        ALIKE[page] = encode(around);
      uwrt_cell *cells = narrow(page, width_of(offset | (offset + here)), &width);
      fill(cells + (offset >> width), here >> width, write);
    }
    start += here;
    bytes -= here;
  }
  pthread_mutex_unlock(&lock);
}

int uwrt_shadow_is_known(uintptr_t address) { return ALIKE[address >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK] != 0; }

uwrt_cell *uwrt_shadow_cells(uintptr_t start, size_t bytes, unsigned int *width) {
  uint64_t page = start >> UWRT_PAGE_SHIFT & UWRT_PAGE_MASK, offset = start & (UWRT_PAGE_BYTES - 1);
  uint64_t word = __atomic_load_n(&UWRT_CHECK_PAGES[page], __ATOMIC_ACQUIRE);
  if (!ALIKE[page])
    return NULL;
  unsigned int wanted = width_of(offset | bytes);
  if (word && (word & UWRT_PAGE_WIDTH) <= wanted + 1) {
    *width = (unsigned int)(word & UWRT_PAGE_WIDTH) - 1;
    return (uwrt_cell *)(word & ~(uint64_t)UWRT_PAGE_WIDTH) + (offset >> *width);
  }
  pthread_mutex_lock(&lock);
  uwrt_cell *cells = narrow(page, wanted, width) + (offset >> *width);
  pthread_mutex_unlock(&lock);
  return cells;
}
