/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a worker has of its own and its blocks share: tallies (tallies.c), buffers of queues (append_buffers.c). Each block has
 * it first, starts it and ends it; when the loop over blocks is the worker's, that moves out of it. A grid of one
 * block, which has no such loop, keeps it as it is. */
#include "lower.h"

/* Constants come along as new ones: the old ones may stand where it leaves. */
static void move_with_constants(MlirOperation op, MlirOperation where) {
  uw_builder b = uw_at(where);
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue operand = uw_operand(op, i);
    int64_t number;
    if (uw_const_value(operand, &number))
      mlirOperationSetOperand(op, (intptr_t)i,
                              uw_const_int(&b, mlirIntegerTypeGetWidth(mlirValueGetType(operand)), number));
  }
  uw_move_before(op, where);
}

/* The operation in the worker's region that the op stands in; null if there is none. */
static MlirOperation loop_of_worker(MlirOperation op) {
  while (!uw_null(op) && !uw_string_is(uw_name(uw_parent(op)), "omp.parallel"))
    op = uw_null(uw_parent(uw_parent(op))) ? (MlirOperation){NULL} : uw_parent(op);
  return !uw_null(op) && uw_is_single_block(uw_parent(op)) ? (MlirOperation){NULL} : op;
}

static bool uses(MlirOperation call, MlirValue own) {
  for (size_t i = 0; i < uw_operand_count(call); i++)
    if (uw_same(uw_operand(call, i), own))
      return true;
  return false;
}

void uw_hoist_from_blocks(MlirModule module, uw_arena *arena, const char *start_name, const char *more_name,
                          const char *end_name) {
  uw_ops calls = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++) {
    MlirOperation start = calls.at[i], loop = start, end = {NULL};
    if (!uw_attr_is_str(start, "callee", start_name) || uw_null(loop = loop_of_worker(start)))
      continue;
    MlirValue own = uw_operand(start, 0);
    move_with_constants(uw_def(own), loop);
    move_with_constants(start, loop);
    for (size_t k = i + 1; k < calls.count && uw_null(end); k++) { /* in the order of the program */
      MlirOperation call = calls.at[k];
      if (more_name && uw_attr_is_str(call, "callee", more_name) && uses(call, own))
        move_with_constants(call, loop);
      else if (uw_attr_is_str(call, "callee", end_name) && uses(call, own))
        end = call;
    }
    uw_assert(start, !uw_null(end));
    move_with_constants(end, uw_next(loop));
  }
}
