/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * -ftz=true without its price: x86's SSE flushes denormal operands and results by itself when two bits of MXCSR say so
 * (Intel 64 manual, volume 1, "Denormals-Are-Zeros", "Flush-To-Zero"), for float and double alike. A worker sets them
 * for its share of the blocks, and the flushes that frontend/denormals.c wrote around float arithmetic go:
 *
 *   share(…) {                                 share(…) { old = stmxcsr(); ldmxcsr(old | DAZ | FTZ);
 *     flush(flush(a) + flush(b))         ==>     share.flushing(…); ldmxcsr(old) }
 *   }                                          share.flushing(…) { a + b }
 *
 * Holds for a share, with all that it calls, in which
 *   a) nothing is computed in double or bfloat16;
 *   b) all that becomes of the result of an operation on float that the mode changes is flushed, and so are its operands: none
 *      is meant to see a denormal, as the insides of the functions of libdevice are. An operand may also come from memory, where
 *      barrier lowering puts what lives across; what is computed there without flushes has them on neither side;
 *   c) no call leaves the code seen here, but for the C library's memory and what a share asks of the runtime.
 * Vectors count as their elements do: what packets makes of flushed values is flushed.
 * Then the bits mean to each operation what its flushes meant. Any other share keeps its flushes, as does every other
 * processor; so do comparisons and all that is no sum, difference, product or quotient, since a flush is right in
 * either mode. Code before and after the loop over blocks is outside. The function is marked so that LLVM folds
 * constants as the mode does.
 */
#include <string.h>

#include "lower.h"

typedef struct share {
  uw_arena *arena;
  uw_table *parts; /* of flushes: |x|, the test, copysign -> 1 */
  uw_table *seen;  /* functions -> 1 */
} share;

static bool is_kind(LLVMValueRef value, LLVMTypeKind wanted) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return (kind == LLVMVectorTypeKind ? LLVMGetTypeKind(LLVMGetElementType(type)) : kind) == wanted;
}
static bool is_f32(LLVMValueRef value) { return is_kind(value, LLVMFloatTypeKind); }

static bool starts(const char *name, const char *prefix) { return strncmp(name, prefix, strlen(prefix)) == 0; }

static bool any_of(const char *name, const char *const *prefixes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (starts(name, prefixes[i]))
      return true;
  return false;
}
#define ANY_OF(name, ...)                                                                                              \
  any_of(name, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#define FOREACH_INSTRUCTION(op, function)                                                                              \
  for (LLVMBasicBlockRef op##_block = LLVMGetFirstBasicBlock(function); op##_block;                                    \
       op##_block = LLVMGetNextBasicBlock(op##_block))                                                                 \
    for (LLVMValueRef op = LLVMGetFirstInstruction(op##_block), op##_next;                                             \
         op && (op##_next = LLVMGetNextInstruction(op), 1); op = op##_next)

/* Arithmetic that the mode flushes as a GPU does, for which LLVM folds constants in the same way. */
static bool flushes_itself(LLVMValueRef op) {
  LLVMOpcode opcode = LLVMIsAInstruction(op) ? LLVMGetInstructionOpcode(op) : LLVMRet;
  return is_f32(op) && (opcode == LLVMFAdd || opcode == LLVMFSub || opcode == LLVMFMul || opcode == LLVMFDiv);
}

static void find_parts(share *s, LLVMValueRef function) {
  FOREACH_INSTRUCTION(op, function) {
    if (!uw_flushed_operand(op))
      continue;
    LLVMValueRef test = LLVMGetOperand(op, 0);
    uw_table_set(s->parts, test, 1);
    uw_table_set(s->parts, LLVMGetOperand(test, 0), 1);
    uw_table_set(s->parts, LLVMGetOperand(op, 1), 1);
  }
}

/* Every user is a flush of the value. A part of one that something else uses as well shows the value itself. */
static bool only_flushed(share *s, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (uw_table_get(s->parts, user) ? !only_flushed(s, user) : !uw_flushed_operand(user))
      return false;
  }
  return true;
}

static bool operands_flushed(share *s, LLVMValueRef op, bool loads) {
  unsigned count = LLVMIsACallInst(op) ? LLVMGetNumArgOperands(op) : (unsigned)LLVMGetNumOperands(op);
  for (unsigned i = 0; i < count; i++)
    if (is_f32(LLVMGetOperand(op, i)) && !uw_is_flushed(s->arena, LLVMGetOperand(op, i), loads))
      return false;
  return true;
}

static bool touches(LLVMValueRef op, LLVMTypeKind kind) {
  if (is_kind(op, kind))
    return true;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(op); i++)
    if (is_kind(LLVMGetOperand(op, i), kind))
      return true;
  return false;
}

static bool fits(share *s, LLVMValueRef function);

static bool call_fits(share *s, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (!LLVMIsAFunction(callee))
    return false;
  const char *name = LLVMGetValueName2(callee, &length);
  if (starts(name, "llvm.")) {
    if (uw_table_get(s->parts, call) ||
        ANY_OF(name, "llvm.fabs.", "llvm.copysign.", "llvm.is.fpclass.", "llvm.masked."))
      return true;
    if (touches(call, LLVMDoubleTypeKind) || touches(call, LLVMBFloatTypeKind))
      return false;
    if (starts(name, "llvm.sqrt."))
      return operands_flushed(s, call, true);
    return !touches(call, LLVMFloatTypeKind) ||
           (operands_flushed(s, call, false) && (!is_f32(call) || only_flushed(s, call)) &&
            ANY_OF(name, "llvm.fma.", "llvm.minnum.", "llvm.maxnum.", "llvm.floor.", "llvm.ceil.", "llvm.trunc.",
                   "llvm.rint."));
  }
  if (LLVMIsDeclaration(callee))
    return ANY_OF(name, "memcpy", "memmove", "memset", "malloc", "free", "__kmpc_", "uwrt_enter", "uwrt_scratch_",
                  "uwrt_shares_", "uwrt_team", "uwrt_crew_", "uwrt_vprintf");
  return fits(s, callee);
}

static bool op_fits(share *s, LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul:
  case LLVMFDiv: return flushes_itself(op) && operands_flushed(s, op, true) && only_flushed(s, op);
  case LLVMFCmp: return uw_table_get(s->parts, op) || (is_f32(LLVMGetOperand(op, 0)) && operands_flushed(s, op, true));
  case LLVMFPExt: return is_f32(LLVMGetOperand(op, 0)) && operands_flushed(s, op, true);
  case LLVMFPTrunc: return is_f32(op) && is_kind(LLVMGetOperand(op, 0), LLVMDoubleTypeKind) && only_flushed(s, op);
  case LLVMFPToSI:
  case LLVMFPToUI: return is_f32(LLVMGetOperand(op, 0)) && operands_flushed(s, op, true);
  case LLVMFRem:
  case LLVMInvoke:
  case LLVMCallBr: return false;
  case LLVMAtomicRMW: return !touches(op, LLVMFloatTypeKind) && !touches(op, LLVMDoubleTypeKind);
  case LLVMCall: return call_fits(s, op);
  default: return true; /* moves, integers, and what makes a number of one */
  }
}

static bool fits(share *s, LLVMValueRef function) {
  if (uw_table_get(s->seen, function))
    return true;
  uw_table_set(s->seen, function, 1);
  find_parts(s, function);
  FOREACH_INSTRUCTION(op, function)
  if (!op_fits(s, op))
    return false;
  return true;
}

/* Is the value, or a vector made of it, an operand of such arithmetic wherever it is used? */
static bool only_operand(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!flushes_itself(user) &&
        !((LLVMIsAInsertElementInst(user) || LLVMIsAShuffleVectorInst(user)) && only_operand(user)))
      return false;
  }
  return true;
}

/* Results first: then no flush of a result is an operand any more. */
static bool drop_flushes(LLVMValueRef function) {
  bool changed = false;
  FOREACH_INSTRUCTION(op, function) {
    LLVMValueRef operand = uw_flushed_operand(op);
    if (!operand || (!flushes_itself(operand) && !only_operand(op)))
      continue;
    LLVMReplaceAllUsesWith(op, operand);
    LLVMInstructionEraseFromParent(op);
    changed = true;
  }
  FOREACH_INSTRUCTION(op, function)
  for (unsigned i = 0; flushes_itself(op) && i < 2; i++) {
    LLVMValueRef operand = uw_flushed_operand(LLVMGetOperand(op, i));
    if (operand)
      LLVMSetOperand(op, i, operand);
    changed |= operand != NULL;
  }
  return changed;
}

static void call_state(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMValueRef room) {
  LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  LLVMBuildCall2(b, LLVMGlobalGetValueType(intrinsic), intrinsic, &room, 1, "");
}

/* The share's place is taken by a function that calls it between a change of the mode and its return. */
static void wrap(uw_program *program, LLVMValueRef inner) {
  enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZEROS = 0x0040 };
  static const char flushing[] = "preserve-sign,preserve-sign", kind[] = "denormal-fp-math-f32";
  LLVMModuleRef module = program->device;
  LLVMContextRef context = program->context;
  size_t length;
  const char *name = uw_arena_format(program->arena, "%s", LLVMGetValueName2(inner, &length));
  const char *inner_name = uw_arena_format(program->arena, "%s.flushing", name);
  LLVMSetValueName2(inner, inner_name, strlen(inner_name));
  LLVMTypeRef type = LLVMGlobalGetValueType(inner), i32 = LLVMInt32TypeInContext(context);
  LLVMValueRef outer = LLVMAddFunction(module, name, type);
  LLVMSetLinkage(outer, LLVMGetLinkage(inner));
  LLVMReplaceAllUsesWith(inner, outer);
  LLVMSetLinkage(inner, LLVMInternalLinkage);
  unsigned no_inline = LLVMGetEnumAttributeKindForName("noinline", 8);
  LLVMAddAttributeAtIndex(inner, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, no_inline, 0));
  LLVMAddAttributeAtIndex(inner, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, kind, strlen(kind), flushing, strlen(flushing)));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, outer, ""));
  LLVMValueRef old = LLVMBuildAlloca(b, i32, ""), mode = LLVMBuildAlloca(b, i32, "");
  call_state(module, b, "llvm.x86.sse.stmxcsr", old);
  LLVMValueRef bits = LLVMConstInt(i32, FLUSH_TO_ZERO | DENORMALS_ARE_ZEROS, 0);
  LLVMBuildStore(b, LLVMBuildOr(b, LLVMBuildLoad2(b, i32, old, ""), bits, ""), mode);
  call_state(module, b, "llvm.x86.sse.ldmxcsr", mode);
  unsigned count = LLVMCountParams(outer);
  LLVMValueRef arguments[count ? count : 1];
  LLVMGetParams(outer, arguments);
  LLVMBuildCall2(b, type, inner, arguments, count, "");
  call_state(module, b, "llvm.x86.sse.ldmxcsr", old);
  LLVMBuildRetVoid(b);
  LLVMDisposeBuilder(b);
}

void uw_flush_in_hardware(uw_program *program) {
  if (!program->flushes_denormals || !starts(LLVMGetTarget(program->host), "x86_64"))
    return;
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    share s = {program->arena, uw_table_create(program->arena), uw_table_create(program->arena)};
    bool is_share = uw_is_share(f) && LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) == LLVMVoidTypeKind;
    if (is_share && fits(&s, f) && drop_flushes(f))
      wrap(program, f);
  }
}
