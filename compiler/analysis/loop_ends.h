/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether a while loop ends once it has come by an operation in it.
 */
#ifndef UW_LOOP_ENDS_H
#define UW_LOOP_ENDS_H

#include "../ir/ir.h"

/* Whether the iteration in which op runs is surely the last one, or the one before a last one that leaves at once: as
 * far as the branches around op say so. */
bool uw_ends_after(MlirOperation loop, MlirOperation op);

#endif
