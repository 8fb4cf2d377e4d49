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
 * Requires: for loops made (while-to-for). Preserves: all else. Refuses: the rest, silently. Paper: parallel
 * loop-invariant code motion, Figure 1. */
#include "parallel_licm.h"
#include "../../analysis/exchange.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"
#include "same_warps.h"

/* Nothing inside op, op included, comes from inside of the loop but from op itself, and from what will be outside. */
static bool invariant(uw_arena *arena, MlirOperation op, MlirOperation loop, const uw_table *outside) {
  uw_ops ops = uw_collect(arena, op);
  uw_ops_push(arena, &ops, op);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k);
      if (uw_defined_inside(value, loop) && !uw_defined_inside(value, op) &&
          !(outside && uw_table_get(outside, value.ptr)))
        return false;
    }
  return true;
}

bool uw_is_loop_or_choice(MlirOperation op) {
  uw_kind_t kind = uw_kind(op);
  return kind == UW_OP_SCF_FOR || kind == UW_OP_SCF_WHILE || kind == UW_OP_SCF_IF || kind == UW_OP_SCF_INDEX_SWITCH;
}

/* Only reads and computes; pushes what it reads. */
static bool only_reads(uw_effects *effects, MlirOperation op, uw_accesses *reads) {
  if (uw_region_count(op) != 0 && !uw_is_loop_or_choice(op))
    return false;
  if (uw_has_exchange(op, "block") || uw_has_exchange(op, "warp") || uw_kind(op) == UW_OP_LLVM_ALLOCA ||
      uw_kind(op) == UW_OP_SHARED)
    return false;
  uw_effects_inside(effects, op, reads);
  for (size_t i = 0; i < reads->count; i++)
    if (reads->at[i].writes || reads->at[i].anywhere)
      return false;
  return true;
}

/* Allocas inside, and calls that are pure but may not return, stay. */
static bool is_movable(uw_arena *arena, uw_effects *effects, MlirOperation op, uw_accesses *reads) {
  if (!only_reads(effects, op, reads))
    return false;
  uw_ops inner = uw_collect(arena, op);
  for (size_t i = 0; i < inner.count; i++)
    if (uw_kind(inner.at[i]) == UW_OP_LLVM_ALLOCA || uw_kind(inner.at[i]) == UW_OP_LLVM_CALL)
      return false;
  return uw_kind(op) != UW_OP_LLVM_CALL && uw_result_count(op) > 0;
}

bool uw_same_in_front(uw_arena *arena, uw_effects *effects, MlirOperation op, MlirOperation loop,
                      const uw_table *outside, const uw_accesses *before, uw_accesses *reads) {
  if (!invariant(arena, op, loop, outside) || !is_movable(arena, effects, op, reads))
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
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && invariant(arena, op, loop, NULL))
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
    if (same || (!stays && uw_is_common_write(op, loop) && invariant(arena, op, loop, NULL))) {
      bool grid = uw_is_over(loop, UW_OVER_BLOCKS);
      if (same && reads.count)
        uw_remark(mlirOperationGetLocation(op), "parallel-licm",
                  "%s moved out of the loop over %s: the same for all, and %s",
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

uw_change uw_pass_parallel_licm(MlirOperation root, uw_pass_ctx *ctx) {
  if (uw_option_is(ctx, "scope", "lanes"))
    return hoist_all(root, ctx, UW_OVER_LANES, UW_OVER_NOTHING);
  if (uw_option_is(ctx, "scope", "phase"))
    return hoist_out_of_phases(root, ctx);
  return hoist_all(root, ctx, UW_OVER_THREADS, UW_OVER_BLOCKS);
}
