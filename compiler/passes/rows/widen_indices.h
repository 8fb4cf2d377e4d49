/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses along rows of threads in 64 bits (widen_indices.c), for passes that take clamps out of indices.
 */
#ifndef UW_WIDEN_H
#define UW_WIDEN_H

#include "../../ir/ir.h"

/* In the rows of threads in an operation, or in a row itself; false if nothing changed. */
bool uw_widen_indices(uw_arena *arena, MlirOperation root);

#endif
