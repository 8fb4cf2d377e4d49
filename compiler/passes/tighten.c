/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a thread loop only over the threads that its condition lets through. Trees in shared memory halve the number of threads at
 * work in every phase, and guards cut off those that stand outside of the data; without this pass all threads would still be
 * asked, and a loop with a condition in it is harder to vectorise.
 *
 *   scf.parallel (%z, %y, %x) to (%nz, %ny, %nx) {     scf.parallel (%z, %y, %x) = (0, 0, 1) to (%nz, %ny, min(%nx, %n - %b)) {
 *     if (%x > 0 && %b + %x < %n) { A }           ==>    A
 *   }                                                  }
 *
 * Holds when a) the body is one scf.if without results and with one branch, and operations that may run or not run anywhere or
 * are loads that only the branch uses; b) the condition is a conjunction of comparisons; those that hold a dimension of the thread
 * index, to which values from outside are added or which is multiplied by a positive constant, on one side and a value from outside
 * on the other become bounds, the others stay as they are.
 *
 * The comparison is taken to be one of integers: the index of a thread in its grid does not wrap around. (An unsigned comparison of
 * what may be below zero, as in (unsigned)(x - 1) < n, becomes two bounds.)
 *
 * Requires: invariant values outside of the loop (simplify-phases). Preserves: the order of the threads that do something. Refuses:
 * everything else, in silence. */
#include "../ir/remarks.h"
#include "guard.h"
#include "thread_loop.h"

enum { DIMS = 3 };

typedef enum relation { LT, LE, GT, GE, EQ } relation;

typedef struct tightening {
  uw_arena *arena;
  MlirOperation loop;
  size_t dims;
  MlirValue lower[DIMS], upper[DIMS]; /* new bounds; null: as they are */
} tightening;

/* --- one comparison as a bound ------------------------------------------------------------------------------------ */

static bool is_outside(tightening *t, MlirValue value) { return uw_computable_outside(t->arena, value, t->loop, NULL); }

/* The value before the loop, as an index. */
static MlirValue outside(tightening *t, MlirValue value, bool is_signed) {
  uw_builder b = uw_at(t->loop);
  int64_t number;
  if (uw_const_value(value, &number))
    return uw_const_index(&b, number);
  value = uw_compute_outside(&b, value, t->loop, uw_map_create(t->arena));
  if (mlirTypeIsAIndex(mlirValueGetType(value)))
    return value;
  return uw_build1(&b, is_signed ? "arith.index_cast" : "arith.index_castui", .in = VALS(value),
                   .out = TYPES(uw_index_type(b.context)));
}

static relation flipped(relation r) { return r == LT ? GT : r == LE ? GE : r == GT ? LT : r == GE ? LE : EQ; }

/* Makes `expression relation right` a bound of a dimension. *bare: the expression was the index itself. */
static bool solve(tightening *t, MlirValue expression, relation r, MlirValue right, bool is_signed, bool apply, bool *bare) {
  MlirBlock body = uw_block(t->loop, 0);
  bool below_extension = false; /* what is zero-extended is taken to be what it is without sign */
  *bare = true;
  for (;;) {
    for (size_t d = 0; d < t->dims; d++) {
      if (!uw_same(expression, mlirBlockGetArgument(body, (intptr_t)d)))
        continue;
      if (!apply)
        return true;
      uw_builder b = uw_at(t->loop);
      MlirValue behind = r == LT || r == GE ? right : uw_binary(&b, "arith.addi", right, uw_const_index(&b, 1));
      if (r == LT || r == LE || r == EQ) {
        MlirValue end = r == LT ? right : behind, old = t->upper[d].ptr ? t->upper[d] : uw_operand(t->loop, t->dims + d);
        t->upper[d] = uw_binary(&b, "arith.minsi", old, end);
      }
      if (r == GT || r == GE || r == EQ) {
        MlirValue start = r == GT ? behind : right, old = t->lower[d].ptr ? t->lower[d] : uw_operand(t->loop, d);
        t->lower[d] = uw_binary(&b, "arith.maxsi", old, start);
      }
      return true;
    }
    MlirOperation op = uw_def(expression);
    uw_builder b = uw_at(t->loop);
    int64_t factor = 0;
    switch (uw_kind(op)) {
    case UW_OP_ARITH_EXTUI:
    case UW_OP_ARITH_INDEX_CASTUI: /* of an index: the thread's own, which is small */
      below_extension = below_extension || !mlirTypeIsAIndex(mlirValueGetType(uw_operand(op, 0)));
      /* fall through */
    case UW_OP_ARITH_EXTSI:
    case UW_OP_ARITH_INDEX_CAST: expression = uw_operand(op, 0); continue;
    case UW_OP_ARITH_ADDI:
    case UW_OP_ARITH_SUBI: {
      size_t own = is_outside(t, uw_operand(op, 0)) ? 1 : 0;
      MlirValue other = uw_operand(op, 1 - own);
      bool subtracts = uw_kind(op) == UW_OP_ARITH_SUBI;
      int64_t number;
      if (!is_outside(t, other) || (below_extension && (subtracts || (uw_const_value(other, &number) && number < 0))))
        return false;
      *bare = false;
      if (apply) {
        MlirValue amount = outside(t, other, is_signed && !below_extension);
        if (!subtracts)
          right = uw_binary(&b, "arith.subi", right, amount);
        else if (own == 0)
          right = uw_binary(&b, "arith.addi", right, amount);
        else
          right = uw_binary(&b, "arith.subi", amount, right);
      }
      if (subtracts && own == 1)
        r = flipped(r);
      expression = uw_operand(op, own);
      continue;
    }
    case UW_OP_ARITH_MULI:
      if (!uw_const_value(uw_operand(op, 1), &factor))
        return false;
      break;
    case UW_OP_ARITH_SHLI:
      if (!uw_const_value(uw_operand(op, 1), &factor) || factor < 0 || factor > 20)
        return false;
      factor = (int64_t)1 << factor;
      break;
    default: return false;
    }
    if (factor <= 0 || r == EQ)
      return false;
    if (apply)
      right = uw_binary(&b, r == LT || r == GE ? "arith.ceildivsi" : "arith.floordivsi", right, uw_const_index(&b, factor));
    expression = uw_operand(op, 0);
  }
}

/* Makes a conjunct a bound, or, without `apply`, says whether it can be one. */
static bool bound_by(tightening *t, const uw_conjunct *c, bool apply) {
  MlirOperation compare = uw_def(c->value);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI)
    return false;
  static const struct { relation is, is_not; bool is_signed, known; } meaning[] = {
      [UW_EQ] = {EQ, EQ, true, true},   [UW_NE] = {EQ, EQ, true, true},   [UW_SLT] = {LT, GE, true, true},
      [UW_SLE] = {LE, GT, true, true},  [UW_SGT] = {GT, LE, true, true},  [UW_SGE] = {GE, LT, true, true},
      [UW_ULT] = {LT, GE, false, true}, [UW_ULE] = {LE, GT, false, true}, [UW_UGT] = {GT, LE, false, true},
      [UW_UGE] = {GE, LT, false, true}};
  int64_t predicate = uw_get_int_attr(compare, "predicate", UW_EQ);
  bool is_signed = meaning[predicate].is_signed, bare;
  relation r = c->negated ? meaning[predicate].is_not : meaning[predicate].is;
  size_t own = is_outside(t, uw_operand(compare, 0)) ? 1 : 0;
  MlirValue expression = uw_operand(compare, own), other = uw_operand(compare, 1 - own);
  if (!is_outside(t, other))
    return false;
  if (own == 1)
    r = flipped(r);
  if ((predicate == UW_NE) != c->negated && (predicate == UW_NE || predicate == UW_EQ)) { /* not equal to 0 is above it */
    int64_t number;
    if (!uw_const_value(other, &number) || number != 0)
      return false;
    r = GT;
  }
  MlirValue right = {NULL};
  if (!solve(t, expression, r, right, is_signed, false, &bare))
    return false;
  /* Below zero an unsigned number, and one that is not 0, would be a large one. */
  bool may_be_below = !bare && (!is_signed || predicate == UW_NE || predicate == UW_EQ) && r != EQ;
  if (may_be_below && (r == GT || r == GE))
    return false;
  if (apply) {
    uw_builder b = uw_at(t->loop);
    solve(t, expression, r, outside(t, other, is_signed), is_signed, true, &bare);
    if (may_be_below)
      solve(t, expression, GE, uw_const_index(&b, 0), is_signed, true, &bare);
  }
  return true;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

/* The body's only operation with an effect, if it is an if as described above; null otherwise. */
static MlirOperation only_if(MlirBlock body) {
  MlirOperation found = {NULL}, none = {NULL};
  uw_foreach_op(op, body)
    if (uw_kind(op) == UW_OP_SCF_IF) {
      if (!uw_null(found) || uw_result_count(op) != 0 || uw_is_empty(uw_block(op, 0)) == uw_is_empty(uw_block(op, 1)))
        return none;
      found = op;
    }
  if (uw_null(found))
    return none;
  uw_foreach_op(op, body) {
    bool plain_load = uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op);
    if (uw_kind(op) != UW_OP_SCF_REDUCE && uw_kind(op) != UW_OP_SCF_IF && !uw_speculatable(op) &&
        !(plain_load && uw_used_only_inside(op, uw_block(found, uw_is_empty(uw_block(found, 0))))))
      return none;
  }
  return found;
}

static void set_bounds(tightening *t) {
  for (size_t d = 0; d < t->dims; d++) {
    if (t->lower[d].ptr)
      mlirOperationSetOperand(t->loop, (intptr_t)d, t->lower[d]);
    if (t->upper[d].ptr)
      mlirOperationSetOperand(t->loop, (intptr_t)(t->dims + d), t->upper[d]);
  }
}

static MlirValue all_of(uw_builder *b, const uw_guard *left) {
  MlirValue all = {NULL}, yes = uw_const_int(b, 1, 1);
  for (size_t i = 0; i < left->count; i++) {
    MlirValue value = left->at[i].negated ? uw_binary(b, "arith.xori", left->at[i].value, yes) : left->at[i].value;
    all = all.ptr ? uw_binary(b, "arith.andi", all, value) : value;
  }
  return all;
}

static bool tighten(uw_arena *arena, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  tightening t = {.arena = arena, .loop = loop, .dims = (size_t)mlirBlockGetNumArguments(body)};
  MlirOperation branch = only_if(body);
  uw_guard all = {.count = 0}, left = {.count = 0};
  if (uw_null(branch) || t.dims == 0 || t.dims > DIMS)
    return false;
  bool inverted = uw_is_empty(uw_block(branch, 0));
  if (!uw_guard_add(&all, uw_operand(branch, 0), inverted))
    return false;
  for (size_t i = 0; i < all.count; i++)
    if (!bound_by(&t, &all.at[i], false))
      left.at[left.count++] = all.at[i];
  if (left.count == all.count)
    return false;
  for (size_t i = 0; i < all.count; i++)
    bound_by(&t, &all.at[i], true);
  set_bounds(&t);
  uw_remark(mlirOperationGetLocation(branch), "tighten", "condition %s the bounds of the thread loop",
            left.count ? "in part made" : "made");
  uw_ops before = uw_block_ops(arena, body);
  for (size_t i = before.count; i-- > 0;)
    if (uw_kind(before.at[i]) == UW_OP_LLVM_LOAD && uw_used_only_inside(before.at[i], uw_block(branch, inverted)))
      uw_move_before(before.at[i], uw_first(uw_block(branch, inverted)));
  MlirOperation rest = {NULL};
  if (left.count) {
    uw_builder b = uw_at(branch);
    rest = uw_build_if(&b, all_of(&b, &left), (uw_type_list){0});
    uw_yield(uw_block(rest, 1), b.location, (uw_value_list){0});
  }
  uw_foreach_op_safe(op, uw_block(branch, inverted)) {
    if (!uw_null(rest))
      uw_move_to_end(op, uw_block(rest, 0));
    else if (uw_kind(op) != UW_OP_SCF_YIELD)
      uw_move_before(op, branch);
  }
  uw_erase(branch);
  return true;
}

uw_change uw_pass_tighten(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < loops.count; i++)
    while (uw_attr_is_str(loops.at[i], "unwarp.level", "block") && tighten(ctx->arena, loops.at[i]))
      change = UW_CHANGED;
  return change;
}
