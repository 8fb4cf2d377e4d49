/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Barriers that order nothing: see barrier_elim.c. */
#ifndef UW_BARRIER_ELIM_H
#define UW_BARRIER_ELIM_H

#include "../../raise/raise.h"
#include "../../ir/ir.h"

/* Drops and moves the barriers of one loop over the threads of a block; true if it changed. For passes that take away
 * what barriers order. */
bool uw_drop_barriers(MlirOperation loop);

/* Says of each barrier that is left why it is needed. */
void uw_remark_barriers(MlirOperation loop);

#endif
