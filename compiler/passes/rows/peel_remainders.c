/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes the full iterations of a strided loop apart from the last ones. Where all threads of a block go through an
 * array together, only the last iteration may find less data than threads (coalesce_strided.c, guards_to_bounds.c). With the question in
 * the loop, what a thread carries from iteration to iteration goes through memory; without it the loop over the
 * threads, of known length, is a row of vectors, and LLVM keeps what they carry in registers.
 *
 *   for (%k = %lo; %k < %hi; %k += %s)                       %end = min(%hi, %m - %n + 1)
 *     if (min(%n, %m - %k) == %n)                            for (%k = %lo; %k < %end; %k += %s)
 *       parallel (%x) to (%n) { A }             ==>            parallel (%x) to (%n) { A }
 *     else                                                   for (%k = first iteration from %end on; %k < %hi; %k += %s)
 *       parallel (%x) to (min(%n, %m - %k)) { A }              parallel (%x) to (min(%n, %m - %k)) { A }
 *
 * The same inside of a loop over lanes, where what these carry stays in registers (coalesce_strided.c, vectorize_threads.c): masks and the
 * question whether all lanes take part are for the last iterations alone. The branch asks whether %l < %m - %k there, and
 * %n is one more than the index %l of a lane can be.
 *
 * Holds when the branch stands at the top level of the loop's body beside operations that only compute, the loop gives
 * no value but what the branch gives, and %n and %m are the same in all iterations; for lanes, the loop's bounds are
 * values of the launch.
 *
 * Legal because %k only grows: from the first iteration on for which %m - %k < %n the condition does not hold again.
 * The iterations are the same, in the same order. The sums are index arithmetic, of integers that are far from 2^63
 * (loop_bounds.c).
 *
 * Requires: barriers lowered, thread loops tightened. Preserves: all effects and their order. Refuses: all else,
 * silently. */
#include "../../analysis/bounds.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "../passes.h"

/* What the condition of a branch asks about the loop's counter: is limit - counter at least count? */
typedef struct question {
  MlirOperation branch;
  MlirValue count, limit;
} question;

static bool is_invariant(MlirValue value, MlirOperation loop) { return !uw_defined_inside(value, loop); }

/* min(%n, %m - %k) == %n, or min(…) the other way round. */
static bool asks_for_full_round(MlirOperation branch, MlirOperation loop, question *q) {
  MlirOperation compare = uw_def(uw_operand(branch, 0));
  if (uw_kind(compare) != UW_OP_ARITH_CMPI || uw_get_int_attr(compare, "predicate", UW_NE) != UW_EQ)
    return false;
  for (size_t side = 0; side < 2; side++) {
    MlirOperation least = uw_def(uw_operand(compare, side));
    MlirValue count = uw_operand(compare, 1 - side);
    if (uw_null(least) || !uw_string_is(uw_name(least), "arith.minsi") || !is_invariant(count, loop))
      continue;
    for (size_t i = 0; i < 2; i++) {
      MlirOperation left = uw_def(uw_operand(least, i));
      if (!uw_same(uw_operand(least, 1 - i), count) || uw_kind(left) != UW_OP_ARITH_SUBI ||
          !is_invariant(uw_operand(left, 0), loop) ||
          !uw_same(uw_operand(left, 1), mlirBlockGetArgument(uw_block(loop, 0), 0)))
        continue;
      *q = (question){branch, count, uw_operand(left, 0)};
      return true;
    }
  }
  return false;
}

/* The one branch of a body that else only computes. */
static bool find_question(MlirOperation loop, question *q) {
  bool found = false;
  uw_foreach_op (op, uw_block(loop, 0)) {
    if (uw_same_op(op, uw_last(uw_block(loop, 0))) || uw_effect_free(op))
      continue;
    if (found || uw_kind(op) != UW_OP_SCF_IF || uw_result_count(op) > 0 || !asks_for_full_round(op, loop, q))
      return false;
    found = true;
  }
  return found;
}

/* %l < %m - %k of a lane, or as many threads, whose index is at most a constant. */
static bool asks_for_lane(MlirOperation branch, MlirOperation loop, question *q) {
  MlirOperation compare = uw_def(uw_operand(branch, 0));
  if (uw_kind(compare) != UW_OP_ARITH_CMPI || uw_get_int_attr(compare, "predicate", UW_NE) != UW_SLT)
    return false;
  MlirValue own = uw_operand(compare, 0);
  MlirOperation left = uw_def(uw_operand(compare, 1));
  int64_t most = is_invariant(own, loop) ? uw_most_of_count(own) : UW_NO_MOST;
  if (most == UW_NO_MOST || !mlirTypeIsAIndex(mlirValueGetType(own)) || uw_kind(left) != UW_OP_ARITH_SUBI ||
      !is_invariant(uw_operand(left, 0), loop) ||
      !uw_same(uw_operand(left, 1), mlirBlockGetArgument(uw_block(loop, 0), 0)))
    return false;
  uw_builder b = uw_at(loop);
  *q = (question){branch, uw_const_index(&b, most + 1), uw_operand(left, 0)};
  return true;
}

/* Are the loop's bounds values of the launch? Rows whose ends are loaded are mostly short, and a second loop for each
 * takes longer than the masks (spmv: 1.2 times as long). */
static bool is_of_launch(MlirOperation loop) {
  MlirOperation grid = uw_parent(loop);
  while (!uw_null(grid) && !uw_is_over(grid, UW_OVER_BLOCKS))
    grid = uw_parent(grid);
  return !uw_null(grid) && is_invariant(uw_operand(loop, 0), grid) && is_invariant(uw_operand(loop, 1), grid);
}

/* In a loop over lanes: the one branch of a body that else only computes, whose results are what the loop carries. */
static bool find_question_of_lane(MlirOperation loop, question *q) {
  MlirOperation branch = {NULL}, yield = uw_last(uw_block(loop, 0));
  if (!uw_is_over(uw_parent(loop), UW_OVER_LANES) || !is_of_launch(loop))
    return false;
  uw_foreach_op (op, uw_block(loop, 0)) {
    if (uw_kind(op) != UW_OP_SCF_IF && (uw_same_op(op, yield) || uw_effect_free(op)))
      continue;
    if (branch.ptr || uw_kind(op) != UW_OP_SCF_IF)
      return false;
    branch = op;
  }
  if (uw_null(branch) || uw_result_count(branch) != uw_result_count(loop) || uw_result_count(loop) == 0)
    return false;
  for (size_t i = 0; i < uw_result_count(loop); i++)
    if (!uw_same(uw_operand(yield, i), uw_result(branch, i)))
      return false;
  return asks_for_lane(branch, loop, q);
}

static bool split(uw_arena *arena, MlirOperation loop) {
  question full, rest;
  bool carries = uw_result_count(loop) > 0;
  if (!(carries ? find_question_of_lane(loop, &full) : find_question(loop, &full)))
    return false;
  uw_remark(mlirOperationGetLocation(loop), "peel-remainders",
            "iterations in which all threads find data have a loop of their own");
  uw_builder b = uw_at(loop);
  MlirValue low = uw_operand(loop, 0), high = uw_operand(loop, 1), step = uw_operand(loop, 2),
            one = uw_const_index(&b, 1);
  MlirValue end = uw_binary(&b, "arith.addi", uw_binary(&b, "arith.subi", full.limit, full.count), one);
  end = uw_binary(&b, "arith.minsi", high, end);
  MlirValue iterations = uw_binary(&b, "arith.ceildivsi", uw_binary(&b, "arith.subi", end, low), step);
  iterations = uw_binary(&b, "arith.maxsi", iterations, uw_const_index(&b, 0));
  MlirValue next = uw_binary(&b, "arith.addi", low, uw_binary(&b, "arith.muli", iterations, step));
  MlirOperation made[2];
  uw_split_range(arena, loop, 0, (const uw_range[]){{.upper = end}, {.lower = next}}, 2, made);
  if (!carries) {
    uw_assert(made[1], find_question(made[1], &rest));
    uw_take_arm(rest.branch, 1);
  }
  uw_take_arm(full.branch, 0);
  return true;
}

uw_change uw_pass_peel_remainders(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = loops.count; i-- > 0;) /* inner before outer, which drops an arm with all that is in it */
    if (split(ctx->arena, loops.at[i]))
      change = UW_CHANGED;
  return change;
}
