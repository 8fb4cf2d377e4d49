/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the checker (-fcheck) knows of memory, as both the code that is inlined into kernels (libdevice/check/) and the
 * runtime see it.
 *
 * Memory has pages of 64 KiB. A word for each says where its cells are and how many bytes a cell stands for: 1, 2, 4 or
 * 8, as the program accesses that page. A cell has the last write and a read of its bytes, 64 bits each:
 *
 *   segment (32) | site (18) | thread of the block (10) | flags (4)
 *
 * A segment is a stretch of a block's run without a barrier in it: segments count up through the whole run of the
 * program, so that an index says what was before what, and (runtime/check/launch.c) which block of which launch it was.
 * Segment 0: never written.
 *
 * An access is in order with an earlier one of the cell where
 *   the earlier segment is before `since`: of another launch, or before a barrier of the grid;
 *   or it is of the same block, and before the last barrier, or of the same thread.
 * That is asked in line, and whether an atomic operation follows another one; all else, warps, fences, reports, in
 * runtime/check/access.c. */
#ifndef UWRT_CHECK_SHADOW_H
#define UWRT_CHECK_SHADOW_H

#include <stdint.h>

enum { UWRT_PAGE_SHIFT = 16, UWRT_PAGE_BYTES = 1 << UWRT_PAGE_SHIFT, UWRT_PAGE_COUNT_SHIFT = 47 - UWRT_PAGE_SHIFT };

/* Fixed, so that code needs no load to find it. Where the loader and mmap put nothing by themselves, and
 * AddressSanitizer has nothing either. */
#define UWRT_CHECK_PAGES ((uint64_t *)0x200000000000)
/* The same without any page: who looks there asks the runtime. */
#define UWRT_CHECK_NO_PAGES ((uint64_t *)0x280000000000)
#define UWRT_PAGE_MASK (((uint64_t)1 << UWRT_PAGE_COUNT_SHIFT) - 1)

/* A page's word: the address of its cells, and in the low bits log2 of the bytes of a cell, plus 1. 0: no cells
 * (yet). */
enum { UWRT_PAGE_WIDTH = 7, UWRT_WIDEST_CELL = 3 };

typedef struct uwrt_cell {
  uint64_t write, read;
} uwrt_cell;

enum {
  UWRT_CELL_SITE_SHIFT = 14,
  UWRT_CELL_THREAD_SHIFT = 4,
  UWRT_CELL_SEGMENT_SHIFT = 32,
  UWRT_CELL_ATOMIC = 1,   /* the access was one that may meet others: atomic, or volatile */
  UWRT_CELL_OF_BLOCK = 2, /* writes: atomic within the block alone */
  UWRT_CELL_LANES = 2,    /* reads: other lanes of the warp, too, since the barrier */
  UWRT_CELL_WARPS = 4,    /* reads: other warps of the block, too, since the barrier */
  UWRT_CELL_BLOCKS = 6,   /* both: other blocks, too */
  UWRT_CELL_VOLATILE =
      8, /* not beside ATOMIC: a plain read that atomic operations may meet; strictly, a volatile access */
  UWRT_CELL_SITES = 1 << 18,
  UWRT_CELL_THREADS = 1 << 10,
  UWRT_CELL_LANE_COUNT = 32
};
#define UWRT_CELL_POISON (~(uint64_t)0)                            /* nobody may touch it */
#define UWRT_CELL_WRITTEN ((uint64_t)1 << UWRT_CELL_SEGMENT_SHIFT) /* by nobody of interest */

/* What a block that runs knows. */
typedef struct uwrt_check_state {
  uint32_t segment;                      /* the current one */
  uint32_t since;                        /* segments before it are in order with all that the block does */
  uint32_t block_start;                  /* the block's first segment since nobody else ran */
  uint32_t phase_start;                  /* the first after the last barrier */
  uint32_t warp_start;                   /* the first after the last barrier of the running warp */
  uint32_t acquires;                     /* has a thread of it learned of others by an atomic operation, or have others
                                            run since the block began? */
  uint32_t thread;                       /* that is in a function that stayed a call */
  uint32_t phase;                        /* barriers that the block passed */
  uint32_t arrived_site, arrived_thread; /* who came to one last */
  uint32_t owes;                         /* lanes that stayed away where others of their warp waited for them */
  uint32_t came, came_first, came_site;  /* lanes of a warp that came to an exchange with the mask of all, in order; the
                                            first one's thread */
  uint32_t whole;                        /* 1 + the first thread of a warp whose last exchange all its lanes came to */
  uint32_t *arrivals;                    /* of each thread: the barriers that it came to; null: not in a block */
  uint64_t *pages;                       /* where it finds cells: UWRT_CHECK_PAGES, or a worker's own (trial.c) */
} uwrt_check_state;

static inline uint32_t uwrt_check_thread_in(uint64_t half) {
  return (uint32_t)(half >> UWRT_CELL_THREAD_SHIFT) & (UWRT_CELL_THREADS - 1);
}
static inline uint32_t uwrt_check_site_in(uint64_t half) {
  return (uint32_t)(half >> UWRT_CELL_SITE_SHIFT) & (UWRT_CELL_SITES - 1);
}
static inline uint32_t uwrt_check_segment_in(uint64_t half) { return (uint32_t)(half >> UWRT_CELL_SEGMENT_SHIFT); }

/* Has any thread of the program had a fence? Until then atomic operations hand nothing over. Or are they all to be looked
 * at in full? */
enum { UWRT_CHECK_FENCES = 1, UWRT_CHECK_IN_FULL = 2 };
extern uint32_t uwrt_check_fences;

#endif
