/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * glibc's mathematical functions for vectors (libmvec). Of each there is one for every size of register, whose name
 * says what it uses, by the letter of the x86-64 vector function ABI (section 2.4, "Vector Function Name Mangling"):
 *
 *   _ZGVbN4v_expf  SSE    _ZGVcN8v_expf  AVX    _ZGVdN8v_expf  AVX2    _ZGVeN16v_expf  AVX-512
 *
 * LLVM's own support goes by the number of lanes alone. Its vectoriser makes eight lanes where 16 bits are stored, and
 * its back end then calls the function for eight floats, with registers of AVX2, from code that has those of SSE only;
 * vectors of other lengths than those of one register, which our passes make, it takes apart lane by lane. So here both
 * are told apart by the registers of the function that they are in: what LLVM's vectorisers may ask for, and, after
 * the optimiser, what becomes of vectors of any length:
 *
 *   llvm.exp.v64f32 %x    ==>    _ZGVdN8v_expf, eight times (AVX2)    _ZGVeN16v_expf, four times (AVX-512) */
#include <stdio.h>
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "../ir/shim.h"
#include "lower.h"

/* What LLVM has an intrinsic for (lower/intrinsics), and how many arguments it takes. */
static const struct function {
  const char *name;
  unsigned arguments;
} functions[] = {{"cos", 1}, {"exp", 1}, {"log", 1}, {"pow", 2}, {"sin", 1}, {"tan", 1}};
enum {
  FUNCTIONS = sizeof functions / sizeof *functions,
  SSE = 16, /* bytes of a register */
  AVX = 32,
  AVX512 = 64,
  MOST_ARGUMENTS = 2,
};

static void write_symbol(char *to, size_t room, const struct function *function, char letter, unsigned lanes,
                         bool is_double) {
  snprintf(to, room, "_ZGV%cN%u%s_%s%s", letter, lanes, function->arguments == 2 ? "vv" : "v", function->name,
           is_double ? "" : "f");
}

/* Bytes of the widest registers that a function may hand over: AVX-512's only if they are not taken apart there
 * (widths.c). */
static unsigned register_bytes(LLVMTargetMachineRef machine, LLVMValueRef function) {
  if (uw_has_feature(function, "+avx512f") &&
      (uw_shim_register_bytes(machine, function) >= AVX512 || uw_allowed_width(function) >= 8 * AVX512))
    return AVX512;
  return uw_has_feature(function, "+avx") ? AVX : SSE;
}

static char letter_of(LLVMValueRef function, unsigned bytes) {
  return bytes == AVX512 ? 'e' : bytes == SSE ? 'b' : uw_has_feature(function, "+avx2") ? 'd' : 'c';
}

const uw_vector_function *uw_vector_functions(uw_arena *arena, size_t *count) {
  static const struct {
    char letter;
    unsigned bytes;
  } kinds[] = {{'b', SSE}, {'c', AVX}, {'d', AVX}, {'e', AVX512}};
  enum { KINDS = sizeof kinds / sizeof *kinds, TYPES = 2, SPELLINGS = 2, LONGEST = 32 };
  uw_vector_function *all = uw_alloc(arena, FUNCTIONS * KINDS * TYPES * SPELLINGS * sizeof *all), *next = all;
  for (size_t f = 0; f < FUNCTIONS; f++)
    for (size_t k = 0; k < KINDS; k++)
      for (int is_double = 0; is_double < TYPES; is_double++) {
        unsigned lanes = kinds[k].bytes / (is_double ? 8 : 4);
        char *symbol = uw_alloc(arena, LONGEST);
        write_symbol(symbol, LONGEST, &functions[f], kinds[k].letter, lanes, is_double);
        const char *variant =
            uw_arena_format(arena, "_ZGV_LLVM_N%u%s", lanes, functions[f].arguments == 2 ? "vv" : "v");
        const char *scalar = uw_arena_format(arena, "%s%s", functions[f].name, is_double ? "" : "f");
        const char *intrinsic = uw_arena_format(arena, "llvm.%s.f%d", functions[f].name, is_double ? 64 : 32);
        *next++ = (uw_vector_function){scalar, symbol, variant, lanes};
        *next++ = (uw_vector_function){intrinsic, symbol, variant, lanes};
      }
  *count = (size_t)(next - all);
  return all;
}

bool uw_can_call_vector_math(LLVMTargetMachineRef machine, LLVMValueRef function, const char *symbol, size_t length) {
  static const char prefix[] = "_ZGV";
  enum { LETTER = sizeof prefix - 1 };
  if (length <= LETTER || memcmp(symbol, prefix, LETTER) != 0)
    return true;
  switch (symbol[LETTER]) {
  case 'b': return true;
  case 'c': return register_bytes(machine, function) >= AVX && !uw_has_feature(function, "+avx2");
  case 'd': return register_bytes(machine, function) >= AVX && uw_has_feature(function, "+avx2");
  case 'e': return register_bytes(machine, function) >= AVX512;
  default: return false;
  }
}

/* --- vectors of any length ---------------------------------------------------------------------------------------- */

typedef struct vector_call {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMValueRef op;
  const struct function *function;
  LLVMTypeRef element;
  unsigned lanes, bytes; /* of an element */
} vector_call;

static const struct function *function_of(LLVMValueRef op) {
  LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  unsigned intrinsic = callee && LLVMIsAFunction(callee) ? LLVMGetIntrinsicID(callee) : 0;
  for (size_t i = 0; intrinsic && i < FUNCTIONS; i++) {
    char name[32];
    int length = snprintf(name, sizeof name, "llvm.%s", functions[i].name);
    if (LLVMLookupIntrinsicID(name, (size_t)length) == intrinsic)
      return &functions[i];
  }
  return NULL;
}

static LLVMValueRef number(const vector_call *c, unsigned value) {
  return LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(c->element)), value, 0);
}

/* So many lanes of an operand; after its last one that one again. */
static LLVMValueRef lanes_from(const vector_call *c, unsigned operand, unsigned first, unsigned count) {
  LLVMValueRef whole = LLVMGetOperand(c->op, operand), mask[count];
  for (unsigned i = 0; i < count; i++)
    mask[i] = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(c->element)),
                           first + i < c->lanes ? first + i : c->lanes - 1, 0);
  return LLVMBuildShuffleVector(c->b, whole, LLVMGetPoison(LLVMTypeOf(whole)), LLVMConstVector(mask, count), "");
}

static LLVMValueRef declare(const vector_call *c, const char *symbol, LLVMTypeRef type) {
  static const char *const attributes[] = {"nounwind", "willreturn", "memory"};
  LLVMValueRef found = LLVMGetNamedFunction(c->module, symbol);
  if (found)
    return found;
  found = LLVMAddFunction(c->module, symbol, type);
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) { /* memory: 0 is none */
    unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
    LLVMAddAttributeAtIndex(found, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(LLVMGetTypeContext(type), kind, 0));
  }
  return found;
}

/* One register, from that lane on. */
static LLVMValueRef call_piece(const vector_call *c, char letter, unsigned first, unsigned count) {
  char symbol[32];
  write_symbol(symbol, sizeof symbol, c->function, letter, count, c->bytes == 8);
  LLVMTypeRef piece = LLVMVectorType(c->element, count), types[MOST_ARGUMENTS] = {piece, piece};
  LLVMValueRef arguments[MOST_ARGUMENTS];
  for (unsigned i = 0; i < c->function->arguments; i++)
    arguments[i] = lanes_from(c, i, first, count);
  LLVMTypeRef type = LLVMFunctionType(piece, types, c->function->arguments, false);
  return LLVMBuildCall2(c->b, type, declare(c, symbol, type), arguments, c->function->arguments, "");
}

static LLVMValueRef call_scalar(const vector_call *c, unsigned lane) {
  LLVMValueRef arguments[MOST_ARGUMENTS];
  char name[32];
  snprintf(name, sizeof name, "llvm.%s", c->function->name);
  for (unsigned i = 0; i < c->function->arguments; i++)
    arguments[i] = LLVMBuildExtractElement(c->b, LLVMGetOperand(c->op, i), number(c, lane), "");
  LLVMTypeRef type = c->element;
  return uw_call_intrinsic(c->module, c->b, name, &type, 1, arguments, c->function->arguments);
}

static void lower(const vector_call *c, LLVMValueRef function, unsigned widest) {
  LLVMTypeRef whole = LLVMTypeOf(c->op);
  LLVMValueRef result = LLVMGetPoison(whole);
  LLVMPositionBuilderBefore(c->b, c->op);
  LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(c->op));
  unsigned first = 0;
  for (unsigned bytes = widest; bytes >= SSE; bytes /= 2)
    for (unsigned count = bytes / c->bytes; first + count <= c->lanes; first += count) {
      LLVMValueRef piece = call_piece(c, letter_of(function, bytes), first, count);
      result = count == c->lanes
                   ? piece
                   : uw_call_intrinsic(c->module, c->b, "llvm.vector.insert", (LLVMTypeRef[]){whole, LLVMTypeOf(piece)},
                                       2, (LLVMValueRef[]){result, piece, number(c, first)}, 3);
    }
  unsigned rest = c->lanes - first;
  LLVMValueRef padded = rest > 1 ? call_piece(c, letter_of(function, SSE), first, SSE / c->bytes) : NULL;
  for (unsigned i = 0; i < rest; i++) {
    LLVMValueRef one = padded ? LLVMBuildExtractElement(c->b, padded, number(c, i), "") : call_scalar(c, first);
    result = LLVMBuildInsertElement(c->b, result, one, number(c, first + i), "");
  }
  LLVMReplaceAllUsesWith(c->op, result);
  LLVMInstructionEraseFromParent(c->op);
}

void uw_call_vector_math(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        LLVMTypeRef type = LLVMTypeOf(op);
        const struct function *function = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? function_of(op) : NULL;
        LLVMTypeRef element = function ? LLVMGetElementType(type) : NULL;
        LLVMTypeKind kind = element ? LLVMGetTypeKind(element) : LLVMVoidTypeKind;
        if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
          continue;
        lower(&(vector_call){module, b, op, function, element, LLVMGetVectorSize(type),
                             kind == LLVMDoubleTypeKind ? 8 : 4},
              f, register_bytes(machine, f));
      }
  LLVMDisposeBuilder(b);
}
