/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conditions taken apart: a guard is a conjunction of values that all have to be true, or false where negated. */
#ifndef UW_GUARD_H
#define UW_GUARD_H

#include "../../ir/ir.h"

enum { UW_MAX_CONJUNCTS = 16 };

typedef struct uw_conjunct {
  MlirValue value; /* i1 */
  bool negated;
} uw_conjunct;

typedef struct uw_guard {
  uw_conjunct at[UW_MAX_CONJUNCTS];
  size_t count;
} uw_guard;

/* Adds what has to hold for value to be true (or false: negated). Looks through and, or, not, and selects that mean
 * them. False if there are too many; then the guard is meaningless. */
bool uw_guard_add(uw_guard *guard, MlirValue value, bool negated);

#endif
