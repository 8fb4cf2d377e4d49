/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The locks that a loop takes and gives back: see loop_locks.h.
 *
 *   if (!(atomicOr(word, bit) & bit)) { … atomicAnd(word, ~bit); }          if (atomicCAS(lock, 0, 1) == 0) { … *lock = 0; }
 */
#include "loop_locks.h"

#include "linear.h"

const void *uw_object_of(MlirValue pointer) {
  MlirValue base = uw_address_of(pointer).base;
  return base.ptr && uw_kind(uw_def(base)) == UW_OP_LLVM_ADDRESSOF ? uw_get_attr(uw_def(base), "global_name").ptr
                                                                   : base.ptr;
}

MlirValue uw_written_address(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_STORE: return uw_operand(op, 1);
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return uw_operand(op, 0);
  default: return (MlirValue){NULL};
  }
}

static bool takes(MlirOperation op) {
  return uw_kind(op) != UW_OP_LLVM_STORE && !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(op, 0)));
}

uw_table *uw_loop_locks(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  uw_table *writes = uw_table_create(arena), *locks = NULL;
  for (size_t i = 0; i < ops.count; i++)
    if (uw_written_address(ops.at[i]).ptr) {
      const void *object = uw_object_of(uw_written_address(ops.at[i]));
      uw_table_set(writes, object, uw_table_get(writes, object) + 1);
    }
  for (size_t i = 0; i < ops.count; i++) {
    if (!uw_written_address(ops.at[i]).ptr || !takes(ops.at[i]))
      continue;
    const void *object = uw_object_of(uw_written_address(ops.at[i]));
    if (!object || uw_table_get(writes, object) < 2)
      continue;
    if (!locks)
      locks = uw_table_create(arena);
    uw_table_set(locks, object, 1);
  }
  return locks;
}
