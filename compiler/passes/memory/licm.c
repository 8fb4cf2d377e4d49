/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Moves what is the same for all threads out of the loop over threads, and what is the same for all blocks out of the
 * loop over blocks, to the launch: loads, and whole loops that only load and compute. A sum over an array in every
 * thread is then made once.
 *
 *   parallel %block {                              %sum = for (%k) { … load %in[%k] … }
 *     parallel %t {                         ==>    parallel %block {
 *       %sum = for (%k) { … load %in[%k] … }         parallel %t {
 *       store %sum, %out[%t] } }                       store %sum, %out[%t] } }
 *
 * An operation moves when a) it stands at the top level of the loop's body, so that every thread makes it; b) what it
 * uses is defined outside of the loop; c) it writes nothing, exchanges nothing and calls nothing unknown; d) nothing
 * that stands before it in the body, in any thread, may write what it reads (analysis/effects.h).
 *
 * What stands behind it does not matter: threads may be imagined in lock step, and blocks too, as nothing orders one
 * block before another. Then all of them make the operation before any of them goes on. A launch has at least one block
 * and one thread.
 *
 * Then guarded_licm.c does the same under conditions that threads differ in. {scope=lanes} looks at the lanes of a warp,
 * {scope=phase} at what lowered barriers left, same_warps.c with it, and {scope=while} at conditions of whiles, before
 * all that counts iterations (while_licm.c).
 *
 * Requires: for loops made (while-to-for), but for whiles. Preserves: all else. Refuses: the rest, silently. Paper: parallel
 * loop-invariant code motion, Figure 1. */
#include "licm.h"
#include "../../analysis/exchange.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

bool uw_is_from_outside(uw_arena *arena, MlirOperation op, MlirOperation loop, const uw_table *outside) {
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k);
      if (uw_defined_inside(value, loop) && !uw_defined_inside(value, op) &&
          !(outside && uw_table_get(outside, uw_def(value).ptr)))
        return false;
    }
  return true;
}

bool uw_is_loop_or_choice(MlirOperation op) {
  uw_kind_t kind = uw_kind(op);
  return kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE || kind == UW_OP_SCF_IF || kind == UW_OP_SCF_INDEX_SWITCH;
}

bool uw_holds_nothing_that_stays(uw_arena *arena, MlirOperation op) {
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    bool structure = uw_is_loop_or_choice(ops.at[i]) || uw_is_over(ops.at[i], UW_OVER_LANES);
    if ((uw_region_count(ops.at[i]) != 0 && !structure) || kind == UW_OP_LLVM_CALL || kind == UW_OP_LLVM_ALLOCA ||
        kind == UW_OP_SHARED || (kind == UW_OP_SLOT && !uw_same_op(ops.at[i], op)))
      return false;
  }
  return !uw_has_exchange(op, "block") && !uw_has_exchange(op, "warp");
}

static bool only_reads(uw_effects *effects, MlirOperation op, uw_accesses *reads) {
  uw_effects_inside(effects, op, reads);
  for (size_t i = 0; i < reads->count; i++)
    if (reads->at[i].writes || reads->at[i].anywhere)
      return false;
  return true;
}

bool uw_same_in_front(uw_arena *arena, uw_effects *effects, MlirOperation op, MlirOperation loop,
                      const uw_table *outside, const uw_accesses *before, uw_accesses *reads) {
  if (uw_result_count(op) == 0 || !uw_is_from_outside(arena, op, loop, outside) ||
      !uw_holds_nothing_that_stays(arena, op) || !only_reads(effects, op, reads))
    return false;
  for (size_t i = 0; i < reads->count; i++)
    if (uw_is_overwritten(effects, before, &reads->at[i]))
      return false;
  return true;
}

bool uw_is_common_write(MlirOperation op, MlirOperation loop) {
  if (uw_kind(op) != UW_OP_LLVM_STORE || uw_kind(uw_def(uw_operand(op, 1))) != UW_OP_SLOT)
    return false;
  MlirValue slot = uw_operand(op, 1);
  for (MlirOpOperand use = mlirValueGetFirstUse(slot); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (uw_inside(mlirOpOperandGetOwner(use), loop) && !uw_same_op(mlirOpOperandGetOwner(use), op))
      return false;
  return true;
}

/* Kernels have hundreds of phases, most of which have nothing to move: cheaper to see than their effects are. */
static bool has_candidates(uw_arena *arena, MlirOperation loop) {
  uw_foreach_op (op, uw_block(loop, 0))
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && uw_is_from_outside(arena, op, loop, NULL))
      return true;
  return false;
}

static bool hoist(uw_arena *arena, uw_effects *effects, MlirOperation loop) {
  bool changed = false;
  uw_accesses before = {0};
  uw_foreach_op_safe (op, uw_block(loop, 0)) {
    uw_accesses reads = {0};
    bool stays = uw_kind(op) == UW_OP_SCF_IN_PARALLEL || uw_is_block_mark(op);
    bool same = !stays && uw_same_in_front(arena, effects, op, loop, NULL, &before, &reads);
    if (same || (!stays && uw_is_common_write(op, loop) && uw_is_from_outside(arena, op, loop, NULL))) {
      bool grid = uw_is_over(loop, UW_OVER_BLOCKS);
      if (same && reads.count)
        uw_remark(mlirOperationGetLocation(op), "licm", "%s moved out of the loop over %s: the same for all, and %s",
                  uw_is_loop_or_choice(op) ? "loop or branch" : "load", grid ? "blocks, to the launch" : "threads",
                  uw_why_unwritten(effects, &before, &reads, "before it"));
      uw_move_before(op, loop);
      changed = true;
    } else if (!uw_is_block_mark(op)) {
      uw_effects_inside(effects, op, &before);
    }
  }
  return changed;
}

static uw_change hoist_all(MlirOperation root, uw_pass_ctx *ctx, uw_over over, uw_over around) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = loops.count; i-- > 0;) { /* threads first, then blocks */
    MlirOperation threads = loops.at[i], blocks = uw_parent(threads);
    if (!uw_is_over(threads, over) || (!around && !has_candidates(ctx->arena, threads)))
      continue;
    uw_effects *effects = uw_effects_of(ctx->arena, threads);
    bool changed = hoist(ctx->arena, effects, threads);
    if (around && uw_is_over(blocks, around))
      changed = hoist(ctx->arena, effects, blocks) || changed;
    if (changed)
      change = UW_CHANGED;
  }
  return change;
}

static uw_change hoist_out_of_phases(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change threads = hoist_all(root, ctx, UW_OVER_THREADS, UW_OVER_NOTHING),
            lanes = hoist_all(root, ctx, UW_OVER_LANES, UW_OVER_NOTHING);
  uw_change warps = uw_move_out_of_warps(ctx->arena, root);
  bool finished = uw_finish_slots(ctx->arena, root);
  return finished || threads == UW_CHANGED || lanes == UW_CHANGED || warps == UW_CHANGED ? UW_CHANGED : UW_SAME;
}

uw_change uw_pass_licm(MlirOperation root, uw_pass_ctx *ctx) {
  if (uw_option_is(ctx, "scope", "while"))
    return uw_move_out_of_whiles(ctx->arena, root);
  if (uw_option_is(ctx, "scope", "lanes"))
    return hoist_all(root, ctx, UW_OVER_LANES, UW_OVER_NOTHING);
  if (uw_option_is(ctx, "scope", "phase"))
    return hoist_out_of_phases(root, ctx);
  uw_change all = hoist_all(root, ctx, UW_OVER_THREADS, UW_OVER_BLOCKS),
            guarded = uw_move_out_of_guards(ctx->arena, root);
  return all == UW_CHANGED ? all : guarded;
}
