/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gets rid of all barriers and exchanges of values: what is left are loops over threads in which threads do not
 * wait for each other.
 *
 *   for each loop over the threads of a block, then for each of its lanes (form_warps.c):
 *     private memory to slots ─▶ mask ─▶ lower
 *   lower(loop):  the first exchange at the top level of the body is
 *     a barrier        split there                                              (split.c)
 *     another          write, split, read                                       (lower_exchange.c)
 *     in a construct   split around it, swap, lower the loops inside            (interchange.c)
 *     none             done
 *
 * An exchange outside of every thread loop has one thread: it gives that thread's value.
 * Requires: no call holds an exchange. Preserves: program order in each thread.
 * Refuses: see mask.c and private_memory.c. Paper: the section on barrier lowering. */
#include "../../ir/parallel.h"
#include "barrier_elim.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

static MlirOperation first_exchange(MlirOperation loop, const char *level) {
  uw_foreach_op (op, uw_block(loop, 0))
    if (uw_has_exchange(op, level))
      return op;
  return (MlirOperation){NULL};
}

static bool lower(uw_threads *threads, MlirOperation loop) {
  for (;;) {
    MlirOperation op = first_exchange(loop, threads->level);
    if (uw_null(op))
      break;
    if (uw_kind(op) == UW_OP_BARRIER)
      uw_split_at_barrier(threads, loop, op);
    else if (uw_is_exchange(op, threads->level)) {
      if (!uw_lower_exchange(threads, loop, op))
        return false;
    } else {
      uw_ops inner = {0};
      if (!uw_interchange(threads, loop, op, &inner))
        return false;
      for (size_t i = 0; i < inner.count; i++)
        if (!lower(threads, inner.at[i]))
          return false;
    }
  }
  uw_finish_loop(threads, loop);
  return true;
}

bool uw_lower_thread_loop(uw_arena *arena, MlirOperation loop) {
  uw_threads *threads = uw_threads_of(arena, loop);
  return uw_keep_private_memory(threads, loop) && uw_mask_loop(arena, loop, threads->level) && lower(threads, loop);
}

/* With one thread there is nobody to wait for. */
static void lower_alone(MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue result = {NULL};
  MlirType i32 = uw_int_type(b.context, 32), i1 = uw_int_type(b.context, 1);
  if (uw_kind(op) == UW_OP_SHUFFLE) {
    result = uw_operand(op, 0);
  } else if (uw_kind(op) == UW_OP_MATCH) {
    result = uw_build1(&b, "arith.extui", .in = VALS(uw_operand(op, 1)), .out = TYPES(i32));
  } else if (uw_kind(op) == UW_OP_REDUCE) {
    result = uw_operand(op, 0);
    if (uw_attr_is_str(op, "kind", "ballot")) {
      enum { CMP_NE = 1 };
      MlirValue zero = uw_const_int(&b, 32, 0);
      MlirValue bit = uw_build1(&b, "arith.cmpi", .in = VALS(result, zero), .out = TYPES(i1),
                                .attrs = ATTRS({"predicate", uw_int_attr(b.context, 64, CMP_NE)}));
      result = uw_build1(&b, "arith.extui", .in = VALS(bit), .out = TYPES(i32));
    }
    MlirValue neutral = uw_const_int(&b, 32, uw_attr_is_str(op, "kind", "and") ? -1 : 0);
    result = uw_build1(&b, "arith.select", .in = VALS(uw_operand(op, 1), result, neutral), .out = TYPES(i32));
  }
  for (size_t i = 0; i < uw_result_count(op) && uw_kind(op) == UW_OP_COLLECTIVE; i++) /* is for whole warps */
    uw_replace_uses(uw_result(op, i), uw_poison(&b, mlirValueGetType(uw_result(op, i))));
  if (result.ptr)
    uw_replace_uses(uw_result(op, 0), result);
  uw_erase(op);
}

/* A slot written and read in one block, once written before it is read: its value needs no memory. */
static bool forward_slots(uw_arena *arena, MlirOperation root) {
  bool changed = false;
  uw_ops slots = uw_collect_kind(arena, root, UW_OP_SLOT), all = uw_collect(arena, root);
  uw_table *order = uw_table_create(arena);
  for (size_t i = 0; i < all.count && slots.count; i++)
    uw_table_set(order, all.at[i].ptr, (intptr_t)i + 1);
  for (size_t i = 0; i < slots.count; i++) {
    MlirOperation store = {NULL};
    uw_ops loads = {0};
    bool simple = true;
    MlirValue memory = uw_result(slots.at[i], 0);
    if (!mlirAttributeIsNull(uw_get_attr(slots.at[i], UW_VARIABLE)))
      continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation user = mlirOpOperandGetOwner(use);
      if (uw_kind(user) == UW_OP_LLVM_LOAD)
        uw_ops_push(arena, &loads, user);
      else if (uw_kind(user) == UW_OP_LLVM_STORE && uw_null(store) && uw_same(uw_operand(user, 1), memory))
        store = user;
      else
        simple = false;
    }
    if (!simple || uw_null(store))
      continue;
    for (size_t k = 0; k < loads.count; k++)
      simple = simple && mlirBlockEqual(mlirOperationGetBlock(loads.at[k]), mlirOperationGetBlock(store)) &&
               uw_table_get(order, loads.at[k].ptr) > uw_table_get(order, store.ptr) &&
               mlirTypeEqual(mlirValueGetType(uw_result(loads.at[k], 0)), mlirValueGetType(uw_operand(store, 0)));
    if (!simple)
      continue;
    for (size_t k = 0; k < loads.count; k++) {
      uw_replace_uses(uw_result(loads.at[k], 0), uw_operand(store, 0));
      uw_erase(loads.at[k]);
    }
    uw_erase(store);
    uw_erase(slots.at[i]);
    changed = true;
  }
  return changed;
}

bool uw_finish_slots(uw_arena *arena, MlirOperation root) {
  uw_ops loads = uw_collect_kind(arena, root, UW_OP_LLVM_LOAD);
  bool changed = false;
  for (size_t i = 0; i < loads.count; i++)
    if (!mlirAttributeIsNull(uw_get_attr(loads.at[i], UW_RELOAD))) {
      uw_remove_attr(loads.at[i], UW_RELOAD);
      changed = true;
    }
  changed |= forward_slots(arena, root);
  return uw_forward_alike_slots(arena, root) || changed;
}

/* Has a loop over threads of a block warp operations in it? Then it becomes warps and lanes. */
static bool lower_warps(uw_arena *arena, MlirOperation root, uw_change *change) {
  uw_ops loops = uw_collect_kind(arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    const char *level = uw_exchange_level(loops.at[i]);
    if (!level || !uw_has_exchange(loops.at[i], "warp"))
      continue;
    *change = UW_CHANGED;
    MlirOperation lanes = uw_string_is(uw_str(level), "block") ? uw_make_lanes(arena, loops.at[i]) : loops.at[i];
    if (!uw_lower_thread_loop(arena, lanes))
      return false;
  }
  return true;
}

static uw_change lower_block_barriers(MlirOperation root, uw_pass_ctx *ctx) {
  uw_ops loops = uw_thread_loops(ctx->arena, root, "block");
  for (size_t i = 0; i < loops.count; i++)
    uw_remark_barriers(loops.at[i]);
  for (size_t i = 0; i < loops.count; i++)
    if (!uw_lower_thread_loop(ctx->arena, loops.at[i]))
      return UW_FAILED;
  return loops.count ? UW_CHANGED : UW_SAME;
}

/* Threads that wait for each other run side by side (lower/concurrent.c): later passes, which may have them run in any
 * order, and some of them after others, do not know these loops. */
static bool set_waiting_threads_apart(uw_arena *arena, MlirOperation root) {
  uw_ops loops = uw_collect_kind(arena, root, UW_OP_SCF_FORALL);
  bool changed = false;
  for (size_t i = 0; i < loops.count; i++)
    if (!uw_is_over(loops.at[i], UW_OVER_BLOCKS) && uw_has_waiting_threads(loops.at[i], arena)) {
      uw_set_concurrent(loops.at[i]);
      changed = true;
    }
  return changed;
}

uw_change uw_pass_lower_barriers(MlirOperation root, uw_pass_ctx *ctx) {
  uw_arena *arena = ctx->arena;
  uw_change change = lower_block_barriers(root, ctx);
  if (uw_option_is(ctx, "scope", "block"))
    return change;
  if (change == UW_FAILED || !lower_warps(arena, root, &change))
    return UW_FAILED;
  uw_ops ops = uw_collect(arena, root);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    if (uw_is_exchange(op, "block") || uw_is_exchange(op, "warp")) {
      lower_alone(op);
      change = UW_CHANGED;
    }
  }
  bool changed = uw_finish_slots(arena, root);
  changed |= set_waiting_threads_apart(arena, root);
  changed |= uw_point_to_variables(arena, root);
  return changed ? UW_CHANGED : change;
}
