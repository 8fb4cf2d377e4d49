/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef UW_POLLS_H
#define UW_POLLS_H

#include "../ir/ir.h"

/* Does the access's result end the loop around it, which does nothing else? */
bool uw_polls(uw_arena *arena, MlirOperation access);

#endif
