/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Half precision where LLVM would call a library function for each conversion, which is 50 times slower and keeps loops
 * from becoming SIMD. On an x86 CPU with F16C (x86-64-v3) that is the conversion from double alone, which is made of
 * the one from float; AVX512-FP16 has all. Without F16C conversions are written as arithmetic on bits, which vectorises,
 * and the rest is done in float:
 *
 *   fpext half x to float      ->   bits of x, shifted, exponent rebased; a denormal is an integer times 2^-24
 *   fptrunc float x to half    ->   x rounded to nearest even on its bits; below 2^-14 an addition of 0.5 rounds
 *   fptrunc double x to half   ->   through a float rounded to odd, which remembers what was cut off
 *   fadd half x, y             ->   fptrunc (fadd (fpext x), (fpext y))        any operation whose result, rounded
 *                                   twice, is as if it were rounded once: float has more than twice the digits
 *
 * LLVM's clean-up makes the last kind from float operations between conversions, so this comes after it.
 */
#include <string.h>

#include "frontend.h"

typedef struct halves {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMTypeRef half, f32, f64, i16, i32, i64;
  bool converts_floats; /* the CPU does: F16C */
} halves;

static LLVMValueRef number(const halves *h, uint32_t value) { return LLVMConstInt(h->i32, value, 0); }
static LLVMValueRef and(const halves *h, LLVMValueRef value, uint32_t mask) {
  return LLVMBuildAnd(h->b, value, number(h, mask), "");
}
static LLVMValueRef add(const halves *h, LLVMValueRef value, uint32_t amount) {
  return LLVMBuildAdd(h->b, value, number(h, amount), "");
}
static LLVMValueRef shift(const halves *h, LLVMValueRef value, int left) {
  return left > 0 ? LLVMBuildShl(h->b, value, number(h, (uint32_t)left), "")
                  : LLVMBuildLShr(h->b, value, number(h, (uint32_t)-left), "");
}
static LLVMValueRef cast(const halves *h, LLVMValueRef value, LLVMTypeRef type) {
  return LLVMBuildBitCast(h->b, value, type, "");
}
static LLVMValueRef below(const halves *h, LLVMValueRef value, uint32_t limit) {
  return LLVMBuildICmp(h->b, LLVMIntULT, value, number(h, limit), "");
}
static LLVMValueRef pick(const halves *h, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(h->b, condition, yes, no, "");
}

static LLVMValueRef extend(const halves *h, LLVMValueRef value) {
  LLVMValueRef bits = LLVMBuildZExt(h->b, cast(h, value, h->i16), h->i32, ""), size = and(h, bits, 0x7fff);
  LLVMValueRef sign = shift(h, and(h, bits, 0x8000), 16);
  LLVMValueRef normal = add(h, shift(h, size, 13), 112u << 23);
  LLVMValueRef not_finite = LLVMBuildOr(h->b, shift(h, size, 13), number(h, 0x7f800000), "");
  LLVMValueRef unit = LLVMConstReal(h->f32, 0x1p-24);
  LLVMValueRef denormal = cast(h, LLVMBuildFMul(h->b, LLVMBuildSIToFP(h->b, size, h->f32, ""), unit, ""), h->i32);
  LLVMValueRef result = pick(h, below(h, size, 0x400), denormal, pick(h, below(h, size, 0x7c00), normal, not_finite));
  return cast(h, LLVMBuildOr(h->b, result, sign, ""), h->f32);
}

static LLVMValueRef truncate_float(const halves *h, LLVMValueRef value) {
  LLVMValueRef bits = cast(h, value, h->i32), size = and(h, bits, 0x7fffffff);
  LLVMValueRef sign = shift(h, and(h, bits, 0x80000000u), -16);
  LLVMValueRef odd = and(h, shift(h, size, -13), 1);
  LLVMValueRef rounded = LLVMBuildAdd(h->b, add(h, size, 0xfff), odd, "");
  LLVMValueRef normal = add(h, shift(h, rounded, -13), 0u - (112u << 10));
  LLVMValueRef half = LLVMConstReal(h->f32, 0.5); /* its unit in the last place is 2^-24 */
  LLVMValueRef sum = cast(h, LLVMBuildFAdd(h->b, cast(h, size, h->f32), half, ""), h->i32);
  LLVMValueRef denormal = add(h, sum, 0u - 0x3f000000u);
  LLVMValueRef is_number = below(h, size, 0x7f800001);
  LLVMValueRef large = pick(h, is_number, number(h, 0x7c00), number(h, 0x7e00));
  LLVMValueRef result =
      pick(h, below(h, size, 113u << 23), denormal, pick(h, below(h, size, 143u << 23), normal, large));
  return cast(h, LLVMBuildTrunc(h->b, LLVMBuildOr(h->b, result, sign, ""), h->i16, ""), h->half);
}

/* A float that lies between two halves does so as the double did: where something was cut off its last bit is 1. */
static LLVMValueRef round_to_odd(const halves *h, LLVMValueRef value) {
  LLVMValueRef nearest = LLVMBuildFPTrunc(h->b, value, h->f32, "");
  LLVMValueRef bits = cast(h, nearest, h->i32), back = LLVMBuildFPExt(h->b, nearest, h->f64, "");
  LLVMValueRef even = LLVMBuildICmp(h->b, LLVMIntEQ, and(h, bits, 1), number(h, 0), "");
  LLVMValueRef inexact = LLVMBuildFCmp(h->b, LLVMRealONE, back, value, "");
  LLVMValueRef mask = LLVMConstInt(h->i64, INT64_MAX, 0); /* compare sizes: of numbers these are in order as integers */
  LLVMValueRef size = LLVMBuildAnd(h->b, cast(h, value, h->i64), mask, "");
  LLVMValueRef near_size = LLVMBuildAnd(h->b, cast(h, back, h->i64), mask, "");
  LLVMValueRef above = LLVMBuildICmp(h->b, LLVMIntUGT, near_size, size, "");
  LLVMValueRef moved = LLVMBuildAdd(h->b, bits, pick(h, above, number(h, UINT32_MAX), number(h, 1)), "");
  bits = pick(h, LLVMBuildAnd(h->b, even, inexact, ""), moved, bits);
  return cast(h, bits, h->f32);
}

static LLVMValueRef truncate_double(const halves *h, LLVMValueRef value) {
  return truncate_float(h, round_to_odd(h, value));
}

static LLVMValueRef narrow(const halves *h, LLVMValueRef value) {
  return LLVMTypeOf(value) == h->f64 ? truncate_double(h, value) : truncate_float(h, value);
}

/* The same intrinsic on floats, for those whose float result may be rounded once more; null for others. */
static LLVMValueRef intrinsic_in_float(const halves *h, LLVMValueRef op) {
  static const char *const names[] = {"llvm.fabs.f16",     "llvm.sqrt.f16",   "llvm.floor.f16",  "llvm.ceil.f16",
                                      "llvm.trunc.f16",    "llvm.rint.f16",   "llvm.round.f16",  "llvm.nearbyint.f16",
                                      "llvm.copysign.f16", "llvm.minnum.f16", "llvm.maxnum.f16", "llvm.roundeven.f16"};
  LLVMValueRef function = LLVMGetCalledValue(op), arguments[2];
  size_t length;
  const char *name = LLVMIsAFunction(function) ? LLVMGetValueName2(function, &length) : "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      unsigned count = LLVMGetNumArgOperands(op);
      for (unsigned a = 0; a < count; a++)
        arguments[a] = extend(h, LLVMGetOperand(op, a));
      LLVMValueRef wide =
          LLVMGetIntrinsicDeclaration(h->module, LLVMGetIntrinsicID(function), (LLVMTypeRef[]){h->f32}, 1);
      return LLVMBuildCall2(h->b, LLVMGlobalGetValueType(wide), wide, arguments, count, "");
    }
  return NULL;
}

/* What stands for op; null where op stays. */
static LLVMValueRef replacement(const halves *h, LLVMValueRef op) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(op);
  LLVMTypeRef type = LLVMTypeOf(op), from = LLVMGetNumOperands(op) ? LLVMTypeOf(LLVMGetOperand(op, 0)) : NULL;
  if (type != h->half && from != h->half)
    return NULL;
  LLVMValueRef first = LLVMGetOperand(op, 0);
  if (h->converts_floats)
    return opcode == LLVMFPTrunc && from == h->f64 ? LLVMBuildFPTrunc(h->b, round_to_odd(h, first), h->half, "") : NULL;
  switch (opcode) {
  case LLVMFPExt: {
    LLVMValueRef wide = extend(h, first);
    return type == h->f32 ? wide : LLVMBuildFPExt(h->b, wide, type, "");
  }
  case LLVMFPTrunc: return from == h->f32 || from == h->f64 ? narrow(h, first) : NULL;
  case LLVMFNeg: return truncate_float(h, LLVMBuildFNeg(h->b, extend(h, first), ""));
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
    return truncate_float(h, LLVMBuildBinOp(h->b, opcode, extend(h, first), extend(h, LLVMGetOperand(op, 1)), ""));
  case LLVMFCmp:
    return LLVMBuildFCmp(h->b, LLVMGetFCmpPredicate(op), extend(h, first), extend(h, LLVMGetOperand(op, 1)), "");
  case LLVMSIToFP:
  case LLVMUIToFP: /* double holds 32 bits exactly */
    return LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(from) <= 32
               ? truncate_double(h, LLVMBuildCast(h->b, opcode, first, h->f64, ""))
               : NULL;
  case LLVMFPToSI:
  case LLVMFPToUI: return LLVMBuildCast(h->b, opcode, extend(h, first), type, "");
  case LLVMCall: {
    LLVMValueRef wide = type == h->half ? intrinsic_in_float(h, op) : NULL;
    return wide ? truncate_float(h, wide) : NULL;
  }
  default: return NULL;
  }
}

static bool is_half(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return is_half(LLVMGetElementType(type));
  return LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

static bool touches_half(LLVMValueRef op) {
  if (is_half(LLVMTypeOf(op)))
    return true;
  for (int i = 0; i < LLVMGetNumOperands(op); i++)
    if (is_half(LLVMTypeOf(LLVMGetOperand(op, (unsigned)i))))
      return true;
  return false;
}

bool uw_uses_half(const uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (touches_half(op))
          return true;
  return false;
}

void uw_lower_half(uw_program *program) {
  const char *features = uw_device_attribute(program, "target-features");
  if (!strstr(LLVMGetTarget(program->host), "x86_64") || (features && strstr(features, "+avx512fp16")))
    return;
  LLVMContextRef context = program->context;
  halves h = {program->device,
              LLVMCreateBuilderInContext(context),
              LLVMHalfTypeInContext(context),
              LLVMFloatTypeInContext(context),
              LLVMDoubleTypeInContext(context),
              LLVMInt16TypeInContext(context),
              LLVMInt32TypeInContext(context),
              LLVMInt64TypeInContext(context),
              features && strstr(features, "+f16c")};
  for (LLVMValueRef f = LLVMGetFirstFunction(h.module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = uw_is_launcher(program, f) ? NULL : LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        LLVMPositionBuilderBefore(h.b, op); /* takes op's location in the source as well */
        LLVMValueRef with = replacement(&h, op);
        if (!with)
          continue;
        LLVMReplaceAllUsesWith(op, with);
        LLVMInstructionEraseFromParent(op);
      }
  LLVMDisposeBuilder(h.b);
}
