/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which values to keep in memory where a thread loop is split, so that all that is used after the split can be
 * computed again from them: a minimum vertex cut of the value graph (the paper's section on parallel loop
 * splitting, Figure 6). */
#ifndef UW_MINCUT_H
#define UW_MINCUT_H

#include "../ir/ir.h"
#include "uniformity.h"

/* May op be done again later in the same thread, more cheaply than keeping its result? Pure, cheap, without
 * regions; or the reload of a value that is kept already. */
bool uw_recomputable(MlirOperation op);
/* A copy of op computes the same value: like the above, but for any price. */
bool uw_clonable(MlirOperation op);

/* The values to keep, given the values needed after the split. `inside` is the loop whose top-level operations
 * come before the split; its induction variables and all that is defined outside of it are there anyway. Ties go to
 * the values nearest to their uses. With smallest false, every value needed that is not free is kept. */
uw_vals uw_min_cut(uw_arena *arena, MlirOperation inside, const uw_vals *needed, const uw_uniformity *facts,
                   bool smallest);

/* Marks a load from a slot that holds the same value until the thread is done with it, or from memory that nobody
 * writes (rematerialize.c). */
#define UW_RELOAD "unwarp.reload"

/* On a module: every value that crosses a barrier is kept (-cpuify=distribute). */
#define UW_KEEP_ALL "unwarp.keep_all"

#endif
