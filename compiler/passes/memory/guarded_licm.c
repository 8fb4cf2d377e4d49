/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Moves loops that are the same for all threads out to the launch where they stand under a condition that threads
 * differ in, as the question whether a thread has an element. licm.c leaves them: if no thread passed the
 * condition, nobody would make the loop, and what it reads need not be there. So a thread of which it is known that it
 * runs is asked:
 *
 *                                              if (%first < %n) {
 *   parallel %block {                            %sum = for (%k) { … load %in[%k] … }
 *     parallel %t {                              parallel %block {
 *       if (%at < %n) {                            parallel %t {
 *         %sum = for (%k) {               ==>        if (%at < %n) { store %sum, %out[%at] } } }
 *           … load %in[%k] … }                 } else {
 *         store %sum, %out[%at] } } }            as it was }
 *
 * Those asked are the first thread of the first block and the one in the middle of the block in the middle; that one of
 * them passes is enough. Others are not looked for: where threads are left out, they are nearly always those at an end.
 *
 * A loop moves when a) it stands at the top of a branch at the top of the thread loop, or of branches in that; b) the
 * conditions of these are computed from the indices of thread and block and from what is outside of the loop over
 * blocks; c) it would read and compute the same in front of that (licm.h), and so do the operations before it
 * in the branches that it uses; d) it is not known to be short.
 *
 * Legal because the thread that passes makes the loop as written: nothing runs that the source does not, but earlier,
 * and nothing before it writes what it reads. For all others the lock-step argument of licm.c holds.
 *
 * Requires: licm.c, which moves what stands under no condition. Preserves: all else. Refuses: the rest,
 * silently; grids that a team shares (distribute_teams.c). Paper: parallel loop-invariant code motion, Figure 1, as far as the
 * condition around it. */
#include "../../analysis/thresholds.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../../transform/version.h"
#include "../../raise/raise.h"
#include "licm.h"

enum { MOST_BRANCHES = 4 };

#define DONE "unwarp.guarded" /* a grid that is done */

typedef struct branch {
  MlirOperation op;
  unsigned arm;
} branch;

typedef struct guarded {
  uw_arena *arena;
  uw_effects *effects;
  MlirOperation grid, threads;
  branch branches[MOST_BRANCHES]; /* from the outermost on */
  size_t depth;
  uw_ops moves;      /* in order */
  uw_table *behind;  /* how many of `before` stand before each, plus 1 */
  uw_table *outside; /* the same */
  uw_table *askable; /* values that can_ask has found to be so */
  uw_accesses before;
} guarded;

/* --- which -------------------------------------------------------------------------------------------------------- */

static bool is_index_of(MlirOperation loop, MlirValue value) {
  return mlirValueIsABlockArgument(value) && mlirBlockEqual(uw_value_block(value), uw_block(loop, 0));
}

static bool stays(const void *of, MlirValue value) { return !uw_defined_inside(value, ((const guarded *)of)->grid); }

/* Can the value be computed for another thread, in front of the grid? What may trap does so where each thread makes it,
 * at the top. */
static bool can_ask(const guarded *g, MlirValue value) {
  if (stays(g, value) || is_index_of(g->grid, value) || is_index_of(g->threads, value) ||
      uw_table_get(g->askable, value.ptr))
    return true;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_region_count(op) != 0)
    return false;
  bool at_top = mlirBlockEqual(uw_value_block(value), uw_block(g->grid, 0)) ||
                mlirBlockEqual(uw_value_block(value), uw_block(g->threads, 0));
  if (!uw_speculatable(op) && !(at_top && uw_effect_free(op)))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!can_ask(g, uw_operand(op, i)))
      return false;
  uw_table_set(g->askable, value.ptr, 1);
  return true;
}

/* From 0 by 1, to what can be computed in front of the grid. */
static bool counts(const guarded *g, MlirOperation loop) {
  size_t dims = uw_dims(loop);
  int64_t lower, step;
  for (size_t d = 0; d < dims; d++)
    if (!uw_const_value(uw_lower_of(loop, d), &lower) || lower != 0 || !uw_const_value(uw_step_of(loop, d), &step) ||
        step != 1 || !can_ask(g, uw_upper_of(loop, d)))
      return false;
  return true;
}

/* d) */
static bool is_long(MlirOperation op, int64_t iterations) {
  if (uw_kind(op) == UW_OP_SCF_WHILE)
    return true;
  if (uw_kind(op) == UW_OP_SCF_FOR) {
    int64_t bounds[3];
    for (size_t i = 0; i < 3; i++)
      if (!uw_const_value(uw_operand(op, i), &bounds[i]))
        return true;
    iterations *= bounds[2] > 0 && bounds[1] > bounds[0] ? (bounds[1] - bounds[0] - 1) / bounds[2] + 1 : 1;
    if (iterations > UW_GUARDED_SHORT)
      return true;
  }
  for (intptr_t r = 0; r < uw_region_count(op); r++)
    if (!mlirBlockIsNull(uw_block(op, (unsigned)r)))
      uw_foreach_op (inner, uw_block(op, (unsigned)r))
        if (uw_is_loop_or_choice(inner) && is_long(inner, iterations))
          return true;
  return false;
}

static void note(guarded *g, MlirOperation op) {
  if (!uw_is_block_mark(op))
    uw_effects_inside(g->effects, op, &g->before);
}

static bool look_into(guarded *g, MlirBlock block);

/* Is there a loop that moves in one of the arms? */
static bool look_at_branch(guarded *g, MlirOperation op) {
  size_t known = g->before.count, moves = g->moves.count;
  if (uw_kind(op) != UW_OP_SCF_IF || g->depth == MOST_BRANCHES || !can_ask(g, uw_operand(op, 0)))
    return false;
  for (unsigned arm = 0; arm < 2; arm++) {
    g->branches[g->depth++] = (branch){op, arm};
    if (!mlirBlockIsNull(uw_block(op, arm)) && look_into(g, uw_block(op, arm)))
      return true;
    g->depth--;
    for (; g->moves.count > moves; g->moves.count--)
      uw_table_set(g->outside, g->moves.at[g->moves.count - 1].ptr, 0);
    g->before.count = known;
  }
  return false;
}

static bool look_into(guarded *g, MlirBlock block) {
  bool found = false, at_top = g->depth == 0;
  uw_foreach_op (op, block) {
    uw_accesses reads = {0};
    if (uw_same_op(op, uw_last(block)))
      break;
    if (!at_top && uw_same_in_front(g->arena, g->effects, op, g->grid, g->outside, &g->before, &reads)) {
      uw_ops_push(g->arena, &g->moves, op);
      uw_table_set(g->behind, op.ptr, (intptr_t)g->before.count + 1);
      uw_table_set(g->outside, op.ptr, 1);
      found = found || is_long(op, 1);
      continue;
    }
    if (!found && look_at_branch(g, op))
      return true;
    note(g, op);
  }
  return found;
}

static bool find(guarded *g) {
  if (!counts(g, g->grid) || !counts(g, g->threads))
    return false;
  for (MlirOperation op = uw_first(uw_block(g->grid, 0)); !uw_same_op(op, g->threads); op = uw_next(op))
    note(g, op);
  return look_into(g, uw_block(g->threads, 0));
}

/* --- the two versions --------------------------------------------------------------------------------------------- */

static void choose(uw_builder *b, uw_map *map, MlirOperation loop, bool middle) {
  for (size_t d = 0; d < uw_dims(loop); d++) {
    MlirValue extent = uw_map_or_same(map, uw_upper_of(loop, d)), step = uw_map_or_same(map, uw_step_of(loop, d));
    MlirValue half = middle ? uw_binary(b, "arith.divui", extent, uw_const_index(b, 2)) : uw_const_index(b, 0);
    int64_t one;
    bool by_ones = uw_const_value(step, &one) && one == 1;
    MlirValue whole =
        by_ones || !middle ? half : uw_binary(b, "arith.muli", uw_binary(b, "arith.divui", half, step), step);
    uw_map_set(map, mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)d), whole);
  }
}

/* Does that thread run, and pass all conditions? A slice of a block may be empty (distribute_blocks.c). */
static MlirValue ask(const guarded *g, uw_builder *b, bool middle) {
  const uw_again again = {stays, g, false};
  uw_map *map = uw_map_create(g->arena);
  MlirValue runs = {NULL}, passes = {NULL};
  choose(b, map, g->grid, middle);
  for (size_t d = 0; d < uw_dims(g->threads); d++)
    runs = uw_and(
        b, runs,
        uw_compare(b, UW_SGT, uw_compute_again(b, &again, uw_upper_of(g->threads, d), map), uw_const_index(b, 0)));
  uw_builder in;
  MlirOperation asked = uw_begin_question(b, runs, &in);
  choose(&in, map, g->threads, middle);
  for (size_t i = 0; i < g->depth; i++) {
    MlirValue condition = uw_compute_again(&in, &again, uw_operand(g->branches[i].op, 0), map);
    if (g->branches[i].arm == 1)
      condition = uw_binary(&in, "arith.xori", condition, uw_const_int(&in, 1, 1));
    /* A choice, as what a thread outside of the first branch computes for the second one may be poison. */
    passes = passes.ptr ? uw_select(&in, passes, condition, uw_const_int(&in, 1, 0)) : condition;
  }
  return uw_end_question(asked, &in, passes);
}

static void say_moved(const guarded *g, MlirOperation op) {
  uw_accesses reads = {0}, before = {.at = g->before.at, .count = (size_t)uw_table_get(g->behind, op.ptr) - 1};
  uw_effects_inside(g->effects, op, &reads);
  uw_remark(mlirOperationGetLocation(op), "licm",
            "loop moved out of a condition and of the loop over blocks, to the launch, where the first or the "
            "middle thread passes it: %s",
            uw_why_unwritten(g->effects, &before, &reads, "before it"));
}

static void make_versions(guarded *g) {
  uw_builder b = uw_at(g->grid);
  MlirValue first = ask(g, &b, false);
  uw_set_attr(g->grid, DONE, mlirUnitAttrGet(b.context));
  uw_make_versions(g->arena, &b, .asked = uw_binary(&b, "arith.ori", first, ask(g, &b, true)), .first = g->grid);
  for (size_t i = 0; i < g->moves.count; i++) {
    if (is_long(g->moves.at[i], 1))
      say_moved(g, g->moves.at[i]);
    uw_move_before(g->moves.at[i], g->grid);
  }
}

static bool move_out(uw_arena *arena, MlirOperation threads) {
  MlirOperation grid = uw_parent(threads);
  if (!uw_is_over(grid, UW_OVER_BLOCKS) || !mlirAttributeIsNull(uw_get_attr(grid, DONE)) ||
      !mlirAttributeIsNull(uw_get_attr(grid, UW_TEAM)))
    return false;
  guarded g = {.arena = arena,
               .effects = uw_effects_of(arena, threads),
               .grid = grid,
               .threads = threads,
               .behind = uw_table_create(arena),
               .outside = uw_table_create(arena),
               .askable = uw_table_create(arena)};
  bool found = find(&g);
  if (found)
    make_versions(&g);
  return found;
}

uw_change uw_move_out_of_guards(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_over(arena, root, UW_OVER_THREADS), move_out);
}
