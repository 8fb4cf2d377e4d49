/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Mathematical functions for vectors, of glibc (libmvec) and SLEEF (analysis/vector_math.h says of which). Of each
 * there is one for every size of register, whose name says what it uses: glibc's by the letter of the x86-64 vector
 * function ABI (section 2.4, "Vector Function Name Mangling"), SLEEF's in full:
 *
 *   _ZGVbN4v_expf  SSE    _ZGVcN8v_expf  AVX    _ZGVdN8v_expf  AVX2    _ZGVeN16v_expf  AVX-512
 *   Sleef_expd2_u10sse4   Sleef_expd4_u10avx    Sleef_expd4_u10avx2    Sleef_expd8_u10avx512f
 *
 * LLVM's own support goes by the number of lanes alone. Its vectoriser makes eight lanes where 16 bits are stored, and
 * its back end then calls the function for eight floats, with registers of AVX2, from code that has those of SSE only;
 * vectors of other lengths than those of one register, which our passes make, it takes apart lane by lane. So LLVM's
 * vectorisers may ask for as many lanes as the registers of the function have that they are in, by the names that our
 * passes use too, and after the optimiser it is told what vectors of any length become there:
 *
 *   unwarp.vector.64.acoshf %x    ==>    Sleef_acoshf8_u10avx2, eight times (AVX2)
 *   llvm.sin.v64f32 %x            ==>    _ZGVdN8v_sinf, eight times (AVX2)    _ZGVeN16v_sinf, four times (AVX-512) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "../analysis/vector_math.h"
#include "../ir/shim.h"
#include "code.h"

enum {
  SSE = 16, /* bytes of a register */
  AVX = 32,
  AVX512 = 64,
  MOST_ARGUMENTS = 2,
  LONGEST = 64, /* name */
};
static const char prefix[] = "unwarp.vector.";

/* Bytes of the widest registers that a function may hand over: AVX-512's only if they are not taken apart there
 * (widths.c). */
static unsigned register_bytes(LLVMTargetMachineRef machine, LLVMValueRef function) {
  if (uw_has_feature(function, "+avx512f") &&
      (uw_shim_register_bytes(machine, function) >= AVX512 || uw_allowed_width(function) >= 8 * AVX512))
    return AVX512;
  return uw_has_feature(function, "+avx") ? AVX : SSE;
}

static char letter_of(LLVMValueRef caller, unsigned bytes) {
  return bytes == AVX512 ? 'e' : bytes == SSE ? 'b' : uw_has_feature(caller, "+avx2") ? 'd' : 'c';
}

static const char *sleef_set(LLVMValueRef caller, unsigned bytes) {
  bool fuses = uw_has_feature(caller, "+avx2") && uw_has_feature(caller, "+fma");
  if (bytes == AVX512)
    return "avx512f";
  if (bytes == AVX)
    return fuses ? "avx2" : "avx";
  return fuses ? "avx2128" : uw_has_feature(caller, "+sse4.1") ? "sse4" : "sse2";
}

/* The library's function for one register. */
static void write_symbol(char to[LONGEST], const uw_math_function *function, bool is_double, LLVMValueRef caller,
                         unsigned bytes) {
  uw_vector_form form = uw_form_of(function, is_double);
  unsigned lanes = bytes / (is_double ? 8 : 4);
  if (form == UW_LIBMVEC)
    snprintf(to, LONGEST, "_ZGV%cN%u%s_%s%s", letter_of(caller, bytes), lanes, function->arguments == 2 ? "vv" : "v",
             function->name, is_double ? "" : "f");
  else
    snprintf(to, LONGEST, "Sleef_%s%c%u_u10%s", function->name, is_double ? 'd' : 'f', lanes, sleef_set(caller, bytes));
}

void uw_use_vector_math(bool libmvec, bool sleef) { uw_set_vector_libraries(libmvec, sleef); }

/* --- what LLVM's vectorisers may call ----------------------------------------------------------------------------- */

enum { WIDTHS = 3, SPELLINGS = 3 };

/* Every spelling of one function, for each size of register. */
static uw_vector_function *add_functions(uw_arena *arena, uw_vector_function *next, const uw_math_function *function,
                                         bool is_double) {
  const char *letter = is_double ? "" : "f";
  const char *spellings[SPELLINGS] = {
      uw_arena_format(arena, "%s%s", function->name, letter),
      uw_arena_format(arena, "__nv_%s%s", function->name, letter),
      uw_arena_format(arena, "llvm.%s.f%d", function->name, is_double ? 64 : 32),
  };
  for (unsigned bytes = SSE; bytes <= AVX512; bytes *= 2)
    for (size_t i = 0; i < SPELLINGS; i++) {
      unsigned lanes = bytes / (is_double ? 8 : 4);
      const char *symbol = uw_arena_format(arena, "%s%u.%s", prefix, lanes, spellings[i]);
      const char *variant = uw_arena_format(arena, "_ZGV_LLVM_N%u%s", lanes, function->arguments == 2 ? "vv" : "v");
      *next++ = (uw_vector_function){spellings[i], symbol, variant, lanes};
    }
  return next;
}

const uw_vector_function *uw_vector_functions(uw_arena *arena, size_t *count) {
  enum { TYPES = 2 };
  uw_vector_function *all = uw_alloc(arena, uw_math_function_count * TYPES * WIDTHS * SPELLINGS * sizeof *all);
  uw_vector_function *next = all;
  for (size_t f = 0; f < uw_math_function_count; f++)
    for (int is_double = 0; is_double < TYPES; is_double++)
      if (uw_form_of(&uw_math_functions[f], is_double) != UW_EACH_LANE)
        next = add_functions(arena, next, &uw_math_functions[f], is_double);
  *count = (size_t)(next - all);
  return all;
}

/* The scalar function of "unwarp.vector.LANES.SCALAR"; null for other names. */
static const char *scalar_of(const char *symbol, size_t length, unsigned *lanes) {
  enum { BEFORE = sizeof prefix - 1 };
  if (length <= BEFORE || memcmp(symbol, prefix, BEFORE) != 0)
    return NULL;
  char *end;
  *lanes = (unsigned)strtoul(symbol + BEFORE, &end, 10);
  return end + 1;
}

bool uw_can_call_vector_math(LLVMTargetMachineRef machine, LLVMValueRef function, const char *symbol, size_t length) {
  unsigned lanes;
  bool is_double = false;
  const char *scalar = scalar_of(symbol, length, &lanes);
  if (!scalar)
    return true;
  uw_math_function_of(scalar, (size_t)(symbol + length - scalar), &is_double);
  return lanes * (is_double ? 8 : 4) <= register_bytes(machine, function);
}

/* --- vectors of any length ---------------------------------------------------------------------------------------- */

typedef struct vector_call {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMValueRef op, caller;
  const uw_math_function *function;
  const char *scalar; /* the function of the program, or libdevice, of which this is a form; null: LLVM's intrinsic */
  LLVMTypeRef element;
  unsigned lanes;
  bool is_double;
} vector_call;

static const uw_math_function *function_of_intrinsic(unsigned intrinsic) {
  for (size_t i = 0; intrinsic && i < uw_math_function_count; i++) {
    char name[LONGEST];
    int length = snprintf(name, sizeof name, "llvm.%s", uw_math_functions[i].name);
    if (LLVMLookupIntrinsicID(name, (size_t)length) == intrinsic)
      return &uw_math_functions[i];
  }
  return NULL;
}

/* What the call is a form of, with its lanes; false: of nothing that we know. */
static bool describe(vector_call *c) {
  LLVMTypeRef type = LLVMTypeOf(c->op);
  LLVMValueRef callee = LLVMIsACallInst(c->op) ? LLVMGetCalledValue(c->op) : NULL;
  if (!callee || !LLVMIsAFunction(callee) || LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  c->element = LLVMGetElementType(type);
  c->lanes = LLVMGetVectorSize(type);
  c->is_double = LLVMGetTypeKind(c->element) == LLVMDoubleTypeKind;
  if (!c->is_double && LLVMGetTypeKind(c->element) != LLVMFloatTypeKind)
    return false;
  unsigned lanes;
  bool is_double;
  c->scalar = scalar_of(name, length, &lanes);
  c->function = c->scalar ? uw_math_function_of(c->scalar, strlen(c->scalar), &is_double)
                          : function_of_intrinsic(LLVMGetIntrinsicID(callee));
  if (c->scalar && strncmp(c->scalar, "llvm.", 5) == 0)
    c->scalar = NULL;
  return c->function != NULL;
}

static unsigned bytes_of(const vector_call *c) { return c->is_double ? 8 : 4; }

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
static LLVMValueRef call_piece(const vector_call *c, unsigned bytes, unsigned first) {
  char symbol[LONGEST];
  write_symbol(symbol, c->function, c->is_double, c->caller, bytes);
  unsigned count = bytes / bytes_of(c);
  LLVMTypeRef piece = LLVMVectorType(c->element, count), types[MOST_ARGUMENTS] = {piece, piece};
  LLVMValueRef arguments[MOST_ARGUMENTS];
  for (unsigned i = 0; i < c->function->arguments; i++)
    arguments[i] = lanes_from(c, i, first, count);
  LLVMTypeRef type = LLVMFunctionType(piece, types, c->function->arguments, false);
  return LLVMBuildCall2(c->b, type, declare(c, symbol, type), arguments, c->function->arguments, "");
}

static LLVMValueRef call_scalar(const vector_call *c, unsigned lane) {
  LLVMValueRef arguments[MOST_ARGUMENTS];
  char name[LONGEST];
  snprintf(name, sizeof name, "llvm.%s", c->function->name);
  for (unsigned i = 0; i < c->function->arguments; i++)
    arguments[i] = LLVMBuildExtractElement(c->b, LLVMGetOperand(c->op, i), number(c, lane), "");
  LLVMTypeRef type = c->element;
  return uw_call_intrinsic(c->module, c->b, name, &type, 1, arguments, c->function->arguments);
}

/* As many whole registers as there are; returns the lanes that they took. */
static unsigned lower_registers(const vector_call *c, unsigned widest, LLVMValueRef *result) {
  LLVMTypeRef whole = LLVMTypeOf(c->op);
  unsigned first = 0;
  for (unsigned bytes = widest; bytes >= SSE; bytes /= 2)
    for (unsigned count = bytes / bytes_of(c); first + count <= c->lanes; first += count) {
      LLVMValueRef piece = call_piece(c, bytes, first), operands[] = {*result, piece, number(c, first)};
      LLVMTypeRef types[] = {whole, LLVMTypeOf(piece)};
      *result =
          count == c->lanes ? piece : uw_call_intrinsic(c->module, c->b, "llvm.vector.insert", types, 2, operands, 3);
    }
  return first;
}

/* One lane of an intrinsic is one by itself. */
static void lower(const vector_call *c, unsigned widest) {
  LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(c->op));
  LLVMPositionBuilderBefore(c->b, c->op);
  LLVMSetCurrentDebugLocation2(c->b, LLVMInstructionGetDebugLoc(c->op));
  bool has_form = uw_form_of(c->function, c->is_double) != UW_EACH_LANE;
  unsigned first = has_form ? lower_registers(c, widest, &result) : 0, rest = c->lanes - first;
  LLVMValueRef padded = has_form && (rest > 1 || (rest && c->scalar)) ? call_piece(c, SSE, first) : NULL;
  for (unsigned i = 0; i < rest; i++) {
    LLVMValueRef one = padded ? LLVMBuildExtractElement(c->b, padded, number(c, i), "") : call_scalar(c, first + i);
    result = LLVMBuildInsertElement(c->b, result, one, number(c, first + i), "");
  }
  LLVMReplaceAllUsesWith(c->op, result);
  LLVMInstructionEraseFromParent(c->op);
}

void uw_call_vector_math(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        next = LLVMGetNextInstruction(op);
        vector_call call = {.module = module, .b = b, .op = op, .caller = f};
        if (describe(&call))
          lower(&call, register_bytes(machine, f));
      }
  LLVMDisposeBuilder(b);
}
