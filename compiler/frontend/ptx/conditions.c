/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Comparisons that LLVM made one of, as the program asked them: later passes make bounds of loops of each.
 *
 *     icmp slt (smax a, b), c   ==>   icmp slt a, c  and  icmp slt b, c
 *     icmp sge (smax a, b), c   ==>   icmp sge a, c  or   icmp sge b, c        the others the same
 */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "ptx.h"

/* Is it the larger (or smaller) of two integers, signed or unsigned? */
static bool is_extreme(LLVMValueRef value, bool *is_max, bool *is_signed) {
  if (!LLVMIsACallInst(value) || !LLVMIsAFunction(LLVMGetCalledValue(value)))
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(value), &length);
  static const char *const names[] = {"llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax."};
  for (int i = 0; i < 4; i++)
    if (strncmp(name, names[i], 10) == 0) {
      *is_max = i & 1, *is_signed = i >= 2;
      return true;
    }
  return false;
}

/* How the two comparisons are joined; 0 where the extreme says nothing of them. */
static LLVMOpcode join_of(LLVMIntPredicate p, bool is_max, bool is_signed) {
  bool less_signed = p == LLVMIntSLT || p == LLVMIntSLE, less_unsigned = p == LLVMIntULT || p == LLVMIntULE;
  bool more_signed = p == LLVMIntSGT || p == LLVMIntSGE, more_unsigned = p == LLVMIntUGT || p == LLVMIntUGE;
  if (!(is_signed ? less_signed || more_signed : less_unsigned || more_unsigned))
    return 0;
  return (less_signed || less_unsigned) == is_max ? LLVMAnd : LLVMOr;
}

static bool split(LLVMBuilderRef builder, LLVMValueRef op) {
  for (unsigned side = 0; side < 2; side++) {
    LLVMValueRef extreme = LLVMGetOperand(op, side), other = LLVMGetOperand(op, !side);
    bool is_max, is_signed;
    if (!is_extreme(extreme, &is_max, &is_signed))
      continue;
    LLVMIntPredicate p = LLVMGetICmpPredicate(op);
    /* c > max(a, b) asks what max(a, b) < c asks */
    LLVMOpcode join = join_of(p, side ? !is_max : is_max, is_signed);
    if (!join)
      continue;
    LLVMPositionBuilderBefore(builder, op);
    LLVMValueRef a = LLVMGetOperand(extreme, 0), b = LLVMGetOperand(extreme, 1);
    LLVMValueRef first = LLVMBuildICmp(builder, p, side ? other : a, side ? a : other, "");
    LLVMValueRef second = LLVMBuildICmp(builder, p, side ? other : b, side ? b : other, "");
    LLVMReplaceAllUsesWith(op, LLVMBuildBinOp(builder, join, first, second, ""));
    return true;
  }
  return false;
}

void uw_ptx_recover_conditions(uw_program *program) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (LLVMIsAICmpInst(op) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(op, 0))) == LLVMIntegerTypeKind)
          split(builder, op); /* those of extremes of extremes stand in front, and are split in the next iteration */
  LLVMDisposeBuilder(builder);
  uw_run_llvm(program->device, "function(dce)", 0);
}
