/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A slot in which all threads keep one and the same value needs no memory:
 *
 *   %s = slot                                        %v = …
 *   %v = …                                           parallel %t { … use %v … }
 *   parallel %t { store %v, %s[%t] }         ==>
 *   parallel %t { … use (load %s[%t]) … }
 *
 * Done when a) all that touches the slot are stores of that value and loads, of whole elements, of its type; b) the
 * value is the same for as long as the slot is there: it is defined beside the slot, or around; c) it is there where
 * the loads are. What a load finds that no store wrote is undefined, so that it may be the value too. Called by
 * uw_finish_slots. */
#include "../../ir/parallel.h"
#include "../../transform/thread_loop.h"

typedef struct accesses {
  uw_ops loads, stores, geps;
  MlirValue value; /* that is stored */
} accesses;

/* Elements of a gep with one index, of as many bytes as the values? */
static bool steps_whole(MlirOperation gep, MlirType element) {
  MlirAttribute type = uw_get_attr(gep, "elem_type");
  return uw_operand_count(gep) <= 2 && mlirDenseArrayGetNumElements(uw_get_attr(gep, "rawConstantIndices")) == 1 &&
         uw_type_bytes(mlirTypeAttrGetValue(type)) == uw_type_bytes(element);
}

static bool read_store(uw_arena *arena, MlirOperation store, accesses *a) {
  MlirValue value = uw_operand(store, 0);
  if (a->value.ptr && !uw_same(a->value, value))
    return false;
  a->value = value;
  uw_ops_push(arena, &a->stores, store);
  return true;
}

static bool read_uses(uw_arena *arena, MlirValue address, accesses *a) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool last = mlirOpOperandGetOperandNumber(use) == uw_operand_count(user) - 1;
    bool known = false;
    if (uw_kind(user) == UW_OP_LLVM_LOAD && uw_plain_access(user)) {
      uw_ops_push(arena, &a->loads, user);
      known = true;
    } else if (uw_kind(user) == UW_OP_LLVM_STORE && uw_plain_access(user)) {
      known = last && read_store(arena, user, a);
    } else if (uw_kind(user) == UW_OP_LLVM_GEP && mlirOpOperandGetOperandNumber(use) == 0) {
      uw_ops_push(arena, &a->geps, user);
      known = read_uses(arena, uw_result(user, 0), a);
    }
    if (!known)
      return false;
  }
  return true;
}

static bool are_whole(const accesses *a) {
  MlirType type = mlirValueGetType(a->value);
  for (size_t i = 0; i < a->loads.count; i++)
    if (!mlirTypeEqual(mlirValueGetType(uw_result(a->loads.at[i], 0)), type))
      return false;
  for (size_t i = 0; i < a->geps.count; i++)
    if (!steps_whole(a->geps.at[i], type))
      return false;
  return true;
}

/* Conditions b) and c). `order` numbers operations as they stand in the text. */
static bool is_there(const uw_table *order, MlirOperation slot, const accesses *a) {
  MlirOperation def = uw_def(a->value);
  if (!uw_defined_inside(a->value, uw_parent(slot)))
    return true; /* the stores are inside and see it, so all see it */
  if (uw_null(def) || !mlirBlockEqual(uw_value_block(a->value), mlirOperationGetBlock(slot)))
    return false;
  for (size_t i = 0; i < a->loads.count; i++)
    if (uw_inside(a->loads.at[i], def) || uw_table_get(order, a->loads.at[i].ptr) < uw_table_get(order, def.ptr))
      return false;
  return true;
}

/* A loop over threads in which only pure operations are left goes, and so do those around it. */
static void drop_loop(MlirOperation loop) {
  while (uw_kind(loop) == UW_OP_SCF_FORALL && !uw_is_over(loop, UW_OVER_BLOCKS)) {
    MlirOperation around = uw_parent(loop);
    uw_foreach_op (op, uw_block(loop, 0))
      if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && (uw_kind(op) == UW_OP_SLOT || !uw_speculatable(op)))
        return;
    mlirOperationDestroy(loop);
    loop = around;
  }
}

static void drop_stores(const accesses *a) {
  for (size_t i = 0; i < a->stores.count; i++) {
    MlirOperation loop = uw_parent(a->stores.at[i]);
    uw_erase(a->stores.at[i]);
    drop_loop(loop);
  }
}

/* The addresses that are left have no uses, but others of them. */
static void drop_addresses(MlirOperation op) {
  for (MlirOpOperand use; use = mlirValueGetFirstUse(uw_result(op, 0)), !mlirOpOperandIsNull(use);)
    drop_addresses(mlirOpOperandGetOwner(use));
  uw_erase(op);
}

static uw_table *number(uw_arena *arena, MlirOperation root) {
  uw_table *order = uw_table_create(arena);
  uw_ops all = uw_collect(arena, root);
  for (size_t i = 0; i < all.count; i++)
    uw_table_set(order, all.at[i].ptr, (intptr_t)i + 1);
  return order;
}

bool uw_forward_alike_slots(uw_arena *arena, MlirOperation root) {
  bool changed = false;
  uw_ops slots = uw_collect_kind(arena, root, UW_OP_SLOT);
  uw_table *order = slots.count ? number(arena, root) : NULL;
  for (size_t i = 0; i < slots.count; i++) {
    accesses a = {0};
    if (!mlirAttributeIsNull(uw_get_attr(slots.at[i], UW_VARIABLE)) ||
        !read_uses(arena, uw_result(slots.at[i], 0), &a) || !a.value.ptr || !are_whole(&a) ||
        !is_there(order, slots.at[i], &a))
      continue;
    for (size_t k = 0; k < a.loads.count; k++) {
      uw_replace_uses(uw_result(a.loads.at[k], 0), a.value);
      uw_erase(a.loads.at[k]);
    }
    drop_stores(&a);
    drop_addresses(slots.at[i]);
    changed = true;
  }
  return changed;
}
