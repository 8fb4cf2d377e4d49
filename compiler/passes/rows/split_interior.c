/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives the blocks whose threads all pass a condition a loop without it. A load under a condition leaves a value
 * after, so that no thread can be left out of the loop (guards_to_bounds.c); it becomes a masked load, and what the threads of
 * an edge do in the same branch keeps all of it from being a straight line. Most blocks lie inside of the data, where
 * all threads pass.
 *
 *   parallel (%x) to (%n) {                        if (min(%n, %m - %b) == %n)
 *     %v = if (%b + %x < %m) { A; yield %a }         parallel (%x) to (%n) { A; use(%a) }
 *          else { yield %w }                 ==>   else
 *     use(%v) }                                      parallel (%x) to (%n) { %v = if … ; use(%v) }
 *
 * An if without results, which tighten makes bounds, is taken too where it has the same condition, or where a row of
 * threads is short and its length known: without bounds to look at it is one or a few vectors. So is one of several of
 * them side by side.
 *
 * Holds when a) the loop holds no exchange; b) such an if stands at the top level of the body, or in the arm of a plain
 * one that does, and its condition is a conjunction of values that are the same for all threads and of comparisons,
 * other than for equality, that can be bounds or be asked of one thread for all (loop_bounds.h); c) the body has at most
 * UW_MOST_COPIED operations.
 *
 * Legal because the new condition, that no bound would narrow the loop and that the thread nearest to failing passes,
 * means that every thread does.
 *
 * Requires: barriers lowered; invariant values outside of the loop (simplify{after=lower-barriers}). Preserves: all effects and their
 * order. Refuses: all else, silently. */
#include "../../analysis/budget.h"
#include "../../analysis/thresholds.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "loop_bounds.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

#define SURE "unwarp.sure"

static bool is_equality(const uw_conjunct *c) {
  MlirOperation compare = uw_def(c->value);
  return uw_kind(compare) == UW_OP_ARITH_CMPI &&
         uw_get_int_attr(compare, "predicate", UW_SLT) == (c->negated ? UW_NE : UW_EQ);
}

static bool is_uniform(uw_arena *arena, MlirValue value, MlirOperation loop) {
  return uw_computable_outside(arena, value, loop, NULL);
}

/* Can it be asked before the loop whether all threads take that arm of the branch? Then `guard` is what it depends
 * on. */
static bool can_ask(uw_arena *arena, MlirOperation loop, MlirOperation branch, unsigned arm, uw_guard *guard) {
  *guard = (uw_guard){.count = 0};
  uw_bounds bounds = uw_bounds_of(arena, loop);
  if (!uw_guard_add(guard, uw_operand(branch, 0), arm == 1))
    return false;
  bool own = false;
  for (size_t i = 0; i < guard->count; i++) {
    const uw_conjunct *c = &guard->at[i];
    if (is_uniform(arena, c->value, loop))
      continue;
    if (is_equality(c) || (!uw_bound_by(&bounds, c, false) && !uw_asked_of_one(&bounds, c, NULL)))
      return false;
    own = true;
  }
  return own;
}

/* Is a row so short, and known, that it is worth to know that it is whole? */
static bool has_short_rows(MlirOperation loop) {
  size_t dims = uw_dims(loop);
  int64_t first, end;
  return uw_const_value(uw_lower_of(loop, dims - 1), &first) && uw_const_value(uw_upper_of(loop, dims - 1), &end) &&
         first == 0 && end > 1 && end <= UW_SHORT_ROW;
}

/* Before the loop: do all threads pass? */
static MlirValue ask(uw_arena *arena, MlirOperation loop, const uw_guard *guard, MlirValue all) {
  uw_map *copies = uw_map_create(arena);
  for (size_t i = 0; i < guard->count; i++) {
    const uw_conjunct *c = &guard->at[i];
    uw_builder b = uw_at(loop);
    if (is_uniform(arena, c->value, loop)) {
      MlirValue value = uw_compute_outside(&b, c->value, loop, copies);
      all = uw_and(&b, all, c->negated ? uw_binary(&b, "arith.xori", value, uw_const_int(&b, 1, 1)) : value);
      continue;
    }
    uw_bounds bounds = uw_bounds_of(arena, loop);
    if (!uw_bound_by(&bounds, c, false)) {
      MlirValue holds;
      uw_asked_of_one(&bounds, c, &holds);
      b = uw_at(loop);
      all = uw_and(&b, all, holds);
      continue;
    }
    uw_bound_by(&bounds, c, true);
    b = uw_at(loop);
    if (bounds.asked.ptr)
      all = uw_and(&b, all, bounds.asked);
    for (size_t d = 0; d < bounds.dims; d++) {
      if (bounds.lower[d].ptr)
        all = uw_and(&b, all, uw_compare(&b, UW_EQ, bounds.lower[d], uw_lower_of(loop, d)));
      if (bounds.upper[d].ptr)
        all = uw_and(&b, all, uw_compare(&b, UW_EQ, bounds.upper[d], uw_upper_of(loop, d)));
    }
  }
  return all;
}

static bool has_values(MlirValue condition) {
  for (MlirOpOperand use = mlirValueGetFirstUse(condition); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (uw_kind(mlirOpOperandGetOwner(use)) == UW_OP_SCF_IF && uw_result_count(mlirOpOperandGetOwner(use)) > 0)
      return true;
  return false;
}

/* Is it one of several branches in a body, about data whose extent is not a constant? tighten makes bounds of a single
 * one only. */
static bool is_one_of_several(MlirOperation branch) {
  size_t count = 0;
  MlirOperation compare = uw_def(uw_operand(branch, 0));
  int64_t number;
  if (uw_kind(compare) != UW_OP_ARITH_CMPI || uw_const_value(uw_operand(compare, 0), &number) ||
      uw_const_value(uw_operand(compare, 1), &number))
    return false;
  uw_foreach_op (op, mlirOperationGetBlock(branch))
    count += uw_kind(op) == UW_OP_SCF_IF;
  return count > 1;
}

/* The arm that the interior takes of an if: the one that does something, or -1 if the if is none of those above. */
static int arm_of(MlirOperation loop, MlirOperation op) {
  if (uw_kind(op) != UW_OP_SCF_IF)
    return -1;
  bool only_else = uw_is_empty(uw_block(op, 0)), only_then = uw_is_empty(uw_block(op, 1));
  if (uw_result_count(op) > 0)
    return only_else && !only_then;
  if (only_else == only_then)
    return -1;
  bool taken = has_short_rows(loop) || (only_then && (has_values(uw_operand(op, 0)) || is_one_of_several(op)));
  return taken ? only_else : -1;
}

/* Asks about the ifs in a block, and about those in the arm taken of one without results. Marks them with the arm. */
static MlirValue ask_block(uw_arena *arena, MlirOperation loop, MlirBlock block, uw_vals *asked, MlirValue all) {
  uw_guard guard;
  uw_foreach_op (op, block) {
    int arm = arm_of(loop, op);
    if (arm < 0 || !can_ask(arena, loop, op, (unsigned)arm, &guard))
      continue;
    if (!uw_vals_have(asked, uw_operand(op, 0)))
      all = ask(arena, loop, &guard, all);
    if (arm == 0)
      uw_vals_push_new(arena, asked, uw_operand(op, 0));
    uw_set_attr(op, SURE, uw_int_attr(mlirOperationGetContext(loop), 64, arm));
    uw_remark(mlirOperationGetLocation(op), "split-interior",
              "blocks whose threads all pass this condition have a loop without it");
    if (uw_result_count(op) == 0)
      all = ask_block(arena, loop, uw_block(op, (unsigned)arm), asked, all);
  }
  return all;
}

static bool split(uw_arena *arena, MlirOperation loop) {
  if (!mlirAttributeIsNull(uw_get_attr(loop, UW_EDGE)) || uw_dims(loop) > UW_DIMS || uw_has_exchange(loop, "block") ||
      uw_has_exchange(loop, "warp") || uw_collect(arena, loop).count > UW_MOST_COPIED ||
      !uw_may_copy(loop, UW_SOME_GAIN, "split-interior"))
    return false;
  uw_vals asked = {0};
  MlirValue all = ask_block(arena, loop, uw_block(loop, 0), &asked, (MlirValue){NULL});
  if (!all.ptr)
    return false;
  uw_builder b = uw_at(loop);
  uw_versions versions = uw_make_versions(arena, &b, .asked = all, .first = loop, .own = UW_FAILS);
  uw_ops edge = uw_collect(arena, loop), sure = uw_collect(arena, versions.first[UW_HOLDS]);
  for (size_t i = 0; i < sure.count; i++) {
    int64_t arm = uw_get_int_attr(edge.at[i], SURE, -1); /* the same operation, in the same order */
    if (arm >= 0)
      uw_remove_attr(edge.at[i], SURE);
    if (arm >= 0)
      uw_take_arm(sure.at[i], (unsigned)arm);
  }
  uw_set_attr(loop, UW_EDGE, mlirUnitAttrGet(b.context));
  return true;
}

uw_change uw_pass_split_interior(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), split);
}
