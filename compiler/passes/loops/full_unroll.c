/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes out the iterations of a loop that holds barriers, warp operations or the like, where their count is known.
 * Trees in shared memory halve or double a stride from iteration to iteration: unrolled, it is a constant, each
 * iteration is a thread loop of constant bounds and constant strides, and barriers that order nothing in one iteration
 * can go though they are needed in another.
 *
 *   for (%s = 2; %s > 0; %s >>= 1) {               A(2)
 *     A(%s)                                        barrier
 *     barrier }                            ==>     A(1)
 *                                                  barrier
 *
 * Done when a) the loop holds an exchange of threads; b) whether it goes on depends, iteration by iteration, on nothing
 * but constants: the iterations are counted by folding what the condition is computed from; c) there are at most
 * UW_UNROLL_MOST_ITERATIONS iterations, and at most UW_UNROLL_MOST_OPS operations in all iterations together,
 * UW_UNROLL_MOST_KERNEL in a kernel; d) it is worth it: what becomes constant meets a value that differs from thread to
 * thread (a stride added to the thread index, a bound that it is compared with, the distance of a shuffle), or there is
 * but one iteration; and no loop in the body stays. Otherwise the copies only make the kernel larger: boxes around a
 * block that are taken one after the other are the same for all threads, and time goes by in the loops inside.
 *
 * Legal because each iteration runs the same operations in the same order; a thread that comes by a barrier in an
 * iteration does so at the copy that stands for that round, and so does every other thread of that round.
 *
 * Upstream's loop-unroll-full takes loops over an induction variable with constant bounds and a step that is added;
 * these are mostly others. Requires: nothing (normalize-while makes the loops shorter). Preserves: order of effects.
 * Refuses: the rest, silently. Paper: the back-propagation example. */
#include "../../analysis/thresholds.h"
#include "../../analysis/exchange.h"
#include "../../analysis/uniformity.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../ir/shim.h"
#include "../passes.h"

enum { MOST_OPERANDS = 8, MOST_DEPTH = 40 };

static MlirValue argument(MlirBlock block, size_t index) { return mlirBlockGetArgument(block, (intptr_t)index); }

/* --- what is constant in one iteration ---------------------------------------------------------------------------- */

enum { UNKNOWN = 1 }; /* in `known`, where others are attributes */

static bool is_true(MlirAttribute condition) { return mlirIntegerAttrGetValueInt(condition) & 1; }

static MlirAttribute constant_of(uw_table *known, MlirValue value, int depth);

/* A result of a branch whose condition is constant: what the arm that is taken yields. */
static MlirAttribute constant_of_branch(uw_table *known, MlirValue value, MlirOperation branch, int depth) {
  MlirAttribute condition = constant_of(known, uw_operand(branch, 0), depth - 1);
  if (mlirAttributeIsNull(condition) || !mlirAttributeIsAInteger(condition))
    return (MlirAttribute){NULL};
  MlirOperation yield = uw_last(uw_block(branch, is_true(condition) ? 0 : 1));
  return constant_of(known, uw_operand(yield, (size_t)mlirOpResultGetResultNumber(value)), depth - 1);
}

/* The value as a constant; null if it is none. `known` (value -> attribute) says what the loop carries and gets the
 * rest. */
static MlirAttribute constant_of(uw_table *known, MlirValue value, int depth) {
  intptr_t found = uw_table_get(known, value.ptr);
  MlirAttribute constant = {NULL}, operands[MOST_OPERANDS];
  MlirOperation op = uw_def(value);
  if (found)
    return found == UNKNOWN ? constant : (MlirAttribute){(const void *)found};
  size_t count = uw_null(op) ? 0 : uw_operand_count(op);
  if (!uw_null(op) && depth > 0 && count <= MOST_OPERANDS && uw_result_count(op) == 1 && uw_region_count(op) == 0 &&
      uw_effect_free(op)) {
    for (size_t i = 0; i < count; i++)
      operands[i] = constant_of(known, uw_operand(op, i), depth - 1);
    constant = uw_shim_fold(op, count, operands);
  } else if (uw_kind(op) == UW_OP_SCF_IF && depth > 0) {
    constant = constant_of_branch(known, value, op, depth);
  }
  uw_table_set(known, value.ptr, mlirAttributeIsNull(constant) ? UNKNOWN : (intptr_t)constant.ptr);
  return constant;
}

/* What is known of the values, in their order, is known of the arguments. */
static void pass_on(uw_table *known, MlirOperation from, size_t first, uw_table *next, MlirBlock to) {
  for (size_t i = first; i < uw_operand_count(from); i++) {
    MlirAttribute constant = constant_of(known, uw_operand(from, i), MOST_DEPTH);
    uw_table_set(next, argument(to, i - first).ptr, mlirAttributeIsNull(constant) ? UNKNOWN : (intptr_t)constant.ptr);
  }
}

/* How many iterations the while runs, or -1. */
static int trips_of_while(uw_arena *arena, MlirOperation loop) {
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before), yield = uw_last(after);
  uw_table *known = uw_table_create(arena);
  pass_on(known, loop, 0, known, before);
  for (int trips = 0; trips <= UW_UNROLL_MOST_ITERATIONS; trips++) {
    MlirAttribute goes_on = constant_of(known, uw_operand(condition, 0), MOST_DEPTH);
    if (mlirAttributeIsNull(goes_on) || !mlirAttributeIsAInteger(goes_on))
      return -1;
    if (!is_true(goes_on))
      return trips;
    uw_table *next = uw_table_create(arena); /* what was computed in this iteration is computed anew in the next */
    pass_on(known, condition, 1, known, after);
    pass_on(known, yield, 0, next, before);
    known = next;
  }
  return -1;
}

/* The same for a for; its first counter and its step too. */
static int trips_of_for(uw_arena *arena, MlirOperation loop, int64_t *start, int64_t *step) {
  uw_table *known = uw_table_create(arena);
  int64_t numbers[3];
  for (size_t i = 0; i < 3; i++) {
    MlirAttribute constant = constant_of(known, uw_operand(loop, i), MOST_DEPTH);
    if (mlirAttributeIsNull(constant) || !mlirAttributeIsAInteger(constant))
      return -1;
    numbers[i] = mlirIntegerAttrGetValueInt(constant);
    if (numbers[i] < 0 || numbers[i] > INT32_MAX)
      return -1; /* so that signed and unsigned comparison agree, and nothing wraps around */
  }
  *start = numbers[0];
  *step = numbers[2];
  if (*step == 0)
    return -1;
  int64_t trips = numbers[1] <= numbers[0] ? 0 : (numbers[1] - numbers[0] + *step - 1) / *step;
  return trips > UW_UNROLL_MOST_ITERATIONS ? -1 : (int)trips;
}

static int trips_of(uw_arena *arena, MlirOperation loop, int64_t *start, int64_t *step) {
  return uw_kind(loop) == UW_OP_SCF_FOR ? trips_of_for(arena, loop, start, step) : trips_of_while(arena, loop);
}

/* --- what is worth it --------------------------------------------------------------------------------------------- */

static const char WORTH[] = "unwarp.iterations_matter"; /* on loops, while the pass runs: copies have it too */

/* Arguments that are the same for all threads are constants in an iteration, if the iterations can be counted. */
static void become_constant(uw_table *fixed, const uw_uniformity *facts, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
    if (uw_uniform(facts, mlirBlockGetArgument(block, i)))
      uw_table_set(fixed, mlirBlockGetArgument(block, i).ptr, 1);
}

/* Does something that becomes constant meet what differs from thread to thread? */
static bool meets_threads(uw_arena *arena, MlirOperation loop, const uw_uniformity *facts) {
  uw_table *fixed = uw_table_create(arena);
  for (unsigned r = 0; r < (unsigned)uw_region_count(loop); r++)
    become_constant(fixed, facts, uw_block(loop, r));
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    size_t constants = 0, varying = 0, others = 0, count = uw_operand_count(ops.at[i]);
    int64_t number;
    for (size_t k = 0; k < count; k++) {
      MlirValue operand = uw_operand(ops.at[i], k);
      constants += uw_table_get(fixed, operand.ptr) != 0;
      varying += !uw_uniform(facts, operand);
      others += !uw_table_get(fixed, operand.ptr) && !uw_const_value(operand, &number);
    }
    if (uw_region_count(ops.at[i]) > 0 || uw_same_op(ops.at[i], uw_last(mlirOperationGetBlock(ops.at[i]))))
      continue;
    if (constants > 0 && varying > 0)
      return true;
    if (constants > 0 && others == 0 && uw_effect_free(ops.at[i]))
      for (size_t k = 0; k < uw_result_count(ops.at[i]); k++)
        uw_table_set(fixed, uw_result(ops.at[i], k).ptr, 1);
  }
  return false;
}

static bool is_worth_it(uw_arena *arena, MlirOperation loop, const uw_uniformity *facts) {
  int64_t start, step;
  if (!uw_has_exchange(loop, "block") && !uw_has_exchange(loop, "warp"))
    return false;
  int trips = trips_of(arena, loop, &start, &step);
  return trips == 0 || trips == 1 || meets_threads(arena, loop, facts);
}

/* Marks the loops at and below op that are worth it; says whether one stays. */
static bool mark(uw_arena *arena, MlirOperation op, const uw_uniformity *facts) {
  bool stays = false;
  for (unsigned r = 0; r < (unsigned)uw_region_count(op); r++) {
    MlirBlock block = uw_block(op, r);
    if (!mlirBlockIsNull(block))
      uw_foreach_op (inner, block)
        stays = mark(arena, inner, facts) || stays;
  }
  if (!uw_is_loop(op))
    return stays;
  if (stays || !is_worth_it(arena, op, facts))
    return true;
  uw_set_attr(op, WORTH, mlirUnitAttrGet(mlirOperationGetContext(op)));
  return false;
}

/* --- the copies --------------------------------------------------------------------------------------------------- */

/* What two pointers of one iteration's call have to do with each other says nothing about those of another
 * iteration. */
static void forget_scopes(uw_arena *arena, MlirOperation op) {
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++) {
    mlirOperationRemoveAttributeByName(ops.at[i], uw_str("alias_scopes"));
    mlirOperationRemoveAttributeByName(ops.at[i], uw_str("noalias_scopes"));
  }
}

static void clone_all(uw_arena *arena, uw_builder *b, MlirBlock block, uw_map *map, uw_ops *copies) {
  MlirOperation last = uw_last(block);
  uw_foreach_op (op, block)
    if (!uw_same_op(op, last)) {
      MlirOperation copy = uw_clone(b, op, map);
      forget_scopes(arena, copy);
      uw_ops_push(arena, copies, copy);
    }
}

/* What stands for the operands, from `first`, becomes what stands for the arguments. */
static void bind(uw_arena *arena, uw_map *map, MlirOperation from, size_t first, MlirBlock to, size_t first_argument) {
  uw_vals values = {0};
  for (size_t i = first; i < uw_operand_count(from); i++)
    uw_vals_push(arena, &values, uw_map_or_same(map, uw_operand(from, i)));
  for (size_t i = 0; i < values.count; i++)
    uw_map_set(map, argument(to, first_argument + i), values.at[i]);
}

static void write_out_while(uw_arena *arena, MlirOperation loop, int trips, uw_ops *copies) {
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before);
  uw_builder b = uw_at(loop);
  uw_map *map = uw_map_create(arena);
  bind(arena, map, loop, 0, before, 0);
  for (int trip = 0; trip < trips; trip++) {
    clone_all(arena, &b, before, map, copies);
    bind(arena, map, condition, 1, after, 0);
    clone_all(arena, &b, after, map, copies);
    bind(arena, map, uw_last(after), 0, before, 0);
  }
  clone_all(arena, &b, before, map, copies);
  for (size_t i = 0; i < uw_result_count(loop); i++)
    uw_replace_uses(uw_result(loop, i), uw_map_or_same(map, uw_operand(condition, i + 1)));
}

static void write_out_for(uw_arena *arena, MlirOperation loop, int trips, int64_t start, int64_t step, uw_ops *copies) {
  MlirBlock body = uw_block(loop, 0);
  MlirType type = mlirValueGetType(argument(body, 0));
  uw_builder b = uw_at(loop);
  uw_map *map = uw_map_create(arena);
  bind(arena, map, loop, 3, body, 1);
  for (int trip = 0; trip < trips; trip++) {
    uw_map_set(map, argument(body, 0),
               uw_build1(&b, "arith.constant", .out = TYPES(type),
                         .attrs = ATTRS({"value", mlirIntegerAttrGet(type, start + trip * step)})));
    clone_all(arena, &b, body, map, copies);
    bind(arena, map, uw_last(body), 0, body, 1);
  }
  for (size_t i = 0; i < uw_result_count(loop); i++)
    uw_replace_uses(uw_result(loop, i), uw_map_get(map, argument(body, i + 1)));
}

/* Writes the loop out if it may be; the copies of its body's operations are pushed. */
static bool unroll(uw_arena *arena, MlirOperation loop, size_t *grown, uw_ops *copies) {
  if (mlirAttributeIsNull(uw_get_attr(loop, WORTH)))
    return false;
  uw_remove_attr(loop, WORTH);
  int64_t start = 0, step = 0;
  int trips = trips_of(arena, loop, &start, &step);
  size_t ops = trips < 0 ? 0 : (size_t)trips * uw_collect(arena, loop).count;
  if (trips < 0 || ops > UW_UNROLL_MOST_OPS || *grown + ops > UW_UNROLL_MOST_KERNEL)
    return false;
  *grown += ops;
  uw_remark(mlirOperationGetLocation(loop), "full-unroll", "loop with barriers unrolled: %d iterations", trips);
  if (uw_kind(loop) == UW_OP_SCF_FOR)
    write_out_for(arena, loop, trips, start, step, copies);
  else
    write_out_while(arena, loop, trips, copies);
  mlirOperationDestroy(loop);
  return true;
}

/* Loops in op, outer ones first: how often an inner one runs may be known only when the one around is unrolled. */
static bool unroll_below(uw_arena *arena, MlirOperation op, size_t *grown) {
  if (uw_is_loop(op)) {
    uw_ops copies = {0};
    if (unroll(arena, op, grown, &copies)) {
      for (size_t i = 0; i < copies.count; i++)
        unroll_below(arena, copies.at[i], grown);
      return true;
    }
  }
  bool changed = false;
  for (unsigned r = 0; r < (unsigned)uw_region_count(op); r++) {
    MlirBlock block = uw_block(op, r);
    if (!mlirBlockIsNull(block))
      uw_foreach_op_safe (inner, block)
        changed = unroll_below(arena, inner, grown) || changed;
  }
  return changed;
}

uw_change uw_pass_full_unroll(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    size_t grown = 0;
    if (!uw_is_over(loops.at[i], UW_OVER_THREADS) ||
        !(uw_has_exchange(loops.at[i], "block") || uw_has_exchange(loops.at[i], "warp")))
      continue;
    mark(ctx->arena, loops.at[i], uw_uniformity_of(ctx->arena, loops.at[i], NULL));
    if (unroll_below(ctx->arena, loops.at[i], &grown))
      change = UW_CHANGED;
  }
  return change;
}
