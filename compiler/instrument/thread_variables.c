/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For -G: gives each thread of a block the memory of its variables (frontend/debug_variables.c), so that a debugger
 * finds them whichever thread runs:
 *
 *   parallel %i in n {                              %holder = alloca ptr
 *     %m = alloca i32                               declare_variable(%holder, index, 1)
 *     declare_variable(%m, index, 0)      ==>       parallel %i in n {
 *     %a = …                                          %m = alloca i32
 *     set_variable(%m, %a)                            store %m, %holder
 *     barrier                                         %a = …
 *     … }                                             store %a, %m
 *                                                     barrier
 *                                                     … }
 *
 * The holder says where the variable of the thread that runs is: debug information knows one location for a variable in
 * a function, and barrier lowering makes a slot with room for all threads of its memory (private_memory.c). Each of the
 * loops over threads that the lowering makes says so again, first thing (uw_point_to_variables). One whose threads run
 * on fibers becomes a function of its own (lower/concurrent.c), and has its own holders.
 *
 * A function that stayed a call has its variables in its own frame; only values become stores there.
 *
 * Requires: UW_KEEPS_VARIABLES on the module. Preserves: what is computed. Refuses: nothing. */
#include <string.h>

#include "../analysis/uniformity.h"
#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../raise/raise.h"
#include "../passes/passes.h"
#include "../transform/thread_loop.h"

#define HOLDER "unwarp.holder" /* on an alloca: the index of the variable whose address it holds */

static bool calls(MlirOperation op, const char *prefix) {
  MlirStringRef callee = uw_kind(op) == UW_OP_LLVM_CALL ? uw_get_str_attr(op, "callee") : (MlirStringRef){NULL, 0};
  return callee.data && callee.length >= strlen(prefix) && memcmp(callee.data, prefix, strlen(prefix)) == 0;
}

static bool declares(MlirOperation op) { return calls(op, UW_DECLARE_VARIABLE); }
static bool sets(MlirOperation op) { return calls(op, UW_SET_VARIABLE); }

static void store_value(MlirOperation call) {
  uw_builder b = uw_at(call);
  uw_build(&b, "llvm.store", .in = VALS(uw_operand(call, 1), uw_operand(call, 0)));
  uw_erase(call);
}

static MlirOperation make_holder(uw_builder *b) {
  enum { POINTER = 8 };
  MlirValue one = uw_const_int(b, 64, 1);
  return uw_build(b, "llvm.alloca", .in = VALS(one), .out = TYPES(uw_ptr_type(b->context)),
                  .attrs = ATTRS({"elem_type", mlirTypeAttrGet(uw_ptr_type(b->context))},
                                 {"alignment", uw_int_attr(b->context, 64, POINTER)}));
}

static MlirOperation hold(uw_builder *b, MlirOperation holder, MlirValue memory) {
  return uw_build(b, "llvm.store", .in = VALS(memory, uw_result(holder, 0)));
}

/* The same variable, but where its address stands. */
static void declare_at(uw_builder *b, MlirOperation call, MlirOperation holder, int64_t more) {
  int64_t addresses = 0;
  uw_const_value(uw_operand(call, 2), &addresses);
  MlirValue count = uw_const_int(b, 32, addresses + more);
  int64_t number = 0;
  uw_const_value(uw_operand(call, 1), &number);
  b->location = mlirOperationGetLocation(call);
  uw_call(b, UW_DECLARE_VARIABLE, VALS(uw_result(holder, 0), uw_const_int(b, 64, number), count), (MlirType){NULL});
}

static void keep_in_loop(MlirOperation loop, MlirOperation call, int64_t number) {
  MlirValue memory = uw_operand(call, 0);
  MlirOperation maker = uw_def(memory);
  uw_builder before = uw_at(loop);
  MlirOperation holder = make_holder(&before);
  uw_set_attr(holder, HOLDER, uw_int_attr(before.context, 64, number));
  declare_at(&before, call, holder, 1);
  uw_builder b = uw_null(maker) || !uw_defined_inside(memory, loop) ? uw_at(call) : uw_after(maker);
  if (uw_kind(maker) == UW_OP_LLVM_ALLOCA)
    uw_set_attr(maker, UW_VARIABLE, uw_int_attr(before.context, 64, number));
  hold(&b, holder, memory);
  uw_erase(call);
}

uw_change uw_pass_variables(MlirOperation root, uw_pass_ctx *ctx) {
  if (mlirAttributeIsNull(uw_get_attr(root, UW_KEEPS_VARIABLES)))
    return UW_SAME;
  int64_t number = 0;
  uw_ops loops = uw_collect_over(ctx->arena, root, UW_OVER_THREADS);
  for (size_t i = 0; i < loops.count; i++) {
    uw_ops ops = uw_collect_kind(ctx->arena, loops.at[i], UW_OP_LLVM_CALL);
    for (size_t k = 0; k < ops.count; k++)
      if (declares(ops.at[k]))
        keep_in_loop(loops.at[i], ops.at[k], ++number);
  }
  uw_ops ops = uw_collect(ctx->arena, root);
  for (size_t i = 0; i < ops.count; i++)
    if (sets(ops.at[i]))
      store_value(ops.at[i]);
  uw_remove_attr(root, UW_KEEPS_VARIABLES);
  return UW_CHANGED;
}

/* --- after barrier lowering -------------------------------------------------------------------------------------- */

static MlirOperation around(MlirOperation op, uw_over over) {
  for (op = uw_parent(op); !uw_null(op) && uw_kind(op) != UW_OP_FUNC; op = uw_parent(op))
    if (uw_is_over(op, over))
      return op;
  return (MlirOperation){NULL};
}

/* A holder of its own for what becomes a function of its own. Gives where it is set. */
static MlirOperation own_holder(MlirOperation holder, MlirOperation loop, MlirOperation *own) {
  uw_builder b = uw_at_start(uw_block(loop, 0), mlirOperationGetLocation(holder));
  MlirValue shared = uw_result(holder, 0);
  *own = make_holder(&b);
  uw_replace_uses_inside(shared, uw_result(*own, 0), loop);
  MlirOperation declared = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(shared); !mlirOpOperandIsNull(use) && uw_null(declared);
       use = mlirOpOperandGetNextUse(use))
    if (declares(mlirOpOperandGetOwner(use)))
      declared = mlirOpOperandGetOwner(use);
  if (!uw_null(declared))
    declare_at(&b, declared, *own, 0);
  return hold(&b, *own, uw_build1(&b, "llvm.load", .in = VALS(shared), .out = TYPES(uw_ptr_type(b.context))));
}

/* The thread's index where the slot has room for the threads of a block, its lane where it stands in the loop over
 * warps. */
static MlirValue index_in(uw_builder *b, MlirOperation loop, MlirOperation warps, MlirOperation slot) {
  enum { LANES = 32 };
  MlirValue index = uw_linear_thread(b, loop);
  if (uw_null(warps) || uw_inside(slot, warps))
    return index;
  MlirValue first = uw_binary(b, "arith.muli", mlirBlockGetArgument(uw_block(warps, 0), 0), uw_const_index(b, LANES));
  return uw_binary(b, "arith.addi", first, index);
}

/* What holds the variable of this index for code in the loop; of several the innermost, which is the last. */
static MlirOperation holder_for(const uw_ops *holders, int64_t number, MlirOperation loop) {
  for (size_t i = holders->count; i-- > 0;)
    if (uw_get_int_attr(holders->at[i], HOLDER, 0) == number && uw_inside(loop, uw_parent(holders->at[i])))
      return holders->at[i];
  return (MlirOperation){NULL};
}

static void point_in(MlirOperation loop, const uw_ops *holders, const uw_ops *slots) {
  MlirOperation warps = around(loop, UW_OVER_WARPS);
  bool fibers = uw_is_over(loop, UW_OVER_FIBERS);
  for (size_t i = 0; i < holders->count; i++) {
    MlirOperation holder = holders->at[i];
    int64_t number = uw_get_int_attr(holder, HOLDER, 0);
    if (!uw_same_op(holder, holder_for(holders, number, loop)))
      continue;
    uw_builder b = uw_at_start(uw_block(loop, 0), mlirOperationGetLocation(holder));
    if (fibers)
      b = uw_after(own_holder(holder, loop, &holder));
    for (size_t k = 0; k < slots->count; k++) {
      MlirOperation slot = slots->at[k];
      if (uw_get_int_attr(slot, UW_VARIABLE, 0) != number || !uw_inside(loop, uw_parent(slot)) || uw_inside(slot, loop))
        continue;
      uw_slot memory = {uw_result(slot, 0), mlirTypeAttrGetValue(uw_get_attr(slot, UW_VARIABLE_TYPE)), false};
      hold(&b, holder, uw_slot_address(&b, &memory, index_in(&b, loop, warps, slot)));
    }
  }
}

bool uw_point_to_variables(uw_arena *arena, MlirOperation root) {
  uw_ops holders = {0}, slots = {0}, loops = {0}, ops = uw_collect(arena, root);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    if (uw_kind(op) == UW_OP_LLVM_ALLOCA && uw_get_int_attr(op, HOLDER, 0))
      uw_ops_push(arena, &holders, op);
    else if (uw_kind(op) == UW_OP_SLOT && uw_get_int_attr(op, UW_VARIABLE, 0))
      uw_ops_push(arena, &slots, op);
    else if (uw_is_over(op, UW_OVER_THREADS) || uw_is_over(op, UW_OVER_LANES) || uw_is_over(op, UW_OVER_FIBERS))
      uw_ops_push(arena, &loops, op);
  }
  for (size_t i = 0, shared = holders.count; i < ops.count && shared; i++)
    for (size_t k = 0; k < shared && uw_is_over(ops.at[i], UW_OVER_WARPS) && uw_is_concurrent(ops.at[i]); k++) {
      MlirOperation own;
      if (!uw_inside(ops.at[i], uw_parent(holders.at[k])))
        continue;
      own_holder(holders.at[k], ops.at[i], &own);
      uw_set_attr(own, HOLDER, uw_get_attr(holders.at[k], HOLDER));
      uw_ops_push(arena, &holders, own);
    }
  for (size_t i = 0; i < loops.count && holders.count; i++)
    point_in(loops.at[i], &holders, &slots);
  for (size_t i = 0; i < slots.count; i++) {
    uw_remove_attr(slots.at[i], UW_VARIABLE);
    uw_remove_attr(slots.at[i], UW_VARIABLE_TYPE);
  }
  for (size_t i = 0; i < holders.count; i++)
    uw_remove_attr(holders.at[i], HOLDER);
  return slots.count || holders.count;
}
