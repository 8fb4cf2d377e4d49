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
    {"texref", 64, UW_PTX_UNTYPED}, {"samplerref", 64, UW_PTX_UNTYPED}, {"surfref", 64, UW_PTX_UNTYPED},
    {"pred", 1, UW_PTX_UNTYPED},    {"b8", 8, UW_PTX_UNTYPED},          {"b16", 16, UW_PTX_UNTYPED},
    {"b32", 32, UW_PTX_UNTYPED},    {"b64", 64, UW_PTX_UNTYPED},        {"b128", 128, UW_PTX_UNTYPED},
    {"u8", 8, UW_PTX_UNSIGNED},     {"u16", 16, UW_PTX_UNSIGNED},       {"u32", 32, UW_PTX_UNSIGNED},
    {"u64", 64, UW_PTX_UNSIGNED},   {"s8", 8, UW_PTX_SIGNED},           {"s16", 16, UW_PTX_SIGNED},
    {"s32", 32, UW_PTX_SIGNED},     {"s64", 64, UW_PTX_SIGNED},         {"f16", 16, UW_PTX_FLOAT},
    {"f32", 32, UW_PTX_FLOAT},      {"f64", 64, UW_PTX_FLOAT},          {"bf16", 16, UW_PTX_BFLOAT},
    {"f16x2", 32, UW_PTX_PACKED},   {"bf16x2", 32, UW_PTX_PACKED},      {"tf32", 32, UW_PTX_PACKED},
    {"f32x2", 64, UW_PTX_PACKED},   {"u16x2", 32, UW_PTX_PACKED},       {"s16x2", 32, UW_PTX_PACKED},
    {"e4m3", 8, UW_PTX_PACKED},     {"e5m2", 8, UW_PTX_PACKED},         {"e4m3x2", 16, UW_PTX_PACKED},
    {"e5m2x2", 16, UW_PTX_PACKED},  {"u4", 4, UW_PTX_PACKED},           {"s4", 4, UW_PTX_PACKED},
    {"u2", 2, UW_PTX_PACKED},       {"s2", 2, UW_PTX_PACKED},           {"b1", 1, UW_PTX_PACKED},
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

LLVMValueRef uw_ptx_stack_room(uw_ptx_maker *m, LLVMTypeRef type) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(m->builder), entry = LLVMGetEntryBasicBlock(m->function);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(m->builder, first);
  else
    LLVMPositionBuilderAtEnd(m->builder, entry);
  LLVMValueRef room = LLVMBuildAlloca(m->builder, type, "");
  LLVMPositionBuilderAtEnd(m->builder, here);
  uw_ptx_set_place(m, m->line, m->source); /* the builder took the alloca's */
  return room;
}

static uw_ptx_symbol *add_symbol(uw_ptx_maker *m, uw_ptx_scope *scope, uw_ptx_symbol like) {
  uw_ptx_symbol *fresh = uw_alloc(m->program->arena, sizeof *fresh);
  *fresh = like;
  fresh->outer = (uw_ptx_symbol *)uw_table_get(m->symbols, like.name);
  fresh->scope = scope;
  fresh->next = scope->symbols;
  scope->symbols = fresh;
  uw_table_set(m->symbols, like.name, (intptr_t)fresh);
  return fresh;
}

uw_ptx_symbol *uw_ptx_declare(uw_ptx_maker *m, const char *name, unsigned bits) {
  LLVMValueRef room = uw_ptx_stack_room(m, uw_ptx_int(m, bits));
  return add_symbol(m, m->scope, (uw_ptx_symbol){.name = name, .room = room, .bits = bits});
}

void uw_ptx_declare_variable(uw_ptx_maker *m, const char *name, LLVMValueRef address) {
  add_symbol(m, m->scope, (uw_ptx_symbol){.name = name, .room = address});
}

/* name0 to name(count - 1). Modules declare thousands and use some: those of a function are made when they are met. */
void uw_ptx_declare_numbered(uw_ptx_maker *m, const char *name, uint64_t count, unsigned bits) {
  enum { MOST_OF_ASM = 4096 };
  if (m->depth == 0 && m->of) {
    add_symbol(m, m->scope, (uw_ptx_symbol){.name = name, .bits = bits});
    return;
  }
  for (uint64_t i = 0; i < count && i < MOST_OF_ASM; i++) {
    const char *one = uw_arena_format(m->program->arena, "%s%llu", name, (unsigned long long)i);
    uw_ptx_declare(m, uw_ptx_intern(m->names, one, strlen(one)), bits);
  }
}

static uw_ptx_symbol *find_numbered(uw_ptx_maker *m, const char *name) {
  size_t length = strlen(name), prefix = length;
  while (prefix && name[prefix - 1] >= '0' && name[prefix - 1] <= '9')
    prefix--;
  if (prefix == length || !prefix)
    return NULL;
  uw_ptx_symbol *all = (uw_ptx_symbol *)uw_table_get(m->symbols, uw_ptx_intern(m->names, name, prefix));
  if (!all || all->room)
    return NULL;
  LLVMValueRef room = uw_ptx_stack_room(m, uw_ptx_int(m, all->bits));
  return add_symbol(m, all->scope, (uw_ptx_symbol){.name = name, .room = room, .bits = all->bits});
}

uw_ptx_symbol *uw_ptx_find(uw_ptx_maker *m, const char *name) {
  uw_ptx_symbol *found = (uw_ptx_symbol *)uw_table_get(m->symbols, name);
  if (!found)
    found = find_numbered(m, name);
  return found && found->bits && found->room ? found : NULL;
}

LLVMValueRef uw_ptx_address_of(uw_ptx_maker *m, const char *name) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(m->program->context, 0);
  uw_ptx_symbol *found = (uw_ptx_symbol *)uw_table_get(m->symbols, name);
  if (found)
    return found->bits ? NULL : found->room;
  if (!m->variables)
    return NULL;
  LLVMValueRef global = (LLVMValueRef)uw_table_get(m->variables, name);
  if (global)
    return LLVMConstAddrSpaceCast(global, pointer);
  uw_ptx_callee *callee = (uw_ptx_callee *)uw_table_get(m->callees, name);
  return callee ? callee->function : NULL;
}

/* A kernel of a required shape has no threads beyond it, and every block has that extent: "%tid.x & 127" is %tid.x
 * under .reqntid 128. */
static LLVMValueRef in_shape(uw_ptx_maker *m, const char *name, LLVMValueRef value) {
  bool extent = strncmp(name, "%ntid.", 6) == 0;
  if (!m->of || !m->of->is_entry || !m->of->shape_required || (!extent && strncmp(name, "%tid.", 5) != 0))
    return value;
  unsigned dimension = (unsigned)(strchr(name, '.')[1] - 'x');
  if (dimension > 2 || m->of->shape[dimension] == 0)
    return value;
  uint64_t first = 0, end = m->of->shape[dimension];
  if (extent)
    return LLVMConstInt(LLVMTypeOf(value), end, false);
  unsigned range = LLVMGetEnumAttributeKindForName("range", 5);
  LLVMAddCallSiteAttribute(value, LLVMAttributeReturnIndex,
                           LLVMCreateConstantRangeAttribute(m->program->context, range, 32, &first, &end));
  return value;
}

static LLVMValueRef special_register(uw_ptx_maker *m, const char *name);

/* Half of a register of 64 bits; registers of which nothing is here: performance counters, the driver's own. */
static LLVMValueRef derived_register(uw_ptx_maker *m, const char *name) {
  static const struct {
    const char *name, *of;
    unsigned shift;
  } halves[] = {
      {"%clock_hi", "%clock64", 32}, {"%globaltimer_lo", "%globaltimer", 0}, {"%globaltimer_hi", "%globaltimer", 32}};
  static const char *const zeros[] = {"%pm", "%envreg", "%reserved_smem_offset_", "%current_graph_exec"};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
    if (strcmp(halves[i].name, name) == 0) {
      LLVMValueRef whole = special_register(m, halves[i].of);
      return LLVMBuildTrunc(
          m->builder, LLVMBuildLShr(m->builder, whole, LLVMConstInt(LLVMTypeOf(whole), halves[i].shift, false), ""),
          uw_ptx_int(m, 32), "");
    }
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
    if (strncmp(zeros[i], name, strlen(zeros[i])) == 0)
      return LLVMConstInt(uw_ptx_int(m, 64), 0, false);
  return NULL;
}

/* An intrinsic reads it: "%lanemask_lt" is llvm.nvvm.read.ptx.sreg.lanemask.lt. */
static LLVMValueRef special_register(uw_ptx_maker *m, const char *name) {
  LLVMValueRef derived = derived_register(m, name);
  if (derived)
    return derived;
  static const char *const families[] = {"lanemask_", "cluster_"};
  bool explicit = strcmp(name, "%is_explicit_cluster") == 0;
  char *intrinsic = uw_arena_format(m->program->arena, "llvm.nvvm.%s%s", explicit ? "" : "read.ptx.sreg.", name + 1);
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    char *family = strstr(intrinsic, families[i]);
    if (family && !explicit)
      family[strlen(families[i]) - 1] = '.';
  }
  unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
  if (!id)
    return NULL;
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(m->program->device, id, NULL, 0);
  return in_shape(m, name, uw_ptx_call(m, function, NULL, 0));
}

static unsigned bits_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind: return 16;
  case LLVMFloatTypeKind: return 32;
  case LLVMDoubleTypeKind: return 64;
  default: return LLVMGetIntTypeWidth(type);
  }
}

static bool is_integer(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind; }

/* The lower bits of an integer as a value of the type. */
static LLVMValueRef as_type(uw_ptx_maker *m, LLVMValueRef bits, LLVMTypeRef type) {
  LLVMValueRef part = LLVMBuildTrunc(m->builder, bits, uw_ptx_int(m, bits_of(type)), "");
  return is_integer(type) ? part : LLVMBuildBitCast(m->builder, part, type, "");
}

/* Read as what it is wanted for: so LLVM sees of which type a register is. */
static LLVMValueRef read_register(uw_ptx_maker *m, const uw_ptx_symbol *from, LLVMTypeRef type) {
  if (from->bits == bits_of(type))
    return LLVMBuildLoad2(m->builder, type, from->room, "");
  return as_type(m, LLVMBuildLoad2(m->builder, uw_ptx_int(m, from->bits), from->room, ""), type);
}

/* name + offset as an integer. */
static LLVMValueRef address_value(uw_ptx_maker *m, const uw_ptx_operand *operand, LLVMValueRef address) {
  LLVMTypeRef i64 = uw_ptx_int(m, 64);
  LLVMValueRef offset = LLVMConstInt(i64, operand->integer, true);
  if (operand->integer)
    address = LLVMBuildGEP2(m->builder, uw_ptx_int(m, 8), address, &offset, 1, "");
  return LLVMBuildPtrToInt(m->builder, address, i64, "");
}

LLVMValueRef uw_ptx_value(uw_ptx_maker *m, const uw_ptx_operand *operand, LLVMTypeRef type) {
  bool integer = is_integer(type);
  if (operand->minus) {
    uw_ptx_refuse(m, "'-%s' is no operand of this instruction", operand->name);
    return NULL;
  }
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
  case UW_PTX_NAME: break;
  default: uw_ptx_refuse(m, "an operand of this kind is not supported here"); return NULL;
  }
  uw_ptx_symbol *found = uw_ptx_find(m, operand->name);
  LLVMValueRef value, address;
  if (found) {
    if (found->bits < bits_of(type)) {
      uw_ptx_refuse(m, "'%s' has %u bits where %u belong", operand->name, found->bits, bits_of(type));
      return NULL;
    }
    value = read_register(m, found, type);
    return operand->negated ? LLVMBuildNot(m->builder, value, "") : value;
  }
  if ((address = uw_ptx_address_of(m, operand->name))) {
    if (LLVMIsAAllocaInst(address) && bits_of(type) == 32)
      m->frame = address;
    value = address_value(m, operand, address);
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

/* A local address may be held in 32 bits, too (Triton has LLVM do so): it lies near the variable whose address was put
 * there, and LLVM makes it that variable and an offset again. */
LLVMValueRef uw_ptx_local_address(uw_ptx_maker *m, LLVMValueRef address) {
  LLVMTypeRef i64 = uw_ptx_int(m, 64), i32 = uw_ptx_int(m, 32);
  if (!m->frame)
    return LLVMBuildZExtOrBitCast(m->builder, address, i64, "");
  LLVMValueRef base = LLVMBuildPtrToInt(m->builder, m->frame, i64, "");
  LLVMValueRef offset = LLVMBuildSub(m->builder, LLVMBuildTruncOrBitCast(m->builder, address, i32, ""),
                                     LLVMBuildTrunc(m->builder, base, i32, ""), "");
  offset = LLVMBuildSExt(m->builder, offset, i64, "");
  return LLVMBuildPtrToInt(m->builder, LLVMBuildGEP2(m->builder, uw_ptx_int(m, 8), m->frame, &offset, 1, ""), i64, "");
}

/* A shared address may be held in 32 bits; libdevice/ptx/thread.c completes it. */
LLVMValueRef uw_ptx_address(uw_ptx_maker *m, const uw_ptx_operand *operand, uw_ptx_window window) {
  bool shared = window == UW_PTX_SHARED;
  LLVMTypeRef i64 = uw_ptx_int(m, 64), pointer = LLVMPointerTypeInContext(m->program->context, 0);
  if (operand->kind != UW_PTX_ADDRESS || operand->count) {
    uw_ptx_refuse(m, "an address in brackets is expected");
    return NULL;
  }
  LLVMValueRef address = LLVMConstInt(i64, operand->integer, true);
  LLVMValueRef variable = operand->name ? uw_ptx_address_of(m, operand->name) : NULL;
  const char *const names[] = {operand->index, variable ? NULL : operand->name};
  for (size_t i = 0; i < 2; i++) {
    if (!names[i])
      continue;
    uw_ptx_symbol *found = uw_ptx_find(m, names[i]);
    if (!found || (found->bits != 32 && found->bits != 64)) {
      uw_ptx_refuse(m, "'%s' is no register that can hold an address", names[i]);
      return NULL;
    }
    bool in_frame = i == 1 && window == UW_PTX_LOCAL && found->bits == 32 && m->frame;
    shared |= i == 1 && found->bits == 32 && !in_frame;
    LLVMTypeRef own = uw_ptx_int(m, found->bits);
    LLVMValueRef part = read_register(m, found, own);
    if (in_frame) {
      part = uw_ptx_local_address(m, part);
    } else if (i == 1 && shared) { /* offsets count from the address that is meant */
      part = LLVMBuildZExtOrBitCast(m->builder, part, i64, "");
      LLVMValueRef complete = uw_library_function(m->program, UW_LIBPTX, "__ptx_shared_address");
      part = LLVMBuildPtrToInt(m->builder, uw_ptx_call(m, complete, &part, 1), i64, "");
    }
    address = LLVMBuildAdd(m->builder, LLVMBuildSExtOrBitCast(m->builder, part, i64, ""), address, "");
  }
  if (variable)
    return LLVMBuildGEP2(m->builder, uw_ptx_int(m, 8), variable, &address, 1, "");
  return LLVMBuildIntToPtr(m->builder, address, pointer, "");
}

bool uw_ptx_store(uw_ptx_maker *m, const uw_ptx_operand *to, LLVMValueRef value, bool is_signed) {
  if (to->kind == UW_PTX_SINK)
    return true;
  uw_ptx_symbol *found = to->kind == UW_PTX_NAME ? uw_ptx_find(m, to->name) : NULL;
  if (!found)
    return uw_ptx_refuse(m, "a result needs a register");
  LLVMTypeRef type = LLVMTypeOf(value), room = uw_ptx_int(m, found->bits);
  unsigned bits = bits_of(type);
  if (bits > found->bits)
    return uw_ptx_refuse(m, "a result of %u bits does not fit '%s'", bits, to->name);
  if (bits == found->bits) {
    LLVMBuildStore(m->builder, value, found->room);
    return true;
  }
  value = LLVMBuildBitCast(m->builder, value, uw_ptx_int(m, bits), "");
  value = is_signed ? LLVMBuildSExtOrBitCast(m->builder, value, room, "")
                    : LLVMBuildZExtOrBitCast(m->builder, value, room, "");
  LLVMBuildStore(m->builder, value, found->room);
  return true;
}

LLVMValueRef uw_ptx_call(uw_ptx_maker *m, LLVMValueRef function, LLVMValueRef *arguments, unsigned count) {
  return LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
}
