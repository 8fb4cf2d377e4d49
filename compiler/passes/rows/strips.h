/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbouring blocks of a row of the grid as one long row of threads: see strips.c. */
#ifndef UW_STRIPS_H
#define UW_STRIPS_H

#include "grid_row.h"

/* Makes the grid loop one over strips, if the block's index and the thread's are used together only, as the index of a
 * thread in its row. The caller knows that blocks share nothing. */
bool uw_make_long_row(uw_arena *arena, const uw_grid_row *of, MlirOperation threads);

#endif
