/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gives what only a row, a column or a single thread of the block does a loop of its own. The halo of a tile is loaded
 * so, by the threads at its edges: each of them has a branch that nearly all threads skip, and the loop over all of
 * them is no straight line.
 *
 *   parallel (%y, %x) {                            parallel (%y, %x) { A }
 *     A                                   ==>      parallel (%y, %x) { if (%x == %k) { B } }
 *     if (%x == %k) { B }                          parallel (%y, %x) { C }
 *     C }
 *
 * guards-to-bounds then makes the second one a loop over one column.
 *
 * Done when a) the loop holds no exchange; b) the branch's condition has a comparison for equality of something of the
 * thread's own with a value from outside of the loop; c) what the parts need of each other can be computed again: no
 * part uses the result of a load, a call or an alloca of another one (parts that do stay together), but for loads of
 * slots that the loop does not write; d) there are at most UW_MOST_PARTS parts, of at most UW_MOST_DISTRIBUTED
 * operations in all.
 *
 * Legal because threads between two barriers do not wait for each other, in any order, and each keeps its own order;
 * only a store to a slot, which nothing between touches, may come earlier: into the part that computes what is stored.
 *
 * Requires: barriers lowered; invariant values outside of the loop (simplify{after=lower-barriers}). Preserves: each thread's order of
 * effects. Refuses: all else, silently. */
#include "../../analysis/calls.h"
#include "../../ir/remarks.h"
#include "../../transform/distribute.h"
#include "guard.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

/* Does the condition let only those threads through of which a value equals one from outside? */
static bool is_narrow(uw_arena *arena, MlirOperation loop, MlirValue condition, bool negated) {
  uw_guard guard = {.count = 0};
  if (!uw_guard_add(&guard, condition, negated))
    return false;
  for (size_t i = 0; i < guard.count; i++) {
    MlirOperation compare = uw_def(guard.at[i].value);
    int64_t predicate = uw_kind(compare) == UW_OP_ARITH_CMPI ? uw_get_int_attr(compare, "predicate", UW_SLT) : UW_SLT;
    if (predicate != (guard.at[i].negated ? UW_NE : UW_EQ))
      continue;
    bool left = uw_computable_outside(arena, uw_operand(compare, 0), loop, NULL);
    bool right = uw_computable_outside(arena, uw_operand(compare, 1), loop, NULL);
    if (left != right)
      return true;
  }
  return false;
}

static bool may_split(uw_arena *arena, MlirOperation loop) {
  return uw_exchange_level(loop) && !uw_holds_checks(arena, loop);
}

/* `number` is the loop's own. */
static bool split(uw_arena *arena, MlirOperation loop, int64_t number) {
  uw_parts all = {.arena = arena, .loop = loop, .is_narrow = is_narrow};
  if (!uw_parts_collect(&all))
    return false;
  for (size_t i = 1; i < all.count; i++)
    all.at[i].part = all.at[i - 1].part + !uw_same_op(all.at[i].narrow, all.at[i - 1].narrow);
  if (all.count == 0 || all.at[all.count - 1].part == 0)
    return false;
  size_t parts = uw_parts_merge(&all);
  if (parts < 2)
    return false;
  for (size_t i = 0; i < all.count; i++)
    if (!uw_null(all.at[i].narrow) && (i == 0 || !uw_same_op(all.at[i].narrow, all.at[i - 1].narrow)))
      uw_remark(mlirOperationGetLocation(all.at[i].narrow), "distribute-loops",
                "branch of few threads: in a thread loop of its own");
  uw_parts_split(&all, parts, UW_PART_OF, number);
  return true;
}

uw_change uw_pass_distribute_loops(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  int64_t number = 0;
  for (size_t i = 0; i < loops.count; i++) {
    int64_t taken = uw_get_int_attr(loops.at[i], UW_PART_OF, -1);
    number = taken >= number ? taken + 1 : number;
  }
  for (size_t i = 0; i < loops.count; i++)
    if (may_split(ctx->arena, loops.at[i]) && split(ctx->arena, loops.at[i], number + (int64_t)i))
      change = UW_CHANGED;
  return change;
}
