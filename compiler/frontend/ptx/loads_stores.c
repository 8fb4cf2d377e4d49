/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * ld, st, atom, red. (PTX ISA, "Data Movement and Conversion Instructions", "Parallel Synchronization …".) State spaces
 * are one memory here, so they only say whether an address may be a shared one; cache hints say nothing; .volatile,
 * .relaxed, .acquire and .release keep their meaning.
 */
#include <string.h>

#include "ptx.h"

/* What an access may say besides its width and type. */
typedef struct access {
  uw_ptx_window window;
  bool is_volatile, of_block;
  LLVMAtomicOrdering order;
  unsigned lanes;
  const char *operation; /* of atom and red: the first word that is none of these */
} access;

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0)
      return true;
  return false;
}

static bool read_access(uw_ptx_maker *m, const uw_ptx_opcode *opcode, access *a) {
  static const char *const silent[] = {"weak",  "global", "const",        "ca",          "cg",  "cs",
                                       "lu",    "nc",     "wb",           "cluster",     "gpu", "sys",
                                       "noftz", "param",  "param::entry", "param::func", NULL};
  static const char *const volatiles[] = {"volatile", "mmio", "cv", "wt", NULL};
  static const struct {
    const char *name;
    LLVMAtomicOrdering order;
  } orders[] = {
      {"relaxed", LLVMAtomicOrderingMonotonic},
      {"acquire", LLVMAtomicOrderingAcquire},
      {"release", LLVMAtomicOrderingRelease},
      {"acq_rel", LLVMAtomicOrderingAcquireRelease},
  };
  *a = (access){.lanes = 1, .order = LLVMAtomicOrderingNotAtomic};
  for (size_t i = 1; i < opcode->count; i++) {
    const char *part = opcode->parts[i];
    size_t order = 0;
    if (uw_ptx_type_named(part))
      continue;
    if (strncmp(part, "param", 5) == 0 && !m->of) /* parameters are the function's, not the asm's */
      return uw_ptx_unsupported(m, opcode);
    while (order < sizeof orders / sizeof *orders && strcmp(orders[order].name, part))
      order++;
    if (order < sizeof orders / sizeof *orders)
      a->order = orders[order].order;
    else if (strcmp(part, "shared") == 0)
      a->window = UW_PTX_SHARED;
    else if (strcmp(part, "local") == 0)
      a->window = UW_PTX_LOCAL;
    else if (strcmp(part, "cta") == 0)
      a->of_block = true;
    else if (is_one_of(part, volatiles))
      a->is_volatile = true;
    else if (part[0] == 'v' && strchr("248", part[1]) && !part[2])
      a->lanes = (unsigned)(part[1] - '0');
    else if (!a->operation && !is_one_of(part, silent))
      a->operation = part;
    else if (!is_one_of(part, silent))
      return uw_ptx_unsupported(m, opcode);
  }
  bool with_operation = strcmp(opcode->parts[0], "atom") == 0 || strcmp(opcode->parts[0], "red") == 0;
  if (opcode->type_count != 1 || with_operation != (a->operation != NULL))
    return uw_ptx_unsupported(m, opcode);
  return true;
}

/* Element i of an access at this address. */
static LLVMValueRef element(uw_ptx_maker *m, LLVMValueRef address, LLVMTypeRef type, unsigned i) {
  LLVMValueRef index = LLVMConstInt(uw_ptx_int(m, 64), i, false);
  return i ? LLVMBuildGEP2(m->builder, type, address, &index, 1, "") : address;
}

static LLVMValueRef scoped(uw_ptx_maker *m, LLVMValueRef op, const access *a) {
  if (a->of_block && LLVMIsAtomic(op))
    uw_ptx_set_block_scope(m, op);
  return op;
}

static void qualify(uw_ptx_maker *m, LLVMValueRef op, const access *a, unsigned bits) {
  LLVMSetAlignment(op, bits / 8);
  LLVMSetVolatile(op, a->is_volatile);
  LLVMSetOrdering(op, a->order);
  scoped(m, op, a);
}

/* The operand itself, or the parts of a vector. */
static const uw_ptx_operand *lanes_of(uw_ptx_maker *m, const uw_ptx_operand *operand, unsigned lanes) {
  if (lanes == 1 && operand->kind != UW_PTX_VECTOR)
    return operand;
  if (operand->kind == UW_PTX_VECTOR && operand->count == lanes)
    return operand->parts;
  uw_ptx_refuse(m, "%u registers in braces are expected", lanes);
  return NULL;
}

bool uw_ptx_load(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  access a;
  if (!read_access(m, opcode, &a))
    return false;
  if (s->count != 2)
    return uw_ptx_refuse(m, "'%s' takes two operands here", opcode->text);
  const uw_ptx_operand *to = lanes_of(m, &s->operands[0], a.lanes);
  LLVMValueRef address = to ? uw_ptx_address(m, &s->operands[1], a.window) : NULL;
  if (!address)
    return false;
  LLVMTypeRef type = uw_ptx_int(m, opcode->type->bits);
  LLVMValueRef values[8];
  for (unsigned i = 0; i < a.lanes; i++) {
    values[i] = LLVMBuildLoad2(m->builder, type, element(m, address, type, i), "");
    qualify(m, values[i], &a, opcode->type->bits);
  }
  for (unsigned i = 0; i < a.lanes; i++)
    if (!uw_ptx_store(m, &to[i], values[i], opcode->type->kind == UW_PTX_SIGNED))
      return false;
  return true;
}

bool uw_ptx_store_memory(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  access a;
  if (uw_ptx_has(opcode, "async"))
    return uw_ptx_call_function(m, opcode, s);
  if (!read_access(m, opcode, &a))
    return false;
  if (s->count != 2)
    return uw_ptx_refuse(m, "'%s' takes two operands here", opcode->text);
  const uw_ptx_operand *from = lanes_of(m, &s->operands[1], a.lanes);
  LLVMValueRef address = from ? uw_ptx_address(m, &s->operands[0], a.window) : NULL;
  if (!address)
    return false;
  LLVMTypeRef type = uw_ptx_int(m, opcode->type->bits), as = uw_ptx_llvm_type(m, opcode->type);
  for (unsigned i = 0; i < a.lanes; i++) {
    LLVMValueRef value = uw_ptx_value(m, &from[i], from[i].kind == UW_PTX_NAME ? type : as);
    if (!value)
      return false;
    qualify(m, LLVMBuildStore(m->builder, value, element(m, address, type, i)), &a, opcode->type->bits);
  }
  return true;
}

static const struct {
  const char *name;
  int of_unsigned, of_signed, of_float;
} operations[] = {
    {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, -1},
    {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, -1},
    {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, -1},
    {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
    {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd},
    {"inc", LLVMAtomicRMWBinOpUIncWrap, -1, -1},
    {"dec", LLVMAtomicRMWBinOpUDecWrap, -1, -1},
    {"min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpFMin},
    {"max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpFMax},
};

static int operation_of(const char *name, const uw_ptx_type *type) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (strcmp(operations[i].name, name) == 0)
      switch (type->kind) {
      case UW_PTX_UNTYPED:
      case UW_PTX_UNSIGNED: return operations[i].of_unsigned;
      case UW_PTX_SIGNED: return operations[i].of_signed;
      case UW_PTX_FLOAT:
      case UW_PTX_BFLOAT: return operations[i].of_float;
      default: return -1;
      }
  return -1;
}

/* A float of which a register has one, or two. */
typedef struct element_type {
  const uw_ptx_type *type;
  unsigned parts;
} element_type;

static element_type element_of(const uw_ptx_type *type) {
  if (strcmp(type->name, "f16x2") == 0)
    return (element_type){uw_ptx_type_named("f16"), 2};
  if (strcmp(type->name, "bf16x2") == 0)
    return (element_type){uw_ptx_type_named("bf16"), 2};
  return (element_type){type, 1};
}

/* Part i of a register. */
static LLVMValueRef part_of(uw_ptx_maker *m, LLVMValueRef value, const element_type *e, unsigned i) {
  if (e->parts == 1)
    return value;
  value = LLVMBuildLShr(m->builder, value, LLVMConstInt(LLVMTypeOf(value), i * e->type->bits, false), "");
  value = LLVMBuildTrunc(m->builder, value, uw_ptx_int(m, e->type->bits), "");
  return LLVMBuildBitCast(m->builder, value, uw_ptx_llvm_type(m, e->type), "");
}

static LLVMValueRef joined(uw_ptx_maker *m, LLVMValueRef *parts, const element_type *e) {
  if (e->parts == 1)
    return parts[0];
  LLVMTypeRef whole = uw_ptx_int(m, e->parts * e->type->bits);
  LLVMValueRef all = LLVMConstNull(whole);
  for (unsigned i = 0; i < e->parts; i++) {
    LLVMValueRef bits = LLVMBuildBitCast(m->builder, parts[i], uw_ptx_int(m, e->type->bits), "");
    bits = LLVMBuildZExt(m->builder, bits, whole, "");
    bits = LLVMBuildShl(m->builder, bits, LLVMConstInt(whole, i * e->type->bits, false), "");
    all = LLVMBuildOr(m->builder, all, bits, "");
  }
  return all;
}

static bool make_swap(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s, const access *a) {
  if (s->count != 4)
    return uw_ptx_refuse(m, "'%s' takes 4 operands here", opcode->text);
  LLVMTypeRef type = uw_ptx_int(m, opcode->type->bits);
  LLVMValueRef address = uw_ptx_address(m, &s->operands[1], a->window);
  LLVMValueRef value = address ? uw_ptx_value(m, &s->operands[2], type) : NULL;
  LLVMValueRef fresh = value ? uw_ptx_value(m, &s->operands[3], type) : NULL;
  if (!fresh)
    return false;
  LLVMAtomicOrdering failure = a->order == LLVMAtomicOrderingAcquireRelease ? LLVMAtomicOrderingAcquire
                               : a->order == LLVMAtomicOrderingRelease      ? LLVMAtomicOrderingMonotonic
                                                                            : a->order;
  LLVMValueRef old = scoped(m, LLVMBuildAtomicCmpXchg(m->builder, address, value, fresh, a->order, failure, false), a);
  old = LLVMBuildExtractValue(m->builder, old, 0, "");
  return uw_ptx_store(m, &s->operands[0], old, opcode->type->kind == UW_PTX_SIGNED);
}

/* One element: the float operation of libdevice/ptx/atomic.c where there is one for it. What was there before. */
static LLVMValueRef make_operation(uw_ptx_maker *m, const access *a, int operation, const element_type *e,
                                   LLVMValueRef address, LLVMValueRef value) {
  bool real = e->type->kind == UW_PTX_FLOAT || e->type->kind == UW_PTX_BFLOAT;
  const char *name = uw_arena_format(m->program->arena, "__ptx_atom_%s_%s", a->operation, e->type->name);
  LLVMValueRef function = real ? uw_library_function(m->program, UW_LIBPTX, name) : NULL;
  if (!function)
    return scoped(m, LLVMBuildAtomicRMW(m->builder, (LLVMAtomicRMWBinOp)operation, address, value, a->order, false), a);
  LLVMValueRef arguments[] = {address, LLVMBuildBitCast(m->builder, value, uw_ptx_int(m, e->type->bits), "")};
  LLVMValueRef old = uw_ptx_call(m, function, arguments, 2);
  return LLVMBuildBitCast(m->builder, old, LLVMTypeOf(value), "");
}

/* atom d, [a], b; atom.cas d, [a], compare, value; red [a], b. Of a vector, and of two halves, each element is an atomic
 * operation of its own. */
bool uw_ptx_atomic(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  access a;
  if (uw_ptx_has(opcode, "async"))
    return uw_ptx_call_function(m, opcode, s);
  if (!read_access(m, opcode, &a))
    return false;
  bool returns = strcmp(opcode->parts[0], "atom") == 0, swaps = strcmp(a.operation, "cas") == 0;
  element_type e = element_of(opcode->type);
  int operation = operation_of(a.operation, e.type);
  if (opcode->type->bits > 64 || (!swaps && operation < 0) || (swaps && (!returns || a.lanes > 1)))
    return uw_ptx_unsupported(m, opcode);
  if (a.order == LLVMAtomicOrderingNotAtomic)
    a.order = LLVMAtomicOrderingMonotonic;
  if (swaps)
    return make_swap(m, opcode, s, &a);
  if (s->count != 2u + returns)
    return uw_ptx_refuse(m, "'%s' takes %d operands here", opcode->text, 2 + returns);
  const uw_ptx_operand *to = returns ? lanes_of(m, &s->operands[0], a.lanes) : NULL;
  const uw_ptx_operand *from = !returns || to ? lanes_of(m, &s->operands[1u + returns], a.lanes) : NULL;
  LLVMValueRef address = from ? uw_ptx_address(m, &s->operands[returns], a.window) : NULL;
  if (!address)
    return false;
  LLVMTypeRef whole = uw_ptx_llvm_type(m, opcode->type), type = uw_ptx_llvm_type(m, e.type);
  LLVMValueRef olds[8];
  for (unsigned lane = 0; lane < a.lanes; lane++) {
    LLVMValueRef value = uw_ptx_value(m, &from[lane], whole), parts[2];
    if (!value)
      return false;
    for (unsigned i = 0; i < e.parts; i++)
      parts[i] =
          make_operation(m, &a, operation, &e, element(m, address, type, lane * e.parts + i), part_of(m, value, &e, i));
    olds[lane] = joined(m, parts, &e);
  }
  for (unsigned lane = 0; returns && lane < a.lanes; lane++)
    if (!uw_ptx_store(m, &to[lane], olds[lane], opcode->type->kind == UW_PTX_SIGNED))
      return false;
  return true;
}
