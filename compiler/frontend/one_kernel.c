/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Leaves the body of one kernel: what is refused is looked for kernel by kernel (driver/all_refused.c). */
#include "frontend.h"

/* Takes all blocks of a function away but the first. */
static void delete_rest(LLVMValueRef function) {
  LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
  for (LLVMBasicBlockRef block = LLVMGetNextBasicBlock(first); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op; (op = LLVMGetLastInstruction(block));) {
      if (LLVMGetFirstUse(op))
        LLVMReplaceAllUsesWith(op, LLVMGetPoison(LLVMTypeOf(op)));
      LLVMInstructionEraseFromParent(op);
    }
  for (LLVMBasicBlockRef block; (block = LLVMGetNextBasicBlock(first));)
    LLVMDeleteBasicBlock(block);
}

void uw_leave_one_kernel(uw_program *program, size_t only) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  for (size_t i = 0; i < program->kernel_count; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(program->device, program->kernels[i].name);
    if (i + 1 == only || !function || LLVMIsDeclaration(function))
      continue;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderAtEnd(builder, LLVMInsertBasicBlockInContext(program->context, entry, "nothing"));
    LLVMBuildRetVoid(builder);
    delete_rest(function);
  }
  LLVMDisposeBuilder(builder);
}
