/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a thread loop only over the threads that its condition lets through. Trees in shared memory halve the number of threads at
 * work in every phase, and guards cut off those that stand outside of the data; without this pass all threads would still be
 * asked, and a loop with a condition in it is harder to vectorise.
 *
 *   scf.parallel (%z, %y, %x) to (%nz, %ny, %nx) {     scf.parallel (%z, %y, %x) = (0, 0, 1) to (%nz, %ny, min(%nx, %n - %b)) {
 *     if (%x > 0 && %b + %x < %n) { A }           ==>    A
 *   }                                                  }
 *
 * Holds when a) the body is one scf.if without results and with one branch, and operations that may run or not run anywhere or
 * are loads that only the branch uses; b) the condition is a conjunction of comparisons; those that bounds.h can make bounds
 * become bounds, the others stay as they are.
 *
 * Requires: invariant values outside of the loop (simplify-phases). Preserves: the order of the threads that do something. Refuses:
 * everything else, in silence. */
#include "../../ir/remarks.h"
#include "bounds.h"
#include "../barriers/thread_loop.h"

/* The body's only operation with an effect, if it is an if as described above; null otherwise. */
static MlirOperation only_if(MlirBlock body) {
  MlirOperation found = {NULL}, none = {NULL};
  uw_foreach_op(op, body)
    if (uw_kind(op) == UW_OP_SCF_IF) {
      if (!uw_null(found) || uw_result_count(op) != 0 || uw_is_empty(uw_block(op, 0)) == uw_is_empty(uw_block(op, 1)))
        return none;
      found = op;
    }
  if (uw_null(found))
    return none;
  uw_foreach_op(op, body) {
    bool plain_load = uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op);
    if (uw_kind(op) != UW_OP_SCF_REDUCE && uw_kind(op) != UW_OP_SCF_IF && !uw_speculatable(op) &&
        !(plain_load && uw_used_only_inside(op, uw_block(found, uw_is_empty(uw_block(found, 0))))))
      return none;
  }
  return found;
}

static void set_bounds(uw_bounds *t) {
  for (size_t d = 0; d < t->dims; d++) {
    if (t->lower[d].ptr)
      mlirOperationSetOperand(t->loop, (intptr_t)d, t->lower[d]);
    if (t->upper[d].ptr)
      mlirOperationSetOperand(t->loop, (intptr_t)(t->dims + d), t->upper[d]);
  }
}

static MlirValue all_of(uw_builder *b, const uw_guard *left) {
  MlirValue all = {NULL}, yes = uw_const_int(b, 1, 1);
  for (size_t i = 0; i < left->count; i++) {
    MlirValue value = left->at[i].negated ? uw_binary(b, "arith.xori", left->at[i].value, yes) : left->at[i].value;
    all = all.ptr ? uw_binary(b, "arith.andi", all, value) : value;
  }
  return all;
}

static bool tighten(uw_arena *arena, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  uw_bounds t = uw_bounds_of(arena, loop);
  MlirOperation branch = only_if(body);
  uw_guard all = {.count = 0}, left = {.count = 0};
  if (uw_null(branch) || t.dims == 0 || t.dims > UW_DIMS)
    return false;
  bool inverted = uw_is_empty(uw_block(branch, 0));
  if (!uw_guard_add(&all, uw_operand(branch, 0), inverted))
    return false;
  for (size_t i = 0; i < all.count; i++)
    if (!uw_bound_by(&t, &all.at[i], false))
      left.at[left.count++] = all.at[i];
  if (left.count == all.count)
    return false;
  for (size_t i = 0; i < all.count; i++)
    uw_bound_by(&t, &all.at[i], true);
  set_bounds(&t);
  uw_remark(mlirOperationGetLocation(branch), "tighten", "condition %s the bounds of the thread loop",
            left.count ? "in part made" : "made");
  uw_ops before = uw_block_ops(arena, body);
  for (size_t i = before.count; i-- > 0;)
    if (uw_kind(before.at[i]) == UW_OP_LLVM_LOAD && uw_used_only_inside(before.at[i], uw_block(branch, inverted)))
      uw_move_before(before.at[i], uw_first(uw_block(branch, inverted)));
  MlirOperation rest = {NULL};
  if (left.count) {
    uw_builder b = uw_at(branch);
    rest = uw_build_if(&b, all_of(&b, &left), (uw_type_list){0});
    uw_yield(uw_block(rest, 1), b.location, (uw_value_list){0});
  }
  uw_foreach_op_safe(op, uw_block(branch, inverted)) {
    if (!uw_null(rest))
      uw_move_to_end(op, uw_block(rest, 0));
    else if (uw_kind(op) != UW_OP_SCF_YIELD)
      uw_move_before(op, branch);
  }
  uw_erase(branch);
  return true;
}

uw_change uw_pass_tighten(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count; i++)
    while (uw_exchange_level(loops.at[i]) && tighten(ctx->arena, loops.at[i]))
      change = UW_CHANGED;
  return change;
}
