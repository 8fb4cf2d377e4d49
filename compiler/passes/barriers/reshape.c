/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A structured operation in the form of another that says the same: see reshape.h. */
#include "reshape.h"

void uw_move_all(MlirBlock from, MlirBlock to) {
  uw_foreach_op_safe (op, from)
    uw_move_to_end(op, to);
}

MlirOperation uw_for_to_while(uw_arena *arena, MlirOperation loop) {
  uw_builder b = uw_at(loop);
  size_t carried = uw_result_count(loop);
  MlirType *types = uw_alloc(arena, (carried + 1) * sizeof *types);
  uw_vals inits = {0}, forwarded = {0}, next = {0};
  uw_vals_push(arena, &inits, uw_operand(loop, 0));
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(arena, &inits, uw_operand(loop, i + 3));
  for (size_t i = 0; i <= carried; i++)
    types[i] = mlirValueGetType(inits.at[i]);
  MlirOperation copy = uw_build_while(&b, VALS_OF(inits), (uw_type_list){types, carried + 1});
  MlirBlock before = uw_block(copy, 0), after = uw_block(copy, 1), body = uw_block(loop, 0);
  uw_builder test = uw_at_end(before, b.location);
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  uw_vals_push(arena, &forwarded,
               uw_compare(&test, is_unsigned ? UW_ULT : UW_SLT, mlirBlockGetArgument(before, 0), uw_operand(loop, 1)));
  for (size_t i = 0; i <= carried; i++)
    uw_vals_push(arena, &forwarded, mlirBlockGetArgument(before, (intptr_t)i));
  uw_build(&test, "scf.condition", .in = VALS_OF(forwarded));
  for (size_t i = 0; i <= carried; i++)
    uw_replace_uses(mlirBlockGetArgument(body, (intptr_t)i), mlirBlockGetArgument(after, (intptr_t)i));
  MlirOperation yield = uw_last(body);
  uw_builder end = uw_at(yield);
  MlirValue counter = uw_binary(&end, "arith.addi", mlirBlockGetArgument(after, 0), uw_operand(loop, 2));
  if (!is_unsigned && mlirTypeIsAInteger(types[0])) /* a for counts up to its bound without wrapping around */
    uw_set_attr(uw_def(counter), "overflowFlags", uw_attr(b.context, "#arith.overflow<nsw>"));
  uw_vals_push(arena, &next, counter);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(arena, &next, uw_operand(yield, i));
  uw_build(&end, "scf.yield", .in = VALS_OF(next));
  uw_erase(yield);
  uw_move_all(body, after);
  for (size_t i = 0; i < carried; i++)
    uw_replace_uses(uw_result(loop, i), uw_result(copy, i + 1));
  return copy;
}

void uw_switch_to_ifs(uw_arena *arena, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirAttribute cases = uw_get_attr(op, "cases");
  intptr_t count = mlirDenseArrayGetNumElements(cases);
  size_t results = uw_result_count(op);
  MlirType *types = uw_alloc(arena, (results + 1) * sizeof *types);
  for (size_t i = 0; i < results; i++)
    types[i] = mlirValueGetType(uw_result(op, i));
  MlirOperation outer = {NULL}, inner = {NULL};
  for (intptr_t i = 0; i < count; i++) {
    MlirValue is_case =
        uw_compare(&b, UW_EQ, uw_operand(op, 0), uw_const_index(&b, mlirDenseI64ArrayGetElement(cases, i)));
    inner = uw_build_if(&b, is_case, (uw_type_list){types, results});
    uw_move_all(uw_block(op, (unsigned)i + 1), uw_block(inner, 0));
    if (i == 0) {
      outer = inner;
    } else {
      MlirValue *values = uw_alloc(arena, (results + 1) * sizeof *values);
      for (size_t k = 0; k < results; k++)
        values[k] = uw_result(inner, k);
      uw_yield(b.block, b.location, (uw_value_list){values, results});
    }
    b = uw_at_end(uw_block(inner, 1), b.location);
  }
  if (uw_null(inner)) { /* nothing but a default */
    for (size_t i = 0; i < results; i++)
      uw_replace_uses(uw_result(op, i), uw_operand(uw_last(uw_block(op, 0)), i));
    MlirOperation last = uw_last(uw_block(op, 0));
    uw_foreach_op_safe (moved, uw_block(op, 0))
      if (!uw_same_op(moved, last))
        uw_move_before(moved, op);
  } else {
    uw_move_all(uw_block(op, 0), uw_block(inner, 1));
    for (size_t i = 0; i < results; i++)
      uw_replace_uses(uw_result(op, i), uw_result(outer, i));
  }
  uw_erase(op);
}
