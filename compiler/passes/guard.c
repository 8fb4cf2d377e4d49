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
  MlirValue first = {NULL}, second = {NULL};
  uw_assert(op, mlirTypeIsAInteger(mlirValueGetType(value)) && mlirIntegerTypeGetWidth(mlirValueGetType(value)) == 1);
  if (uw_kind(op) == UW_OP_ARITH_XORI && is_const(uw_operand(op, 1), 1))
    return uw_guard_add(guard, uw_operand(op, 0), !negated);
  if (uw_kind(op) == (negated ? UW_OP_ARITH_ORI : UW_OP_ARITH_ANDI)) {
    first = uw_operand(op, 0);
    second = uw_operand(op, 1);
  } else if (uw_kind(op) == UW_OP_ARITH_SELECT && is_const(uw_operand(op, negated ? 1 : 2), negated)) {
    first = uw_operand(op, 0); /* select %a, %b, false: both; select %a, true, %b: either */
    second = uw_operand(op, negated ? 2 : 1);
  }
  if (first.ptr)
    return uw_guard_add(guard, first, negated) && uw_guard_add(guard, second, negated);
  if (guard->count == UW_MAX_CONJUNCTS)
    return false;
  guard->at[guard->count++] = (uw_conjunct){value, negated};
  return true;
}
