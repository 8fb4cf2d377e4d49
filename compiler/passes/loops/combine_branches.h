/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Branches that follow each other under the same condition: see combine_branches.c. */
#ifndef UW_JOIN_H
#define UW_JOIN_H

#include "../../ir/ir.h"

/* All that there are in the loop over threads. */
bool uw_join_branches(uw_arena *arena, MlirOperation loop);

#endif
