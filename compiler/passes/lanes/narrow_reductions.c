/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The second part of reductions. Looks for the least and the greatest of bytes and of integers of 16 bits in lanes as
 * narrow as they are. C++ computes with an int, so that a vector takes a quarter of the bytes that it has room for.
 *
 *   %low = for (%k) iter(%a = %start) {             %n = for (%k) iter(%a = 255 : i8) {
 *     %v = extui %byte : i8 to i32                    yield minui %a, %byte }
 *     yield minui %a, %v }                   ==>    %low = minui %start, (extui %n)
 *
 * Done for each value that a serial loop carries by a minimum or maximum, signed or unsigned, of it and an extended
 * integer of 8 or 16 bits, where nothing in the loop looks at it between iterations.
 *
 * Legal because a) minima and maxima may be taken in any order, so that the start may be joined last; b) extending
 * keeps the order: of integers extended unsigned the unsigned order is that of both, of those extended with sign
 * the one with sign; c) what the narrow loop starts with changes nothing: it is the greatest narrow value for a
 * minimum, the least one for a maximum. Where the loop has no iteration, that value itself is the result: unless the
 * start's bounds (analysis/value_ranges.h) say that joining it changes nothing, the start is taken then.
 *
 * Requires: vectorize-threads, which takes the threads around a loop as lanes where it can. Preserves: all else. Refuses: other
 * loops, silently. */
#include "../../analysis/value_ranges.h"
#include "../../ir/remarks.h"
#include "../passes.h"

typedef struct extreme {
  MlirOperation op;      /* the minimum or maximum */
  MlirOperation extends; /* what extends the value; null: the loop carries something else */
} extreme;

static bool is_extreme(uw_kind_t kind) {
  return kind == UW_OP_ARITH_MINSI || kind == UW_OP_ARITH_MAXSI || kind == UW_OP_ARITH_MINUI ||
         kind == UW_OP_ARITH_MAXUI;
}

static const char *name_of(uw_kind_t kind) {
  return kind == UW_OP_ARITH_MINSI   ? "arith.minsi"
         : kind == UW_OP_ARITH_MAXSI ? "arith.maxsi"
         : kind == UW_OP_ARITH_MINUI ? "arith.minui"
                                     : "arith.maxui";
}

static bool is_signed(const extreme *e) { return uw_kind(e->extends) == UW_OP_ARITH_EXTSI; }
static bool is_minimum(const extreme *e) {
  return uw_kind(e->op) == UW_OP_ARITH_MINSI || uw_kind(e->op) == UW_OP_ARITH_MINUI;
}

static bool find_extreme(MlirOperation loop, size_t number, extreme *found) {
  MlirBlock body = uw_block(loop, 0);
  MlirValue carried = mlirBlockGetArgument(body, (intptr_t)number + 1), next = uw_operand(uw_last(body), number);
  MlirOperation op = uw_def(next);
  if (!is_extreme(uw_kind(op)) || !mlirBlockEqual(mlirOperationGetBlock(op), body) || !uw_used_once(carried) ||
      !uw_used_once(next))
    return false;
  for (size_t i = 0; i < 2; i++) {
    MlirOperation extends = uw_def(uw_operand(op, 1 - i));
    bool with_sign = uw_kind(extends) == UW_OP_ARITH_EXTSI,
         compares_with_sign = uw_kind(op) == UW_OP_ARITH_MINSI || uw_kind(op) == UW_OP_ARITH_MAXSI;
    if (!uw_same(uw_operand(op, i), carried) || (!with_sign && uw_kind(extends) != UW_OP_ARITH_EXTUI) ||
        (with_sign && !compares_with_sign))
      continue;
    unsigned bits = uw_int_width(uw_operand(extends, 0));
    if (bits != 8 && bits != 16)
      return false;
    *found = (extreme){op, extends};
    return true;
  }
  return false;
}

/* What the narrow loop starts with. */
static int64_t neutral(const extreme *e) {
  unsigned bits = uw_int_width(uw_operand(e->extends, 0));
  int64_t most = is_signed(e) ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
  return is_minimum(e) ? most : is_signed(e) ? -most - 1 : 0;
}

/* Does joining that leave each start as it is? */
static bool is_neutral_to(const extreme *e, MlirValue start) {
  uw_integers is = uw_integer_range(start);
  bool compares_with_sign = uw_kind(e->op) == UW_OP_ARITH_MINSI || uw_kind(e->op) == UW_OP_ARITH_MAXSI;
  if (is_minimum(e))
    return (compares_with_sign ? is.smax : is.umax) <= neutral(e);
  return (compares_with_sign ? is.smin : is.umin) >= neutral(e);
}

/* The loop's result, as wide as it was. */
static MlirValue join(uw_builder *b, MlirOperation loop, const extreme *e, MlirValue start, MlirValue narrow) {
  MlirType wide = mlirValueGetType(start);
  MlirValue found = uw_build1(b, is_signed(e) ? "arith.extsi" : "arith.extui", .in = VALS(narrow), .out = TYPES(wide));
  MlirValue joined = uw_binary(b, name_of(uw_kind(e->op)), start, found);
  if (is_neutral_to(e, start))
    return joined;
  bool counts_unsigned = !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  MlirValue any = uw_compare(b, counts_unsigned ? UW_ULT : UW_SLT, uw_operand(loop, 0), uw_operand(loop, 1));
  return uw_select(b, any, joined, start);
}

static void copy_attributes(MlirOperation from, MlirOperation to) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(from); i++) {
    MlirNamedAttribute named = mlirOperationGetAttribute(from, i);
    mlirOperationSetAttributeByName(to, mlirIdentifierStr(named.name), named.attribute);
  }
}

static bool narrow(uw_arena *arena, MlirOperation loop) {
  size_t count = uw_result_count(loop), found = 0;
  extreme *extremes = uw_alloc(arena, (count + 1) * sizeof *extremes);
  for (size_t i = 0; i < count; i++)
    found += find_extreme(loop, i, &extremes[i]);
  if (found == 0)
    return false;
  uw_builder b = uw_at(loop);
  uw_vals starts = {0}, next = {0};
  for (size_t i = 0; i < count; i++) {
    const extreme *e = &extremes[i];
    MlirValue start = uw_operand(loop, i + 3);
    uw_vals_push(arena, &starts,
                 uw_null(e->extends) ? start : uw_const_int(&b, uw_int_width(uw_operand(e->extends, 0)), neutral(e)));
  }
  MlirOperation made = uw_build_for(&b, uw_operand(loop, 0), uw_operand(loop, 1), uw_operand(loop, 2), VALS_OF(starts));
  copy_attributes(loop, made);
  MlirBlock from = uw_block(loop, 0), to = uw_block(made, 0);
  for (size_t i = 0; i <= count; i++)
    if (i == 0 || uw_null(extremes[i - 1].extends))
      uw_replace_uses(mlirBlockGetArgument(from, (intptr_t)i), mlirBlockGetArgument(to, (intptr_t)i));
  uw_foreach_op_safe (op, from)
    if (!uw_same_op(op, uw_last(from)))
      uw_move_to_end(op, to);
  for (size_t i = 0; i < count; i++) {
    const extreme *e = &extremes[i];
    MlirValue value = uw_operand(uw_last(from), i);
    if (!uw_null(e->extends)) {
      uw_builder in = uw_at(e->op);
      uw_kind_t kind = is_signed(e)    ? is_minimum(e) ? UW_OP_ARITH_MINSI : UW_OP_ARITH_MAXSI
                       : is_minimum(e) ? UW_OP_ARITH_MINUI
                                       : UW_OP_ARITH_MAXUI;
      value = uw_binary(&in, name_of(kind), mlirBlockGetArgument(to, (intptr_t)i + 1), uw_operand(e->extends, 0));
    }
    uw_vals_push(arena, &next, value);
  }
  uw_yield(to, mlirOperationGetLocation(uw_last(from)), VALS_OF(next));
  for (size_t i = 0; i < count; i++) {
    const extreme *e = &extremes[i];
    MlirValue result = uw_result(made, i);
    if (!uw_null(e->extends))
      result = join(&b, loop, e, uw_operand(loop, i + 3), result);
    uw_replace_uses(uw_result(loop, i), result);
  }
  uw_remark(mlirOperationGetLocation(loop), "reductions",
            "the least or greatest of small integers is looked for in lanes as small");
  uw_erase(uw_last(from));
  for (size_t i = 0; i < count; i++)
    if (!uw_null(extremes[i].extends))
      uw_erase(extremes[i].op);
  uw_erase(loop);
  return true;
}

uw_change uw_narrow_reductions(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_kind(arena, root, UW_OP_SCF_FOR), narrow);
}
