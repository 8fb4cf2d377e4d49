/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Aligns the device's variables as a GPU has them in practice. CUDA programs read an `int table[64]` as int4, which C++
 * leaves undefined: clang for a GPU aligns such an array as its elements, and code for this CPU then faults where it
 * counts on an int4's alignment. On a GPU nothing of that kind begins elsewhere than at a multiple of 16 bytes.
 *
 * Holds for global and constant variables of 16 bytes and more, and for private ones whose size is a multiple of 16:
 * others would take more room, as each thread of a block has its own one after that of the last. Shared memory:
 * raise/spaces.c.
 */
#include "frontend.h"
#include "llvm-c/Target.h"

enum { SHARED = 3, ALIGNMENT = 16 };

void uw_align_variable(LLVMModuleRef module, LLVMValueRef global) {
  uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGlobalGetValueType(global));
  unsigned given = LLVMGetAlignment(global);
  if (bytes >= ALIGNMENT && given && given < ALIGNMENT)
    LLVMSetAlignment(global, ALIGNMENT);
}

static void align_private(LLVMModuleRef module, LLVMValueRef variable) {
  uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(variable));
  if (bytes && bytes % ALIGNMENT == 0 && LLVMGetAlignment(variable) < ALIGNMENT)
    LLVMSetAlignment(variable, ALIGNMENT);
}

void uw_align_variables(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != SHARED)
      uw_align_variable(module, g);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i))
          align_private(module, i);
}
