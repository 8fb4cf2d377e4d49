/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a thread loop only over the threads that its condition lets through. Trees in shared memory halve the number of
 * threads at work in every phase; without this pass all threads would still be asked.
 *
 *   scf.parallel (%z, %y, %x) to (%nz, %ny, %nx) {     scf.parallel (%z, %y, %x) to (%nz, %ny, min(%nx, max(%active, 0))) {
 *     %t = index_castui %x : index to i32
 *     if (%t < %active) { A }                     ==>    A
 *   }                                                  }
 *
 * Holds when a) the body is one scf.if without results and else, and operations that may run or not run anywhere; b) the
 * condition is x < bound, signed or unsigned, with x the innermost index itself, which is less than 2^31, and c) the bound
 * is the same in all iterations: it is defined outside of the loop.
 *
 * Requires: nothing. Preserves: the order of the threads that do something. Refuses: everything else, in silence. */
#include "passes.h"

/* The innermost index, perhaps cast to another width. */
static bool is_index(MlirValue value, MlirValue index) {
  MlirOperation op = uw_def(value);
  while (uw_kind(op) == UW_OP_ARITH_INDEX_CASTUI || uw_kind(op) == UW_OP_ARITH_INDEX_CAST ||
         uw_kind(op) == UW_OP_ARITH_EXTUI || uw_kind(op) == UW_OP_ARITH_EXTSI) {
    value = uw_operand(op, 0);
    op = uw_def(value);
  }
  return uw_same(value, index);
}

static bool is_empty(MlirBlock block) {
  return mlirBlockIsNull(block) || uw_kind(uw_first(block)) == UW_OP_SCF_YIELD;
}

/* The body's only operation with an effect, if it is an if as described above; null otherwise. */
static MlirOperation only_if(MlirBlock body) {
  MlirOperation found = {NULL};
  uw_foreach_op(op, body) {
    if (uw_kind(op) == UW_OP_SCF_REDUCE || (uw_kind(op) != UW_OP_SCF_IF && uw_speculatable(op)))
      continue;
    if (uw_kind(op) != UW_OP_SCF_IF || !uw_null(found) || uw_result_count(op) != 0 || !is_empty(uw_block(op, 1)))
      return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

/* The bound as an index, not negative; null if the condition is not `index < bound`. */
static MlirValue bound_of(MlirOperation loop, MlirValue condition, MlirValue index) {
  MlirValue none = {NULL};
  MlirOperation compare = uw_def(condition);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return none;
  MlirValue left = uw_operand(compare, 0), right = uw_operand(compare, 1), bound;
  int64_t predicate = uw_get_int_attr(compare, "predicate", -1);
  if ((predicate == UW_SLT || predicate == UW_ULT) && is_index(left, index))
    bound = right;
  else if ((predicate == UW_SGT || predicate == UW_UGT) && is_index(right, index))
    bound = left;
  else
    return none;
  if (uw_defined_inside(bound, loop))
    return none;
  bool is_signed = predicate == UW_SLT || predicate == UW_SGT;
  uw_builder b = uw_at(loop);
  if (!mlirTypeIsAIndex(mlirValueGetType(bound)))
    bound = uw_build1(&b, is_signed ? "arith.index_cast" : "arith.index_castui", .in = VALS(bound),
                      .out = TYPES(uw_index_type(b.context)));
  return is_signed ? uw_binary(&b, "arith.maxsi", bound, uw_const_index(&b, 0)) : bound;
}

static bool tighten(MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  intptr_t dims = mlirBlockGetNumArguments(body);
  MlirOperation branch = only_if(body);
  if (uw_null(branch) || dims == 0)
    return false;
  MlirValue bound = bound_of(loop, uw_operand(branch, 0), mlirBlockGetArgument(body, dims - 1));
  if (!bound.ptr)
    return false;
  uw_builder b = uw_at(loop);
  intptr_t upper = 2 * dims - 1; /* operands: lower bounds, upper bounds, steps */
  mlirOperationSetOperand(loop, upper, uw_binary(&b, "arith.minui", uw_operand(loop, (size_t)upper), bound));
  uw_foreach_op_safe(op, uw_block(branch, 0))
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      uw_move_before(op, branch);
  uw_erase(branch);
  return true;
}

uw_change uw_pass_tighten(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_attr_is_str(loops.at[i], "unwarp.level", "block") && tighten(loops.at[i]))
      change = UW_CHANGED;
  return change;
}
