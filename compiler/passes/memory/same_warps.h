/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What all warps of a block compute alike (same_warps.c). */
#ifndef UW_SAME_WARPS_H
#define UW_SAME_WARPS_H

#include "../passes.h"
#include "parallel_licm.h"

/* Moves it out of each loop over warps below root. */
uw_change uw_move_out_of_warps(uw_arena *arena, MlirOperation root);

#endif
