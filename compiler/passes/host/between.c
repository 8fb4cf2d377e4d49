/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Host code between launches: see between.h. */
#include "between.h"

#include <string.h>

enum { DEEPEST = 12, MOST_DYING = 4, MOST_KNOWN = 4, UNLIKELY = 16 }; /* bounds of searches; 1 to 16 is seldom */

/* --- pointers ----------------------------------------------------------------------------------------------------- */

/* Says the attribute nothing of the result, but whether it is one, or how it was got? */
static bool is_promise(MlirStringRef name) {
  static const char *const promises[] = {"overflowFlags", "noWrapFlags", "isExact", "isDisjoint", "nonNeg"};
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
    if (uw_string_is(name, promises[i]))
      return true;
  return name.length > 7 && memcmp(name.data, "unwarp.", 7) == 0;
}

static bool has_attributes_of(MlirOperation a, MlirOperation b) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(b); i++) {
    MlirNamedAttribute other = mlirOperationGetAttribute(b, i);
    MlirStringRef name = mlirIdentifierStr(other.name);
    MlirAttribute own = mlirOperationGetAttributeByName(a, name);
    if (!is_promise(name) && (mlirAttributeIsNull(own) || !mlirAttributeEqual(own, other.attribute)))
      return false;
  }
  return true;
}

static bool same_origin(MlirValue a, MlirValue b, bool may_load, int depth) {
  MlirOperation left = uw_def(a), right = uw_def(b);
  if (uw_same(a, b))
    return true;
  if (uw_null(left) || uw_null(right) || depth == DEEPEST || !mlirStringRefEqual(uw_name(left), uw_name(right)) ||
      uw_operand_count(left) != uw_operand_count(right) || uw_result_count(left) != 1)
    return false;
  bool loads = may_load && uw_kind(left) == UW_OP_LLVM_LOAD && uw_plain_access(left) && uw_plain_access(right);
  if (!loads && (!uw_effect_free(left) || uw_kind(left) == UW_OP_LLVM_ALLOCA))
    return false;
  if (!loads && (!has_attributes_of(left, right) || !has_attributes_of(right, left)))
    return false;
  for (size_t i = 0; i < uw_operand_count(left); i++)
    if (!same_origin(uw_operand(left, i), uw_operand(right, i), may_load, depth + 1))
      return false;
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

bool uw_same_origin(MlirValue a, MlirValue b) { return same_origin(a, b, true, 0); }
bool uw_same_value(MlirValue a, MlirValue b) { return same_origin(a, b, false, 0); }

static MlirValue base_of(MlirValue pointer) {
  while (uw_kind(uw_def(pointer)) == UW_OP_LLVM_GEP)
    pointer = uw_operand(uw_def(pointer), 0);
  return pointer;
}

static bool is_kernels(const uw_between_launches *w, MlirValue pointer) {
  MlirValue base = base_of(pointer);
  for (size_t i = 0; i < w->pointers->count; i++)
    if (uw_same_origin(base, w->pointers->at[i]) || uw_same_origin(base, base_of(w->pointers->at[i])))
      return true;
  return false;
}

/* --- what cannot tell ---------------------------------------------------------------------------------------------- */

/* One of the runtime's own variables, which no kernel reaches. */
static bool is_of_runtime(MlirValue address) {
  static const char prefix[] = "uwrt_";
  if (uw_kind(uw_def(address)) != UW_OP_LLVM_ADDRESSOF)
    return false;
  MlirStringRef name = uw_get_str_attr(uw_def(address), "global_name");
  return name.length >= sizeof prefix && memcmp(name.data, prefix, sizeof prefix - 1) == 0;
}

static bool is_access_elsewhere(const uw_between_launches *w, MlirOperation op, size_t pointer) {
  return is_of_runtime(uw_operand(op, pointer)) || (uw_plain_access(op) && !is_kernels(w, uw_operand(op, pointer)));
}

static bool is_copy_elsewhere(const uw_between_launches *w, MlirOperation op) {
  MlirAttribute is_volatile = uw_get_attr(op, "isVolatile");
  bool plain = mlirAttributeIsNull(is_volatile) || !mlirBoolAttrGetValue(is_volatile);
  if (uw_name_starts(op, "llvm.intr.memset"))
    return plain && !is_kernels(w, uw_operand(op, 0));
  return plain && (uw_name_starts(op, "llvm.intr.memcpy") || uw_name_starts(op, "llvm.intr.memmove")) &&
         !is_kernels(w, uw_operand(op, 0)) && !is_kernels(w, uw_operand(op, 1));
}

/* These tell whether the launch was right, which is known when it begins. */
static bool asks_for_error(MlirOperation op) {
  return uw_attr_is_str(op, "callee", "cudaGetLastError") || uw_attr_is_str(op, "callee", "cudaPeekAtLastError");
}

static bool cannot_tell(const uw_between_launches *w, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD: return is_access_elsewhere(w, op, 0);
  case UW_OP_LLVM_STORE: return is_access_elsewhere(w, op, 1);
  case UW_OP_LLVM_ATOMICRMW: return is_of_runtime(uw_operand(op, 0));
  case UW_OP_LLVM_CALL: return asks_for_error(op);
  case UW_OP_LLVM_LIFETIME_START:
  case UW_OP_LLVM_LIFETIME_END:
  case UW_OP_LLVM_ALLOCA: return true;
  default: break;
  }
  if (uw_region_count(op))
    return false;
  return uw_effect_free(op) || is_copy_elsewhere(w, op) || uw_name_starts(op, "llvm.intr.expect") ||
         uw_name_starts(op, "llvm.intr.assume") || uw_name_starts(op, "llvm.intr.annotation") ||
         uw_name_starts(op, "llvm.intr.experimental.noalias");
}

/* --- ways ----------------------------------------------------------------------------------------------------------- */

static bool is_branch(MlirOperation op) {
  uw_kind_t kind = uw_kind(op);
  return kind == UW_OP_LLVM_BR || kind == UW_OP_LLVM_COND_BR || kind == UW_OP_LLVM_SWITCH;
}

static bool is_expectation(MlirOperation op) { return !uw_null(op) && uw_name_starts(op, "llvm.intr.expect"); }

/* What the program says that the condition is: __builtin_expect, as clang writes it; -1: nothing. */
static int expected(MlirValue condition) {
  MlirOperation op = uw_def(condition);
  int64_t right, said;
  if (uw_null(op))
    return -1;
  if (is_expectation(op))
    return uw_const_value(uw_operand(op, 1), &said) ? said != 0 : -1;
  if (!uw_string_is(uw_name(op), "llvm.icmp") || !is_expectation(uw_def(uw_operand(op, 0))) ||
      !uw_const_value(uw_operand(op, 1), &right) || !uw_const_value(uw_operand(uw_def(uw_operand(op, 0)), 1), &said))
    return -1;
  int64_t predicate = uw_get_int_attr(op, "predicate", -1);
  return predicate == UW_EQ ? said == right : predicate == UW_NE ? said != right : -1;
}

/* Does the program end in the block, or in those that it leads to? */
static bool is_dying(MlirBlock block, int depth) {
  MlirOperation last = uw_last(block);
  if (uw_kind(last) == UW_OP_LLVM_UNREACHABLE)
    return true;
  return uw_kind(last) == UW_OP_LLVM_BR && depth < MOST_DYING && is_dying(mlirBlockGetSuccessor(block, 0), depth + 1);
}

static bool is_seldom(MlirBlock from, intptr_t successor) {
  MlirOperation branch = uw_last(from);
  MlirAttribute weights = uw_get_attr(branch, "branch_weights");
  if (is_dying(mlirBlockGetSuccessor(from, successor), 0))
    return true;
  if (uw_kind(branch) != UW_OP_LLVM_COND_BR)
    return false;
  if (!mlirAttributeIsNull(weights) && mlirDenseArrayGetNumElements(weights) == 2) {
    int64_t own = mlirDenseI32ArrayGetElement(weights, successor),
            other = mlirDenseI32ArrayGetElement(weights, 1 - successor);
    return own * UNLIKELY < other;
  }
  int likely = expected(uw_operand(branch, 0));
  return likely >= 0 && likely == (successor == 1);
}

typedef struct way {
  MlirBlock block;
  bool seldom;
} way;

typedef struct ways {
  uw_table *seen;
  way *at;
  size_t count, room;
} ways;

static void push_successors(uw_between_launches *w, ways *all, MlirBlock block, bool seldom) {
  for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(block); s++) {
    MlirBlock to = mlirBlockGetSuccessor(block, s);
    all->at = uw_grow(w->arena, all->at, all->count, &all->room, sizeof *all->at);
    all->at[all->count++] = (way){to, seldom || is_seldom(block, s)};
  }
}

/* The same launch through the runtime (frontend/sycl/launch_sites.c): it is taken where accessors overlap. */
static bool is_other_form(MlirOperation op) { return uw_attr_is_str(op, "callee", "uwrt_launch_object"); }

static void end_at(uw_between_launches *w, MlirOperation op, bool seldom) {
  uw_ops_push(w->arena, &w->ends, op);
  if (!seldom && !is_other_form(op) && uw_null(w->stands))
    w->stands = op;
}

static void follow(uw_between_launches *w, ways *all, MlirOperation op, bool seldom) {
  for (; !uw_null(op); op = uw_next(op)) {
    bool is_next = uw_table_get(w->begins, op.ptr) != 0 && (uw_null(w->next) || uw_same_op(w->next, op));
    if (is_next && !seldom)
      w->next = op;
    if (is_next && uw_same_op(w->next, op))
      return;
    if (is_branch(op)) {
      push_successors(w, all, mlirOperationGetBlock(op), seldom);
      return;
    }
    if (uw_kind(op) == UW_OP_LLVM_UNREACHABLE)
      return;
    if (!cannot_tell(w, op)) {
      end_at(w, op, seldom);
      return;
    }
  }
}

/* Ways that are often taken before the others. */
static bool take(ways *all, way *taken) {
  size_t at = all->count;
  for (size_t i = 0; i < all->count; i++)
    if (at == all->count || (all->at[at].seldom && !all->at[i].seldom))
      at = i;
  if (at == all->count)
    return false;
  *taken = all->at[at];
  all->at[at] = all->at[--all->count];
  return true;
}

void uw_look_between(uw_between_launches *w) {
  ways all = {.seen = uw_table_create(w->arena)};
  way next;
  follow(w, &all, uw_next(w->first), false);
  while (take(&all, &next)) {
    if (uw_table_get(all.seen, next.block.ptr))
      continue;
    uw_table_set(all.seen, next.block.ptr, 1);
    if (uw_block_dominates(w->arena, next.block, w->first))
      end_at(w, uw_first(next.block), next.seldom);
    else
      follow(w, &all, uw_first(next.block), next.seldom);
  }
}

/* --- dominance ------------------------------------------------------------------------------------------------------ */

bool uw_block_dominates(uw_arena *arena, MlirBlock block, MlirOperation op) {
  MlirBlock goal = mlirOperationGetBlock(op), *stack = NULL;
  uw_table *seen = uw_table_create(arena);
  size_t count = 0, room = 0;
  stack = uw_grow(arena, stack, count, &room, sizeof *stack);
  stack[count++] = mlirRegionGetFirstBlock(mlirBlockGetParentRegion(goal));
  while (count) {
    MlirBlock at = stack[--count];
    if (mlirBlockEqual(at, block) || uw_table_get(seen, at.ptr))
      continue;
    if (mlirBlockEqual(at, goal))
      return false;
    uw_table_set(seen, at.ptr, 1);
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(at); s++) {
      stack = uw_grow(arena, stack, count, &room, sizeof *stack);
      stack[count++] = mlirBlockGetSuccessor(at, s);
    }
  }
  return true;
}

/* What of these stands first from there on in the block; null: nothing. */
static MlirOperation first_of(MlirOperation from, MlirOperation to, const uw_ops *without) {
  while (!uw_null(from) && !uw_same_op(from, to) && !uw_ops_have(without, from))
    from = uw_next(from);
  return from;
}

/* Is the value the same whenever the function asks for it? */
static bool is_fixed(MlirValue value, MlirBlock entry, int depth) {
  MlirOperation op = uw_def(value);
  if (mlirBlockEqual(uw_value_block(value), entry))
    return true;
  if (uw_null(op) || depth == DEEPEST || !uw_effect_free(op) || uw_region_count(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!is_fixed(uw_operand(op, i), entry, depth + 1))
      return false;
  return true;
}

/* What holds wherever a block is reached: conditions of the branches that alone lead there. */
typedef struct known {
  MlirValue conditions[MOST_KNOWN];
  intptr_t taken[MOST_KNOWN];
  size_t count;
} known;

static known known_in(MlirBlock block) {
  known k = {.count = 0};
  MlirBlock entry = mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block));
  for (int up = 0; up < DEEPEST && k.count < MOST_KNOWN && mlirBlockGetNumPredecessors(block) == 1; up++) {
    MlirBlock from = mlirBlockGetPredecessor(block, 0);
    MlirOperation branch = uw_last(from);
    bool differs = uw_kind(branch) == UW_OP_LLVM_COND_BR &&
                   !mlirBlockEqual(mlirBlockGetSuccessor(from, 0), mlirBlockGetSuccessor(from, 1));
    if (differs && is_fixed(uw_operand(branch, 0), entry, 0)) {
      k.conditions[k.count] = uw_operand(branch, 0);
      k.taken[k.count++] = mlirBlockEqual(mlirBlockGetSuccessor(from, 1), block);
    }
    block = from;
  }
  return k;
}

/* Would the way be taken only where what is known does not hold? */
static bool contradicts(const known *k, MlirBlock block, intptr_t successor) {
  MlirOperation branch = uw_last(block);
  for (size_t i = 0; uw_kind(branch) == UW_OP_LLVM_COND_BR && i < k->count; i++)
    if (k->taken[i] != successor && uw_same_value(k->conditions[i], uw_operand(branch, 0)))
      return true;
  return false;
}

bool uw_reaches_without(uw_arena *arena, MlirOperation from, MlirOperation to, const uw_ops *without) {
  uw_table *seen = uw_table_create(arena);
  known k = known_in(mlirOperationGetBlock(to));
  MlirBlock block = mlirOperationGetBlock(from), *stack = NULL;
  size_t count = 0, room = 0;
  for (;;) {
    MlirOperation met = first_of(from, to, without);
    if (!uw_null(met) && uw_same_op(met, to))
      return true;
    for (intptr_t s = 0; uw_null(met) && s < mlirBlockGetNumSuccessors(block); s++) {
      stack = uw_grow(arena, stack, count, &room, sizeof *stack);
      if (!contradicts(&k, block, s))
        stack[count++] = mlirBlockGetSuccessor(block, s);
    }
    while (count && uw_table_get(seen, stack[count - 1].ptr))
      count--;
    if (!count)
      return false;
    block = stack[--count];
    uw_table_set(seen, block.ptr, 1);
    from = uw_first(block);
  }
}

bool uw_value_dominates(uw_arena *arena, MlirValue value, MlirOperation op) {
  MlirBlock block = uw_value_block(value);
  if (uw_null(uw_def(value)) || !mlirBlockEqual(block, mlirOperationGetBlock(op)))
    return uw_block_dominates(arena, block, op);
  for (MlirOperation at = uw_def(value); !uw_null(at); at = uw_next(at))
    if (uw_same_op(at, op))
      return true;
  return false;
}
