/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The carry flag. A chain of add.cc and addc is often one asm for each, in small functions of their own, so the flag is
 * a variable of the module until all is inlined. What then remains as a call is a call for nvcc as well, and the flag
 * does not live across it (PTX ISA, "Extended-Precision Integer Arithmetic Instructions"): each function gets a flag of
 * its own.
 */
#include "ptx.h"

bool uw_ptx_localize_carry(uw_program *program) {
  LLVMValueRef flag = LLVMGetNamedGlobal(program->device, "__ptx_carry");
  if (!flag)
    return false;
  LLVMTypeRef type = LLVMGlobalGetValueType(flag);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  for (LLVMUseRef use; (use = LLVMGetFirstUse(flag));) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(use)));
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef own = LLVMBuildAlloca(builder, type, "");
    LLVMBuildStore(builder, LLVMConstNull(type), own);
    for (LLVMUseRef next; use; use = next) {
      next = LLVMGetNextUse(use);
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != function)
        continue;
      for (int i = 0; i < LLVMGetNumOperands(user); i++)
        if (LLVMGetOperand(user, (unsigned)i) == flag)
          LLVMSetOperand(user, (unsigned)i, own);
    }
  }
  LLVMDeleteGlobal(flag);
  LLVMDisposeBuilder(builder);
  return true;
}
