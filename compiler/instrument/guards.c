/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plain loads that only guard atomic operations of the same place, which docs/checker.md calls no mistake:
 *
 *   if (*p < v) atomicMax(p, v)          do { seen = old; old = atomicCAS(p, seen, f(seen)) } while (old != seen)
 *
 * Holds when a) the value, through what has no effect and what branches and loops carry, reaches nothing but operands of
 * compare-and-swaps of that place, and conditions; b) one of these expects it, or each branch and loop that hangs on it
 * does nothing but such atomic operations, and what hangs on their results.
 * What leaves a loop with such a compare-and-swap is not followed: by then that has succeeded. In a function that stayed
 * a call branches are no regions: that it has such an atomic operation is all that is asked there. */
#include <string.h>

#include "guards.h"

enum { DEEPEST = 24 };

typedef struct search {
  uw_arena *arena;
  MlirValue address;
  uw_table *seen; /* values */
  bool is_expected, is_tried, decides_more;
} search;

/* Computed alike, so the same where memory did not change meanwhile. */
static bool is_alike(MlirValue one, MlirValue other, int depth) {
  MlirOperation a = uw_def(one), b = uw_def(other);
  if (uw_same(one, other))
    return true;
  if (depth == 0 || uw_null(a) || uw_null(b) || uw_kind(a) != uw_kind(b) ||
      !mlirIdentifierEqual(mlirOperationGetName(a), mlirOperationGetName(b)) || uw_region_count(a) ||
      uw_operand_count(a) != uw_operand_count(b) || !(uw_effect_free(a) || uw_kind(a) == UW_OP_LLVM_LOAD) ||
      uw_result_count(a) != 1 || !uw_same_attributes(a, b))
    return false;
  for (size_t i = 0; i < uw_operand_count(a); i++)
    if (!is_alike(uw_operand(a, i), uw_operand(b, i), depth - 1))
      return false;
  return true;
}

static bool is_atomic(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_ATOMICRMW || uw_kind(op) == UW_OP_LLVM_CMPXCHG;
}

static bool is_of_place(const search *s, MlirOperation op) {
  return is_atomic(op) && is_alike(uw_operand(op, 0), s->address, DEEPEST);
}

static bool has_of_place(const search *s, MlirOperation root, bool swaps_alone) {
  uw_ops ops = uw_collect(s->arena, root);
  for (size_t i = 0; i < ops.count; i++)
    if ((!swaps_alone || uw_kind(ops.at[i]) == UW_OP_LLVM_CMPXCHG) && is_of_place(s, ops.at[i]))
      return true;
  return false;
}

/* Is it computed of the result of such an atomic operation? */
static bool hangs_on_place(const search *s, MlirValue value, int depth) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || depth == 0)
    return false;
  if (is_of_place(s, op))
    return true;
  if (uw_kind(op) == UW_OP_SCF_IF && has_of_place(s, op, false))
    return true;
  if (!uw_effect_free(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (hangs_on_place(s, uw_operand(op, i), depth - 1))
      return true;
  return false;
}

/* Nothing of the program's: a check. */
static bool is_aside(MlirOperation op) {
  MlirStringRef callee = uw_kind(op) == UW_OP_LLVM_CALL ? uw_get_str_attr(op, "callee") : (MlirStringRef){NULL, 0};
  static const char *const prefixes[] = {"__unwarp_check", "uwrt_check"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (callee.length > strlen(prefixes[i]) && memcmp(callee.data, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return false;
}

/* Nothing but atomic operations of the place, and what hangs on them. */
static bool only_tries(const search *s, MlirOperation around) {
  for (MlirRegion region = mlirOperationGetFirstRegion(around); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      uw_foreach_op (op, block) {
        uw_kind_t kind = uw_kind(op);
        if (uw_region_count(op)) {
          if (!(kind == UW_OP_SCF_IF && hangs_on_place(s, uw_operand(op, 0), DEEPEST)) && !only_tries(s, op))
            return false;
        } else if (!uw_effect_free(op) && kind != UW_OP_LLVM_LOAD && kind != UW_OP_SCF_YIELD &&
                   kind != UW_OP_SCF_CONDITION && kind != UW_OP_LLVM_FENCE && !is_of_place(s, op) && !is_aside(op)) {
          return false;
        }
      }
  return true;
}

static bool follow(search *s, MlirValue value);

/* The branch hangs on the load. */
static bool decides_well(search *s, MlirOperation branch) {
  if (!has_of_place(s, branch, false) || !only_tries(s, branch))
    return false;
  for (size_t i = 0; i < uw_result_count(branch); i++) {
    bool hangs = mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(branch, i)));
    for (unsigned arm = 0; arm < 2 && !hangs; arm++)
      hangs = !mlirBlockIsNull(uw_block(branch, arm)) &&
              hangs_on_place(s, uw_operand(uw_last(uw_block(branch, arm)), i), DEEPEST);
    if (!hangs)
      return false;
  }
  s->is_tried = true;
  return true;
}

static bool follow_argument(search *s, MlirOperation loop, unsigned region, size_t at) {
  MlirBlock block = uw_block(loop, region);
  return (intptr_t)at >= mlirBlockGetNumArguments(block) || follow(s, mlirBlockGetArgument(block, (intptr_t)at));
}

static bool follow_result(search *s, MlirOperation op, size_t at) {
  bool is_loop = uw_kind(op) != UW_OP_SCF_IF;
  return (is_loop && has_of_place(s, op, true)) || at >= uw_result_count(op) || follow(s, uw_result(op, at));
}

static bool follow_use(search *s, MlirOperation user, size_t at) {
  MlirOperation around = uw_parent(user);
  switch (uw_kind(user)) {
  case UW_OP_LLVM_CMPXCHG:
    if (at == 0 || !is_of_place(s, user))
      return false;
    s->is_expected = s->is_expected || at == 1;
    return true;
  case UW_OP_SCF_IF:
    if (!decides_well(s, user))
      s->decides_more = true;
    return true;
  case UW_OP_SCF_CONDITION:
    if (at > 0)
      return follow_argument(s, around, 1, at - 1) && follow_result(s, around, at - 1);
    if (!has_of_place(s, around, false) || !only_tries(s, around))
      s->decides_more = true;
    else
      s->is_tried = true;
    return true;
  case UW_OP_SCF_WHILE: return follow_argument(s, user, 0, at);
  case UW_OP_SCF_FOR: return at >= 3 && follow_argument(s, user, 0, at - 2) && follow_result(s, user, at - 3);
  case UW_OP_SCF_YIELD:
    if (uw_kind(around) == UW_OP_SCF_IF)
      return follow_result(s, around, at);
    if (uw_kind(around) == UW_OP_SCF_WHILE)
      return follow_argument(s, around, 0, at);
    return uw_kind(around) == UW_OP_SCF_FOR && follow_argument(s, around, 0, at + 1) && follow_result(s, around, at);
  default:
    if (mlirOperationGetNumSuccessors(user) > 0) {
      MlirOperation function = uw_parent_of_kind(user, UW_OP_LLVM_FUNC);
      s->is_tried = !uw_null(function) && has_of_place(s, function, false);
      return s->is_tried;
    }
    if (!uw_effect_free(user) || uw_region_count(user))
      return is_aside(user);
    for (size_t i = 0; i < uw_result_count(user); i++)
      if (!follow(s, uw_result(user, i)))
        return false;
    return true;
  }
}

static bool follow(search *s, MlirValue value) {
  if (uw_table_get(s->seen, value.ptr))
    return true;
  uw_table_set(s->seen, value.ptr, 1);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!follow_use(s, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use)))
      return false;
  return true;
}

bool uw_is_guard(uw_arena *arena, MlirOperation load) {
  search s = {.arena = arena, .address = uw_operand(load, 0), .seen = uw_table_create(arena)};
  return follow(&s, uw_result(load, 0)) && (s.is_expected || (s.is_tried && !s.decides_more));
}
