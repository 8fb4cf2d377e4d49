/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A structured operation in the form of another that says the same: for as while, index_switch as nested ifs. */
#ifndef UW_RESHAPE_H
#define UW_RESHAPE_H

#include "../../ir/ir.h"

/* Moves all operations to the end of another block, the terminator too. */
void uw_move_all(MlirBlock from, MlirBlock to);
/* Makes a while before the for and gives it the body and the uses. The caller erases the for, which is empty then. */
MlirOperation uw_for_to_while(uw_arena *arena, MlirOperation loop);
/* Replaces an index_switch by ifs, one in the else of another, in the order of its cases. */
void uw_switch_to_ifs(uw_arena *arena, MlirOperation op);

#endif
