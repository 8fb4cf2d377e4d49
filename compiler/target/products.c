/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products that several sums use. LLVM's back end fuses a product with the sum that uses it if there is but one; nvcc
 * fuses it with each:
 *
 *   %m = fmul contract %a, %b               %s = fma %a, %b, %c
 *   %s = fadd contract %m, %c       ==>     %d = fma -%a, %b, %c
 *   %d = fsub contract %c, %m
 *
 * which saves the multiplication, too. Done where a) the function is for CPUs with FMA, b) all that uses the product are
 * sums that may be fused, in its block, as the back end looks no further either, c) it is float or double. This runs
 * after LLVM's optimiser, so that sums of all iterations and lanes are seen as sums by that. */
#include "llvm-c/DebugInfo.h"
#include "code.h"

enum { FEW = 8 };

static bool may_fuse(LLVMValueRef op) { return LLVMGetFastMathFlags(op) & LLVMFastMathAllowContract; }

static bool is_sum_of(LLVMValueRef user, LLVMValueRef product) {
  LLVMOpcode opcode = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMCall;
  return (opcode == LLVMFAdd || opcode == LLVMFSub) && may_fuse(user) &&
         LLVMGetInstructionParent(user) == LLVMGetInstructionParent(product) &&
         LLVMGetOperand(user, 0) != LLVMGetOperand(user, 1);
}

static bool is_product(LLVMValueRef op) {
  if (LLVMGetInstructionOpcode(op) != LLVMFMul || !may_fuse(op))
    return false;
  LLVMTypeRef type = LLVMTypeOf(op);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* The sums that use it, if there are several, not too many, and nothing else does. */
static unsigned find_sums(LLVMValueRef product, LLVMValueRef *sums) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (count == FEW || !is_sum_of(user, product))
      return 0;
    sums[count++] = user;
  }
  return count > 1 ? count : 0;
}

static void fuse(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef product, LLVMValueRef sum) {
  bool first = LLVMGetOperand(sum, 0) == product, difference = LLVMGetInstructionOpcode(sum) == LLVMFSub;
  LLVMValueRef left = LLVMGetOperand(product, 0), other = LLVMGetOperand(sum, first);
  LLVMTypeRef type = LLVMTypeOf(product);
  LLVMPositionBuilderBefore(b, sum);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(sum));
  if (difference && first)
    other = LLVMBuildFNeg(b, other, "");
  else if (difference)
    left = LLVMBuildFNeg(b, left, "");
  LLVMValueRef operands[] = {left, LLVMGetOperand(product, 1), other};
  LLVMValueRef fused = uw_call_intrinsic(module, b, "llvm.fma", &type, 1, operands, 3);
  LLVMSetFastMathFlags(fused, LLVMGetFastMathFlags(sum));
  LLVMReplaceAllUsesWith(sum, fused);
  LLVMInstructionEraseFromParent(sum);
}

static void fuse_all(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef product) {
  LLVMValueRef sums[FEW];
  unsigned count = find_sums(product, sums);
  for (unsigned i = 0; i < count; i++)
    fuse(module, b, product, sums[i]);
  if (count)
    LLVMInstructionEraseFromParent(product);
}

void uw_fuse_products(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!uw_has_feature(f, "+fma"))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetLastInstruction(block), next; op; op = next) {
        next = LLVMGetPreviousInstruction(op);
        if (is_product(op))
          fuse_all(module, b, op);
      }
  }
  LLVMDisposeBuilder(b);
}
