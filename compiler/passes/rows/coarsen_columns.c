/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes neighbouring blocks of a column of the grid together, where blocks share nothing and add up products: their rows
 * of threads read the same in each iteration, which is then loaded once for several of them (unroll_and_jam.c), and copied once
 * for all (tile_and_pack.c). Or where neighbours of a row of threads take an element of another row of memory each, as
 * in a transposition: those below them take the next elements of the same lines. That is how groups of a SYCL range,
 * rows of 256 items, get their shape.
 *
 *   parallel %b to %blocks {                            parallel %s to %stacks {
 *     %bx = %b mod %gx; %by = …                           %bx, %by: of the uppermost block of the stack
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
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "slice.h"
#include "coarsen_rows.h"

enum { DIMS = 3, MARK_OPERAND = 1 };

typedef struct stack {
  uw_grid_row of;
  MlirOperation threads;
  MlirValue row;         /* of the grid, counted through its layers */
  MlirValue block, down; /* index of the block in its column, and how many that has */
  MlirValue count;       /* rows of threads of a block */
  bool columns;          /* a straight line that takes elements of columns */
} stack;

/* row = layer * down + block: all that it is used for. */
static bool read_column(stack *s) {
  for (MlirOpOperand use = mlirValueGetFirstUse(s->of.number); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) != UW_OP_ARITH_DIVUI)
      continue;
    if (s->row.ptr)
      return false;
    s->row = uw_result(user, 0);
  }
  if (!s->row.ptr)
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(s->row); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_block = uw_kind(user) == UW_OP_ARITH_REMUI;
    if ((!is_block && uw_kind(user) != UW_OP_ARITH_DIVUI) || !uw_same(uw_operand(user, 0), s->row) ||
        uw_defined_inside(uw_operand(user, 1), s->of.grid) || (is_block && s->block.ptr) ||
        (s->down.ptr && !uw_same(s->down, uw_operand(user, 1))))
      return false;
    s->down = uw_operand(user, 1);
    if (is_block)
      s->block = uw_result(user, 0);
  }
  return s->block.ptr;
}

/* The block's rows where a slice has a part of them: its first one is rows * slice / slices. */
static MlirValue rows_of_slices(const stack *s, MlirValue thread) {
  MlirOpOperand use = mlirValueGetFirstUse(thread);
  MlirOperation sum = mlirOpOperandIsNull(use) ? (MlirOperation){NULL} : mlirOpOperandGetOwner(use);
  MlirValue none = {NULL};
  if (uw_kind(sum) != UW_OP_ARITH_ADDI || mlirAttributeIsNull(uw_get_attr(sum, UW_SLICED)) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return none;
  MlirOperation first = uw_def(uw_operand(sum, 0)), product = {NULL};
  if (uw_kind(first) == UW_OP_ARITH_DIVUI)
    product = uw_def(uw_operand(first, 0));
  if (uw_kind(product) != UW_OP_ARITH_MULI)
    return none;
  for (size_t i = 0; i < 2; i++)
    if (!uw_defined_inside(uw_operand(product, i), s->of.grid) &&
        uw_defined_inside(uw_operand(product, 1 - i), s->of.grid))
      return uw_operand(product, i);
  return none;
}

static bool is_zero(MlirValue value) {
  int64_t number;
  return uw_const_value(value, &number) && number == 0;
}

static bool match(uw_arena *arena, MlirOperation grid, stack *s) {
  if (!uw_shares_nothing(arena, grid, &s->of, &s->threads) || uw_dims(s->threads) != DIMS ||
      !is_zero(uw_lower_of(s->threads, 1)) || !read_column(s))
    return false;
  s->columns = uw_goes_down_columns(arena, s->threads);
  if (!s->columns && uw_collect_kind(arena, s->threads, UW_OP_SCF_FOR).count == 0)
    return false;
  MlirOperation made = uw_def(uw_operand(s->of.mark, MARK_OPERAND));
  if (uw_kind(made) != UW_OP_ARITH_INDEX_CAST || !uw_same(uw_operand(made, 0), s->of.number))
    return false;
  MlirValue thread = mlirBlockGetArgument(uw_block(s->threads, 0), 1), slice = {NULL};
  s->count = uw_upper_of(s->threads, 1);
  if (uw_defined_inside(s->count, grid)) {
    slice = s->count;
    s->count = s->of.slices.ptr ? rows_of_slices(s, thread) : (MlirValue){NULL};
  }
  return s->count.ptr && uw_used_together(arena, grid, s->block, thread, s->count, slice);
}

static MlirValue with(uw_builder *b, const char *name, MlirValue left, int64_t right) {
  return uw_binary(b, name, left, uw_const_index(b, right));
}

/* How many blocks of a row strips will take together, which comes first where blocks are few: vectors of a row share
 * more than rows do. */
static MlirValue left_along(uw_builder *b, const stack *s) {
  MlirValue width = uw_upper_of(s->threads, DIMS - 1);
  if (uw_kind(uw_def(width)) == UW_OP_ARITH_MINUI && !mlirAttributeIsNull(uw_get_attr(uw_def(width), UW_SLICED)) &&
      uw_kind(uw_def(uw_operand(uw_def(width), 1))) == UW_OP_ARITH_SUBI) /* a slice's: of the columns, what is left */
    width = uw_operand(uw_def(uw_operand(uw_def(width), 1)), 0);
  if (uw_defined_inside(width, s->of.grid))
    return uw_const_index(b, 1);
  MlirValue fit = uw_binary(b, "arith.divui", uw_const_index(b, UW_PRODUCT_THREADS), width);
  return with(b, "arith.maxui", uw_binary(b, "arith.minui", fit, s->of.along), 1);
}

/* How many blocks to take together, before the grid. */
static MlirValue choose(uw_builder *b, const stack *s, MlirValue whole) {
  MlirValue most_rows = uw_const_index(b, s->columns ? UW_COLUMN_ROWS : UW_STACKED_ROWS);
  MlirValue most = with(b, "arith.maxui", uw_binary(b, "arith.divui", most_rows, s->count), 1);
  MlirValue rows = uw_binary(b, "arith.muli", s->down, s->count), one = uw_const_index(b, 1);
  MlirValue fits = uw_compare(b, UW_ULE, rows, uw_const_index(b, INT32_MAX - UW_LONGEST_STEP));
  most = uw_select(b, whole.ptr ? uw_binary(b, "arith.andi", fits, whole) : fits, most, one);
  MlirValue along = left_along(b, s);
  uw_grid_row both = s->of;
  both.along = uw_binary(b, "arith.muli", s->down, along);
  MlirValue each = uw_blocks_together(b, &both, uw_binary(b, "arith.muli", most, along));
  return with(b, "arith.maxui", uw_binary(b, "arith.divui", each, along), 1);
}

/* The row of the grid that a stack begins with. */
static MlirValue place_row(uw_builder *b, stack *s, MlirValue each, MlirValue stacks, MlirValue *start) {
  MlirValue number = uw_binary(b, "arith.divui", s->of.number, s->of.along);
  *start = uw_binary(b, "arith.muli", uw_binary(b, "arith.remui", number, stacks), each);
  MlirValue layer = uw_binary(b, "arith.divui", number, stacks);
  return uw_binary(b, "arith.addi", uw_binary(b, "arith.muli", layer, s->down), *start);
}

/* For messages: the first block, or one below it. */
static void place_mark(stack *s, MlirValue each, MlirValue row) {
  MlirOperation mark = s->of.mark, made = uw_def(uw_operand(mark, MARK_OPERAND));
  uw_builder b = uw_at(made);
  MlirValue along = uw_binary(&b, "arith.remui", s->of.number, s->of.along);
  MlirValue first = uw_binary(&b, "arith.addi", uw_binary(&b, "arith.muli", row, s->of.along), along);
  mlirOperationSetOperand(made, 0, first);
  b = uw_at(mark);
  MlirValue alone = uw_compare(&b, UW_EQ, each, uw_const_index(&b, 1));
  MlirValue below = uw_select(&b, alone, uw_const_int(&b, 64, 0), uw_const_int(&b, 64, (int64_t)UWRT_BLOCK_OR_BELOW));
  mlirOperationSetOperand(mark, MARK_OPERAND, uw_binary(&b, "arith.ori", uw_operand(mark, MARK_OPERAND), below));
}

static void take_together(stack *s) {
  uw_builder b = uw_at(s->of.grid);
  MlirValue one = uw_const_index(&b, 1), none = {NULL};
  MlirValue whole = s->of.slices.ptr ? uw_compare(&b, UW_EQ, s->of.slices, one) : none;
  MlirValue each = choose(&b, s, whole), stacks = uw_binary(&b, "arith.ceildivui", s->down, each);
  MlirValue rows = uw_binary(&b, "arith.divui", uw_upper_of(s->of.grid, 0), s->down);
  uw_set_upper(s->of.grid, 0, uw_binary(&b, "arith.muli", rows, stacks));
  b = uw_at(uw_def(s->row));
  MlirValue start, row = place_row(&b, s, each, stacks, &start);
  uw_replace_uses(s->row, row);
  place_mark(s, each, row);
  b = uw_at(s->threads);
  MlirValue blocks = uw_binary(&b, "arith.minui", each, uw_binary(&b, "arith.subi", s->down, start));
  MlirValue all = uw_binary(&b, "arith.muli", blocks, s->count);
  uw_set_range(s->threads, 1,
               (uw_range){.upper = whole.ptr ? uw_select(&b, whole, all, uw_upper_of(s->threads, 1)) : all});
}

static bool stack_blocks(uw_arena *arena, MlirOperation grid) {
  stack s = {.threads = {NULL}};
  if (!match(arena, grid, &s))
    return false;
  take_together(&s);
  uw_erase(uw_def(s.row));
  uw_remark(mlirOperationGetLocation(s.threads), "coarsen-columns",
            "blocks share nothing and %s: neighbours in a column run together, as one block of more rows",
            s.columns ? "take elements of columns" : "add up products");
  return true;
}

uw_change uw_pass_coarsen_columns(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL), stack_blocks);
}
