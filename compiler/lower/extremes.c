/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Minima and maxima of zeros. On a GPU -0 is below +0 (PTX ISA, "min" and "max"), whichever comes first; llvm.minnum and llvm.maxnum may give
 * either, and x86's instructions give the second operand, though the same folds to the right one:
 *
 *   %m = minnum %a, %b     ==>     %m = minimumnum %a, %b
 *
 * This runs behind passes and LLVM's optimiser, which know more of the first one: sums up of minima, for one. Where an operand is a number other
 * than zero, or max(x, +0), code stays what it was; else it is two instructions more in x86.
 *
 * Done for float and double where the sign of zeros counts (no nsz). */
#include <string.h>

#include "lower.h"

static const char *exact_form(LLVMValueRef op) {
  static const char *const forms[][2] = {{"llvm.minnum.", "llvm.minimumnum"}, {"llvm.maxnum.", "llvm.maximumnum"}};
  if (!LLVMIsACallInst(op) || !LLVMIsAFunction(LLVMGetCalledValue(op)) || (LLVMGetFastMathFlags(op) & LLVMFastMathNoSignedZeros))
    return NULL;
  LLVMTypeRef type = LLVMTypeOf(op);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
  if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
    return NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strncmp(uw_llvm_name(LLVMGetCalledValue(op)), forms[i][0], strlen(forms[i][0])) == 0)
      return forms[i][1];
  return NULL;
}

static void replace(LLVMModuleRef module, LLVMValueRef op, const char *form) {
  LLVMTypeRef type = LLVMTypeOf(op);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(b, op);
  LLVMValueRef fresh = uw_call_intrinsic(module, b, form, &type, 1, (LLVMValueRef[]){LLVMGetOperand(op, 0), LLVMGetOperand(op, 1)}, 2);
  LLVMSetFastMathFlags(fresh, LLVMGetFastMathFlags(op));
  LLVMReplaceAllUsesWith(op, fresh);
  LLVMInstructionEraseFromParent(op);
  LLVMDisposeBuilder(b);
}

void uw_order_zeros(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        const char *form = exact_form(op);
        if (form)
          replace(module, op, form);
      }
}
