/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What LLVM's inliner would say of a host function before anything has optimised it: whether its body can be worth
 * having where it is called. Each level of x86-64 optimises what it has of the host's code by itself (level_part.c), so
 * a body that no call will take in costs the compile once for each level and gives nothing.
 *
 *   an instruction that is code                 5, as to the inliner
 *   what promoting variables removes            0: alloca, loads and stores of one, casts of pointers, phis, jumps
 *   a call of a function that is worth it too   what that one counts
 *   another call                                25 and 5 for each argument
 *
 * Worth it is up to UW_MOST_INLINED, since constants make a body smaller where it is called. A cycle
 * of calls is none. */
#include "../analysis/thresholds.h"
#include "llvm-c/Core.h"
#include "lower.h"

enum { AN_INSTRUCTION = 5, A_CALL = 25, TOO_MUCH = UW_MOST_INLINED + 1, IN_PROGRESS = -1 };

static bool is_forbidden(LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
  return LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) ||
         LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static int count_function(LLVMValueRef function, uw_table *known);

static int count_call(LLVMValueRef call, uw_table *known) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  int apart = A_CALL + AN_INSTRUCTION * (int)LLVMGetNumArgOperands(call);
  if (!LLVMIsAFunction(callee))
    return apart;
  if (LLVMGetIntrinsicID(callee))
    return LLVMIsADbgInfoIntrinsic(call) || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ? 0 : AN_INSTRUCTION;
  if (LLVMIsDeclaration(callee))
    return apart;
  int inside = count_function(callee, known);
  return inside > UW_MOST_INLINED ? apart : inside;
}

static int count_instruction(LLVMValueRef op, uw_table *known) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMAlloca:
  case LLVMPHI:
  case LLVMBitCast:
  case LLVMRet:
  case LLVMUnreachable: return 0;
  case LLVMBr: return LLVMIsConditional(op) ? AN_INSTRUCTION : 0;
  case LLVMLoad: return LLVMIsAAllocaInst(LLVMGetOperand(op, 0)) ? 0 : AN_INSTRUCTION;
  case LLVMStore: return LLVMIsAAllocaInst(LLVMGetOperand(op, 1)) ? 0 : AN_INSTRUCTION;
  case LLVMCall:
  case LLVMInvoke: return count_call(op, known);
  case LLVMIndirectBr:
  case LLVMCallBr: return TOO_MUCH;
  default: return AN_INSTRUCTION;
  }
}

static int count_function(LLVMValueRef function, uw_table *known) {
  int before = (int)uw_table_get(known, function);
  if (before)
    return before == IN_PROGRESS ? TOO_MUCH : before;
  uw_table_set(known, function, IN_PROGRESS);
  int count = is_forbidden(function) ? TOO_MUCH : 1;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && count <= UW_MOST_INLINED;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op && count <= UW_MOST_INLINED;
         op = LLVMGetNextInstruction(op))
      count += count_instruction(op, known);
  uw_table_set(known, function, count);
  return count;
}

bool uw_is_worth_inlining(LLVMValueRef function, uw_table *known) {
  return count_function(function, known) <= UW_MOST_INLINED;
}
