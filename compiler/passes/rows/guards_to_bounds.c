/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a thread loop only over the threads that its condition lets through. Trees in shared memory halve the number of
 * threads at work in every phase, and guards cut off those that stand outside of the data; without this pass all
 * threads would still be asked, and a loop with a condition in it is harder to vectorise.
 *
 *   scf.forall (%z, %y, %x) in (%nz, %ny, %nx) {       scf.forall (%z, %y, %x) = (0, 0, 1) to (%nz, %ny, min(%nx, %n - %b)) {
 *     if (%x > 0 && %b + %x < %n) { A }           ==>    A
 *   }                                                  }
 *
 * Trees that begin with neighbours ask for every second, fourth, … row of threads: the loop runs over these alone.
 *
 *   parallel (%y, %x) to (16, 16) {                    parallel (%k, %x) to (8, 16) {
 *     if (%y % 2 == 0) { A(%y) } }               ==>     A(2 * %k) }
 *
 * What threads hold in slots is left untouched first where their condition does not change it (sink_stores.c).
 *
 * Holds when a) the body is one scf.if without results and with one branch, and operations that may run or not run
 * anywhere or are loads that only the branch uses; b) the condition is a conjunction of comparisons; those that
 * loop_bounds.h can make bounds become bounds (where that has to be asked, the loop stays as it was in another version), one
 * a dimension that compares the remainder of the index by a constant with a constant becomes a step, the others stay as
 * they are.
 *
 * Requires: invariant values outside of the loop (simplify{after=lower-barriers}). Preserves: the order of the threads that do
 * something. Refuses: everything else, silently. */
#include "../../ir/parallel.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/version.h"
#include "../../analysis/calls.h"
#include "../../ir/remarks.h"
#include "loop_bounds.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

/* The body's only operation with an effect, if it is an if as described above; null otherwise. */
static MlirOperation only_if(MlirBlock body) {
  MlirOperation found = {NULL}, none = {NULL};
  uw_foreach_op (op, body)
    if (uw_kind(op) == UW_OP_SCF_IF) {
      if (!uw_null(found) || uw_result_count(op) != 0 || uw_is_empty(uw_block(op, 0)) == uw_is_empty(uw_block(op, 1)))
        return none;
      found = op;
    }
  if (uw_null(found))
    return none;
  uw_foreach_op (op, body) {
    bool plain_load = uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op);
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && uw_kind(op) != UW_OP_SCF_IF && !uw_speculatable(op) &&
        !(plain_load && uw_used_only_inside(op, uw_block(found, uw_is_empty(uw_block(found, 0))))))
      return none;
  }
  return found;
}

/* Every n-th index of a dimension, from `first` on. n: 0 if the condition says nothing of the kind. */
typedef struct every_nth {
  int64_t n, first;
} every_nth;

/* The dimension whose index the value is, in another type; -1: none's. The index of a thread is small and not below
 * zero. */
static int own_index(const uw_bounds *t, MlirValue value) {
  for (MlirOperation op = uw_def(value); !uw_null(op); op = uw_def(value)) {
    uw_kind_t kind = uw_kind(op);
    if (kind != UW_OP_ARITH_INDEX_CAST && kind != UW_OP_ARITH_INDEX_CASTUI && kind != UW_OP_ARITH_EXTUI &&
        kind != UW_OP_ARITH_EXTSI)
      return -1;
    value = uw_operand(op, 0);
    if (!mlirTypeIsAIndex(mlirValueGetType(value)) && mlirIntegerTypeGetWidth(mlirValueGetType(value)) < 32)
      return -1;
  }
  for (size_t d = 0; d < t->dims; d++)
    if (uw_same(value, mlirBlockGetArgument(uw_block(t->loop, 0), (intptr_t)d)))
      return (int)d;
  return -1;
}

/* Does the conjunct let every n-th thread along a dimension through? Only one a dimension becomes a step. */
static bool is_every_nth(const uw_bounds *t, const uw_conjunct *c, every_nth steps[UW_DIMS]) {
  MlirOperation compare = uw_def(c->value), rest = {NULL};
  int64_t predicate = uw_kind(compare) == UW_OP_ARITH_CMPI ? uw_get_int_attr(compare, "predicate", UW_EQ) : UW_SLT, n,
          first;
  if ((predicate != UW_EQ && predicate != UW_NE) || uw_null(rest = uw_def(uw_operand(compare, 0))) ||
      !uw_const_value(uw_operand(compare, 1), &first))
    return false;
  bool masks = uw_kind(rest) == UW_OP_ARITH_ANDI;
  if ((!masks && uw_kind(rest) != UW_OP_ARITH_REMUI && uw_kind(rest) != UW_OP_ARITH_REMSI) ||
      !uw_const_value(uw_operand(rest, 1), &n))
    return false;
  n += masks;
  int d = own_index(t, uw_operand(rest, 0));
  if (d < 0 || n < 2 || n > 1024 || (masks && (n & (n - 1)) != 0) || first < 0 || first >= n || steps[d].n != 0)
    return false;
  if ((predicate == UW_NE) != c->negated) { /* not even is odd */
    if (n != 2)
      return false;
    first = 1 - first;
  }
  steps[d] = (every_nth){n, first};
  return true;
}

/* The first multiple from a bound on, as a number of steps. */
static MlirValue in_steps(uw_builder *b, MlirValue bound, every_nth every) {
  int64_t number;
  if (uw_const_value(bound, &number))
    return uw_const_index(b, number <= every.first ? 0 : (number - every.first + every.n - 1) / every.n);
  MlirValue from_first = uw_binary(b, "arith.subi", bound, uw_const_index(b, every.first));
  return uw_binary(b, "arith.ceildivsi", from_first, uw_const_index(b, every.n));
}

/* Other loops may have the same bounds, and another step. */
static void set_steps(uw_bounds *t, const every_nth steps[UW_DIMS]) {
  for (size_t d = 0; d < t->dims; d++) {
    if (steps[d].n == 0)
      continue;
    uw_builder b = uw_at(t->loop), inside = uw_at(uw_first(uw_block(t->loop, 0)));
    uw_range range = {.lower = in_steps(&b, uw_lower_of(t->loop, d), steps[d])};
    range.upper = in_steps(&b, uw_upper_of(t->loop, d), steps[d]);
    uw_set_range(t->loop, d, range);
    MlirValue count = mlirBlockGetArgument(uw_block(t->loop, 0), (intptr_t)d);
    MlirValue start = uw_binary(&inside, "arith.muli", count, uw_const_index(&inside, steps[d].n));
    MlirValue index = uw_binary(&inside, "arith.addi", start, uw_const_index(&inside, steps[d].first));
    uw_replace_uses(count, index);
    mlirOperationSetOperand(uw_def(start), 0, count);
    mlirOperationRemoveDiscardableAttributeByName(t->loop, uw_str(UW_PART_OF));
  }
}

static void set_bounds(uw_bounds *t) {
  for (size_t d = 0; d < t->dims; d++)
    uw_set_range(t->loop, d, (uw_range){t->lower[d], t->upper[d]});
}

static MlirValue all_of(uw_builder *b, const uw_guard *left) {
  MlirValue all = {NULL}, yes = uw_const_int(b, 1, 1);
  for (size_t i = 0; i < left->count; i++) {
    MlirValue value = left->at[i].negated ? uw_binary(b, "arith.xori", left->at[i].value, yes) : left->at[i].value;
    all = all.ptr ? uw_binary(b, "arith.andi", all, value) : value;
  }
  return all;
}

/* Where the bounds would not be right, the loop runs as it is. */
static void keep_plain(uw_bounds *t) {
  uw_builder b = uw_at(t->loop);
  uw_versions versions = uw_make_versions(t->arena, &b, .asked = t->asked, .first = t->loop, .seldom = true);
  if (!uw_null(versions.choice))
    uw_set_attr(versions.first[UW_FAILS], UW_PLAIN, mlirUnitAttrGet(b.context));
}

static bool tighten(uw_arena *arena, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  uw_bounds t = uw_bounds_of(arena, loop);
  MlirOperation branch = only_if(body);
  uw_guard all = {.count = 0}, left = {.count = 0};
  every_nth steps[UW_DIMS] = {{0}};
  if (uw_null(branch) || t.dims == 0 || t.dims > UW_DIMS || !mlirAttributeIsNull(uw_get_attr(loop, UW_PLAIN)))
    return false;
  bool inverted = uw_is_empty(uw_block(branch, 0));
  if (!uw_guard_add(&all, uw_operand(branch, 0), inverted))
    return false;
  for (size_t i = 0; i < all.count; i++)
    if (!uw_bound_by(&t, &all.at[i], false) && !is_every_nth(&t, &all.at[i], steps))
      left.at[left.count++] = all.at[i];
  if (left.count == all.count)
    return false;
  for (size_t i = 0; i < all.count; i++)
    uw_bound_by(&t, &all.at[i], true);
  keep_plain(&t);
  set_bounds(&t);
  set_steps(&t, steps);
  uw_remark(mlirOperationGetLocation(branch), "guards-to-bounds", "condition %s the bounds of the thread loop",
            left.count ? "in part made" : "made");
  uw_ops before = uw_block_ops(arena, body);
  for (size_t i = before.count; i-- > 0;)
    if (uw_kind(before.at[i]) == UW_OP_LLVM_LOAD && uw_used_only_inside(before.at[i], uw_block(branch, inverted)))
      uw_move_before(before.at[i], uw_first(uw_block(branch, inverted)));
  MlirOperation rest = {NULL};
  if (left.count) {
    uw_builder b = uw_at(branch);
    rest = uw_build_branch(&b, all_of(&b, &left));
  }
  uw_foreach_op_safe (op, uw_block(branch, inverted))
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      uw_move_before(op, uw_null(rest) ? branch : uw_last(uw_block(rest, 0)));
  uw_erase(branch);
  return true;
}

uw_change uw_pass_guards_to_bounds(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = uw_pass_sink_stores(root, ctx);
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++)
    while (uw_exchange_level(loops.at[i]) && !uw_holds_checks(ctx->arena, loops.at[i]) &&
           tighten(ctx->arena, loops.at[i]))
      change = UW_CHANGED;
  return change;
}
