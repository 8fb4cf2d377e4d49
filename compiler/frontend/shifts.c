/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A shift by as many bits as the value has, or more, is undefined in C++ and poison in LLVM. In PTX it is defined: the
 * amount, taken as unsigned, is clamped to the width (PTX ISA, "shl" and "shr"), and programs count on it: the
 * `word << (32 - bit)` of an unaligned copy must be 0 where bit is 0. So before LLVM may conclude anything from such a
 * shift, it gets that meaning:
 *
 *     shl  x, n   ->   n < width ? shl x, n : 0                lshr the same
 *     ashr x, n   ->   ashr x, (n < width ? n : width - 1)
 *
 * LLVM drops the test where it knows that n is in range, as after `& 31`. Constants in range stay as they are.
 */
#include "frontend.h"
#include "llvm-c/DebugInfo.h"

static bool is_in_range(LLVMValueRef amount, unsigned width) {
  return LLVMIsAConstantInt(amount) && LLVMGetIntTypeWidth(LLVMTypeOf(amount)) <= 64 &&
         LLVMConstIntGetZExtValue(amount) < width;
}

static void define_shift(LLVMBuilderRef builder, LLVMValueRef shift) {
  LLVMTypeRef type = LLVMTypeOf(shift);
  LLVMValueRef amount = LLVMGetOperand(shift, 1);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || is_in_range(amount, LLVMGetIntTypeWidth(type)))
    return;
  unsigned width = LLVMGetIntTypeWidth(type);
  LLVMPositionBuilderBefore(builder, shift);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(shift));
  LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULT, amount, LLVMConstInt(type, width, 0), "");
  if (LLVMGetInstructionOpcode(shift) == LLVMAShr) {
    LLVMSetOperand(shift, 1, LLVMBuildSelect(builder, fits, amount, LLVMConstInt(type, width - 1, 0), ""));
    return;
  }
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(shift));
  LLVMValueRef kept = LLVMInstructionClone(shift);
  LLVMInsertIntoBuilder(builder, kept);
  LLVMValueRef result = LLVMBuildSelect(builder, fits, kept, LLVMConstInt(type, 0, 0), "");
  LLVMReplaceAllUsesWith(shift, result);
  LLVMInstructionEraseFromParent(shift);
}

void uw_define_shifts(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
        if (opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr)
          define_shift(builder, op);
      }
  LLVMDisposeBuilder(builder);
}
