/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies in shared memory: what forward_stores.c, demote_shared.c and demote_halo.c share. */
#ifndef UW_UNTILE_H
#define UW_UNTILE_H

#include "../../ir/ir.h"

/* The shared arrays in the block of the code in which the loop stands: a list, as addresses in them that stand beside
 * go with an array. */
uw_ops uw_shared_beside(uw_arena *arena, MlirOperation loop);
/* These, and those beside the branches in which the loop stands. */
uw_ops uw_shared_around(uw_arena *arena, MlirOperation loop);

#endif
