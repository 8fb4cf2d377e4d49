/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of privatize-atomics, and what they ask, which put off what a block does to the grid's memory by atomic
 * operations: may anything in the block tell another block, or the host, how far it is? */
#ifndef UW_GRID_ATOMICS_H
#define UW_GRID_ATOMICS_H

#include "../../analysis/accesses.h"
#include "../passes.h"

/* Does the load, store or atomic operation go to the block's own memory, whose atomics are nobody else's? */
bool uw_is_of_block(MlirOperation access);
/* Calls that the runtime is told by where a worker is, what is no access, and what nothing else in the kernel can meet:
 * queues (privatize_appends.c). */
bool uw_is_silent(MlirOperation op);

uw_change uw_privatize_appends(uw_arena *arena, MlirOperation root); /* privatize_appends.c */

#endif
