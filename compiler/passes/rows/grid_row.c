/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbouring blocks of a row of the grid: see grid_row.h. */
#include "grid_row.h"

#include "../../analysis/thresholds.h"
#include "../../../runtime/uwrt.h"
#include "../../ir/block_numbers.h"
#include "../../ir/parallel.h"

enum { MARK_OPERAND = 1 };

bool uw_grid_row_of_slices(MlirOperation grid, uw_grid_row *row) {
  *row = (uw_grid_row){.grid = grid};
  if (!uw_is_over(grid, UW_OVER_BLOCKS))
    return false;
  uw_foreach_op (op, uw_block(grid, 0))
    if (uw_is_block_mark(op) && uw_null(row->mark))
      row->mark = op;
  if (uw_null(row->mark) || !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(row->mark, 0))))
    return false;
  row->block = uw_grid_index(grid, UW_GRID_X);
  row->along = uw_grid_extent(grid, UW_GRID_X);
  row->slices = uw_grid_extent(grid, UW_GRID_SLICE);
  return row->block.ptr && uw_is_asked_for(row->block) && uw_are_blocks_single(grid, UW_GRID_X);
}

bool uw_grid_row_of(MlirOperation grid, uw_grid_row *row) {
  return uw_grid_row_of_slices(grid, row) && !row->slices.ptr;
}

MlirValue uw_blocks_together(uw_builder *b, const uw_grid_row *row, MlirValue most) {
  uw_declare(mlirModuleFromOperation(uw_parent_of_kind(row->grid, UW_OP_MODULE)), "uwrt_max_workers",
             "!llvm.func<i32 ()>");
  MlirOperation asked = uw_call(b, "uwrt_max_workers", (uw_value_list){0}, uw_int_type(b->context, 32));
  MlirValue workers =
      uw_build1(b, "arith.index_castui", .in = VALS(uw_result(asked, 0)), .out = TYPES(uw_index_type(b->context)));
  MlirValue strips = uw_with(b, "arith.muli", workers, UW_PARTS_EACH);
  strips = row->long_blocks ? strips : uw_with(b, "arith.maxui", strips, UW_FEWEST_PARTS);
  MlirValue each =
      uw_binary(b, "arith.minui", uw_binary(b, "arith.divui", uw_count_blocks(b, row->grid), strips), most);
  return uw_with(b, "arith.maxui", uw_binary(b, "arith.minui", each, row->along), 1);
}

/* How many strips a row has whose first and last block are strips of their own: these and those in between. */
static MlirValue strips_of(uw_builder *b, const uw_grid_row *row, MlirValue each) {
  MlirValue between = uw_with(b, "arith.subi", uw_with(b, "arith.maxui", row->along, 2), 2);
  return uw_binary(b, "arith.minui", uw_with(b, "arith.addi", uw_binary(b, "arith.ceildivui", between, each), 2),
                   row->along);
}

/* The first block of such a strip, in its row: 0, 1, 1 + each, …, along - 1. */
static MlirValue start_of(uw_builder *b, const uw_grid_row *row, MlirValue each, MlirValue strip) {
  MlirValue start = uw_binary(b, "arith.muli", strip, each);
  start = uw_binary(b, "arith.subi", start, uw_with(b, "arith.subi", each, 1));
  return uw_binary(b, "arith.minui", uw_with(b, "arith.maxsi", start, 0), uw_with(b, "arith.subi", row->along, 1));
}

void uw_mark_together(MlirOperation mark, MlirValue each, uint64_t flag) {
  uw_builder b = uw_at(mark);
  MlirValue alone = uw_compare(&b, UW_EQ, each, uw_const_index(&b, 1));
  MlirValue others = uw_select(&b, alone, uw_const_int(&b, 64, 0), uw_const_int(&b, 64, (int64_t)flag));
  mlirOperationSetOperand(mark, MARK_OPERAND, uw_binary(&b, "arith.ori", uw_operand(mark, MARK_OPERAND), others));
}

MlirValue uw_take_together(uw_arena *arena, uw_grid_row *row, MlirValue each, MlirOperation at) {
  MlirBlock body = uw_block(row->grid, 0);
  size_t dim = (size_t)uw_grid_dim_of(row->grid, UW_GRID_X);
  uw_builder b = uw_at(row->grid);
  MlirValue strip = row->block;
  if (row->rim_alone) {
    uw_ops old = uw_block_ops(arena, body);
    uw_set_upper(row->grid, dim, strips_of(&b, row, each));
    b = uw_at_start(body, b.location);
    row->block = start_of(&b, row, each, strip);
    for (size_t i = 0; i < old.count; i++)
      uw_replace_uses_inside(strip, row->block, old.at[i]);
  } else {
    uw_set_loop_bound(row->grid, UW_STEP, dim, each);
  }
  uw_mark_together(row->mark, each, UWRT_BLOCK_OR_AFTER);
  b = uw_at(at);
  if (!row->rim_alone)
    return uw_binary(&b, "arith.minui", each, uw_binary(&b, "arith.subi", row->along, row->block));
  MlirValue next =
      start_of(&b, row, each, uw_with(&b, "arith.addi", strip, 1)); /* after the last strip: the same block */
  return uw_with(&b, "arith.maxui", uw_binary(&b, "arith.subi", next, row->block), 1);
}
