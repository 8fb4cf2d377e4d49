/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops in which threads wait for memory. */
#ifndef UW_LANES_WAITS_H
#define UW_LANES_WAITS_H

#include "../../ir/ir.h"

/* Is there a loop in it that loads, in each iteration, from where what it loaded in the one before says? */
bool uw_follows_loads(uw_arena *arena, MlirOperation threads);

/* Is it one row of threads, with a loop that loads what they have side by side, in each iteration far from the one
 * before (UW_FAR_APART), does little with it, and nothing that each walks along by itself? */
bool uw_reads_far_rows(uw_arena *arena, MlirOperation threads);

#endif
