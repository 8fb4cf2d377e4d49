/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Asks once what -fcheck asks of all threads alike: of the lanes of a warp that come to an exchange together, and of
 * the threads of a loop at the barriers of the block before and behind it.
 *
 * check-warps, before barriers are lowered, in loops over whole warps:
 *
 *   parallel %l in 32 {                                parallel %l in 32 {
 *     __unwarp_check_warp_arrive(…, -1)                      %a = shuffle(%v, …)
 *     %a = shuffle(%v, …)                        ==>     __unwarp_check_met(…) }
 *     __unwarp_check_warp_pass(…) }
 *
 * The first lane that has passed tells of all of them. Holds when the loop has 32 lanes, all of which come to the
 * exchange as often, and the mask names all of them, or there is none.
 *
 * check-ends, after that, a part of check-rows:
 *
 *   parallel %l in 32 {                                __unwarp_check_row_pass(…); uwrt_check_met(…)
 *     __unwarp_check_pass(…)                           parallel %l in 32 { f(%l) }
 *     __unwarp_check_met(…)                      ==>   uwrt_check_row_arrives(…)
 *     f(%l)
 *     __unwarp_check_arrive(…) }
 *
 * Of several exchanges with no check between them the last one is told. Holds when nothing else is asked before, or
 * after, and all threads of the loop come there. The order in which other checks run stays; only who is told first to
 * have left out a barrier, of several, may change.
 *
 * Requires: lane loops of 32 lanes are whole warps. Preserves: what is reported. Refuses: all else, silently. */
#include "../analysis/calls.h"
#include "../analysis/exchange.h"
#include "../analysis/uniformity.h"
#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../transform/thread_loop.h"
#include "../passes/passes.h"
#include "../../runtime/uwrt.h"
#include "check_ends.h"

enum { LANES = 32 };

static bool calls(MlirOperation op, const char *name) {
  return !uw_null(op) && uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", name);
}

static bool is_whole_warp(MlirOperation loop) {
  int64_t lanes;
  return uw_dims(loop) == 1 && uw_const_value(uw_upper_of(loop, 0), &lanes) && lanes == LANES;
}

/* --- check-warps -------------------------------------------------------------------------------------------------- */

static MlirOperation nearest(MlirOperation exchange, bool before, const char *name) {
  for (MlirOperation op = before ? uw_prev(exchange) : uw_next(exchange); !uw_null(op);
       op = before ? uw_prev(op) : uw_next(op)) {
    if (calls(op, name))
      return op;
    if (uw_region_count(op) || !uw_effect_free(op))
      break;
  }
  return (MlirOperation){NULL};
}

/* All lanes, or none: then all that come wait for each other. What all vote for has all of them. */
static bool names_all(MlirValue mask, const uw_uniformity *facts) {
  int64_t bits;
  MlirOperation vote = uw_def(mask);
  if (uw_const_value(mask, &bits))
    return (uint32_t)bits == UINT32_MAX || bits == 0;
  return !uw_null(vote) && uw_kind(vote) == UW_OP_REDUCE && uw_attr_is_str(vote, "kind", "ballot") &&
         uw_const_value(uw_operand(vote, 0), &bits) && bits != 0 && uw_const_value(uw_operand(vote, 1), &bits) &&
         bits != 0 && uw_made_by_all(facts, vote);
}

static bool meet(MlirModule module, MlirOperation exchange, const uw_uniformity *facts) {
  MlirOperation arrive = nearest(exchange, true, "__unwarp_check_warp_arrive"),
                pass = nearest(exchange, false, "__unwarp_check_warp_pass");
  if (uw_null(arrive) || uw_null(pass) || !names_all(uw_operand(arrive, 3), facts) || !uw_made_by_all(facts, exchange))
    return false;
  uw_builder b = uw_at(pass);
  uw_declare(module, UW_CHECK_MET, "!llvm.func<void (ptr, i32, i32)>");
  uw_call(&b, UW_CHECK_MET, VALS(uw_operand(pass, 0), uw_operand(pass, 1), uw_operand(pass, 2)), (MlirType){NULL});
  uw_erase(arrive);
  uw_erase(pass);
  return true;
}

uw_change uw_pass_check_warps(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_over(ctx->arena, root, UW_OVER_LANES);
  for (size_t i = 0; i < loops.count; i++) {
    if (!is_whole_warp(loops.at[i]) || !uw_holds_checks(ctx->arena, loops.at[i]))
      continue;
    uw_uniformity *facts = uw_uniformity_of(ctx->arena, loops.at[i], NULL);
    uw_ops ops = uw_collect(ctx->arena, loops.at[i]), exchanges = {0};
    for (size_t k = 0; k < ops.count; k++)
      if (uw_is_exchange(ops.at[k], "warp"))
        uw_ops_push(ctx->arena, &exchanges, ops.at[k]);
    for (size_t k = 0; k < exchanges.count; k++)
      if (meet(mlirModuleFromOperation(root), exchanges.at[k], facts))
        change = UW_CHANGED;
  }
  return change;
}

/* --- check-ends --------------------------------------------------------------------------------------------------- */

typedef struct ends {
  uw_arena *arena;
  MlirModule module;
  MlirOperation loop;
  size_t dims;
  uw_builder b;
} ends;

static bool stays(const void *of, MlirValue value) {
  const ends *e = of;
  return !uw_defined_inside(value, e->loop);
}

/* As the first thread of the loop has it; null: it cannot be computed there. */
static MlirValue of_first(ends *e, MlirValue value) {
  const uw_again again = {stays, e, true};
  uw_map *map = uw_map_create(e->arena);
  for (size_t d = 0; d < e->dims; d++)
    uw_map_set(map, mlirBlockGetArgument(uw_block(e->loop, 0), (intptr_t)d), uw_const_index(&e->b, 0));
  return uw_compute_again(&e->b, &again, value, map);
}

static bool is_of_index(const void *of, MlirValue value) {
  const ends *e = of;
  for (size_t d = 0; d < e->dims; d++)
    if (uw_same(value, mlirBlockGetArgument(uw_block(e->loop, 0), (intptr_t)d)))
      return true;
  return stays(of, value);
}

static bool can_compute(const ends *e, MlirOperation call) {
  const uw_again again = {is_of_index, e, true};
  for (size_t i = 0; i < uw_operand_count(call); i++)
    if (!uw_can_compute_again(&again, uw_operand(call, i)))
      return false;
  return stays(e, uw_operand(call, 0));
}

static bool is_block_barrier(MlirOperation call) {
  int64_t scope;
  return uw_const_value(uw_operand(call, 3), &scope) && scope == UWRT_BARRIER_OF_BLOCK;
}

static MlirValue threads_of(ends *e) {
  MlirValue count = uw_upper_of(e->loop, 0);
  for (size_t d = 1; d < e->dims; d++)
    count = uw_binary(&e->b, "arith.muli", count, uw_upper_of(e->loop, d));
  return uw_build1(&e->b, "arith.index_cast", .in = VALS(count), .out = TYPES(uw_int_type(e->b.context, 32)));
}

static bool asks(const ends *e, MlirOperation op) { return uw_is_check(op) || uw_holds_checks(e->arena, op); }

static bool tell_before(ends *e) {
  uw_ops gone = {0};
  MlirOperation met = {NULL};
  for (MlirOperation op = uw_first(uw_block(e->loop, 0)); !uw_null(op); op = uw_next(op)) {
    bool is_met = uw_is_met_check(op), is_pass = calls(op, "__unwarp_check_pass");
    if (!asks(e, op) && uw_kind(op) != UW_OP_LLVM_CALL)
      continue;
    if ((!is_met && !(is_pass && is_block_barrier(op))) || !can_compute(e, op) || (is_pass && !uw_null(met)))
      break;
    uw_ops_push(e->arena, &gone, op);
    if (is_met)
      met = op;
  }
  for (size_t i = 0; i < gone.count; i++) {
    MlirOperation op = gone.at[i];
    MlirValue in[4] = {{NULL}};
    size_t count = uw_operand_count(op);
    e->b = uw_at(e->loop);
    if (calls(op, "__unwarp_check_pass")) {
      for (size_t k = 0; k < count; k++)
        in[k] = of_first(e, uw_operand(op, k));
      uw_declare(e->module, "__unwarp_check_row_pass", "!llvm.func<i32 (ptr, i32, i32, i32, i32, i32)>");
      uw_call(&e->b, "__unwarp_check_row_pass",
              VALS(in[0], uw_const_int(&e->b, 32, 1), threads_of(e), in[1], in[2], in[3]),
              uw_int_type(e->b.context, 32));
    } else if (uw_same_op(op, met)) {
      for (size_t k = 0; k < count; k++)
        in[k] = of_first(e, uw_operand(op, k));
      uw_declare(e->module, "uwrt_check_met", "!llvm.func<void (ptr, i32, i32)>");
      uw_call(&e->b, "uwrt_check_met", VALS(in[0], in[1], in[2]), (MlirType){NULL});
    }
  }
  for (size_t i = 0; i < gone.count; i++)
    uw_erase(gone.at[i]);
  return gone.count > 0;
}

static bool tell_behind(ends *e) {
  MlirOperation arrive = {NULL};
  for (MlirOperation op = uw_last(uw_block(e->loop, 0)); !uw_null(op) && uw_null(arrive); op = uw_prev(op)) {
    if (!asks(e, op) && uw_kind(op) != UW_OP_LLVM_CALL)
      continue;
    if (!calls(op, "__unwarp_check_arrive") || !is_block_barrier(op) || !can_compute(e, op))
      return false;
    arrive = op;
  }
  if (uw_null(arrive))
    return false;
  e->b = uw_at(e->loop);
  MlirValue in[3];
  for (size_t k = 0; k < 3; k++)
    in[k] = of_first(e, uw_operand(arrive, k));
  MlirValue count = threads_of(e);
  e->b = uw_after(e->loop);
  uw_declare(e->module, "uwrt_check_row_arrives", "!llvm.func<void (ptr, i32, i32, i32)>");
  uw_call(&e->b, "uwrt_check_row_arrives", VALS(in[0], in[1], in[2], count), (MlirType){NULL});
  uw_erase(arrive);
  return true;
}

uw_change uw_tell_ends(uw_arena *arena, MlirOperation root, uw_over over) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_over(arena, root, over);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation loop = loops.at[i];
    ends e = {arena, mlirModuleFromOperation(root), loop, uw_dims(loop)};
    if (uw_result_count(loop) || !uw_holds_checks(arena, loop))
      continue;
    bool before = tell_before(&e), behind = tell_behind(&e);
    change = before || behind ? UW_CHANGED : change;
  }
  return change;
}

uw_change uw_pass_check_ends(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_tell_ends(ctx->arena, root, uw_option_is(ctx, "scope", "block") ? UW_OVER_THREADS : UW_OVER_LANES);
}
