/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * -ftz=true: operations on float take a denormal operand as zero and give zero for a denormal result, with its sign.
 * double and half keep theirs. (CUDA C++ Programming Guide, "Mathematical Functions"; PTX ISA, ".ftz".) clang marks the
 * functions that were compiled so. Here, before LLVM's first pass could fold an operation on constants, each such
 * operation gets
 *
 *   flush(x)  =  |x| < 2^-126 ? copysign(0, x) : x
 *
 * around its operands and its result. Every pass knows what that computes, so that nothing later has to know of
 * flushing. An operation is arithmetic, a comparison, a conversion from or to double or integers, an intrinsic that
 * only computes, or a function of libdevice, which is IEEE inside. Loads, stores, selections, shuffles and what looks
 * at bits keep denormals, as do the functions between the marks of __UW_KEEP_DENORMALS (host_defines.h): half, bfloat16
 * and the like are computed in float and are not operations on float. lower/flush.c lets the CPU do the flushing where
 * it can.
 */
#include <math.h>
#include <string.h>

#include "frontend.h"

static const char attribute_name[] = "denormal-fp-math-f32";

typedef struct flusher {
  LLVMModuleRef module;
  LLVMBuilderRef b;
} flusher;

static bool is_f32(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind)
    kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind == LLVMFloatTypeKind;
}

static const char *callee_name(LLVMValueRef op) {
  size_t length;
  LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static bool calls(LLVMValueRef op, const char *prefix) { return strncmp(callee_name(op), prefix, strlen(prefix)) == 0; }

/* A constant, or a vector of nothing else. */
static bool is_number(LLVMValueRef value, double *number) {
  LLVMBool inexact;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMIsConstant(value) && LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    LLVMValueRef first = LLVMGetAggregateElement(value, 0);
    for (unsigned i = 1; first && i < LLVMGetVectorSize(type); i++)
      if (LLVMGetAggregateElement(value, i) != first)
        return false;
    value = first ? first : value;
  }
  if (!LLVMIsAConstantFP(value))
    return false;
  *number = LLVMConstRealGetDouble(value, &inexact);
  return true;
}

LLVMValueRef uw_flushed_operand(LLVMValueRef value) {
  double limit, nothing;
  if (!LLVMIsASelectInst(value))
    return NULL;
  LLVMValueRef test = LLVMGetOperand(value, 0), zero = LLVMGetOperand(value, 1), operand = LLVMGetOperand(value, 2);
  bool matches = LLVMIsAFCmpInst(test) && LLVMGetFCmpPredicate(test) == LLVMRealOLT &&
                 is_number(LLVMGetOperand(test, 1), &limit) && limit == 0x1p-126 &&
                 calls(LLVMGetOperand(test, 0), "llvm.fabs.") &&
                 LLVMGetOperand(LLVMGetOperand(test, 0), 0) == operand && calls(zero, "llvm.copysign.") &&
                 is_number(LLVMGetOperand(zero, 0), &nothing) && nothing == 0 && LLVMGetOperand(zero, 1) == operand;
  return matches ? operand : NULL;
}

/* Optimistic about what is being asked already: a value that goes round a loop is flushed if all that enters is. */
static bool flushed_beyond(LLVMValueRef value, bool loads, uw_table *asked) {
  double number;
  if (uw_table_get(asked, value))
    return true;
  uw_table_set(asked, value, 1);
  if (is_number(value, &number))
    return !(fabs(number) < 0x1p-126) || number == 0;
  if (!LLVMIsAInstruction(value))
    return LLVMIsPoison(value);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMInsertElement:
  case LLVMShuffleVector:
    return flushed_beyond(LLVMGetOperand(value, 0), loads, asked) &&
           flushed_beyond(LLVMGetOperand(value, 1), loads, asked);
  case LLVMExtractElement: return flushed_beyond(LLVMGetOperand(value, 0), loads, asked);
  case LLVMSIToFP:
  case LLVMUIToFP: return true;
  case LLVMLoad: return loads;
  case LLVMFPExt: return LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMHalfTypeKind;
  case LLVMFNeg: return flushed_beyond(LLVMGetOperand(value, 0), loads, asked);
  case LLVMSelect:
    return uw_flushed_operand(value) || (flushed_beyond(LLVMGetOperand(value, 1), loads, asked) &&
                                         flushed_beyond(LLVMGetOperand(value, 2), loads, asked));
  case LLVMPHI:
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
      if (!flushed_beyond(LLVMGetIncomingValue(value, i), loads, asked))
        return false;
    return true;
  case LLVMCall: /* a root is none, whatever it is the root of */
    if (calls(value, "llvm.masked.load.") || calls(value, "llvm.masked.gather."))
      return loads && flushed_beyond(LLVMGetOperand(value, LLVMGetNumArgOperands(value) - 1), loads, asked);
    return calls(value, "llvm.sqrt.") ||
           (calls(value, "llvm.fabs.") && flushed_beyond(LLVMGetOperand(value, 0), loads, asked));
  default: return false;
  }
}

bool uw_is_flushed(uw_arena *arena, LLVMValueRef value, bool loads) {
  return flushed_beyond(value, loads, uw_table_create(arena));
}

static LLVMValueRef call_intrinsic(flusher *f, const char *name, LLVMTypeRef type, LLVMValueRef *arguments,
                                   unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(f->module, id, &type, 1);
  return LLVMBuildCall2(f->b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

static LLVMValueRef real(LLVMTypeRef type, double number) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return LLVMConstReal(type, number);
  unsigned count = LLVMGetVectorSize(type);
  LLVMValueRef all[count];
  for (unsigned i = 0; i < count; i++)
    all[i] = LLVMConstReal(LLVMGetElementType(type), number);
  return LLVMConstVector(all, count);
}

static LLVMValueRef flush(flusher *f, LLVMValueRef value) {
  double number;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (is_number(value, &number))
    return fabs(number) < 0x1p-126 ? LLVMConstReal(type, copysign(0, number)) : value;
  LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
  if (opcode == LLVMSIToFP || opcode == LLVMUIToFP || uw_flushed_operand(value))
    return value;
  LLVMValueRef size = call_intrinsic(f, "llvm.fabs", type, &value, 1);
  LLVMValueRef zero = call_intrinsic(f, "llvm.copysign", type, (LLVMValueRef[]){real(type, 0), value}, 2);
  LLVMValueRef denormal = LLVMBuildFCmp(f->b, LLVMRealOLT, size, real(type, 0x1p-126), "");
  return LLVMBuildSelect(f->b, denormal, zero, value, "");
}

/* Whether a call computes and does nothing else. Functions of libdevice do, but for what gives the bits another
 * type. */
static bool is_operation(LLVMValueRef call) {
  static const char *const keep[] = {"llvm.copysign.",    "llvm.is.fpclass.", "llvm.vector.",      "llvm.ssa.copy.",
                                     "llvm.nvvm.bitcast", "__nv_float_as_",   "__nv_int_as_float", "__nv_uint_as_float",
                                     "__nv_copysignf",    "__nv_signbitf",    "__nv_fmaf_ieee_",   "__nv_float2half",
                                     "__nv_half2float",   "__nv_nanf"};
  for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
    if (calls(call, keep[i]))
      return false;
  if (calls(call, "__nv_"))
    return LLVMIsDeclaration(LLVMGetCalledValue(call));
  if (!calls(call, "llvm.")) /* nor is inline PTX, whose instructions say themselves that they flush */
    return false;
  unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef effects = LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(call), LLVMAttributeFunctionIndex, memory);
  return effects && LLVMGetEnumAttributeValue(effects) == 0;
}

static bool is_flushing(LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv:
  case LLVMFRem:
  case LLVMFNeg:
  case LLVMFCmp:
  case LLVMFPToSI:
  case LLVMFPToUI: return true;
  case LLVMFPExt: return is_f32(LLVMTypeOf(LLVMGetOperand(op, 0)));
  case LLVMFPTrunc: return is_f32(LLVMTypeOf(op));
  case LLVMCall: return is_operation(op);
  default: return false;
  }
}

/* What comes after zero in single precision without denormals is the least normal number. */
static void use_own_nextafter(flusher *f, LLVMValueRef op) {
  static const char name[] = "__nv_nextafterf_ftz";
  if (strcmp(callee_name(op), "__nv_nextafterf") != 0)
    return;
  LLVMTypeRef type = LLVMGetCalledFunctionType(op);
  LLVMValueRef own = LLVMGetNamedFunction(f->module, name);
  if (!own)
    own = LLVMAddFunction(f->module, name, type);
  LLVMSetOperand(op, (unsigned)LLVMGetNumOperands(op) - 1, own);
}

static void flush_around(flusher *f, LLVMValueRef op) {
  LLVMPositionBuilderBefore(f->b, op);
  unsigned operands = LLVMIsACallInst(op) ? LLVMGetNumArgOperands(op) : (unsigned)LLVMGetNumOperands(op);
  for (unsigned i = 0; i < operands; i++)
    if (is_f32(LLVMTypeOf(LLVMGetOperand(op, i))))
      LLVMSetOperand(op, i, flush(f, LLVMGetOperand(op, i)));
  use_own_nextafter(f, op);
  if (!is_f32(LLVMTypeOf(op)))
    return;
  LLVMPositionBuilderBefore(f->b, LLVMGetNextInstruction(op));
  LLVMValueRef place =
      LLVMBuildFreeze(f->b, LLVMGetPoison(LLVMTypeOf(op)), ""); /* stands for the result while it is built */
  LLVMReplaceAllUsesWith(op, place);
  LLVMReplaceAllUsesWith(place, flush(f, op));
  LLVMInstructionEraseFromParent(place);
}

static void flush_function(flusher *f, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
      next = LLVMGetNextInstruction(op);
      if (is_flushing(op))
        flush_around(f, op);
    }
}

/* The functions that __UW_KEEP_DENORMALS is about carry an annotation. */
static void keep(void *kept, LLVMValueRef function, LLVMValueRef arguments) {
  (void)arguments;
  uw_table_set(kept, function, 1);
}

void uw_flush_denormals(uw_program *program) {
  flusher f = {program->device, LLVMCreateBuilderInContext(program->context)};
  uw_table *kept = uw_table_create(program->arena);
  uw_each_annotated(f.module, "unwarp_keep_denormals", keep, kept);
  for (LLVMValueRef function = LLVMGetFirstFunction(f.module); function; function = LLVMGetNextFunction(function)) {
    unsigned length = (unsigned)strlen(attribute_name);
    if (!LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_name, length))
      continue;
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_name, length);
    program->flushes_denormals = true;
    if (!uw_table_get(kept, function))
      flush_function(&f, function);
  }
  LLVMDisposeBuilder(f.b);
}

void uw_drop_double_flushes(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        LLVMValueRef operand = uw_flushed_operand(op);
        if (!operand || !uw_is_flushed(program->arena, operand, false))
          continue;
        LLVMReplaceAllUsesWith(op, operand);
        LLVMInstructionEraseFromParent(op);
      }
}
