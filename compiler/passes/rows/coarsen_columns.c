/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes neighbouring blocks of a column of the grid together, where blocks share nothing and add up products: their rows
 * of threads read the same in each iteration, which is then loaded once for several of them (unroll_and_jam.c), and copied once
 * for all (tile_and_pack.c). Or where neighbours of a row of threads take an element of another row of memory each, as
 * in a transposition: those below them take the next elements of the same lines. That is how groups of a SYCL range,
 * rows of 256 items, get their shape.
 *
 *   grid (%bz, %by, %bx) to (%gz, %gy, %gx) {           grid (%bz, %by, %bx) to (%gz, %gy, %gx) step (1, %each, 1) {
 *     parallel (%z, %y, %x) to (%nz, %ny, %nx) {   ==>    parallel (%z, %y, %x) to (%nz, %ny * blocks of the stack, %nx) {
 *       … %by * %ny + %y … } }                              … %by * %ny + %y … } }
 *
 * It is what coarsen_rows.c does along a row, which does it to the stacks after that.
 *
 * Done when a) the block is what strips takes, with a loop in which each thread adds up products, or a straight line
 * with an access that goes down columns (uw_goes_down_columns); b) %by and %y are used only in sums in which one comes
 * with %ny times the factor of the other. Blocks in slices (distribute_blocks.c) are taken together where each is one slice. A
 * stack has UW_STACKED_ROWS rows at most (UW_COLUMN_ROWS), and there are as many stacks as keep all workers busy.
 *
 * Legal because nothing orders one block before another. Requires: barriers lowered. Preserves: what each thread does.
 * Refuses: all else, silently. */
#include "../../../runtime/uwrt.h"
#include "../../analysis/thresholds.h"
#include "../../ir/block_numbers.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../ir/slices.h"
#include "../../transform/loop_ranges.h"
#include "coarsen_rows.h"

enum { DIMS = 3 };

typedef struct stack {
  uw_grid_row of;
  MlirOperation threads;
  MlirValue block, down; /* index of the block in its column, and how many that has */
  MlirValue count;       /* rows of threads of a block */
  bool columns;          /* a straight line that takes elements of columns */
} stack;

static bool match(uw_arena *arena, MlirOperation grid, stack *s) {
  if (!uw_shares_nothing(arena, grid, &s->of, &s->threads) || uw_dims(s->threads) != DIMS ||
      !uw_is_zero(uw_lower_of(s->threads, 1)))
    return false;
  s->block = uw_grid_index(grid, UW_GRID_Y);
  s->down = uw_grid_extent(grid, UW_GRID_Y);
  if (!s->block.ptr || !uw_is_asked_for(s->block) || !uw_are_blocks_single(grid, UW_GRID_Y))
    return false;
  s->columns = uw_goes_down_columns(arena, s->threads);
  if (!s->columns && uw_collect_kind(arena, s->threads, UW_OP_SCF_FOR).count == 0)
    return false;
  MlirValue thread = mlirBlockGetArgument(uw_block(s->threads, 0), 1), slice = {NULL};
  s->count = uw_extent_in_block(s->threads, 1);
  if (!uw_same(s->count, uw_upper_of(s->threads, 1))) {
    slice = uw_upper_of(s->threads, 1);
    if (!uw_is_only_for_slice(thread))
      return false;
  }
  return !uw_defined_inside(s->count, grid) && uw_used_together(arena, grid, s->block, thread, s->count, slice);
}

/* How many blocks of a row strips will take together, which comes first where blocks are few: vectors of a row share
 * more than rows do. */
static MlirValue left_along(uw_builder *b, const stack *s) {
  MlirValue width = uw_extent_in_block(s->threads, DIMS - 1);
  if (uw_defined_inside(width, s->of.grid))
    return uw_const_index(b, 1);
  MlirValue fit = uw_binary(b, "arith.divui", uw_const_index(b, UW_PRODUCT_THREADS), width);
  return uw_with(b, "arith.maxui", uw_binary(b, "arith.minui", fit, s->of.along), 1);
}

/* How many blocks to take together, before the grid. */
static MlirValue choose(uw_builder *b, const stack *s, MlirValue whole) {
  MlirValue most_rows = uw_const_index(b, s->columns ? UW_COLUMN_ROWS : UW_STACKED_ROWS);
  MlirValue most = uw_with(b, "arith.maxui", uw_binary(b, "arith.divui", most_rows, s->count), 1);
  MlirValue rows = uw_binary(b, "arith.muli", s->down, s->count), one = uw_const_index(b, 1);
  MlirValue fits = uw_compare(b, UW_ULE, rows, uw_const_index(b, INT32_MAX - UW_LONGEST_STEP));
  most = uw_select(b, whole.ptr ? uw_binary(b, "arith.andi", fits, whole) : fits, most, one);
  MlirValue along = left_along(b, s);
  uw_grid_row both = s->of;
  both.along = uw_binary(b, "arith.muli", s->down, along);
  MlirValue each = uw_blocks_together(b, &both, uw_binary(b, "arith.muli", most, along));
  return uw_with(b, "arith.maxui", uw_binary(b, "arith.divui", each, along), 1);
}

static void take_together(stack *s) {
  uw_builder b = uw_at(s->of.grid);
  MlirValue one = uw_const_index(&b, 1), none = {NULL};
  MlirValue whole = s->of.slices.ptr ? uw_compare(&b, UW_EQ, s->of.slices, one) : none;
  MlirValue each = choose(&b, s, whole);
  uw_set_loop_bound(s->of.grid, UW_STEP, (size_t)uw_grid_dim_of(s->of.grid, UW_GRID_Y), each);
  uw_mark_together(s->of.mark, each, UWRT_BLOCK_OR_BELOW);
  b = uw_at(s->threads);
  MlirValue blocks = uw_binary(&b, "arith.minui", each, uw_binary(&b, "arith.subi", s->down, s->block));
  MlirValue all = uw_binary(&b, "arith.muli", blocks, s->count);
  uw_set_range(s->threads, 1,
               (uw_range){.upper = whole.ptr ? uw_select(&b, whole, all, uw_upper_of(s->threads, 1)) : all});
}

static bool stack_blocks(uw_arena *arena, MlirOperation grid) {
  stack s = {.threads = {NULL}};
  if (!match(arena, grid, &s))
    return false;
  take_together(&s);
  uw_remark(mlirOperationGetLocation(s.threads), "coarsen-blocks",
            "blocks share nothing and %s: neighbours in a column run together, as one block of more rows",
            s.columns ? "take elements of columns" : "add up products");
  return true;
}

uw_change uw_coarsen_columns(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_kind(arena, root, UW_OP_SCF_FORALL), stack_blocks);
}
