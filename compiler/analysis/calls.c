/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that stay calls: see calls.h. */
#include "calls.h"

#include <string.h>

#include "../ir/known_calls.h"
#include "bases.h"
#include "vector_math.h"

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
  default: return uw_effect_free(op) && mlirOperationGetNumRegions(op) == 0 && !uw_name_starts(op, "nvvm.");
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

bool uw_of_debugger(MlirOperation op) {
  static const char *const starts[] = {UW_DECLARE_VARIABLE, UW_SET_VARIABLE};
  MlirStringRef callee = uw_kind(op) == UW_OP_LLVM_CALL ? uw_get_str_attr(op, "callee") : (MlirStringRef){NULL, 0};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (callee.length >= strlen(starts[i]) && memcmp(callee.data, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

bool uw_is_check(MlirOperation call) {
  static const char inlined[] = "__unwarp_check_", called[] = "uwrt_check_";
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  return uw_kind(call) == UW_OP_LLVM_CALL &&
         ((callee.length > sizeof inlined && memcmp(callee.data, inlined, sizeof inlined - 1) == 0) ||
          (callee.length > sizeof called && memcmp(callee.data, called, sizeof called - 1) == 0));
}

bool uw_holds_checks(uw_arena *arena, MlirOperation op) {
  uw_ops calls = uw_collect_kind(arena, op, UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++)
    if (uw_is_check(calls.at[i]))
      return true;
  return false;
}
