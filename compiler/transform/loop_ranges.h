/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Changes of the range that a loop, an scf.forall or an scf.for, runs through in one dimension (of an scf.for: 0).
 *
 * Requires: values for bounds stand before the loop. That each iteration still runs once is the caller's duty, with a
 * step other than 1 also that a part begins where an iteration does.
 * Refuses: nothing; loops with results are a mistake of the caller where parts are made.
 * Order: of an scf.for it stays as it is if the parts are given in order. Threads have none, but a part begins when the
 * one before it has ended: they must not wait for each other in the loop. */
#ifndef UW_TRANSFORM_RANGES_H
#define UW_TRANSFORM_RANGES_H

#include "../ir/ir.h"

/* On a loop over threads: it runs where a question asked at the launch was answered otherwise than expected, or at the
 * ends of a row. On a module: it is for processors that hardly anybody has, which holds for all its loops. borders and
 * streams make no further versions of such a loop, and packets takes no lanes in such a module. */
#define UW_FALLBACK "unwarp.fallback"
bool uw_is_fallback(MlirOperation loop);
void uw_set_fallback(MlirOperation op);

/* From lower on, and below upper; null: as the loop has it. */
typedef struct uw_range {
  MlirValue lower, upper;
} uw_range;
void uw_set_range(MlirOperation loop, size_t dimension, uw_range part);

/* The loop does the first part, copies after it the others; what a for carries goes through all of them. *made: all of
 * them, in order; it has room for count.
 *
 *   parallel (%x) = %lower to %upper   ==>   parallel (%x) = %lower to %mid
 *                                            parallel (%x) = %mid to %upper */
void uw_split_range(uw_arena *arena, MlirOperation loop, size_t dimension, const uw_range *parts, size_t count,
                    MlirOperation *made);

/* The loop does what is left from there on, after something else has done the iterations before that: it is gone if
 * constants say that this is nothing. */
void uw_keep_remainder(MlirOperation loop, size_t dimension, MlirValue from);
/* Writes the iterations of a for out, so many of them; its lower bound and step are constants. */
void uw_write_out(uw_arena *arena, MlirOperation loop, int64_t trips);

/* On a branch of two versions of the same: the second one does for every thread, the first one where the condition
 * holds. Lanes that take the branch together take the second one unless the condition holds for all of them. */
#define UW_VERSIONS "unwarp.versions"

/* The loop, an scf.forall, does the two ends of its innermost range, [lower, low) and [high, upper), by one copy of
 * its body; where `parted`, an i1 (null: always), is false, all of [lower, upper). The values are indices, with
 * lower <= low <= high <= upper. What runs in the middle is the caller's. Threads have no order.
 *
 *   parallel (%x) = %lower to %upper        for %end = 0 to (%parted ? 2 : 1)
 *                                     ==>     parallel (%x) = (%end == 0 ? %lower : %high) to (%parted && %end == 0 ? %low : %upper) */
void uw_do_ends(uw_builder *b, MlirOperation loop, MlirValue parted, MlirValue low, MlirValue high);

#endif
