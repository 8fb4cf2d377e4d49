/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Registers and operands. A register is a variable on the stack, of as many bits as its type has, which LLVM turns into
 * a value; operand %i of the asm is the register of that name. PTX lets an instruction see a register's bits as any
 * type of its size.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

static const uw_ptx_type types[] = {
    {"pred", 1, UW_PTX_UNTYPED},  {"b8", 8, UW_PTX_UNTYPED},     {"b16", 16, UW_PTX_UNTYPED},
    {"b32", 32, UW_PTX_UNTYPED},  {"b64", 64, UW_PTX_UNTYPED},   {"b128", 128, UW_PTX_UNTYPED},
    {"u8", 8, UW_PTX_UNSIGNED},   {"u16", 16, UW_PTX_UNSIGNED},  {"u32", 32, UW_PTX_UNSIGNED},
    {"u64", 64, UW_PTX_UNSIGNED}, {"s8", 8, UW_PTX_SIGNED},      {"s16", 16, UW_PTX_SIGNED},
    {"s32", 32, UW_PTX_SIGNED},   {"s64", 64, UW_PTX_SIGNED},    {"f16", 16, UW_PTX_FLOAT},
    {"f32", 32, UW_PTX_FLOAT},    {"f64", 64, UW_PTX_FLOAT},     {"bf16", 16, UW_PTX_BFLOAT},
    {"f16x2", 32, UW_PTX_PACKED}, {"bf16x2", 32, UW_PTX_PACKED}, {"tf32", 32, UW_PTX_PACKED},
};

const uw_ptx_type *uw_ptx_type_named(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0)
      return &types[i];
  return NULL;
}

LLVMTypeRef uw_ptx_int(uw_ptx_maker *m, unsigned bits) { return LLVMIntTypeInContext(m->program->context, bits); }

static LLVMTypeRef float_type(uw_ptx_maker *m, unsigned bits) {
  LLVMContextRef context = m->program->context;
  return bits == 16   ? LLVMHalfTypeInContext(context)
         : bits == 32 ? LLVMFloatTypeInContext(context)
                      : LLVMDoubleTypeInContext(context);
}

LLVMTypeRef uw_ptx_llvm_type(uw_ptx_maker *m, const uw_ptx_type *type) {
  return type->kind == UW_PTX_FLOAT    ? float_type(m, type->bits)
         : type->kind == UW_PTX_BFLOAT ? LLVMBFloatTypeInContext(m->program->context)
                                       : uw_ptx_int(m, type->bits);
}

void uw_ptx_declare(uw_ptx_maker *m, const char *name, unsigned bits) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(m->builder), entry = LLVMGetEntryBasicBlock(m->function);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(m->builder, first);
  else
    LLVMPositionBuilderAtEnd(m->builder, entry);
  uw_ptx_register *fresh = uw_alloc(m->program->arena, sizeof *fresh);
  *fresh = (uw_ptx_register){m->registers, name, LLVMBuildAlloca(m->builder, uw_ptx_int(m, bits), ""), bits, m->depth};
  m->registers = fresh;
  LLVMPositionBuilderAtEnd(m->builder, here);
}

uw_ptx_register *uw_ptx_find(uw_ptx_maker *m, const char *name) {
  uw_ptx_register *found = m->registers;
  while (found && strcmp(found->name, name))
    found = found->next;
  return found;
}

/* An intrinsic reads it: "%lanemask_lt" is llvm.nvvm.read.ptx.sreg.lanemask.lt. */
static LLVMValueRef special_register(uw_ptx_maker *m, const char *name) {
  char *intrinsic = uw_arena_format(m->program->arena, "llvm.nvvm.read.ptx.sreg.%s", name + 1);
  char *mask = strstr(intrinsic, "lanemask_");
  if (mask)
    mask[strlen("lanemask")] = '.';
  unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
  if (!id)
    return NULL;
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(m->program->device, id, NULL, 0);
  return uw_ptx_call(m, function, NULL, 0);
}

static unsigned bits_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return 16;
  case LLVMFloatTypeKind:
    return 32;
  case LLVMDoubleTypeKind:
    return 64;
  default:
    return LLVMGetIntTypeWidth(type);
  }
}

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

/* The lower bits of an integer as a value of the type. */
static LLVMValueRef as_type(uw_ptx_maker *m, LLVMValueRef bits, LLVMTypeRef type) {
  LLVMValueRef part = LLVMBuildTrunc(m->builder, bits, uw_ptx_int(m, bits_of(type)), "");
  return is_integer(type) ? part : LLVMBuildBitCast(m->builder, part, type, "");
}

static LLVMValueRef read_register(uw_ptx_maker *m, const uw_ptx_register *from) {
  return LLVMBuildLoad2(m->builder, uw_ptx_int(m, from->bits), from->room, "");
}

LLVMValueRef uw_ptx_value(uw_ptx_maker *m, const uw_ptx_operand *operand, LLVMTypeRef type) {
  bool integer = is_integer(type);
  switch (operand->kind) {
  case UW_PTX_INTEGER:
    if (integer)
      return LLVMConstInt(type, operand->integer, true);
    uw_ptx_refuse(m, "an integer where a floating point number belongs");
    return NULL;
  case UW_PTX_DECIMAL:
    if (!integer)
      return LLVMConstReal(type, operand->decimal);
    uw_ptx_refuse(m, "a floating point number where an integer belongs");
    return NULL;
  case UW_PTX_BITS: {
    LLVMValueRef bits = LLVMConstInt(uw_ptx_int(m, operand->width), operand->integer, false);
    if (operand->width == bits_of(type))
      return as_type(m, bits, type);
    if (!integer)
      return LLVMBuildFPCast(m->builder, as_type(m, bits, float_type(m, operand->width)), type, "");
    uw_ptx_refuse(m, "a number of %u bits where one of %u belongs", operand->width, bits_of(type));
    return NULL;
  }
  case UW_PTX_NAME:
    break;
  default:
    uw_ptx_refuse(m, "an operand of this kind is not supported here");
    return NULL;
  }
  uw_ptx_register *found = uw_ptx_find(m, operand->name);
  LLVMValueRef value;
  if (found) {
    value = read_register(m, found);
    if (found->bits < bits_of(type)) {
      uw_ptx_refuse(m, "'%s' has %u bits where %u belong", operand->name, found->bits, bits_of(type));
      return NULL;
    }
  } else if (strcmp(operand->name, "WARP_SZ") == 0) {
    value = LLVMConstInt(type, 32, false);
  } else if (operand->name[0] == '%' && (value = special_register(m, operand->name))) {
    value = LLVMBuildZExtOrBitCast(m->builder, value, uw_ptx_int(m, 64), "");
  } else {
    uw_ptx_refuse(m, "'%s' is no register", operand->name);
    return NULL;
  }
  value = as_type(m, value, type);
  return operand->negated ? LLVMBuildNot(m->builder, value, "") : value;
}

/* A shared address may be held in 32 bits; libdevice/ptx/thread.c completes it. */
LLVMValueRef uw_ptx_address(uw_ptx_maker *m, const uw_ptx_operand *operand, bool shared) {
  LLVMTypeRef i64 = uw_ptx_int(m, 64), pointer = LLVMPointerTypeInContext(m->program->context, 0);
  if (operand->kind != UW_PTX_ADDRESS) {
    uw_ptx_refuse(m, "an address in brackets is expected");
    return NULL;
  }
  LLVMValueRef address = LLVMConstInt(i64, operand->integer, true);
  const char *const names[] = {operand->index, operand->name};
  for (size_t i = 0; i < 2; i++) {
    if (!names[i])
      continue;
    uw_ptx_register *found = uw_ptx_find(m, names[i]);
    if (!found || (found->bits != 32 && found->bits != 64)) {
      uw_ptx_refuse(m, "'%s' is no register that can hold an address", names[i]);
      return NULL;
    }
    shared |= i == 1 && found->bits == 32;
    LLVMValueRef part = LLVMBuildSExtOrBitCast(m->builder, read_register(m, found), i64, "");
    if (i == 1 && shared) { /* offsets count from the address that is meant */
      part = LLVMBuildZExtOrBitCast(m->builder, read_register(m, found), i64, "");
      LLVMValueRef complete = LLVMGetNamedFunction(m->program->device, "__ptx_shared_address");
      part = LLVMBuildPtrToInt(m->builder, uw_ptx_call(m, complete, &part, 1), i64, "");
    }
    address = LLVMBuildAdd(m->builder, part, address, "");
  }
  return LLVMBuildIntToPtr(m->builder, address, pointer, "");
}

bool uw_ptx_store(uw_ptx_maker *m, const uw_ptx_operand *to, LLVMValueRef value, bool is_signed) {
  if (to->kind == UW_PTX_SINK)
    return true;
  uw_ptx_register *found = to->kind == UW_PTX_NAME ? uw_ptx_find(m, to->name) : NULL;
  if (!found)
    return uw_ptx_refuse(m, "a result needs a register");
  LLVMTypeRef type = LLVMTypeOf(value), room = uw_ptx_int(m, found->bits);
  unsigned bits = bits_of(type);
  if (bits > found->bits)
    return uw_ptx_refuse(m, "a result of %u bits does not fit '%s'", bits, to->name);
  value = LLVMBuildBitCast(m->builder, value, uw_ptx_int(m, bits), "");
  value = is_signed ? LLVMBuildSExtOrBitCast(m->builder, value, room, "")
                    : LLVMBuildZExtOrBitCast(m->builder, value, room, "");
  LLVMBuildStore(m->builder, value, found->room);
  return true;
}

LLVMValueRef uw_ptx_call(uw_ptx_maker *m, LLVMValueRef function, LLVMValueRef *arguments, unsigned count) {
  return LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}
