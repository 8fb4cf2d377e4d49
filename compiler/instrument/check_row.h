/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop over threads whose checks are to be asked for rows of threads (check_rows.c): what it holds. */
#ifndef UW_CHECK_ROW_H
#define UW_CHECK_ROW_H

#include "../ir/ir.h"

enum { UW_ROW_MOST_ITEMS = 24, UW_ROW_MOST_PATHS = 12, UW_ROW_DIMS = 3 };

typedef enum uw_row_what {
  UW_ROW_PASSES,
  UW_ROW_ARRIVES,
  UW_ROW_GOES_ON,
  UW_ROW_OBJECT,
  UW_ROW_READ,
  UW_ROW_FILLED,
  UW_ROW_CELLS,
  UW_ROW_LOOP
} uw_row_what;

/* The branches around a check: the threads that come to it. */
typedef struct uw_row_path {
  MlirOperation branch;
  unsigned arm;
  int outer; /* in paths; the first one is that of all threads */
  /* of the row at hand */
  MlirValue active, first, last, count;
} uw_row_path;

typedef struct uw_row_item {
  uw_row_what what;
  MlirOperation call; /* UW_ROW_LOOP: the branch that says whether a loop needs its checks */
  int path;
  int64_t width, kind; /* UW_ROW_CELLS, UW_ROW_READ, UW_ROW_FILLED: bytes; UW_ROW_CELLS: UWRT_CHECK_… */
  MlirValue filled;    /* UW_ROW_FILLED: bytes of the array that were written without a gap, asked once for all rows */
  /* of the row at hand: where the thread would be whose index is 0, bytes from one to the next, the first and the last
   * byte's end */
  MlirValue start, stride, low, high;
} uw_row_item;

typedef struct uw_check_row {
  uw_arena *arena;
  MlirModule module;
  MlirOperation loop;
  uw_row_item items[UW_ROW_MOST_ITEMS];
  uw_row_path paths[UW_ROW_MOST_PATHS];
  int item_count, path_count;
  uw_ops filled;       /* what loops inside ask of shared arrays: how much was written */
  uw_map *filled_here; /* the same, asked before the rows */
  uw_builder b;
} uw_check_row;

/* Reads the checks of r->loop, and the branches around them. False where they cannot be asked for a row, or that does
 * not pay. */
bool uw_row_reads(uw_check_row *r);
/* The value comes from outside of the loop; of: the uw_check_row. */
bool uw_row_stays(const void *of, MlirValue value);
/* Is it the call that asks how much of a shared array was written? */
bool uw_asks_for_filled(MlirOperation op);

#endif
