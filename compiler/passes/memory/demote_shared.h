/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies in shared memory: the parts of demote-shared, and what they and forward_stores.c share. */
#ifndef UW_UNTILE_H
#define UW_UNTILE_H

#include "../passes.h"

/* The shared arrays in the block of the code in which the loop stands: a list, as addresses in them that stand beside
 * go with an array. */
uw_ops uw_shared_beside(uw_arena *arena, MlirOperation loop);
/* These, and those beside the branches in which the loop stands. */
uw_ops uw_shared_around(uw_arena *arena, MlirOperation loop);

/* demote_halo.c. Inner: of blocks inside of the data, where no clamps and conditions are in the way; else arrays that one
 * store fills are left. */
uw_change uw_demote_halo(uw_arena *arena, MlirOperation root, bool inner);

#endif
