/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What operations read and write: see accesses.h. */
#include "accesses.h"

#include "exchange.h"

void uw_accesses_push(uw_arena *arena, uw_accesses *list, uw_access access) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 1; /* most are of one operation */
    uw_access *at = uw_alloc(arena, capacity * sizeof *at);
    for (size_t i = 0; i < list->count; i++)
      at[i] = list->at[i];
    list->at = at;
    list->capacity = capacity;
  }
  list->at[list->count++] = access;
}

bool uw_is_atomic(MlirOperation op) { return uw_kind(op) == UW_OP_LLVM_ATOMICRMW || uw_kind(op) == UW_OP_LLVM_CMPXCHG; }

bool uw_is_relaxed(MlirOperation atomic) {
  enum { MONOTONIC = 2 };
  if (!mlirAttributeIsNull(uw_get_attr(atomic, "volatile_")))
    return false;
  return uw_kind(atomic) == UW_OP_LLVM_ATOMICRMW ? uw_get_int_attr(atomic, "ordering", -1) == MONOTONIC
                                                 : uw_get_int_attr(atomic, "success_ordering", -1) == MONOTONIC &&
                                                       uw_get_int_attr(atomic, "failure_ordering", -1) == MONOTONIC;
}

static uw_access access_of(MlirOperation op, size_t pointer, MlirType type, bool reads, bool writes) {
  return (uw_access){.op = op,
                     .reads = reads,
                     .writes = writes,
                     .address = uw_address_of(uw_operand(op, pointer)),
                     .bytes = mlirTypeIsNull(type) ? 0 : uw_type_bytes(type)};
}

void uw_accesses_of(uw_arena *arena, MlirOperation op, uw_accesses *list) {
  MlirType no_type = {NULL};
  uw_access anywhere = {.op = op, .reads = true, .writes = true, .anywhere = true};
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
    uw_accesses_push(arena, list,
                     uw_plain_access(op) ? access_of(op, 0, mlirValueGetType(uw_result(op, 0)), true, false)
                                         : anywhere);
    return;
  case UW_OP_LLVM_STORE:
    uw_accesses_push(arena, list,
                     uw_plain_access(op) ? access_of(op, 1, mlirValueGetType(uw_operand(op, 0)), false, true)
                                         : anywhere);
    return;
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG:
    uw_accesses_push(arena, list,
                     uw_is_relaxed(op) ? access_of(op, 0, mlirValueGetType(uw_operand(op, 1)), true, true) : anywhere);
    return;
  case UW_OP_REDUCE:
    if (uw_waits_for_blocks(op)) /* what other blocks wrote comes here */
      uw_accesses_push(arena, list, anywhere);
    return;
  case UW_OP_BARRIER:
  case UW_OP_SHARED:
  case UW_OP_SLOT:
  case UW_OP_SHUFFLE:
  case UW_OP_MATCH:
  case UW_OP_COLLECTIVE:
  case UW_OP_LLVM_ALLOCA:
  case UW_OP_LLVM_LIFETIME_START:
  case UW_OP_LLVM_LIFETIME_END: return;
  default: break;
  }
  if (uw_name_starts(op, "llvm.intr.memcpy") || uw_name_starts(op, "llvm.intr.memmove")) {
    uw_accesses_push(arena, list, access_of(op, 0, no_type, false, true));
    uw_accesses_push(arena, list, access_of(op, 1, no_type, true, false));
  } else if (uw_name_starts(op, "llvm.intr.memset")) {
    uw_accesses_push(arena, list, access_of(op, 0, no_type, false, true));
  } else if (!uw_effect_free(op) && uw_region_count(op) == 0 && !uw_name_starts(op, "llvm.intr.assume") &&
             !uw_name_starts(op, "scf.")) {
    uw_accesses_push(arena, list, anywhere);
  }
}

void uw_accesses_inside(uw_arena *arena, MlirOperation op, uw_accesses *list) {
  uw_accesses_of(arena, op, list);
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      uw_foreach_op (inner, block)
        uw_accesses_inside(arena, inner, list);
}
