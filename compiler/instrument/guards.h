/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef UW_GUARDS_H
#define UW_GUARDS_H

#include "../ir/ir.h"

/* Does the plain load decide nothing but whether an atomic operation of the same place is tried, or is what one
 * expects? */
bool uw_is_guard(uw_arena *arena, MlirOperation load);

#endif
