/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conditions taken apart: see guard.h. */
#include "guard.h"

static bool is_const(MlirValue value, int64_t wanted) {
  int64_t number;
  return uw_const_value(value, &number) && (number & 1) == wanted;
}

bool uw_guard_add(uw_guard *guard, MlirValue value, bool negated) {
  MlirOperation op = uw_def(value);
  uw_assert(op, mlirTypeIsAInteger(mlirValueGetType(value)) && mlirIntegerTypeGetWidth(mlirValueGetType(value)) == 1);
  if (uw_kind(op) == UW_OP_ARITH_XORI && is_const(uw_operand(op, 1), 1))
    return uw_guard_add(guard, uw_operand(op, 0), !negated);
  if (uw_kind(op) == (negated ? UW_OP_ARITH_ORI : UW_OP_ARITH_ANDI))
    return uw_guard_add(guard, uw_operand(op, 0), negated) && uw_guard_add(guard, uw_operand(op, 1), negated);
  /* Where one choice would settle that the guard does not hold, the other one is chosen, and holds. */
  for (size_t other = 1; other <= 2 && uw_kind(op) == UW_OP_ARITH_SELECT; other++)
    if (is_const(uw_operand(op, other), negated))
      return uw_guard_add(guard, uw_operand(op, 0), other == 1) &&
             uw_guard_add(guard, uw_operand(op, 3 - other), negated);
  if (guard->count == UW_MAX_CONJUNCTS)
    return false;
  guard->at[guard->count++] = (uw_conjunct){value, negated};
  return true;
}
