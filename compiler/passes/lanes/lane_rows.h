/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which rows of memory neighbouring threads walk along. */
#ifndef UW_LANE_ROWS_H
#define UW_LANE_ROWS_H

#include "../../ir/ir.h"

/* How many rows of its own each lane reads at once, as transpose_loads.c turns them, in that innermost loop of the lanes
 * that reads most of them; 0 also if such a loop accesses elements of neighbouring lanes side by side. */
int64_t uw_rows_of_lane(uw_arena *arena, MlirOperation lanes);

#endif
