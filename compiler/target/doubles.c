/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums in double that are rounded to float at once. `2.0 * x - y` in a kernel of floats is double, as C++ has it
 * for the literal's sake: vectors of half as many lanes, and a conversion for each operand.
 *
 *   %a = fpext float %x to double
 *   %m = fmul double %a, 2.0
 *   %b = fpext float %y to double            ==>     %r = fma float %x, 2.0, -%y
 *   %s = fsub double %m, %b
 *   %r = fptrunc double %s to float
 *
 * The result is the same to the bit. The product is a float but for its exponent's range, so that double holds it
 * exactly and fma does not round it. The sum of two numbers of 24 bits, rounded to 53 bits and then to 24, is what
 * rounding it to 24 at once gives, as 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding innocuous?", 1995).
 * Where the result is below float's normal numbers, double holds the sum exactly: it is a multiple of 2^-149, or of
 * that times the factor, and so has at most 23 bits and as many more as the factor's exponent. LLVM itself narrows
 * sums without a product.
 *
 * Done where a) the function is for CPUs with FMA, b) one operand of the sum is such a product, whose factor is a
 * power of two from 2^-29 to 2^29, c) the other was a float, or is a constant that is one. This runs in front of
 * LLVM's optimiser, whose vectoriser then counts lanes of floats; a product in double that nobody uses any more is
 * its to drop. On an Intel Xeon waves on strings (bench/foreign-shapes/string) take half of the time. */
#include <math.h>
#include <stdlib.h>

#include "llvm-c/DebugInfo.h"
#include "code.h"

enum { SPARE_BITS = 29 }; /* that double has and float has not */

static LLVMTypeKind kind_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
}

static bool is(LLVMValueRef value, LLVMOpcode opcode) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* The number that it is, in all lanes. */
static bool is_number(LLVMValueRef value, double *number) {
  LLVMBool inexact;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    LLVMValueRef first = LLVMIsConstant(value) ? LLVMGetAggregateElement(value, 0) : NULL;
    for (unsigned i = 1; first && i < LLVMGetVectorSize(type); i++)
      first = LLVMGetAggregateElement(value, i) == first ? first : NULL;
    value = first;
  }
  if (!value || !LLVMIsAConstantFP(value))
    return false;
  *number = LLVMConstRealGetDouble(value, &inexact);
  return true;
}

static LLVMValueRef float_of(double number, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return LLVMConstReal(type, number);
  unsigned lanes = LLVMGetVectorSize(type);
  LLVMValueRef all[lanes];
  for (unsigned i = 0; i < lanes; i++)
    all[i] = LLVMConstReal(LLVMGetElementType(type), number);
  return LLVMConstVector(all, lanes);
}

/* The float that the value is, in double; null if it need not be one. */
static LLVMValueRef as_float(LLVMValueRef value, LLVMTypeRef type) {
  double number;
  if (is(value, LLVMFPExt) && LLVMTypeOf(LLVMGetOperand(value, 0)) == type)
    return LLVMGetOperand(value, 0);
  return is_number(value, &number) && (double)(float)number == number ? float_of(number, type) : NULL;
}

/* The float whose product with a power of two the value is, and that power. */
static LLVMValueRef factor_of(LLVMValueRef value, LLVMTypeRef type, double *power) {
  int exponent;
  for (unsigned i = 0; i < 2 && is(value, LLVMFMul); i++) {
    LLVMValueRef other = LLVMGetOperand(value, 1 - i);
    if (is_number(LLVMGetOperand(value, i), power) && fabs(frexp(*power, &exponent)) == 0.5 &&
        abs(exponent - 1) <= SPARE_BITS && is(other, LLVMFPExt))
      return as_float(other, type);
  }
  return NULL;
}

/* What %r may be instead; null for what is none of the above. */
static LLVMValueRef narrowed(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef rounded) {
  LLVMValueRef sum = LLVMGetOperand(rounded, 0), factor = NULL, added = NULL;
  LLVMTypeRef type = LLVMTypeOf(rounded);
  double power = 0;
  unsigned place = 0;
  bool difference = is(sum, LLVMFSub);
  for (; place < 2 && !(factor && added); place++) {
    factor = factor_of(LLVMGetOperand(sum, place), type, &power);
    added = as_float(LLVMGetOperand(sum, 1 - place), type);
  }
  if (!factor || !added)
    return NULL;
  LLVMPositionBuilderBefore(b, rounded);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(rounded));
  if (difference && place == 1)
    added = LLVMBuildFNeg(b, added, "");
  else if (difference)
    power = -power;
  return uw_call_intrinsic(module, b, "llvm.fma", &type, 1, (LLVMValueRef[]){factor, float_of(power, type), added}, 3);
}

static bool is_rounded_sum(LLVMValueRef op) {
  if (!is(op, LLVMFPTrunc) || kind_of(op) != LLVMFloatTypeKind)
    return false;
  LLVMValueRef sum = LLVMGetOperand(op, 0);
  return (is(sum, LLVMFAdd) || is(sum, LLVMFSub)) && kind_of(sum) == LLVMDoubleTypeKind;
}

void uw_narrow_doubles(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!uw_has_feature(f, "+fma"))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next, result; op; op = next) {
        next = LLVMGetNextInstruction(op);
        if (is_rounded_sum(op) && (result = narrowed(module, b, op))) {
          LLVMReplaceAllUsesWith(op, result);
          LLVMInstructionEraseFromParent(op);
        }
      }
  }
  LLVMDisposeBuilder(b);
}
