/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Specialization constants at a launch that came along. A kernel loads one from a variable that a command group sets and
 * puts back (include/sycl/kernel_handler.hpp). The group also lists what it set, in values that SROA sees:
 *
 *   %v = a.variable == @V ? load a.value : b.variable == @V ? … : all ? what @V is initialised with : load @V
 *   __unwarp_launch_K(…, @V, byte in it, %v)
 *
 * for each scalar that the kernel loads from one; raise/launch_constants.c puts %v in the loads' place. What the host says is
 * a constant is one in the loops of the launch, as are the defaults. */
#include <string.h>

#include "llvm-c/Target.h"
#include "sycl.h"

/* given_constants of our headers: entries of a pointer and what it is given, then whether all are there. */
enum { ENTRIES = 4, ENTRY_BYTES = 32, ENTRY_VALUE = 16, ROOM = 16, ALL = ENTRIES * ENTRY_BYTES };

typedef struct search {
  uw_program *program;
  LLVMValueRef kernel, shadow; /* shadow: in the part */
  LLVMValueRef variable;       /* of the device, as the part names it */
  uw_given *given;
  LLVMValueRef initial; /* what it is initialised with */
  uint64_t bytes;       /* of it */
} search;

static LLVMTypeRef byte_type(const search *s) { return LLVMInt8TypeInContext(s->program->context); }

static LLVMValueRef byte_of(const search *s, LLVMValueRef base, uint64_t offset) {
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(s->program->context), offset, 0);
  return offset ? LLVMBuildInBoundsGEP2(s->given->builder, byte_type(s), base, &index, 1, "") : base;
}

static LLVMValueRef load_byte_of(const search *s, LLVMTypeRef type, LLVMValueRef base, uint64_t offset) {
  LLVMValueRef load = LLVMBuildLoad2(s->given->builder, type, byte_of(s, base, offset), "");
  LLVMSetAlignment(load, 1);
  return load;
}

/* Does no global stand in it? */
static bool is_plain(LLVMValueRef constant) {
  if (LLVMIsAGlobalValue(constant))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(constant); i++)
    if (!is_plain(LLVMGetOperand(constant, (unsigned)i)))
      return false;
  return true;
}

/* A constant with the variable's first value, from which a load is folded. */
static LLVMValueRef first_value(const search *s) {
  LLVMValueRef initial = s->initial;
  LLVMValueRef copy = LLVMAddGlobal(s->given->part, LLVMTypeOf(initial), "");
  LLVMSetInitializer(copy, initial);
  LLVMSetGlobalConstant(copy, 1);
  LLVMSetLinkage(copy, LLVMPrivateLinkage);
  return copy;
}

static LLVMValueRef find_value(const search *s, LLVMTypeRef type, uint64_t offset, uint64_t bytes) {
  LLVMBuilderRef b = s->given->builder;
  LLVMTypeRef ptr = LLVMTypeOf(s->given->list);
  LLVMValueRef all = LLVMBuildTrunc(b, load_byte_of(s, byte_type(s), s->given->list, ALL),
                                    LLVMInt1TypeInContext(s->program->context), "");
  LLVMValueRef value = LLVMBuildSelect(b, all, load_byte_of(s, type, first_value(s), offset),
                                       load_byte_of(s, type, s->shadow, offset), "");
  for (uint64_t i = 0; i < ENTRIES && offset + bytes <= ROOM; i++) {
    LLVMValueRef of = load_byte_of(s, ptr, s->given->list, i * ENTRY_BYTES);
    LLVMValueRef own = LLVMBuildICmp(b, LLVMIntEQ, of, s->shadow, "");
    LLVMValueRef given = load_byte_of(s, type, s->given->list, i * ENTRY_BYTES + ENTRY_VALUE + offset);
    value = LLVMBuildSelect(b, own, given, value, "");
  }
  return value;
}

static void push(const search *s, LLVMValueRef value) {
  uw_given *g = s->given;
  g->values = uw_grow(s->program->arena, g->values, g->count, &g->room, sizeof *g->values);
  g->values[g->count++] = value;
}

static bool is_known(const search *s, LLVMTypeRef type, uint64_t offset) {
  for (size_t i = 0; i < s->given->count; i += 3)
    if (s->given->values[i] == s->variable && LLVMConstIntGetZExtValue(s->given->values[i + 1]) == offset &&
        LLVMTypeOf(s->given->values[i + 2]) == type)
      return true;
  return false;
}

static void find_load(const search *s, LLVMValueRef load, int64_t offset) {
  LLVMTypeRef type = LLVMTypeOf(load);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  uint64_t bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(s->program->device), type);
  bool inside = offset >= 0 && (uint64_t)offset + bytes <= s->bytes;
  if (!inside || LLVMGetVolatile(load) || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(load)) != s->kernel || is_known(s, type, (uint64_t)offset))
    return;
  push(s, s->variable);
  push(s, LLVMConstInt(LLVMInt64TypeInContext(s->program->context), (uint64_t)offset, 0));
  push(s, find_value(s, type, (uint64_t)offset, bytes));
}

static bool moves_by_constant(LLVMValueRef user, LLVMValueRef base) {
  return (LLVMIsAGetElementPtrInst(user) ||
          (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr)) &&
         LLVMGetOperand(user, 0) == base && LLVMGetNumOperands(user) == 2 &&
         LLVMIsAConstantInt(LLVMGetOperand(user, 1));
}

static void find_loads(const search *s, LLVMValueRef address, int64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user)) {
      find_load(s, user, offset);
    } else if (moves_by_constant(user, address)) {
      LLVMTypeRef type = LLVMGetGEPSourceElementType(user);
      uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(s->program->device), type);
      find_loads(s, user, offset + LLVMConstIntGetSExtValue(LLVMGetOperand(user, 1)) * (int64_t)bytes);
    }
  }
}

/* The variable of the device that a constant is, under the name that it has now. */
static LLVMValueRef device_variable(uw_program *program, const uw_variable *variable) {
  LLVMValueRef global = LLVMGetNamedGlobal(program->device, variable->device);
  global = global ? global : LLVMGetNamedGlobal(program->device, variable->name);
  const char *section = global ? LLVMGetSection(global) : NULL;
  return section && strcmp(section, UW_SYCL_CONSTANT_SECTION) == 0 ? global : NULL;
}

static LLVMValueRef named_as(const uw_given *given, LLVMValueRef global) {
  LLVMValueRef in_part = LLVMGetNamedGlobal(given->part, uw_llvm_name(global));
  return in_part ? in_part : LLVMAddGlobal(given->part, LLVMGlobalGetValueType(global), uw_llvm_name(global));
}

void uw_sycl_find_given(uw_program *program, LLVMValueRef kernel, uw_given *given) {
  for (size_t i = 0; i < program->variable_count && program->launches.values; i++) {
    LLVMValueRef global = device_variable(program, &program->variables[i]), host = program->variables[i].shadow;
    LLVMValueRef initial = global ? LLVMGetInitializer(host) : NULL; /* the part dropped it */
    if (!initial || !is_plain(initial) || !LLVMGetFirstUse(global))
      continue;
    search s = {program, kernel,  named_as(given, host),      named_as(given, global),
                given,   initial, program->variables[i].bytes};
    find_loads(&s, global, 0);
  }
}
