/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that stay calls: see calls.h. */
#include "calls.h"

#include <string.h>

#include "../ir/known_calls.h"
#include "bases.h"
#include "vector_math.h"

static bool starts_with(MlirStringRef name, const char *start) {
  return name.data && name.length >= strlen(start) && memcmp(name.data, start, strlen(start)) == 0;
}

bool uw_is_call_anywhere(MlirOperation call) {
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  return callee.data && !starts_with(callee, "uwrt_") && !starts_with(callee, "cuda");
}

/* The function of the module with that name; null if there is none. */
static MlirOperation find(MlirOperation user, MlirStringRef name) {
  MlirOperation none = {NULL}, module = uw_parent_of_kind(user, UW_OP_MODULE);
  if (!name.data || uw_null(module))
    return none;
  uw_foreach_op (op, uw_block(module, 0)) {
    MlirStringRef other = uw_get_str_attr(op, "sym_name");
    if (other.data && mlirStringRefEqual(other, name))
      return op;
  }
  return none;
}

bool uw_is_constant_global(MlirOperation addressof) {
  MlirOperation global = find(addressof, uw_get_str_attr(addressof, "global_name"));
  return uw_kind(global) == UW_OP_LLVM_GLOBAL && !mlirAttributeIsNull(uw_get_attr(global, "constant"));
}

static bool only_computes(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_RETURN:
  case UW_OP_LLVM_BR:
  case UW_OP_LLVM_COND_BR:
  case UW_OP_LLVM_SWITCH:
  case UW_OP_LLVM_UNREACHABLE: return true;
  case UW_OP_LLVM_FREEZE: return false; /* each call may choose anew */
  case UW_OP_LLVM_LOAD: {
    MlirOperation maker = uw_def(uw_address_of(uw_operand(op, 0)).base);
    return uw_plain_access(op) && uw_kind(maker) == UW_OP_LLVM_ADDRESSOF && uw_is_constant_global(maker);
  }
  default: return uw_effect_free(op) && uw_region_count(op) == 0 && !uw_name_starts(op, "nvvm.");
  }
}

bool uw_call_is_function(uw_arena *arena, MlirOperation call) {
  uw_ops calls = {0};
  uw_table *seen = uw_table_create(arena);
  uw_ops_push(arena, &calls, call);
  for (size_t i = 0; i < calls.count; i++) {
    uw_vector_form form;
    if (uw_is_math_function(calls.at[i], &form))
      continue;
    MlirOperation function = find(calls.at[i], uw_get_str_attr(calls.at[i], "callee")); /* none: an indirect call */
    if (uw_kind(function) != UW_OP_LLVM_FUNC || mlirBlockIsNull(uw_block(function, 0)))
      return false;
    if (uw_table_get(seen, function.ptr))
      continue;
    uw_table_set(seen, function.ptr, 1);
    uw_ops ops = uw_collect(arena, function);
    for (size_t k = 0; k < ops.count; k++) {
      if (uw_kind(ops.at[k]) == UW_OP_LLVM_CALL)
        uw_ops_push(arena, &calls, ops.at[k]);
      else if (!only_computes(ops.at[k]))
        return false;
    }
  }
  return true;
}

/* --- memory that a call is handed --------------------------------------------------------------------------------- */

/* Arguments whose uses are looked at, those of callees of callees too. */
typedef struct handed {
  uw_arena *arena;
  uw_vals pointers;
  uw_table *seen;
  bool reads, writes, otherwise; /* otherwise: not by atomic operations alone */
} handed;

static void hand_on(handed *h, MlirValue pointer) {
  if (uw_table_get(h->seen, pointer.ptr))
    return;
  uw_table_set(h->seen, pointer.ptr, 1);
  uw_vals_push(h->arena, &h->pointers, pointer);
}

static void hand_to_call(handed *h, MlirOperation call, size_t operand) {
  MlirOperation function = find(call, uw_get_str_attr(call, "callee"));
  bool known = uw_kind(function) == UW_OP_LLVM_FUNC && !mlirBlockIsNull(uw_block(function, 0));
  if (known && (intptr_t)operand < mlirBlockGetNumArguments(uw_block(function, 0)))
    hand_on(h, mlirBlockGetArgument(uw_block(function, 0), (intptr_t)operand));
  else
    h->reads = h->writes = h->otherwise = true; /* anything */
}

static void look_at_use(handed *h, MlirOperation user, size_t operand) {
  switch (uw_kind(user)) {
  case UW_OP_LLVM_LOAD:
    h->reads = true;
    h->otherwise = h->otherwise || !uw_get_int_attr(user, "ordering", 0);
    return;
  case UW_OP_LLVM_STORE:
    h->writes = true;
    h->reads = h->reads || operand == 0; /* kept, for whoever reads it there */
    h->otherwise = h->otherwise || operand == 0 || !uw_get_int_attr(user, "ordering", 0);
    return;
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: h->reads = h->writes = true; return;
  case UW_OP_LLVM_CALL: hand_to_call(h, user, operand); return;
  case UW_OP_LLVM_GEP:
  case UW_OP_LLVM_BITCAST:
  case UW_OP_LLVM_ADDRSPACECAST: hand_on(h, uw_result(user, 0)); return;
  default: break;
  }
  /* A comparison does nothing; a copy, a branch with the pointer as an argument, whatever else: anything. */
  if (!uw_string_is(uw_name(user), "llvm.icmp"))
    h->reads = h->writes = h->otherwise = true;
}

uw_call_memory uw_memory_of_call(uw_arena *arena, MlirOperation call, size_t operand) {
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  if (uw_is_check(call) || uw_of_debugger(call) || starts_with(callee, "uwrt_"))
    return (uw_call_memory){0};
  if (starts_with(callee, "__nv_")) /* a second result: a cosine, an exponent */
    return (uw_call_memory){.writes = true, .bytes = uw_type_bytes(mlirValueGetType(uw_operand(call, 0)))};
  handed h = {.arena = arena, .seen = uw_table_create(arena)};
  hand_to_call(&h, call, operand);
  for (size_t i = 0; i < h.pointers.count; i++)
    for (MlirOpOperand use = mlirValueGetFirstUse(h.pointers.at[i]); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      look_at_use(&h, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use));
  return (uw_call_memory){.reads = h.reads, .writes = h.writes, .is_atomic = !h.otherwise};
}

bool uw_of_debugger(MlirOperation op) {
  static const char *const starts[] = {UW_DECLARE_VARIABLE, UW_SET_VARIABLE};
  MlirStringRef callee = uw_kind(op) == UW_OP_LLVM_CALL ? uw_get_str_attr(op, "callee") : (MlirStringRef){NULL, 0};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (starts_with(callee, starts[i]))
      return true;
  return false;
}

bool uw_is_check(MlirOperation call) {
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  return uw_kind(call) == UW_OP_LLVM_CALL &&
         (starts_with(callee, "__unwarp_check_") || starts_with(callee, "uwrt_check_"));
}

bool uw_is_met_check(MlirOperation call) {
  return uw_kind(call) == UW_OP_LLVM_CALL && uw_attr_is_str(call, "callee", UW_CHECK_MET);
}

bool uw_holds_checks(uw_arena *arena, MlirOperation op) {
  uw_ops calls = uw_collect_kind(arena, op, UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++)
    if (uw_is_check(calls.at[i]))
      return true;
  return false;
}
