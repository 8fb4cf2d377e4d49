/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of licm, and what they agree on. */
#ifndef UW_LICM_H
#define UW_LICM_H

#include "../../analysis/effects.h"
#include "../passes.h"

uw_change uw_move_out_of_whiles(uw_arena *arena, MlirOperation root); /* while_licm.c */
uw_change uw_move_out_of_guards(uw_arena *arena, MlirOperation root); /* guarded_licm.c */
uw_change uw_move_out_of_warps(uw_arena *arena, MlirOperation root);  /* same_warps.c */

/* Nothing inside op, op included, comes from inside of the loop but from op itself, and from operations in `outside`
 * (which may be null). */
bool uw_is_from_outside(uw_arena *arena, MlirOperation op, MlirOperation loop, const uw_table *outside);
/* No exchange, no call, which may be pure and not return, no memory made but a slot that it is itself, and no other
 * structure than loops, branches and loops over lanes. */
bool uw_holds_nothing_that_stays(uw_arena *arena, MlirOperation op);
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
