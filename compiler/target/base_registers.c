/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A register for the address of shared memory that is accessed in vectors and in single elements at fixed positions.
 * After LLVM's optimiser such memory lies on the stack, and its fixed positions are addressed from the stack pointer,
 * by constants. Processors of AMD's Zen line take a store and a later load that spell their address so for a spill and
 * its reload, and hand the value on before they know better; where a vector was stored in between, by another spelling,
 * they have to go back. In the caches a block of bench scan takes 130 ns with it and 80 without.
 *
 *   %tile = alloca [2048 x i8]                        %stack = alloca [2048 x i8]
 *   store <16 x i32> %v, %tile             ==>        %tile = asm "" (%stack)
 *   load i32, %tile + 28                              store <16 x i32> %v, %tile, …
 *
 * Done on x86-64, with -O2 and more, for arrays of UW_SMALLEST_BASE bytes or more in the entry block. Legal because the
 * assembly of no instructions gives the address that it gets, and nothing optimises after it that would have to know
 * whose address that is. */
#include <string.h>

#include "../analysis/thresholds.h"
#include "code.h"

#include "llvm-c/Target.h"

enum { ELEMENT = 8, VECTOR = 32 };

typedef struct widths {
  bool elements, vectors; /* loaded at a fixed position; stored */
} widths;

static bool is_lifetime(LLVMValueRef op) {
  const char *mark = "llvm.lifetime.";
  size_t length = 0;
  LLVMValueRef called = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  return called && LLVMIsAFunction(called) && strncmp(LLVMGetValueName2(called, &length), mark, strlen(mark)) == 0;
}

static bool is_fixed(LLVMValueRef step) {
  for (int i = 1; i < LLVMGetNumOperands(step); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(step, (unsigned)i)))
      return false;
  return true;
}

static void see(LLVMValueRef address, bool fixed, LLVMTargetDataRef layout, widths *seen) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMOpcode code = LLVMGetInstructionOpcode(user);
    if (code == LLVMGetElementPtr)
      see(user, fixed && is_fixed(user), layout, seen);
    if (code != LLVMLoad && (code != LLVMStore || LLVMGetOperand(user, 1) != address))
      continue;
    unsigned long long bytes =
        LLVMStoreSizeOfType(layout, LLVMTypeOf(code == LLVMLoad ? user : LLVMGetOperand(user, 0)));
    seen->elements = seen->elements || (fixed && code == LLVMLoad && bytes <= ELEMENT);
    seen->vectors = seen->vectors || (code == LLVMStore && bytes >= VECTOR);
  }
}

static bool is_mixed(LLVMValueRef array, LLVMTargetDataRef layout) {
  widths seen = {0};
  if (!LLVMIsConstant(LLVMGetOperand(array, 0)) ||
      LLVMABISizeOfType(layout, LLVMGetAllocatedType(array)) < UW_SMALLEST_BASE)
    return false;
  see(array, true, layout, &seen);
  return seen.elements && seen.vectors;
}

/* The array lives as long as its function then: markers of a shorter life would have to name the array itself. */
static void give_register(LLVMBuilderRef builder, LLVMValueRef array) {
  LLVMTypeRef type = LLVMTypeOf(array), function = LLVMFunctionType(type, &type, 1, false);
  LLVMValueRef nothing =
      LLVMGetInlineAsm(function, "", 0, "=r,0", strlen("=r,0"), false, false, LLVMInlineAsmDialectATT, false);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(array));
  LLVMValueRef base = LLVMBuildCall2(builder, function, nothing, &array, 1, "");
  for (LLVMUseRef use = LLVMGetFirstUse(array), next; use; use = next) {
    next = LLVMGetNextUse(use);
    if (is_lifetime(LLVMGetUser(use)))
      LLVMInstructionEraseFromParent(LLVMGetUser(use));
  }
  LLVMReplaceAllUsesWith(array, base);
  LLVMSetOperand(base, 0, array);
}

void uw_lower_bases(LLVMModuleRef module) {
  if (strncmp(LLVMGetTarget(module), "x86_64", strlen("x86_64")) != 0)
    return;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMBasicBlockRef entry = LLVMIsDeclaration(f) ? NULL : LLVMGetEntryBasicBlock(f);
    for (LLVMValueRef op = entry ? LLVMGetFirstInstruction(entry) : NULL; op; op = LLVMGetNextInstruction(op))
      if (LLVMGetInstructionOpcode(op) == LLVMAlloca && is_mixed(op, layout))
        give_register(builder, op);
  }
  LLVMDisposeBuilder(builder);
}
