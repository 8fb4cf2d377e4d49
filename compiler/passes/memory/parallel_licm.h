/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the passes that move code out of parallel loops agree on (parallel_licm.c, guarded_licm.c, same_warps.c). */
#ifndef UW_PARALLEL_LICM_H
#define UW_PARALLEL_LICM_H

#include "../../analysis/effects.h"

/* Would the operation read and compute the same in front of the loop as in it, in each thread that makes it? It only
 * reads and computes, what it uses is from outside of the loop or in `outside` (which may be null), and nothing of
 * `before`, what any thread may do before it, writes where it reads. Adds what it reads to *reads. */
bool uw_same_in_front(uw_arena *arena, uw_effects *effects, MlirOperation op, MlirOperation loop,
                      const uw_table *outside, const uw_accesses *before, uw_accesses *reads);

/* A store of the value that all threads of a phase keep in one slot (split.c), which is written once: nothing else in the
 * loop touches the slot. */
bool uw_is_common_write(MlirOperation op, MlirOperation loop);
bool uw_is_loop_or_choice(MlirOperation op);

#endif
