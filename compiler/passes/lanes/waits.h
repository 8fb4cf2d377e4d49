/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops in which a thread waits for memory. */
#ifndef UW_LANES_WAITS_H
#define UW_LANES_WAITS_H

#include "../../ir/ir.h"

/* Is there a loop in it that loads, in each iteration, from where what it loaded in the one before says? */
bool uw_follows_loads(uw_arena *arena, MlirOperation threads);

#endif
