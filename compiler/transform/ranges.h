/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Changes of the range that a loop over threads runs through. They only change which iterations run where: that each
 * still runs once is the caller's duty where said so. */
#ifndef UW_TRANSFORM_RANGES_H
#define UW_TRANSFORM_RANGES_H

#include "../ir/ir.h"

/* On a loop over threads: it runs where a question asked at the launch was answered otherwise than expected, or at the
 * ends of a row. On a module: it is for processors that hardly anybody has, which holds for all its loops. borders and
 * streams make no further versions of such a loop, and packets takes no lanes in such a module. */
#define UW_FALLBACK "unwarp.fallback"
bool uw_is_fallback(MlirOperation loop);
void uw_set_fallback(MlirOperation op);

/* The loop, an scf.parallel, does the two ends of its innermost range, [lower, low) and [high, upper), by one copy of
 * its body; where `parted`, an i1 (null: always), is false, all of [lower, upper). The values are indices, with
 * lower <= low <= high <= upper. What runs in the middle is the caller's. Threads have no order.
 *
 *   parallel (%x) = %lower to %upper        for %end = 0 to (%parted ? 2 : 1)
 *                                     ==>     parallel (%x) = (%end == 0 ? %lower : %high) to (%parted && %end == 0 ? %low : %upper) */
void uw_do_ends(uw_builder *b, MlirOperation loop, MlirValue parted, MlirValue low, MlirValue high);

#endif
