/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether a while loop ends once it has come by an operation in it: see loop_ends.h.
 *
 *   %done = scf.while (%0 = no) {                            that op runs says %taken; so %next is yes,
 *     %next = arith.select %taken, yes, %0                   and the loop does not go on
 *     scf.if %taken { op }
 *     scf.condition(not %0) %next
 *   }
 */
#include "loop_ends.h"

enum { MOST_STEPS = 500 };

typedef struct way {
  MlirOperation loop, op;
  int steps;
} way;

static bool value_of(way *w, MlirValue value, bool next, int64_t *number);

/* What the branches around op say of the condition of one of them. */
static bool is_said(const way *w, MlirValue condition, int64_t *number) {
  for (MlirOperation at = w->op, around = uw_parent(at); !uw_same_op(at, w->loop); at = around, around = uw_parent(at))
    if (uw_kind(around) == UW_OP_SCF_IF && uw_same(uw_operand(around, 0), condition)) {
      *number = mlirBlockEqual(mlirOperationGetBlock(at), uw_block(around, 0));
      return true;
    }
  return false;
}

static uint64_t low_bits(MlirType type, int64_t number) {
  unsigned bits = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
  return bits >= 64 ? (uint64_t)number : (uint64_t)number & ((UINT64_C(1) << bits) - 1);
}

/* The loop's arguments: what was passed to them in this iteration, if the next one is asked about. */
static bool argument_of(way *w, MlirValue value, bool next, int64_t *number) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  size_t which = (size_t)mlirBlockArgumentGetArgNumber(value);
  if (mlirBlockEqual(block, uw_block(w->loop, 1)))
    return value_of(w, uw_operand(uw_last(uw_block(w->loop, 0)), which + 1), next, number);
  return next && mlirBlockEqual(block, uw_block(w->loop, 0)) &&
         value_of(w, uw_operand(uw_last(uw_block(w->loop, 1)), which), false, number);
}

static bool chosen(way *w, MlirOperation choice, MlirValue yes, MlirValue no, bool next, int64_t *number) {
  int64_t condition, other;
  if (value_of(w, uw_operand(choice, 0), next, &condition))
    return value_of(w, condition & 1 ? yes : no, next, number);
  return value_of(w, yes, next, number) && value_of(w, no, next, &other) && *number == other;
}

static bool computed(way *w, MlirOperation op, bool next, int64_t *number) {
  int64_t right = 0;
  bool known = value_of(w, uw_operand(op, 0), next, number);
  if (uw_operand_count(op) == 2) {
    bool both = value_of(w, uw_operand(op, 1), next, &right);
    if (uw_kind(op) == UW_OP_ARITH_ANDI && (known || both) && !(known && both)) { /* nothing and anything */
      *number = known ? *number : right;
      return *number == 0;
    }
    known = known && both;
  }
  if (!known)
    return false;
  MlirType type = mlirValueGetType(uw_operand(op, 0));
  uint64_t a = low_bits(type, *number), b = low_bits(type, right);
  switch (uw_kind(op)) {
  case UW_OP_ARITH_TRUNCI: *number = (int64_t)low_bits(mlirValueGetType(uw_result(op, 0)), *number); return true;
  case UW_OP_ARITH_EXTUI: *number = (int64_t)a; return true;
  case UW_OP_LLVM_FREEZE: return true;
  case UW_OP_ARITH_XORI: *number = (int64_t)(a ^ b); return true;
  case UW_OP_ARITH_ANDI: *number = (int64_t)(a & b); return true;
  case UW_OP_ARITH_ORI: *number = (int64_t)(a | b); return true;
  case UW_OP_ARITH_CMPI: {
    int64_t predicate = uw_get_int_attr(op, "predicate", -1);
    *number = predicate == UW_EQ ? a == b : a != b;
    return predicate == UW_EQ || predicate == UW_NE;
  }
  default: return false;
  }
}

/* Of the iteration in which op runs, or of the next one. */
static bool value_of(way *w, MlirValue value, bool next, int64_t *number) {
  if (uw_const_value(value, number))
    return true;
  if (!uw_defined_inside(value, w->loop) || ++w->steps > MOST_STEPS)
    return false;
  if (!next && is_said(w, value, number))
    return true;
  MlirOperation op = uw_def(value);
  if (uw_null(op))
    return argument_of(w, value, next, number);
  if (uw_kind(op) == UW_OP_ARITH_SELECT)
    return chosen(w, op, uw_operand(op, 1), uw_operand(op, 2), next, number);
  if (uw_kind(op) == UW_OP_SCF_IF) {
    size_t which = (size_t)mlirOpResultGetResultNumber(value);
    return chosen(w, op, uw_operand(uw_last(uw_block(op, 0)), which), uw_operand(uw_last(uw_block(op, 1)), which), next,
                  number);
  }
  if (uw_operand_count(op) == 0 || uw_operand_count(op) > 2 || !uw_speculatable(op) || uw_result_count(op) != 1 ||
      !mlirTypeIsAInteger(mlirValueGetType(value)))
    return false;
  return computed(w, op, next, number);
}

bool uw_ends_after(MlirOperation loop, MlirOperation op) {
  MlirValue condition = uw_operand(uw_last(uw_block(loop, 0)), 0);
  for (int next = 0; next < 2; next++) {
    int64_t number;
    way w = {.loop = loop, .op = op};
    if (value_of(&w, condition, next, &number) && !(number & 1))
      return true;
  }
  return false;
}
