/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Folding what follows from bits that a pass has made constant in a version of code. Passes that come before the next
 * simplify ask how values go with threads: a choice by a constant would be any value to them.
 *
 *   %c = true; %v = select %c, %a, %b; %n = extui %c   ==>   %a; 1
 *
 * Folds choices, conjunctions, disjunctions, negations and extensions, in program order, so that what becomes constant
 * is folded on. Branches stay. Requires: nothing. Refuses: nothing. */
#ifndef UW_TRANSFORM_FOLD_H
#define UW_TRANSFORM_FOLD_H

#include "../ir/ir.h"

void uw_fold_bits(uw_arena *arena, MlirOperation loop);

#endif
