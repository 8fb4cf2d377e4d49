/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Are two instructions the same operation? See alike.h. */
#include "alike.h"

#include <string.h>

LLVMOpcode uw_ptx_opcode_of(LLVMValueRef value) {
  return LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
}

bool uw_ptx_is_pure_call(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
  LLVMAttributeRef memory = LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)
                                ? LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind)
                                : NULL;
  return memory && LLVMGetEnumAttributeValue(memory) == 0 &&
         strncmp(uw_llvm_name(callee), "llvm.nvvm.", strlen("llvm.nvvm.")) != 0;
}

int uw_ptx_operand_count(LLVMValueRef op) {
  return LLVMIsACallInst(op) ? (int)LLVMGetNumArgOperands(op) : LLVMGetNumOperands(op);
}

bool uw_ptx_has_same_flags(LLVMValueRef a, LLVMValueRef b) {
  switch (LLVMGetInstructionOpcode(a)) {
  case LLVMICmp: return LLVMGetICmpPredicate(a) == LLVMGetICmpPredicate(b);
  case LLVMFCmp:
    return LLVMGetFCmpPredicate(a) == LLVMGetFCmpPredicate(b) && LLVMGetFastMathFlags(a) == LLVMGetFastMathFlags(b);
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFNeg: return LLVMGetFastMathFlags(a) == LLVMGetFastMathFlags(b);
  case LLVMGetElementPtr: return LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b);
  case LLVMLoad:
    return !LLVMGetVolatile(a) && !LLVMGetVolatile(b) && LLVMGetOrdering(a) == LLVMAtomicOrderingNotAtomic &&
           LLVMGetOrdering(b) == LLVMAtomicOrderingNotAtomic;
  case LLVMCall:
    return LLVMGetCalledValue(a) == LLVMGetCalledValue(b) && uw_ptx_is_pure_call(a) &&
           (!LLVMCanValueUseFastMathFlags(a) || LLVMGetFastMathFlags(a) == LLVMGetFastMathFlags(b));
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMFPTrunc:
  case LLVMFPExt:
  case LLVMBitCast:
  case LLVMFreeze:
  case LLVMSelect: return true;
  default: return false;
  }
}

/* What held for the first iteration need not for the others. */
void uw_ptx_drop_promises(LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMShl:
    LLVMSetNSW(op, false);
    LLVMSetNUW(op, false);
    break;
  case LLVMLShr:
  case LLVMAShr: LLVMSetExact(op, false); break;
  case LLVMOr: LLVMSetIsDisjoint(op, false); break;
  case LLVMZExt:
  case LLVMUIToFP: LLVMSetNNeg(op, false); break;
  case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(op, 0); break;
  default: break;
  }
}
