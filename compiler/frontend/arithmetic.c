/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arithmetic that C++ and LLVM leave undefined and PTX does not. Programs count on it, so it gets PTX's meaning before
 * LLVM may conclude anything from it (PTX ISA, "shl", "shr", "div", "rem"):
 *
 * A shift by as many bits as the value has, or more: the amount, taken as unsigned, is clamped to the width. The
 * `word << (32 - bit)` of an unaligned copy must be 0 where bit is 0.
 *
 *     shl  x, n   ->   n < width ? shl x, n : 0                lshr the same
 *     ashr x, n   ->   ashr x, (n < width ? n : width - 1)
 *
 * A division by zero has some value and does not end the program: threads at the border of a grid may compute one that
 * nobody reads. It is the one that the instructions of an H100 give: all ones, as quotient and as remainder. The least
 * integer divided by -1 overflows to itself.
 *
 *     udiv x, d   ->   d == 0 ? -1 : udiv x, (d == 0 ? 1 : d)  sdiv the same, with a divisor of 1 also for least / -1
 *     urem x, d   ->   d == 0 ? -1 : urem x, (d == 0 ? 1 : d)  srem the same
 *
 * LLVM drops the tests where it knows that n is in range, as after `& 31`, or that d is not zero, as for blockDim.x.
 * Constants in range stay as they are.
 */
#include "frontend.h"
#include "llvm-c/DebugInfo.h"

static bool is_constant_within(LLVMValueRef value, uint64_t from, uint64_t to) {
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return false;
  uint64_t number = LLVMConstIntGetZExtValue(value);
  return number >= from && number < to;
}

/* What op gives becomes condition ? otherwise : op. */
static void select_result(LLVMBuilderRef builder, LLVMValueRef op, LLVMValueRef condition, LLVMValueRef otherwise) {
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(op));
  LLVMValueRef kept = LLVMInstructionClone(op);
  LLVMInsertIntoBuilder(builder, kept);
  LLVMReplaceAllUsesWith(op, LLVMBuildSelect(builder, condition, otherwise, kept, ""));
  LLVMInstructionEraseFromParent(op);
}

static void define_shift(LLVMBuilderRef builder, LLVMValueRef op, LLVMTypeRef type) {
  unsigned width = LLVMGetIntTypeWidth(type);
  LLVMValueRef amount = LLVMGetOperand(op, 1);
  if (is_constant_within(amount, 0, width))
    return;
  LLVMValueRef last = LLVMConstInt(type, width - 1, 0);
  LLVMValueRef past = LLVMBuildICmp(builder, LLVMIntUGT, amount, last, "");
  if (LLVMGetInstructionOpcode(op) == LLVMAShr)
    LLVMSetOperand(op, 1, LLVMBuildSelect(builder, past, last, amount, ""));
  else
    select_result(builder, op, past, LLVMConstInt(type, 0, 0));
}

static void define_division(LLVMBuilderRef builder, LLVMValueRef op, LLVMTypeRef type) {
  unsigned width = LLVMGetIntTypeWidth(type);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
  LLVMValueRef dividend = LLVMGetOperand(op, 0), divisor = LLVMGetOperand(op, 1);
  if (width > 64 || is_constant_within(divisor, 1, UINT64_MAX >> (65 - width)))
    return;
  LLVMValueRef all_ones = LLVMConstAllOnes(type), one = LLVMConstInt(type, 1, 0);
  LLVMValueRef zero = LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstInt(type, 0, 0), ""), unfit = zero;
  if (opcode == LLVMSDiv || opcode == LLVMSRem) {
    LLVMValueRef least = LLVMConstInt(type, 1ull << (width - 1), 0);
    LLVMValueRef overflows = LLVMBuildAnd(builder, LLVMBuildICmp(builder, LLVMIntEQ, dividend, least, ""),
                                          LLVMBuildICmp(builder, LLVMIntEQ, divisor, all_ones, ""), "");
    unfit = LLVMBuildOr(builder, zero, overflows, "");
  }
  LLVMSetOperand(op, 1, LLVMBuildSelect(builder, unfit, one, divisor, ""));
  select_result(builder, op, zero, all_ones);
}

static void define(LLVMBuilderRef builder, LLVMValueRef op) {
  LLVMTypeRef type = LLVMTypeOf(op);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
    return;
  LLVMPositionBuilderBefore(builder, op);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(op));
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr: define_shift(builder, op, type); break;
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMURem:
  case LLVMSRem: define_division(builder, op, type); break;
  default: break;
  }
}

void uw_define_arithmetic(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        define(builder, op);
      }
  LLVMDisposeBuilder(builder);
}
