/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many values of a lane are on the way at once in a compute loop. */
#ifndef UW_LANES_PRESSURE_H
#define UW_LANES_PRESSURE_H

#include "../../ir/ir.h"

/* Beside what the loops carry, at the most in any innermost one; `most` where they branch, touch memory, or have as
 * many. What only addresses are computed from is not counted: that is the same for all lanes, or a step apart. */
int64_t uw_values_on_the_way(uw_arena *arena, MlirOperation threads, int64_t most);

#endif
