/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What check-loops leaves. */
#ifndef UW_CHECK_LOOPS_H
#define UW_CHECK_LOOPS_H

#include "../passes/passes.h"

/* Is it the branch between the two versions of a loop, the first of which asks less? */
bool uw_is_asked_loop(MlirOperation branch);

#endif
