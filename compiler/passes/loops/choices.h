/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over threads whose bodies choose among many arms, all threads alike: see choices.c. */
#ifndef UW_CHOICES_H
#define UW_CHOICES_H

#include "../passes.h"

/* Gives the arms of such choices of the thread loop loops of their own. *failed is set after uw_error. */
bool uw_split_choices(uw_arena *arena, MlirOperation loop, bool *failed);

#endif
