/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes one branch of two that follow each other under the same condition. Programs that mark who is done in one phase
 * and act on the mark in the next one have such branches side by side once the barrier between them is gone; with two
 * of them no loop can be cut to the threads that pass (guards_to_bounds.c).
 *
 *   if (%x > 0 && %x < 15) { A }                     if (%x > 0 && %x < 15) { A; B }
 *   if (!(%x <= 0) && %x < 15) { B }         ==>
 *
 * Done for two branches without results and with one arm each in one block of the code, when a) between them stand
 * operations alone that may run or not run anywhere: they go before the first; b) the conditions are conjunctions of
 * the same values, or of comparisons of the same operands, one of them perhaps the negation of the other. A branch that
 * holds nothing but such operations and another branch counts with the condition of both.
 *
 * Legal because the second one's condition is the same value, which A cannot change, and A; B is the order in which the
 * two come.
 *
 * Requires: nothing. Preserves: all effects and their order. Refuses: the rest, silently. */
#include "combine_branches.h"

#include "../../ir/parallel.h"
#include "../passes.h"
#include "../rows/guard.h"

enum { MOST_LEVELS = 4 };

/* A branch, what it takes to come into the arm of each level, and the arms. */
typedef struct nest {
  MlirBlock arms[MOST_LEVELS];
  uw_guard guards[MOST_LEVELS];
  size_t count;
} nest;

/* The arm of a branch without results that has one. */
static bool only_arm(MlirOperation branch, MlirBlock *arm, bool *negated) {
  if (uw_kind(branch) != UW_OP_SCF_IF || uw_result_count(branch) != 0)
    return false;
  *negated = uw_is_empty(uw_block(branch, 0));
  *arm = uw_block(branch, *negated);
  return *negated != uw_is_empty(uw_block(branch, 1)) && !uw_is_empty(*arm);
}

/* The only operation there that may not run anywhere, if it is a branch; null otherwise. */
static MlirOperation only_branch(MlirBlock arm) {
  MlirOperation found = {NULL};
  uw_foreach_op (op, arm) {
    if (uw_kind(op) == UW_OP_SCF_YIELD || (uw_region_count(op) == 0 && uw_speculatable(op)))
      continue;
    if (!uw_null(found) || uw_kind(op) != UW_OP_SCF_IF)
      return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

static nest read_nest(MlirOperation branch) {
  nest n = {.count = 0};
  uw_guard guard = {.count = 0};
  bool negated;
  while (!uw_null(branch) && n.count < MOST_LEVELS && only_arm(branch, &n.arms[n.count], &negated) &&
         uw_guard_add(&guard, uw_operand(branch, 0), negated)) {
    n.guards[n.count] = guard;
    branch = only_branch(n.arms[n.count++]);
  }
  return n;
}

static bool is_same_conjunct(const uw_conjunct *a, const uw_conjunct *b) {
  if (uw_same(a->value, b->value))
    return a->negated == b->negated;
  MlirOperation left = uw_def(a->value), right = uw_def(b->value);
  if (uw_kind(left) != UW_OP_ARITH_CMPI || uw_kind(right) != UW_OP_ARITH_CMPI ||
      !uw_same(uw_operand(left, 0), uw_operand(right, 0)) || !uw_same(uw_operand(left, 1), uw_operand(right, 1)))
    return false;
  uw_predicate asks = (uw_predicate)uw_get_int_attr(left, "predicate", UW_EQ),
               wants = (uw_predicate)uw_get_int_attr(right, "predicate", UW_EQ);
  return (a->negated ? uw_opposite(asks) : asks) == (b->negated ? uw_opposite(wants) : wants);
}

/* Is each conjunct of the one among those of the other? */
static bool includes(const uw_guard *all, const uw_guard *some) {
  for (size_t i = 0; i < some->count; i++) {
    bool found = false;
    for (size_t k = 0; k < all->count && !found; k++)
      found = is_same_conjunct(&all->at[k], &some->at[i]);
    if (!found)
      return false;
  }
  return true;
}

static bool is_same_guard(const uw_guard *a, const uw_guard *b) { return includes(a, b) && includes(b, a); }

/* Moves what may run anywhere from there on to before `to`. */
static void raise_pure(MlirOperation from, MlirOperation to) {
  for (MlirOperation op = from, next; !uw_null(op); op = next) {
    next = uw_next(op);
    if (uw_kind(op) == UW_OP_SCF_IF || uw_kind(op) == UW_OP_SCF_YIELD)
      break;
    uw_move_before(op, to);
  }
}

/* Moves the arm's operations after those of the other. */
static void append(MlirBlock arm, MlirBlock to) {
  MlirOperation yield = uw_last(to);
  uw_foreach_op_safe (op, arm)
    if (uw_kind(op) != UW_OP_SCF_YIELD)
      uw_move_before(op, yield);
}

/* The branch that comes next, after operations that may run anywhere; null if something else comes. */
static MlirOperation next_branch(MlirOperation op) {
  for (op = uw_next(op); !uw_null(op) && uw_region_count(op) == 0 && uw_speculatable(op); op = uw_next(op))
    ;
  return uw_kind(op) == UW_OP_SCF_IF ? op : (MlirOperation){NULL};
}

static bool join_next(MlirOperation first) {
  MlirOperation second = next_branch(first);
  if (uw_null(second))
    return false;
  nest a = read_nest(first), b = read_nest(second);
  for (size_t i = a.count; i-- > 0;)
    for (size_t k = 0; k < b.count; k++) {
      if (!is_same_guard(&a.guards[i], &b.guards[k]))
        continue;
      raise_pure(uw_next(first), first);
      for (size_t level = 0; level < k; level++) /* on the way to the arm that moves */
        uw_foreach_op_safe (op, b.arms[level])
          if (uw_kind(op) != UW_OP_SCF_IF && uw_kind(op) != UW_OP_SCF_YIELD)
            uw_move_before(op, first);
      append(b.arms[k], a.arms[i]);
      uw_erase(second);
      return true;
    }
  return false;
}

/* From anew after each: branches inside of the one that went are gone too. */
static bool join_any(uw_arena *arena, MlirOperation loop) {
  uw_ops branches = uw_collect_kind(arena, loop, UW_OP_SCF_IF);
  for (size_t i = 0; i < branches.count; i++)
    if (join_next(branches.at[i]))
      return true;
  return false;
}

bool uw_join_branches(uw_arena *arena, MlirOperation loop) {
  bool any = false;
  while (join_any(arena, loop))
    any = true;
  return any;
}

uw_change uw_pass_combine_branches(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_over(ctx->arena, root, UW_OVER_THREADS), uw_join_branches);
}
