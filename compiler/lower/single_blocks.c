/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A launch of one block in place is straight code of the function that launches it. Where that is compiled for another
 * processor than kernels are (one of several levels, lower/levels.c), the block would lose its registers and its fused
 * products. So it becomes a function of its own, outlined as a region of OpenMP's, which the launching thread calls:
 *
 *   scf.forall (%b) in (1) { … }              ==>     omp.parallel { call @__unwarp_single_block(); … }
 *   call @__kmpc_fork_call(place, 1, outlined, data)     ==>     call @outlined(zero, zero, data)
 *
 * Outlined functions have the kernels' attributes (uw_retarget). */
#include <string.h>

#include "../ir/parallel.h"
#include "llvm-c/DebugInfo.h"
#include "lower.h"

static const char marker[] = "__unwarp_single_block";

/* A loop over the blocks of a grid of one. */
static bool is_single(MlirOperation loop) {
  int64_t from, to;
  return uw_is_over(loop, UW_OVER_BLOCKS) && uw_dims(loop) == 1 && uw_const_value(uw_lower_of(loop, 0), &from) &&
         uw_const_value(uw_upper_of(loop, 0), &to) && to - from == 1;
}

static bool is_in_host_code(MlirOperation op) {
  MlirOperation function = uw_parent_of_kind(op, UW_OP_LLVM_FUNC);
  return !uw_null(function) && !mlirAttributeIsNull(uw_get_attr(function, "unwarp.host"));
}

static void outline(MlirModule module, MlirOperation loop) {
  enum { SEGMENTS = 6 };
  static const int32_t no_operands[SEGMENTS] = {0};
  uw_declare(module, marker, "!llvm.func<void ()>");
  uw_builder b = uw_at(loop);
  MlirOperation region = uw_build(&b, "omp.parallel", .regions = 1, .segments = no_operands, .segment_count = SEGMENTS);
  MlirBlock inside = mlirBlockCreate(0, NULL, NULL), body = uw_block(loop, 0);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(region, 0), inside);
  uw_builder in = uw_at_end(inside, b.location);
  uw_call(&in, marker, (uw_value_list){0}, (MlirType){NULL});
  uw_replace_uses(mlirBlockGetArgument(body, 0), uw_lower_of(loop, 0));
  uw_foreach_op_safe (op, body)
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
      uw_move_to_end(op, inside);
  uw_build(&in, "omp.terminator");
  uw_erase(loop);
}

bool uw_is_single_block(MlirOperation region) {
  uw_foreach_op (op, uw_block(region, 0))
    if (uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", marker))
      return true;
  return false;
}

void uw_outline_single_blocks(MlirModule module, uw_arena *arena) {
  uw_ops loops = uw_collect_over(arena, mlirModuleGetOperation(module), UW_OVER_BLOCKS);
  for (size_t i = 0; i < loops.count; i++)
    if (is_single(loops.at[i]) && is_in_host_code(loops.at[i]))
      outline(module, loops.at[i]);
}

/* --- in LLVM IR --------------------------------------------------------------------------------------------------- */

/* Takes the marker out of a function; false if it has none. */
static bool take_marker(LLVMValueRef function, LLVMValueRef mark) {
  for (LLVMUseRef use = LLVMGetFirstUse(mark); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) != function)
      continue;
    LLVMInstructionEraseFromParent(call);
    return true;
  }
  return false;
}

/* A slot that holds 0 for what OpenMP tells of a thread. */
static LLVMValueRef make_zero(LLVMBuilderRef b, LLVMValueRef function, LLVMTypeRef i32) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMPositionBuilder(b, entry, LLVMGetFirstInstruction(entry));
  LLVMSetCurrentDebugLocation2(b, NULL);
  LLVMValueRef zero = LLVMBuildAlloca(b, i32, "");
  LLVMBuildStore(b, LLVMConstInt(i32, 0, 0), zero);
  return zero;
}

static void call_directly(LLVMModuleRef module, LLVMValueRef fork, LLVMValueRef outlined) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(fork));
  LLVMValueRef zero = make_zero(b, caller, LLVMInt32TypeInContext(context)), arguments[3] = {zero, zero};
  unsigned count = LLVMCountParams(outlined);
  if (count == 3)
    arguments[2] = LLVMGetOperand(fork, 3);
  LLVMPositionBuilderBefore(b, fork);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(fork));
  LLVMBuildCall2(b, LLVMGlobalGetValueType(outlined), outlined, arguments, count, "");
  LLVMInstructionEraseFromParent(fork);
  LLVMDisposeBuilder(b);
}

void uw_call_single_blocks(LLVMModuleRef module) {
  LLVMValueRef fork = LLVMGetNamedFunction(module, "__kmpc_fork_call"), mark = LLVMGetNamedFunction(module, marker);
  if (!fork || !mark)
    return;
  for (LLVMUseRef use = LLVMGetFirstUse(fork), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use), outlined = LLVMIsACallInst(call) ? LLVMGetOperand(call, 2) : NULL;
    if (outlined && LLVMIsAFunction(outlined) && take_marker(outlined, mark))
      call_directly(module, call, outlined);
  }
  LLVMDeleteFunction(mark);
}
