/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * rsqrtf by the processor's estimate. CUDA allows it 2 ulp; a square root and a division, each of them exact, take the
 * time of twenty multiplications. AVX-512 has an estimate whose relative error is 2^-14, and one step of Newton's
 * method squares that:
 *
 *   %r = sqrt %x                          %y = rsqrt14 %x
 *   %q = fdiv arcp 1.0, %r       ==>      %e = fma (-%x * %y), %y, 1.0
 *                                         %f = %e < 1.0 ? %e : 1.0
 *                                         %q = fma (%y * 0.5), %f, %y
 *
 * The error of %q is below 1.2 ulp: half of one from the last rounding, up to half of one as %x * %y is rounded, and
 * 1.5 * 2^-28 of its size from the estimate. Zeros, infinity and what is negative give %y as it ought to be, and no
 * number for %e: 1.0 stands for it, which leaves %y infinite, zero, or no number. (It is one instruction, a minimum.)
 * Denormals have normal roots.
 *
 * libdevice/fast.c marks the division by `arcp`, alone, which passes and LLVM's optimiser hand through. This runs
 * after them, so that all of them see a root and a division, and vectors are made as of any other. Scalars get the
 * same estimate, and hence the same result, whatever became a vector. A root or a quotient that the program spells out
 * has no such mark and is exact.
 *
 * Done a) for float, b) in functions for CPUs with AVX-512 (F and VL). Elsewhere the mark is taken off: LLVM's back end
 * would estimate on its own, with an error of more than 2 ulp in SSE and AVX, and no number for the root of zero. Their
 * estimates of 12 bits would take two steps, and do not know denormals. */

#include "../ir/shim.h"
#include "llvm-c/DebugInfo.h"
#include "code.h"

enum { WIDEST = 16, NARROWEST = 4 };

typedef struct root {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMTypeRef type; /* of the quotient */
  unsigned register_lanes;
} root;

static bool is_one(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    bool all = LLVMIsConstant(value);
    for (unsigned i = 0; all && i < LLVMGetVectorSize(type); i++) {
      LLVMValueRef element = LLVMGetAggregateElement(value, i);
      all = element && is_one(element);
    }
    return all;
  }
  LLVMBool inexact;
  return LLVMIsAConstantFP(value) && LLVMConstRealGetDouble(value, &inexact) == 1;
}

/* Is this 1 / sqrt(x) as rsqrtf has it? */
static bool is_marked(LLVMValueRef op) {
  LLVMTypeRef type = LLVMTypeOf(op);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  return LLVMGetInstructionOpcode(op) == LLVMFDiv &&
         LLVMGetTypeKind(is_vector ? LLVMGetElementType(type) : type) == LLVMFloatTypeKind &&
         LLVMGetFastMathFlags(op) == LLVMFastMathAllowReciprocal && is_one(LLVMGetOperand(op, 0));
}

/* What the root is of, null if it is none. */
static LLVMValueRef radicand(LLVMValueRef value) {
  return uw_calls_intrinsic(value, "llvm.sqrt") ? LLVMGetOperand(value, 0) : NULL;
}

static LLVMValueRef number(const root *r, double value) {
  if (LLVMGetTypeKind(r->type) != LLVMVectorTypeKind)
    return LLVMConstReal(r->type, value);
  unsigned lanes = LLVMGetVectorSize(r->type);
  LLVMValueRef all[lanes];
  for (unsigned i = 0; i < lanes; i++)
    all[i] = LLVMConstReal(LLVMGetElementType(r->type), value);
  return LLVMConstVector(all, lanes);
}

static LLVMValueRef whole(const root *r, unsigned bits, long long value) {
  return LLVMConstInt(LLVMIntTypeInContext(LLVMGetModuleContext(r->module), bits), (unsigned long long)value, 0);
}

static LLVMValueRef estimate_scalar(const root *r, LLVMValueRef x) {
  LLVMTypeRef four = LLVMVectorType(LLVMTypeOf(x), NARROWEST);
  LLVMValueRef zero = whole(r, 32, 0), x4 = LLVMBuildInsertElement(r->b, LLVMConstNull(four), x, zero, "");
  LLVMValueRef arguments[] = {x4, x4, LLVMConstNull(four), whole(r, 8, -1)};
  LLVMValueRef y4 = uw_call_intrinsic(r->module, r->b, "llvm.x86.avx512.rsqrt14.ss", NULL, 0, arguments, 4);
  return LLVMBuildExtractElement(r->b, y4, zero, "");
}

/* One register. */
static LLVMValueRef estimate_register(const root *r, LLVMValueRef x, unsigned lanes) {
  const char *name = lanes == 16  ? "llvm.x86.avx512.rsqrt14.ps.512"
                     : lanes == 8 ? "llvm.x86.avx512.rsqrt14.ps.256"
                                  : "llvm.x86.avx512.rsqrt14.ps.128";
  LLVMValueRef arguments[] = {x, LLVMConstNull(LLVMTypeOf(x)), whole(r, lanes == 16 ? 16 : 8, -1)};
  return uw_call_intrinsic(r->module, r->b, name, NULL, 0, arguments, 3);
}

static LLVMValueRef estimate(const root *r, LLVMValueRef x) {
  if (LLVMGetTypeKind(r->type) != LLVMVectorTypeKind)
    return estimate_scalar(r, x);
  unsigned lanes = LLVMGetVectorSize(r->type), part = r->register_lanes < WIDEST ? r->register_lanes : WIDEST;
  while (part >= NARROWEST && lanes % part != 0)
    part /= 2;
  LLVMValueRef y = LLVMGetPoison(r->type);
  if (part < NARROWEST) {
    for (unsigned i = 0; i < lanes; i++)
      y = LLVMBuildInsertElement(r->b, y, estimate_scalar(r, LLVMBuildExtractElement(r->b, x, whole(r, 32, i), "")),
                                 whole(r, 32, i), "");
    return y;
  }
  if (part == lanes)
    return estimate_register(r, x, lanes);
  LLVMTypeRef piece = LLVMVectorType(LLVMGetElementType(r->type), part);
  for (unsigned first = 0; first < lanes; first += part) {
    LLVMValueRef place = whole(r, 64, first);
    LLVMValueRef some = uw_call_intrinsic(r->module, r->b, "llvm.vector.extract", (LLVMTypeRef[]){piece, r->type}, 2,
                                          (LLVMValueRef[]){x, place}, 2);
    some = estimate_register(r, some, part);
    y = uw_call_intrinsic(r->module, r->b, "llvm.vector.insert", (LLVMTypeRef[]){r->type, piece}, 2,
                          (LLVMValueRef[]){y, some, place}, 3);
  }
  return y;
}

static LLVMValueRef fma_of(const root *r, LLVMValueRef left, LLVMValueRef right, LLVMValueRef added) {
  LLVMTypeRef type = r->type;
  return uw_call_intrinsic(r->module, r->b, "llvm.fma", &type, 1, (LLVMValueRef[]){left, right, added}, 3);
}

static LLVMValueRef refine(const root *r, LLVMValueRef x, LLVMValueRef y) {
  LLVMValueRef one = number(r, 1), product = LLVMBuildFMul(r->b, LLVMBuildFNeg(r->b, x, ""), y, "");
  LLVMValueRef error = fma_of(r, product, y, one);
  LLVMValueRef is_number = LLVMBuildFCmp(r->b, LLVMRealOLT, error, one, "");
  error = LLVMBuildSelect(r->b, is_number, error, one, "");
  return fma_of(r, LLVMBuildFMul(r->b, y, number(r, 0.5), ""), error, y);
}

/* The same division without the mark, which LLVM's C API sets but does not clear. */
static LLVMValueRef divide(const root *r, LLVMValueRef quotient) {
  return LLVMBuildFDiv(r->b, LLVMGetOperand(quotient, 0), LLVMGetOperand(quotient, 1), "");
}

static void replace(LLVMModuleRef module, LLVMValueRef quotient, unsigned register_bytes) {
  LLVMValueRef divisor = LLVMGetOperand(quotient, 1), x = register_bytes ? radicand(divisor) : NULL;
  root r = {module, LLVMCreateBuilderInContext(LLVMGetModuleContext(module)), LLVMTypeOf(quotient), register_bytes / 4};
  LLVMPositionBuilderBefore(r.b, quotient);
  LLVMSetCurrentDebugLocation2(r.b, LLVMInstructionGetDebugLoc(quotient));
  LLVMReplaceAllUsesWith(quotient, x ? refine(&r, x, estimate(&r, x)) : divide(&r, quotient));
  LLVMInstructionEraseFromParent(quotient);
  if (x && !LLVMGetFirstUse(divisor))
    LLVMInstructionEraseFromParent(divisor);
  LLVMDisposeBuilder(r.b);
}

void uw_estimate_roots(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    bool estimates = uw_has_feature(f, "+avx512f") && uw_has_feature(f, "+avx512vl");
    unsigned register_bytes = estimates ? uw_shim_register_bytes(machine, f) : 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        if (is_marked(op))
          replace(module, op, register_bytes);
      }
  }
}
