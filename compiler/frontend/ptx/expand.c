/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each inline asm becomes a function of the same operands and results, one for each text, and its calls calls of that:
 *
 *     %r = call i32 asm "bfe.u32 $0, $1, 8, 8;", "=r,r"(i32 %x)   ==>   %r = call i32 @asm(i32 %x)
 *
 * In it every PTX register is a stack variable and every label a block; LLVM inlines it and makes values of them. What
 * the instructions call comes from libptx.bc beside libdevice.bc (libdevice/ptx).
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "llvm-c/Linker.h"
#include "llvm-c/Target.h"

bool uw_ptx_refuse(uw_ptx_maker *m, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!m->why)
    m->why = uw_arena_format(m->program->arena, "%s", text);
  return false;
}

/* The bits of a register for a constraint. A constant stands in the text as an integer, which fits where it stands. */
static unsigned bits_for(char letter, unsigned of_type) {
  switch (letter) {
  case 'h':
  case 'c': return 16;
  case 'r':
  case 'f': return 32;
  case 'l':
  case 'd':
  case 'n': return 64;
  case 'q': return 128;
  default: return of_type;
  }
}

static unsigned size_of(uw_ptx_maker *m, LLVMTypeRef type) {
  return (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(m->program->device), type);
}

static LLVMValueRef as_bits(uw_ptx_maker *m, LLVMValueRef value, unsigned bits, bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(value), to = uw_ptx_int(m, bits);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(m->builder, value, to, "");
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    return LLVMBuildIntCast2(m->builder, value, to, is_signed, "");
  LLVMValueRef own = LLVMBuildBitCast(m->builder, value, uw_ptx_int(m, size_of(m, type)), "");
  return LLVMBuildIntCast2(m->builder, own, to, false, "");
}

static LLVMValueRef from_bits(uw_ptx_maker *m, LLVMValueRef bits, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(m->builder, bits, type, "");
  LLVMValueRef own = LLVMBuildIntCast2(m->builder, bits, uw_ptx_int(m, size_of(m, type)), false, "");
  return LLVMBuildBitCast(m->builder, own, type, "");
}

static LLVMTypeRef output_type(LLVMTypeRef result, unsigned i) {
  return LLVMGetTypeKind(result) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(result, i) : result;
}

enum { OPERANDS = 256 };

/* %3 */
static const char *operand_name(uw_ptx_maker *m, unsigned number) {
  const char *name = uw_arena_format(m->program->arena, "%%%u", number);
  return uw_ptx_intern(m->names, name, strlen(name));
}

/* Declares %0, %1, … for the constraints "=r,=l,r,0,n,~{memory}" and stores the inputs in them. The number of outputs,
 * or -1. An input that is tied to an output is that output's first value. */
static int declare_operands(uw_ptx_maker *m, char *constraints, LLVMTypeRef type) {
  unsigned number = 0, inputs = 0;
  int outputs = 0;
  for (char *item; (item = strsep(&constraints, ","));) {
    bool output = *item == '=';
    if (*item == '~' || !*item)
      continue;
    while (*item && strchr("=&+", *item))
      item++;
    if (*item == '*' || *item == '{' || (!output && !isdigit((unsigned char)*item) && !isalpha((unsigned char)*item)) ||
        number == OPERANDS) {
      uw_ptx_refuse(m, "the constraint '%s' is not supported", item);
      return -1;
    }
    const char *name = operand_name(m, number++);
    if (output) {
      LLVMTypeRef of = output_type(LLVMGetReturnType(type), (unsigned)outputs++);
      uw_ptx_declare(m, name, bits_for(*item, size_of(m, of)));
      continue;
    }
    LLVMValueRef value = LLVMGetParam(m->function, inputs++);
    unsigned own = size_of(m, LLVMTypeOf(value));
    uw_ptx_symbol *tied =
        isdigit((unsigned char)*item) ? uw_ptx_find(m, operand_name(m, (unsigned)strtoul(item, NULL, 10))) : NULL;
    uw_ptx_symbol *input = uw_ptx_declare(m, name, tied ? tied->bits : bits_for(*item, own));
    if (tied)
      input->room = tied->room;
    bool is_signed = *item == 'n' && own > 1; /* so the integer stands in the text, 0xfffffff0u as -16 */
    LLVMBuildStore(m->builder, as_bits(m, value, input->bits, is_signed), input->room);
  }
  return outputs;
}

static void return_outputs(uw_ptx_maker *m, LLVMTypeRef result, int outputs) {
  if (!outputs) {
    LLVMBuildRetVoid(m->builder);
    return;
  }
  LLVMValueRef all = LLVMGetPoison(result);
  for (int i = 0; i < outputs; i++) {
    uw_ptx_symbol *from = uw_ptx_find(m, operand_name(m, (unsigned)i));
    LLVMValueRef bits = LLVMBuildLoad2(m->builder, uw_ptx_int(m, from->bits), from->room, "");
    LLVMValueRef value = from_bits(m, bits, output_type(result, (unsigned)i));
    all = LLVMGetTypeKind(result) == LLVMStructTypeKind ? LLVMBuildInsertValue(m->builder, all, value, (unsigned)i, "")
                                                        : value;
  }
  LLVMBuildRet(m->builder, all);
}

/* An asm without instructions that clobbers memory keeps the compiler from moving accesses over it. */
static bool is_compiler_fence(const uw_ptx_statement *s, const char *constraints) {
  return s->kind == UW_PTX_OPEN && s->next && s->next->kind == UW_PTX_CLOSE && strstr(constraints, "~{memory}");
}

static bool fill(uw_ptx_maker *m, LLVMValueRef assembly, LLVMTypeRef type) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  const uw_ptx_statement *statements = uw_ptx_read(m->names, text, length, &m->why);
  text = LLVMGetInlineAsmConstraintString(assembly, &length);
  char *constraints = uw_arena_format(m->program->arena, "%.*s", (int)length, text);
  if (!statements)
    return false;
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->program->context, m->function, "");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(m->program->context, m->function, "");
  LLVMPositionBuilderAtEnd(m->builder, body);
  if (is_compiler_fence(statements, constraints))
    LLVMBuildFence(m->builder, LLVMAtomicOrderingSequentiallyConsistent, true, "");
  int outputs = declare_operands(m, constraints, type);
  uw_ptx_begin_body(m, statements);
  bool ok = outputs >= 0;
  for (const uw_ptx_statement *s = statements; ok && s; s = s->next)
    ok = uw_ptx_statement_at(m, s);
  if (!ok)
    return false;
  return_outputs(m, LLVMGetReturnType(type), outputs);
  LLVMPositionBuilderAtEnd(m->builder, entry);
  LLVMBuildBr(m->builder, body);
  return true;
}

/* The function for an asm; null after a message at the call. */
static LLVMValueRef make_function(uw_program *program, LLVMBuilderRef builder, LLVMValueRef call) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  uw_ptx_maker m = {.program = program,
                    .names = uw_ptx_names_create(program->arena),
                    .builder = builder,
                    .function = LLVMAddFunction(program->device, "asm", type),
                    .symbols = uw_table_create(program->arena),
                    .scope = uw_alloc(program->arena, sizeof(uw_ptx_scope))};
  LLVMSetLinkage(m.function, LLVMInternalLinkage);
  static const char *const attributes[] = {"alwaysinline", "nounwind", "convergent"};
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
    LLVMAddAttributeAtIndex(m.function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, 0));
  }
  if (fill(&m, assembly, type))
    return m.function;
  uw_print_place(program, call, false);
  fprintf(stderr, "error: %s (inline PTX); write it in CUDA C++, or keep it under #ifndef __UNWARP__\n", m.why);
  return NULL;
}

static LLVMValueRef next_asm(LLVMValueRef instruction) {
  while (instruction && !(LLVMIsACallInst(instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))))
    instruction = LLVMGetNextInstruction(instruction);
  return instruction;
}

static bool has_asm(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      if (next_asm(LLVMGetFirstInstruction(block)))
        return true;
  return false;
}

/* Under -fcheck what gets at textures and surfaces stays a call: the runtime's records, which it reads, are not the
 * program's memory. */
static void keep_textures_apart(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !uw_ptx_is_of_texture(uw_llvm_name(f)))
      continue;
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline")));
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(program->context, LLVMGetEnumAttributeKindForName("noinline", strlen("noinline")), 0));
  }
}

/* Of libptx.bc what the module calls, as its own. */
void uw_ptx_link_library(uw_program *program) {
  uw_link_needed(program, UW_LIBPTX);
  if (program->options.checks)
    keep_textures_apart(program);
  static const char *const variables[] = {"__ptx_carry", "__ptx_named_barriers", "__ptx_named_results",
                                          "__ptx_wmma_left", "__ptx_wmma_right"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    LLVMValueRef variable = LLVMGetNamedGlobal(program->device, variables[i]);
    if (variable)
      LLVMSetLinkage(variable, LLVMInternalLinkage);
  }
  uw_retarget(program, program->device);
}

/* An asm that is not volatile counts as pure; the function says itself what it does. */
static void set_callee(LLVMValueRef call, LLVMValueRef function) {
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, function);
  LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName("memory", 6));
}

bool uw_expand_ptx(uw_program *program) {
  bool barriers = uw_ptx_take_named_barriers(program);
  if (!has_asm(program->device)) {
    if (barriers)
      uw_ptx_link_library(program);
    return true;
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  uw_table *made = uw_table_create(program->arena); /* InlineAsm -> function, or -1 after a message */
  bool ok = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef call = LLVMGetFirstInstruction(block), next; (call = next_asm(call)); call = next) {
        next = LLVMGetNextInstruction(call);
        LLVMValueRef assembly = LLVMGetCalledValue(call);
        intptr_t function = uw_table_get(made, assembly);
        if (!function) {
          LLVMValueRef fresh = make_function(program, builder, call);
          function = fresh ? (intptr_t)fresh : -1;
          uw_table_set(made, assembly, function);
        }
        if (function == -1)
          ok = false;
        else
          set_callee(call, (LLVMValueRef)function);
      }
  LLVMDisposeBuilder(builder);
  uw_ptx_link_library(program);
  return ok;
}
