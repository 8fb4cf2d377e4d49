/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Works around a miscompilation in LLVM 22's x86 back end. The SLP vectoriser joins shifts and other operations into
 * one vector, whose shift amounts are then out of range in the lanes that another operation gives:
 *
 *   %s = ashr exact <4 x i32> %v, <i32 16, i32 16, i32 65535, i32 65535>          … <i32 16, i32 16, i32 0, i32 0>
 *   %a = and <4 x i32> %v, <i32 16, i32 16, i32 65535, i32 65535>           ==>
 *   shufflevector %s, %a, <0, 1, 6, 7>
 *
 * With AVX2 and later the generated code then takes the lanes of %a for shifted ones (tests/run/dpx.cu at
 * -march=x86-64-v3). An amount that is out of range makes the lane poison, for which any value may stand: 0 is such an
 * amount's replacement. */
#include "code.h"

static bool is_shift(LLVMValueRef op) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
  return opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
}

static void tame(LLVMValueRef shift) {
  LLVMValueRef amounts = LLVMGetOperand(shift, 1);
  LLVMTypeRef type = LLVMTypeOf(amounts);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || !LLVMIsConstant(amounts))
    return;
  unsigned lanes = LLVMGetVectorSize(type), bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
  LLVMValueRef tamed[lanes];
  bool changed = false;
  for (unsigned i = 0; i < lanes; i++) {
    tamed[i] = LLVMGetAggregateElement(amounts, i);
    if (!tamed[i])
      return;
    if (LLVMIsAConstantInt(tamed[i]) && bits <= 64 && LLVMConstIntGetZExtValue(tamed[i]) >= bits) {
      tamed[i] = LLVMConstInt(LLVMTypeOf(tamed[i]), 0, 0);
      changed = true;
    }
  }
  if (changed)
    LLVMSetOperand(shift, 1, LLVMConstVector(tamed, lanes));
}

void uw_tame_shifts(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (is_shift(op))
          tame(op);
}
