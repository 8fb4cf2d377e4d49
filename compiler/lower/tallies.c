/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tallies (passes/memory/tally.c): first each block has one, which it starts and adds to the places at its end; when the loop over blocks is the worker's,
 * that moves out of it, and the worker's blocks share one. A grid of one block, which has no such loop, keeps it as it is. */
#include "lower.h"

static const char start_name[] = "uwrt_tally_start", end_name[] = "uwrt_tally_end";

void uw_lower_tallies(MlirModule module, uw_arena *arena) {
  uw_ops tallies = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_TALLY);
  for (size_t i = 0; i < tallies.count; i++) {
    MlirOperation op = tallies.at[i];
    uw_builder b = uw_at(op);
    int64_t bytes = uw_get_int_attr(op, "bytes", 0);
    MlirValue size = uw_const_int(&b, 64, bytes), bits = uw_const_int(&b, 32, uw_get_int_attr(op, "bits", 0)),
              kind = uw_const_int(&b, 32, uw_get_int_attr(op, "kind", 0)), place = uw_operand(op, 0);
    MlirValue own = uw_stack_room(&b, bytes);
    uw_declare(module, start_name, "!llvm.func<void (ptr, i64, i32, i32)>");
    uw_declare(module, end_name, "!llvm.func<void (ptr, ptr, i64, i32, i32)>");
    uw_call(&b, start_name, VALS(own, size, bits, kind), (MlirType){NULL});
    uw_builder end = uw_at_end(mlirOperationGetBlock(op), b.location);
    uw_call(&end, end_name, VALS(place, own, size, bits, kind), (MlirType){NULL});
    uw_replace_uses(uw_result(op, 0), own);
    uw_erase(op);
  }
}

/* Constants come along as new ones: the old ones may stand where it leaves. */
static void move_with_constants(MlirOperation op, MlirOperation where) {
  uw_builder b = uw_at(where);
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue operand = uw_operand(op, i);
    int64_t number;
    if (uw_const_value(operand, &number))
      mlirOperationSetOperand(op, (intptr_t)i, uw_const_int(&b, mlirIntegerTypeGetWidth(mlirValueGetType(operand)), number));
  }
  uw_move_before(op, where);
}

void uw_hoist_tallies(MlirModule module, uw_arena *arena) {
  uw_ops calls = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++) {
    MlirOperation start = calls.at[i], end = {NULL}, loop = start;
    if (!uw_attr_is_str(start, "callee", start_name))
      continue;
    while (!uw_null(loop) && !uw_string_is(uw_name(uw_parent(loop)), "omp.parallel"))
      loop = uw_null(uw_parent(uw_parent(loop))) ? (MlirOperation){NULL} : uw_parent(loop);
    if (uw_null(loop))
      continue;
    MlirValue own = uw_operand(start, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(own); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
      if (uw_attr_is_str(mlirOpOperandGetOwner(use), "callee", end_name))
        end = mlirOpOperandGetOwner(use);
    uw_assert(start, !uw_null(end));
    move_with_constants(uw_def(own), loop);
    move_with_constants(start, loop);
    move_with_constants(end, uw_next(loop));
  }
}
