/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The locks that a loop takes and gives back: see loop_locks.h.
 *
 *   if (!(atomicOr(word, bit) & bit)) { … atomicAnd(word, ~bit); }          if (atomicCAS(lock, 0, 1) == 0) { … *lock = 0; }
 *
 * A word may guard what it holds itself. Who finds the wrong thing in it gives it back as it was, and comes again:
 *
 *   old = atomicOr(word, bit); if (!(old & bit)) { if (old) { take(old); atomicExch(word, 0); done = true; } else atomicExch(word, old); }
 */
#include "loop_locks.h"

#include "linear.h"
#include "loop_ends.h"

/* llvm.atomicrmw's bin_op. */
enum { EXCHANGE = 0, AND = 3, OR = 5, XOR = 6 };

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

bool uw_may_take(MlirOperation op) {
  if (uw_kind(op) == UW_OP_LLVM_CMPXCHG)
    return takes(op);
  int64_t how = uw_kind(op) == UW_OP_LLVM_ATOMICRMW ? uw_get_int_attr(op, "bin_op", -1) : -1;
  return (how == EXCHANGE || how == AND || how == OR) && takes(op);
}

/* In the same iteration: behind it in its branch, or in one around that. */
static bool comes_after(MlirOperation loop, MlirOperation first, MlirOperation second) {
  for (; !uw_same_op(first, loop); first = uw_parent(first))
    for (MlirOperation at = uw_next(first); !uw_null(at); at = uw_next(at))
      if (uw_inside(second, at))
        return true;
  return false;
}

/* To the object. */
static bool writes_again(uw_arena *arena, MlirOperation loop, MlirOperation op, const void *object) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    MlirValue address = uw_written_address(ops.at[i]);
    if (address.ptr && uw_object_of(address) == object && comes_after(loop, op, ops.at[i]))
      return true;
  }
  return false;
}

/* Whether the value is computed from what the operation gave, in the same iteration. */
static bool comes_from(uw_table *seen, MlirOperation loop, MlirValue value, MlirOperation op) {
  MlirOperation def = uw_def(value);
  if (uw_null(def) || !uw_defined_inside(value, loop) || uw_table_get(seen, value.ptr))
    return false;
  uw_table_set(seen, value.ptr, 1);
  if (uw_same_op(def, op))
    return true;
  for (size_t i = 0; i < uw_operand_count(def); i++)
    if (comes_from(seen, loop, uw_operand(def, i), op))
      return true;
  for (intptr_t r = 0; r < uw_region_count(def); r++) {
    MlirOperation last =
        mlirBlockIsNull(uw_block(def, (unsigned)r)) ? (MlirOperation){NULL} : uw_last(uw_block(def, (unsigned)r));
    for (size_t i = 0; i < (uw_null(last) ? 0 : uw_operand_count(last)); i++)
      if (comes_from(seen, loop, uw_operand(last, i), op))
        return true;
  }
  return false;
}

/* Whether a write after the taking leaves in the word what it held. */
static bool hands_back(uw_arena *arena, MlirOperation loop, MlirOperation take, MlirOperation write) {
  MlirValue value = uw_operand(write, uw_kind(write) == UW_OP_LLVM_STORE     ? 0
                                      : uw_kind(write) == UW_OP_LLVM_CMPXCHG ? 2
                                                                             : 1);
  if (uw_kind(write) == UW_OP_LLVM_ATOMICRMW && uw_get_int_attr(write, "bin_op", -1) != EXCHANGE)
    return !takes(write);
  return comes_from(uw_table_create(arena), loop, value, take);
}

/* By comparison with one constant, and given back as another one. */
static bool is_changed(MlirOperation take, MlirOperation write) {
  int64_t asked, given;
  bool exchange = uw_kind(write) == UW_OP_LLVM_ATOMICRMW && uw_get_int_attr(write, "bin_op", -1) == EXCHANGE;
  if (uw_kind(take) != UW_OP_LLVM_CMPXCHG || (uw_kind(write) != UW_OP_LLVM_STORE && !exchange))
    return false;
  return uw_const_value(uw_operand(take, 1), &asked) && uw_const_value(uw_operand(write, exchange ? 1 : 0), &given) &&
         asked != given;
}

static bool comes_from_outside(const void *loop, MlirValue value) {
  return !uw_defined_inside(value, *(const MlirOperation *)loop);
}

/* The same thing from the same place in each iteration, and nothing is given back. */
static bool is_emptied(uw_arena *arena, MlirOperation loop, MlirOperation take, const void *object) {
  for (size_t i = 0; i < uw_operand_count(take); i++)
    if (!uw_can_compute_again(&(uw_again){.stays = comes_from_outside, .of = &loop}, uw_operand(take, i)))
      return false;
  return !writes_again(arena, loop, take, object);
}

uw_table *uw_handed_words(uw_arena *arena, MlirOperation loop, const uw_table *locks) {
  uw_table *words = NULL;
  uw_ops ops = uw_collect(arena, loop);
  for (size_t t = 0; t < ops.count; t++) {
    MlirOperation take = ops.at[t];
    const void *object = uw_may_take(take) ? uw_object_of(uw_operand(take, 0)) : NULL;
    bool handed = object && is_emptied(arena, loop, take, object);
    bool is_lock = object && locks && uw_table_get(locks, object);
    for (size_t i = 0; is_lock && !handed && i < ops.count; i++) {
      MlirOperation write = ops.at[i];
      handed = uw_written_address(write).ptr && uw_object_of(uw_written_address(write)) == object &&
               comes_after(loop, take, write) &&
               (is_changed(take, write) || (hands_back(arena, loop, take, write) && !uw_ends_after(loop, write)));
    }
    if (!handed)
      continue;
    words = words ? words : uw_table_create(arena);
    uw_table_set(words, object, 1);
  }
  return words;
}
