/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Brings a while into the form that tests at the top: lifting branches to structure leaves the body in the
 * condition's region, under an if that decides the same as the condition.
 *
 *   while (%a) {                                        while (%a) {
 *     %stop = cmp eq %a, %n                               %more = cmp ne %a, %n
 *     %more = cmp ne %a, %n                               condition(%more) %a
 *     %r = if %stop { yield %x }              ==>       } do (%b) {
 *          else { body; yield %y }                        body; yield %y
 *     condition(%more) %r                               }        results: %x
 *   } do (%b) { yield %b }
 *
 * Holds when a) the if's condition is the while's, or its opposite; b) the arm that leaves the loop, and what
 * stands between the if and the condition, is pure. Then the values of the leaving arm are computed before the
 * test, those of the other arm after it.
 *
 * A loop that is left for several reasons has its body under ifs in ifs. These count as one where the while's
 * condition is the conjunction of theirs, the same values, none more and none less; they have no results and nothing
 * to do where their condition does not hold; and each holds nothing with an effect but the next. if-convert makes the
 * conjunction.
 *
 * Requires: if-convert, for such loops. Preserves: order of effects. Refuses (leaves as it is): all else. */
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "../rows/guard.h"

enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

static MlirValue argument(MlirBlock block, size_t index) { return mlirBlockGetArgument(block, (intptr_t)index); }

static bool opposite(MlirValue a, MlirValue b) {
  static const int inverse[] = {NE, EQ, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT};
  MlirOperation left = uw_def(a), right = uw_def(b);
  if (uw_kind(left) == UW_OP_ARITH_CMPI && uw_kind(right) == UW_OP_ARITH_CMPI)
    return uw_same(uw_operand(left, 0), uw_operand(right, 0)) && uw_same(uw_operand(left, 1), uw_operand(right, 1)) &&
           inverse[uw_get_int_attr(left, "predicate", EQ)] == (int)uw_get_int_attr(right, "predicate", EQ);
  int64_t one;
  for (int turn = 0; turn < 2; turn++) {
    MlirOperation op = turn ? right : left;
    if (uw_kind(op) == UW_OP_ARITH_XORI && uw_same(uw_operand(op, 0), turn ? a : b) &&
        uw_const_value(uw_operand(op, 1), &one) && one != 0)
      return true;
  }
  return false;
}

typedef struct shape {
  MlirOperation loop, choice; /* the while and the if in its condition's region */
  MlirOperation inner;        /* the innermost of ifs in ifs, which holds the body; or the if itself */
  MlirBlock stays, leaves;    /* arms of the if; leaves may be null */
  MlirOperation test;         /* computes the while's condition, if it stands behind the if */
} shape;

static bool pure(MlirOperation op) { return uw_clonable(op) && uw_kind(op) != UW_OP_LLVM_LOAD; }

static bool all_pure(MlirBlock block) {
  if (mlirBlockIsNull(block))
    return true;
  MlirOperation last = uw_last(block);
  uw_foreach_op (op, block)
    if (!uw_same_op(op, last) && !pure(op))
      return false;
  return true;
}

/* Is everything that has to hold for the one guard part of the other? */
static bool covers(const uw_guard *all, const uw_guard *some) {
  for (size_t i = 0; i < some->count; i++) {
    bool found = false;
    for (size_t k = 0; k < all->count && !found; k++)
      found = uw_same(all->at[k].value, some->at[i].value) && all->at[k].negated == some->at[i].negated;
    if (!found)
      return false;
  }
  return true;
}

/* The if that is all that the block does; null if there is none. */
static MlirOperation only_if(MlirBlock block) {
  MlirOperation found = {NULL}, last = uw_last(block);
  uw_foreach_op (op, block) {
    if (pure(op) || uw_same_op(op, last))
      continue;
    if (!uw_null(found) || uw_kind(op) != UW_OP_SCF_IF)
      return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

/* The innermost of ifs in ifs, from s->choice on, whose conditions together are the one with which the loop goes on. */
static bool find_inner(shape *s, MlirValue goes_on) {
  uw_guard wanted = {0}, given = {0};
  if (!uw_guard_add(&wanted, goes_on, false))
    return false;
  for (s->inner = s->choice; !uw_null(s->inner); s->inner = only_if(uw_block(s->inner, 0))) {
    if (uw_result_count(s->inner) > 0 || !uw_is_empty(uw_block(s->inner, 1)) ||
        !uw_guard_add(&given, uw_operand(s->inner, 0), false) || !covers(&wanted, &given))
      return false;
    if (covers(&given, &wanted))
      return true;
  }
  return false;
}

/* Puts what the inner if holds in its place, and so on outwards. */
static void join_ifs(shape *s) {
  while (!uw_same_op(s->inner, s->choice)) {
    MlirOperation outer = uw_parent(s->inner), yield = uw_last(uw_block(s->inner, 0));
    uw_foreach_op_safe (op, uw_block(s->inner, 0))
      if (!uw_same_op(op, yield))
        uw_move_before(op, s->inner);
    uw_erase(s->inner);
    s->inner = outer;
  }
}

static bool match(MlirOperation loop, shape *s) {
  *s = (shape){.loop = loop};
  MlirBlock before = uw_block(loop, 0);
  MlirOperation condition = uw_last(before);
  MlirValue goes_on = uw_operand(condition, 0);
  uw_foreach_op (op, before) { /* the last operation that is not pure */
    if (uw_kind(op) == UW_OP_SCF_IF)
      s->choice = op;
    else if (!uw_same_op(op, condition) && !pure(op))
      s->choice = (MlirOperation){NULL};
  }
  if (uw_null(s->choice))
    return false;
  MlirValue chooses = uw_operand(s->choice, 0);
  bool same = uw_same(chooses, goes_on);
  s->inner = s->choice;
  if (!same && !opposite(chooses, goes_on)) {
    if (!find_inner(s, goes_on))
      return false;
    same = true;
  }
  s->stays = uw_block(s->choice, same ? 0 : 1);
  s->leaves = uw_block(s->choice, same ? 1 : 0);
  if (mlirBlockIsNull(s->stays) || !all_pure(s->leaves))
    return false;
  if (uw_null(uw_def(goes_on)) || uw_inside(uw_def(goes_on), s->choice))
    return false;
  for (MlirOperation op = uw_next(s->choice); !uw_null(op); op = uw_next(op)) {
    for (size_t i = 0; i < uw_operand_count(uw_def(goes_on)); i++)
      if (uw_same_op(uw_def(uw_operand(uw_def(goes_on), i)), op))
        return false;
    if (uw_same_op(op, uw_def(goes_on)))
      s->test = op;
  }
  return true;
}

/* Pushes the values of the condition's region that op, at any depth, uses: they have to be handed to the body. */
static void find_uses(uw_arena *arena, MlirBlock before, MlirOperation op, uw_vals *found) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (mlirBlockEqual(uw_value_block(uw_operand(op, i)), before))
      uw_vals_push_new(arena, found, uw_operand(op, i));
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      uw_foreach_op (inner, block)
        find_uses(arena, before, inner, found);
}

/* Does value, one of the condition's region, come from the if? Such values are made anew on each side of the test. */
static bool from_choice(const shape *s, const uw_table *after, MlirValue value) {
  MlirOperation def = uw_def(value);
  return !uw_null(def) && (uw_same_op(def, s->choice) || uw_table_get(after, def.ptr));
}

static void rebuild(uw_arena *arena, shape *s) {
  MlirOperation loop = s->loop;
  MlirBlock before = uw_block(loop, 0), after = uw_block(loop, 1);
  MlirOperation condition = uw_last(before), yield = uw_last(after);
  size_t carried = uw_operand_count(loop), results = uw_result_count(loop);
  if (!uw_null(s->test))
    uw_move_before(s->test, s->choice);
  join_ifs(s);
  uw_table *beyond = uw_table_create(arena); /* what stands between the if and the condition */
  uw_ops post = {0};
  for (MlirOperation op = uw_next(s->choice); !uw_same_op(op, condition); op = uw_next(op)) {
    uw_ops_push(arena, &post, op);
    uw_table_set(beyond, op.ptr, 1);
  }

  /* What the body needs from the condition's region. */
  uw_vals all = {0}, needed = {0};
  uw_foreach_op (op, s->stays)
    find_uses(arena, before, op, &all);
  for (size_t i = 0; i < post.count; i++)
    find_uses(arena, before, post.at[i], &all);
  for (size_t j = 0; j < results; j++)
    if (mlirBlockEqual(uw_value_block(uw_operand(condition, j + 1)), before))
      uw_vals_push_new(arena, &all, uw_operand(condition, j + 1));
  for (size_t i = 0; i < all.count; i++)
    if (!from_choice(s, beyond, all.at[i]))
      uw_vals_push(arena, &needed, all.at[i]);

  uw_builder b = uw_at(loop);
  uw_vals inits = {0}, forwarded = {0}, next = {0};
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(arena, &inits, uw_operand(loop, i));
  MlirType *types = uw_alloc(arena, (results + needed.count + 1) * sizeof *types);
  for (size_t j = 0; j < results; j++)
    types[j] = mlirValueGetType(uw_result(loop, j));
  for (size_t i = 0; i < needed.count; i++)
    types[results + i] = mlirValueGetType(needed.at[i]);
  MlirOperation copy = uw_build_while(&b, VALS_OF(inits), (uw_type_list){types, results + needed.count});
  MlirBlock copy_before = uw_block(copy, 0), copy_after = uw_block(copy, 1);

  /* The body: the arm that stays, what stands behind the if, the old body. */
  uw_map *inner = uw_map_create(arena);
  MlirOperation stays_yield = uw_last(s->stays);
  uw_foreach_op_safe (op, s->stays)
    if (!uw_same_op(op, stays_yield))
      uw_move_to_end(op, copy_after);
  for (size_t k = 0; k < uw_result_count(s->choice); k++)
    uw_map_set(inner, uw_result(s->choice, k), uw_operand(stays_yield, k));
  uw_builder end = {b.context, b.location, copy_after, {NULL}};
  for (size_t i = 0; i < post.count; i++)
    uw_clone(&end, post.at[i], inner);
  for (size_t j = 0; j < results; j++)
    uw_replace_uses(argument(after, j), uw_map_or_same(inner, uw_operand(condition, j + 1)));
  uw_foreach_op_safe (op, after)
    if (!uw_same_op(op, yield))
      uw_move_to_end(op, copy_after);
  for (size_t i = 0; i < carried; i++)
    uw_vals_push(arena, &next, uw_operand(yield, i));
  uw_yield(copy_after, b.location, VALS_OF(next));
  for (size_t i = 0; i < needed.count; i++)
    uw_replace_uses_inside(needed.at[i], argument(copy_after, results + i), uw_last(copy_after));
  uw_foreach_op (op, copy_after)
    for (size_t i = 0; i < needed.count; i++)
      uw_replace_uses_inside(needed.at[i], argument(copy_after, results + i), op);

  /* The test: what stood before the if, the values with which the loop is left. */
  uw_map *leaving = uw_map_create(arena);
  uw_foreach_op_safe (op, before) {
    if (uw_same_op(op, s->choice))
      break;
    uw_move_to_end(op, copy_before);
  }
  if (!mlirBlockIsNull(s->leaves)) {
    MlirOperation leaves_yield = uw_last(s->leaves);
    uw_foreach_op_safe (op, s->leaves)
      if (!uw_same_op(op, leaves_yield))
        uw_move_to_end(op, copy_before);
    for (size_t k = 0; k < uw_result_count(s->choice); k++)
      uw_map_set(leaving, uw_result(s->choice, k), uw_operand(leaves_yield, k));
  }
  uw_builder test = {b.context, b.location, copy_before, {NULL}};
  for (size_t i = 0; i < post.count; i++)
    uw_clone(&test, post.at[i], leaving);
  uw_vals_push(arena, &forwarded, uw_operand(condition, 0));
  for (size_t j = 0; j < results; j++)
    uw_vals_push(arena, &forwarded, uw_map_or_same(leaving, uw_operand(condition, j + 1)));
  for (size_t i = 0; i < needed.count; i++)
    uw_vals_push(arena, &forwarded, needed.at[i]);
  uw_build(&test, "scf.condition", .in = VALS_OF(forwarded));
  for (size_t i = 0; i < carried; i++)
    uw_replace_uses(argument(before, i), argument(copy_before, i));
  for (size_t j = 0; j < results; j++)
    uw_replace_uses(uw_result(loop, j), uw_result(copy, j));
  uw_erase(loop);
}

uw_change uw_pass_normalize_while(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_WHILE);
  for (size_t i = loops.count; i-- > 0;) {
    shape s;
    if (!match(loops.at[i], &s))
      continue;
    rebuild(ctx->arena, &s);
    change = UW_CHANGED;
  }
  return change;
}
