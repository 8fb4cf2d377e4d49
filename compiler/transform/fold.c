/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What follows from constant bits: see fold.h. */
#include "fold.h"

static bool is_bit(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

/* Of an operation of two bits, one of them constant. */
static MlirValue of_bits(MlirOperation op) {
  int64_t known, other;
  for (size_t i = 0; i < 2; i++) {
    if (!uw_const_value(uw_operand(op, i), &known))
      continue;
    bool set = known & 1;
    switch (uw_kind(op)) {
    case UW_OP_ARITH_ANDI: return uw_operand(op, set ? 1 - i : i);
    case UW_OP_ARITH_ORI: return uw_operand(op, set ? i : 1 - i);
    default:
      if (!set)
        return uw_operand(op, 1 - i);
      if (uw_const_value(uw_operand(op, 1 - i), &other)) {
        uw_builder b = uw_at(op);
        return uw_const_int(&b, 1, !(other & 1));
      }
    }
  }
  return (MlirValue){NULL};
}

/* What the operation comes to; null if its bits do not say. */
static MlirValue folded(MlirOperation op) {
  int64_t known;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_SELECT:
    return uw_const_value(uw_operand(op, 0), &known) ? uw_operand(op, known & 1 ? 1 : 2) : (MlirValue){NULL};
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_XORI: return is_bit(uw_operand(op, 0)) ? of_bits(op) : (MlirValue){NULL};
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_EXTSI:
    if (is_bit(uw_operand(op, 0)) && uw_const_value(uw_operand(op, 0), &known)) {
      uw_builder b = uw_at(op);
      int64_t set = uw_kind(op) == UW_OP_ARITH_EXTSI ? -1 : 1;
      return uw_const_int(&b, mlirIntegerTypeGetWidth(mlirValueGetType(uw_result(op, 0))), known & 1 ? set : 0);
    }
    return (MlirValue){NULL};
  default: return (MlirValue){NULL};
  }
}

void uw_fold_bits(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    MlirValue value = folded(ops.at[i]);
    if (!value.ptr)
      continue;
    uw_replace_uses(uw_result(ops.at[i], 0), value);
    uw_erase(ops.at[i]);
  }
}
