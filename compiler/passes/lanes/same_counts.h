/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops whose bounds move from lane to lane together: see same_counts.c. */
#ifndef UW_SAME_COUNTS_H
#define UW_SAME_COUNTS_H

#include "../../ir/ir.h"

/* Counts such loops of the lanes from 0. */
void uw_share_counts(uw_arena *arena, MlirOperation lanes);

#endif
