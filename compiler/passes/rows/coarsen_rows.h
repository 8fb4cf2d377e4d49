/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbouring blocks of a row of the grid as one long row of threads: see coarsen_rows.c. */
#ifndef UW_STRIPS_H
#define UW_STRIPS_H

#include "../../analysis/thresholds.h"
#include "grid_row.h"

/* Makes the grid loop one over strips, if the block's index and the thread's are used together only, as the index of a
 * thread in its row. The caller knows that blocks share nothing. */
bool uw_make_long_row(uw_arena *arena, const uw_grid_row *of, MlirOperation threads);

/* Finds block and thread loop; false if there is more in a block than a thread loop that is a straight line with
 * branches or sums of products. */
bool uw_shares_nothing(uw_arena *arena, MlirOperation grid, uw_grid_row *of, MlirOperation *threads);

/* Do the threads, a straight line, take elements of columns: neighbours of a row another row each, and those below them
 * the next element? Then tiles of threads touch lines of memory once that long rows touch for each of their elements. */
bool uw_goes_down_columns(uw_arena *arena, MlirOperation threads);

/* Are the index of a block along a dimension and that of a thread, of which a block has `count`, used as one sum only,
 * block * count + thread, that nothing looks into? slice: null, or what stands for it where the sum of a slice's first
 * thread and the loop's index is the thread's. */
bool uw_used_together(uw_arena *arena, MlirOperation grid, MlirValue block, MlirValue thread, MlirValue count,
                      MlirValue slice);
enum { UW_LONGEST_STEP = 1 << 20 }; /* bound of a constant in such sums: so much less than 2^31 threads are together */

#endif
