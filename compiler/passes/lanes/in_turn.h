/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What vectors cannot do and lanes can all the same, one after the other amid vector code: atomic operations, copies of
 * a few bytes, reports, and short branches around what has no form for vectors:
 *
 *   %x = vector code                          %x = vector code
 *   llvm.atomicrmw add %p[%i], %x     ==>     for each lane at work: llvm.atomicrmw add %p[%i of lane], %x of lane
 *
 * Legal because threads between two barriers come in any order. Refused where a lane could wait for another one, which
 * as scalar code had gone on to let it pass (a lock): where a loop that lanes leave after different iterations ends by
 * what it finds in memory, and calls of what is not known. */
#ifndef UW_IN_TURN_H
#define UW_IN_TURN_H

#include "lane_shapes.h"

/* Marks what does (vector_cost.c). */
#define UW_IN_TURN "unwarp.in_turn"

/* May the lanes around do it one after the other? */
bool uw_may_go_in_turn(uw_arena *arena, uw_shapes *shapes, MlirOperation op, MlirOperation lanes);
/* A report that something is wrong: hardly ever made. */
bool uw_is_report(MlirOperation op);

/* What op uses, from outside of it, once each. Addresses that lanes have each its own are made anew for each lane, from
 * the base that all may have: so it stays known whose memory it is (lower/atomics.c). */
typedef struct uw_used {
  uw_vals values;
  uw_ops addresses; /* getelementptrs, of the values and of those before */
} uw_used;
uw_used uw_used_by(uw_arena *arena, uw_shapes *shapes, MlirOperation op);
/* Does op for each lane of the mask (null: for all). `own` are what stands for the used values: vectors, or scalars
 * that are the same for all lanes. The results as a vector; null if there are none. */
MlirValue uw_emit_in_turn(uw_arena *arena, uw_builder *b, MlirOperation op, const uw_used *used, const uw_vals *own,
                          MlirValue mask, int64_t width);

#endif
