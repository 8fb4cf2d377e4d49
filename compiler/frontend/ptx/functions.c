/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Instructions that are calls of functions which libdevice/ptx has for their opcodes: `bfe.u32 d, a, b, c` is
 * d = __ptx_bfe_u32(a, b, c); opcode.c finds it. What has no such function is refused by its name.
 *
 * Around the call: .ftz flushes subnormal operands and results to zero, .sat of a floating point result limits it
 * to [0, 1]. */
#include <string.h>

#include "ptx.h"

enum { MOST_ARGUMENTS = 32 };

/* __ptx_flush_f32(value) and the like, for the types that have one. */
static LLVMValueRef apply(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const char *what, LLVMValueRef value) {
  static const struct {
    LLVMTypeKind kind;
    const char *name;
  } types[] = {{LLVMHalfTypeKind, "f16"},
               {LLVMFloatTypeKind, "f32"},
               {LLVMDoubleTypeKind, "f64"},
               {LLVMIntegerTypeKind, "f16x2"}};
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  bool pair = opcode->type && strcmp(opcode->type->name, "f16x2") == 0;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (kind != types[i].kind || (kind == LLVMIntegerTypeKind && !pair))
      continue;
    char *name = uw_arena_format(m->program->arena, "__ptx_%s_%s", what, types[i].name);
    LLVMValueRef function = uw_library_function(m->program, UW_LIBPTX, name);
    return function ? uw_ptx_call(m, function, &value, 1) : NULL;
  }
  return NULL;
}

LLVMValueRef uw_ptx_flushed(uw_ptx_maker *m, const uw_ptx_opcode *opcode, LLVMValueRef value) {
  bool wanted = uw_ptx_has(opcode, "ftz") &&
                (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMHalfTypeKind || strcmp(opcode->parts[0], "cvt"));
  LLVMValueRef result = wanted ? apply(m, opcode, "flush", value) : NULL;
  return result ? result : value;
}

static bool sign_extends(LLVMValueRef function) {
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeReturnIndex, LLVMGetEnumAttributeKindForName("signext", 7));
}

/* t of [t, {x, y}], the handle of a texture or surface, or of [t] where that is asked for. */
static const uw_ptx_operand *handle_of(uw_ptx_maker *m, const uw_ptx_operand *address) {
  uw_ptx_operand *handle = uw_alloc(m->program->arena, sizeof *handle);
  *handle = *address;
  handle->kind = UW_PTX_NAME;
  handle->count = 0;
  return handle;
}

static bool names_handle(const uw_ptx_opcode *opcode, const uw_ptx_operand *operand) {
  return operand->kind == UW_PTX_ADDRESS && operand->name &&
         (operand->count || strcmp(opcode->parts[0], "txq") == 0 || strcmp(opcode->parts[0], "suq") == 0);
}

/* The source operands from `first` on, those in braces one by one. Their count, or MOST_ARGUMENTS + 1. */
static size_t list_sources(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s, size_t first,
                           const uw_ptx_operand **sources) {
  size_t count = 0;
  for (size_t i = first; i < s->count; i++) {
    const uw_ptx_operand *operand = &s->operands[i];
    if (names_handle(opcode, operand)) {
      if (count < MOST_ARGUMENTS)
        sources[count++] = handle_of(m, operand);
      if (operand->count != 1)
        continue;
      operand = &operand->parts[0]; /* the list */
    }
    bool vector = operand->kind == UW_PTX_VECTOR;
    for (size_t k = 0; k < (vector ? operand->count : 1); k++) {
      if (count == MOST_ARGUMENTS)
        return MOST_ARGUMENTS + 1;
      sources[count++] = vector ? &operand->parts[k] : operand;
    }
  }
  return count;
}

/* Room for what the function gives through its last parameter: p of d|p, or the parts of {d, e, …}. */
typedef struct results {
  LLVMValueRef room; /* null: there is none */
  LLVMTypeRef element;
} results;

static results make_room(uw_ptx_maker *m, const uw_ptx_operand *to) {
  results r = {0};
  if (to->kind == UW_PTX_VECTOR) {
    uw_ptx_symbol *found = to->parts[0].name ? uw_ptx_find(m, to->parts[0].name) : NULL;
    r.element = uw_ptx_int(m, found ? found->bits : 32);
    r.room = uw_ptx_stack_room(m, LLVMArrayType2(r.element, to->count));
  } else if (to->second) {
    r.element = uw_ptx_int(m, 8);
    r.room = uw_ptx_stack_room(m, r.element);
  }
  return r;
}

/* p of d|p; `_` is nowhere. */
static bool store_second(uw_ptx_maker *m, const char *name, LLVMValueRef bit) {
  uw_ptx_operand second = {.kind = strcmp(name, "_") ? UW_PTX_NAME : UW_PTX_SINK, .name = name};
  return uw_ptx_store(m, &second, bit, false);
}

static bool store_results(uw_ptx_maker *m, const uw_ptx_operand *to, const results *r) {
  if (to->kind == UW_PTX_VECTOR) {
    for (size_t i = 0; i < to->count; i++) {
      LLVMValueRef index = LLVMConstInt(uw_ptx_int(m, 64), i, false);
      LLVMValueRef at = LLVMBuildGEP2(m->builder, r->element, r->room, &index, 1, "");
      if (!uw_ptx_store(m, &to->parts[i], LLVMBuildLoad2(m->builder, r->element, at, ""), false))
        return false;
    }
    return true;
  }
  LLVMValueRef bit = LLVMBuildLoad2(m->builder, r->element, r->room, "");
  return store_second(m, to->second, LLVMBuildTrunc(m->builder, bit, uw_ptx_int(m, 1), ""));
}

/* Whether the address with this number among those of the instruction may be a shared one of 32 bits: as its state space
 * says, and behind these those of barriers. */
static bool may_be_shared(const uw_ptx_opcode *opcode, size_t number) {
  bool shared = false;
  for (size_t i = 1, seen = 0; i < opcode->count; i++) {
    bool is = strcmp(opcode->parts[i], "shared") == 0;
    shared |= is;
    if ((is || strcmp(opcode->parts[i], "global") == 0) && seen++ == number)
      return is;
  }
  return shared;
}

/* The destination as the functions have it. suld may give its one value without braces. p of {d, e, …}|p, whether a
 * texture's data is there, comes out as `resident`: no array lacks a part, so it is set. */
static const uw_ptx_operand *destination_of(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s,
                                            const char **resident) {
  static const uw_ptx_operand nothing = {.kind = UW_PTX_SINK};
  const uw_ptx_operand *to = s->count ? &s->operands[0] : &nothing;
  bool in_braces = to->kind == UW_PTX_VECTOR,
       texture = !strcmp(opcode->parts[0], "tex") || !strcmp(opcode->parts[0], "tld4");
  if (texture && in_braces && to->second) {
    uw_ptx_operand *plain = uw_alloc(m->program->arena, sizeof *plain);
    *plain = *to;
    *resident = plain->second;
    plain->second = NULL;
    return plain;
  }
  if (strcmp(opcode->parts[0], "suld") || in_braces || !s->count)
    return to;
  uw_ptx_operand *list = uw_alloc(m->program->arena, sizeof *list), *value = uw_alloc(m->program->arena, sizeof *value);
  *value = *to;
  *list = (uw_ptx_operand){.kind = UW_PTX_VECTOR, .parts = value, .count = 1};
  return list;
}

static bool has_sampler(const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  for (size_t i = 0; i < s->count; i++)
    if (names_handle(opcode, &s->operands[i]) && s->operands[i].count > 1)
      return true;
  return false;
}

static bool is_predicate(uw_ptx_maker *m, const uw_ptx_operand *operand) {
  const uw_ptx_symbol *found = operand->kind == UW_PTX_NAME ? uw_ptx_find(m, operand->name) : NULL;
  return found && found->bits == 1;
}

bool uw_ptx_call_function(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s) {
  const char *resident = NULL;
  const uw_ptx_operand *to = destination_of(m, opcode, s, &resident);
  bool sat = uw_ptx_has(opcode, "sat");
  const char *suffix = to->second ? "_p" : "";
  LLVMValueRef function = uw_ptx_function_for(m, opcode, true, suffix);
  bool clamp = sat && !function;
  if (clamp)
    function = uw_ptx_function_for(m, opcode, false, suffix);
  if (!function)
    return uw_ptx_unsupported(m, opcode);
  LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
  bool returns = LLVMGetTypeKind(result) != LLVMVoidTypeKind;
  const uw_ptx_operand *sources[MOST_ARGUMENTS];
  size_t count = list_sources(m, opcode, s, returns || to->kind == UW_PTX_VECTOR, sources);
  bool through_last = to->second || to->kind == UW_PTX_VECTOR;
  if (count <= MOST_ARGUMENTS && LLVMCountParamTypes(type) != count + through_last) {
    const char *number = uw_arena_format(m->program->arena, "_%zu", count + through_last);
    bool predicate = count && is_predicate(m, sources[count - 1]);
    function =
        predicate ? uw_ptx_function_for(m, opcode, !clamp, uw_arena_format(m->program->arena, "%s_p", number)) : NULL;
    if (!function)
      function = uw_ptx_function_for(m, opcode, !clamp, number);
    type = function ? LLVMGlobalGetValueType(function) : type;
  }
  if (!function || LLVMCountParamTypes(type) != count + through_last || (returns && !s->count))
    return uw_ptx_unsupported_operands(m, opcode, has_sampler(opcode, s));
  LLVMTypeRef parameters[MOST_ARGUMENTS + 1];
  LLVMValueRef arguments[MOST_ARGUMENTS + 1];
  LLVMGetParamTypes(type, parameters);
  for (size_t i = 0, addresses = 0; i < count; i++) {
    bool address = LLVMGetTypeKind(parameters[i]) == LLVMPointerTypeKind;
    arguments[i] =
        address ? uw_ptx_address(m, sources[i], may_be_shared(opcode, addresses++) ? UW_PTX_SHARED : UW_PTX_GENERIC)
                : uw_ptx_value(m, sources[i], parameters[i]);
    if (!arguments[i])
      return false;
    arguments[i] = uw_ptx_flushed(m, opcode, arguments[i]);
  }
  results through = make_room(m, to);
  if (through_last)
    arguments[count] = through.room;
  LLVMValueRef value = uw_ptx_call(m, function, arguments, (unsigned)(count + through_last));
  if (through_last && !store_results(m, to, &through))
    return false;
  if (resident && !store_second(m, resident, LLVMConstInt(uw_ptx_int(m, 1), 1, false)))
    return false;
  if (!returns)
    return true;
  value = uw_ptx_flushed(m, opcode, value);
  if (clamp) { /* a conversion to an integer is limited to its range anyway */
    LLVMValueRef limited = apply(m, opcode, "clamp", value);
    if (!limited && strcmp(opcode->parts[0], "cvt"))
      return uw_ptx_unsupported(m, opcode);
    value = limited ? limited : value;
  }
  return uw_ptx_store(m, to, value, sign_extends(function));
}
