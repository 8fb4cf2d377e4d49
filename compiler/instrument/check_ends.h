/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of check-rows: see check_warps.c. */
#ifndef UW_CHECK_ENDS_H
#define UW_CHECK_ENDS_H

#include "../ir/parallel.h"
#include "../passes/passes.h"

/* Asks -fcheck once of all threads of each loop about the barriers before and behind it. */
uw_change uw_tell_ends(uw_arena *arena, MlirOperation root, uw_over over);

#endif
