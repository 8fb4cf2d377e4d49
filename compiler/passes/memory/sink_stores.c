/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first part of guards-to-bounds. Keeps what a thread holds in a slot untouched where its condition does not change
 * it. Lowered barriers leave loops that load every thread's value, change some, and store all; then no thread could be
 * left out of the loop.
 *
 *   %x = load %slot[%t]                            if (%c) {
 *   %r = if (%c) { yield f(%x) }                     %x = load %slot[%t]
 *        else { yield %x }              ==>          store f(%x), %slot[%t]
 *   store %r, %slot[%t]                            }
 *
 * Holds when a) the body's only other operations are pure, and so are those of the else; b) every result of the if is
 * used by one store alone, at its level;
 * c) what else yields there is a load from the address that the store writes; d) these addresses lead to slots, a slot
 * each (so no store changes what another one of these loads reads).
 *
 * Requires: nothing. Preserves: what is in memory after the loop. Refuses: all else, silently. */
#include "../../analysis/exchange.h"
#include "../../analysis/uniformity.h"
#include "../passes.h"

static bool is_slot_load(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_LOAD && uw_kind(uw_address_root(uw_operand(op, 0))) == UW_OP_SLOT;
}

/* The only if with results in a body of pure operations, loads from slots and stores; null if there is more. */
static MlirOperation only_if(MlirBlock body) {
  MlirOperation found = {NULL};
  uw_foreach_op (op, body) {
    if (uw_kind(op) == UW_OP_SCF_IF && uw_null(found) && uw_result_count(op) > 0)
      found = op;
    else if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && uw_kind(op) != UW_OP_LLVM_STORE && !is_slot_load(op) &&
             !uw_speculatable(op))
      return (MlirOperation){NULL};
  }
  return found;
}

/* The store that is the result's only use, if else leaves there what is there. */
static MlirOperation keeping_store(MlirOperation branch, size_t result) {
  MlirOperation none = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(uw_result(branch, result));
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return none;
  MlirOperation store = mlirOpOperandGetOwner(use), load = uw_def(uw_operand(uw_last(uw_block(branch, 1)), result));
  bool keeps = uw_kind(store) == UW_OP_LLVM_STORE && mlirOpOperandGetOperandNumber(use) == 0 &&
               mlirBlockEqual(mlirOperationGetBlock(store), mlirOperationGetBlock(branch)) && is_slot_load(load) &&
               mlirBlockEqual(mlirOperationGetBlock(load), mlirOperationGetBlock(branch)) &&
               uw_same(uw_operand(load, 0), uw_operand(store, 1));
  return keeps ? store : none;
}

/* Does else do nothing but yield? It goes. */
static bool is_idle(MlirBlock otherwise) {
  uw_foreach_op (op, otherwise)
    if (uw_kind(op) != UW_OP_SCF_YIELD && !uw_speculatable(op))
      return false;
  return true;
}

/* Every store of the body belongs to a result, each slot has one, and addresses stand before the if. */
static bool all_keep(uw_arena *arena, MlirOperation branch, uw_ops *stores) {
  uw_ops slots = {0};
  for (size_t i = 0; i < uw_result_count(branch); i++) {
    MlirOperation store = keeping_store(branch, i);
    if (uw_null(store))
      return false;
    MlirOperation slot = uw_address_root(uw_operand(store, 1));
    if (uw_ops_have(&slots, slot))
      return false;
    uw_ops_push(arena, &slots, slot);
    uw_ops_push(arena, stores, store);
  }
  size_t count = 0;
  uw_foreach_op (op, mlirOperationGetBlock(branch))
    count += uw_kind(op) == UW_OP_LLVM_STORE;
  return count == stores->count;
}

static bool sink(MlirOperation loop, uw_arena *arena) {
  MlirBlock body = uw_block(loop, 0);
  MlirOperation branch = only_if(body);
  uw_ops stores = {0};
  if (uw_null(branch) || !is_idle(uw_block(branch, 1)) || !all_keep(arena, branch, &stores))
    return false;
  uw_builder b = uw_at(branch);
  MlirOperation plain = uw_build_branch(&b, uw_operand(branch, 0));
  MlirBlock then = uw_block(plain, 0), old = uw_block(branch, 0);
  uw_foreach_op_safe (op, old)
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      uw_move_to_end(op, then);
  for (size_t i = 0; i < stores.count; i++) {
    mlirOperationSetOperand(stores.at[i], 0, uw_operand(uw_last(old), i));
    uw_move_to_end(stores.at[i], then);
  }
  uw_erase(branch);
  uw_ops before = uw_block_ops(arena, body);
  for (size_t i = before.count; i-- > 0;)
    if (is_slot_load(before.at[i]) && uw_used_only_inside(before.at[i], then))
      uw_move_before(before.at[i], uw_first(then));
  return true;
}

uw_change uw_pass_sink_stores(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++)
    if (uw_exchange_level(loops.at[i]) && sink(loops.at[i], ctx->arena))
      change = UW_CHANGED;
  return change;
}
