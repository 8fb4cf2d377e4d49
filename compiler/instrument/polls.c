/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops that do nothing but look at what another thread will set: see polls.h. That lets others run is no work of the
 * loop. */
#include "polls.h"

#include <string.h>

#include "../analysis/calls.h"
#include "address_roots.h"

static bool is_computed_of(MlirValue value, MlirOperation of, int depth) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || depth == 0)
    return false;
  if (uw_same_op(op, of))
    return true;
  for (size_t i = 0; i < uw_operand_count(op) && uw_effect_free(op); i++)
    if (is_computed_of(uw_operand(op, i), of, depth - 1))
      return true;
  return false;
}

/* How a thread that waits lets others run: calls of the runtime, and what is left for these in the thread's context. */
static bool is_of_runtime(MlirOperation op) {
  MlirOperation call = uw_kind(op) == UW_OP_LLVM_STORE ? uw_root_of(uw_operand(op, 1)) : op;
  MlirStringRef callee = uw_kind(call) == UW_OP_LLVM_CALL ? uw_get_str_attr(call, "callee") : (MlirStringRef){NULL, 0};
  return uw_is_check(op) || (callee.length > 5 && memcmp(callee.data, "uwrt_", 5) == 0);
}

bool uw_polls(uw_arena *arena, MlirOperation access) {
  enum { DEEPEST = 12 };
  MlirOperation loop = uw_parent(access);
  if (uw_kind(access) == UW_OP_LLVM_STORE || uw_null(loop) || uw_kind(loop) != UW_OP_SCF_WHILE)
    return false;
  uw_ops ops = uw_collect(arena, loop);
  bool ends = false;
  for (size_t i = 0; i < ops.count; i++) {
    uw_kind_t kind = uw_kind(ops.at[i]);
    ends |= kind == UW_OP_SCF_CONDITION && is_computed_of(uw_operand(ops.at[i], 0), access, DEEPEST);
    if ((kind == UW_OP_LLVM_STORE || kind == UW_OP_LLVM_CALL || kind == UW_OP_LLVM_ATOMICRMW ||
         kind == UW_OP_LLVM_CMPXCHG) &&
        !uw_same_op(ops.at[i], access) && !is_of_runtime(ops.at[i]))
      return false;
  }
  return ends;
}
