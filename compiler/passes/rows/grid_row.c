/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbouring blocks of a row of the grid: see grid_row.h. */
#include "grid_row.h"

#include "../../analysis/thresholds.h"
#include "../../../runtime/uwrt.h"
#include "../../ir/parallel.h"

enum { MARK_OPERAND = 1 };

static bool is_mark(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", "uwrt_enter_block");
}

static bool is_zero(MlirValue value) {
  int64_t number;
  return uw_const_value(value, &number) && number == 0;
}

static bool read_row(MlirOperation grid, uw_grid_row *row) {
  MlirBlock body = uw_block(grid, 0);
  uw_foreach_op (op, body) {
    if (is_mark(op) && uw_null(row->mark))
      row->mark = op;
    if (uw_kind(op) == UW_OP_ARITH_REMUI && uw_same(uw_operand(op, 0), row->number) && !row->block.ptr) {
      row->block = uw_result(op, 0);
      row->along = uw_operand(op, 1);
    }
  }
  if (uw_null(row->mark) || !row->block.ptr || !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(row->mark, 0))) ||
      uw_defined_inside(row->along, grid))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(row->number); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool splits = (uw_kind(user) == UW_OP_ARITH_DIVUI || uw_kind(user) == UW_OP_ARITH_REMUI) &&
                  uw_same(uw_operand(user, 1), row->along);
    bool marks = uw_same_op(user, uw_def(uw_operand(row->mark, MARK_OPERAND))) && uw_result_count(user) == 1 &&
                 mlirOpOperandIsNull(mlirOpOperandGetNextUse(mlirValueGetFirstUse(uw_result(user, 0))));
    if (!splits && !marks)
      return false;
  }
  return true;
}

static MlirValue with(uw_builder *b, const char *name, MlirValue left, int64_t right) {
  return uw_binary(b, name, left, uw_const_index(b, right));
}

static bool start_with(MlirOperation grid, uw_grid_row *row) {
  MlirBlock body = uw_block(grid, 0);
  *row = (uw_grid_row){.grid = grid};
  if (!uw_is_over(grid, UW_OVER_BLOCKS) || mlirBlockGetNumArguments(body) != 1 || !is_zero(uw_lower_of(grid, 0)))
    return false;
  row->number = mlirBlockGetArgument(body, 0);
  return true;
}

bool uw_grid_row_of(MlirOperation grid, uw_grid_row *row) { return start_with(grid, row) && read_row(grid, row); }

bool uw_grid_row_of_slices(MlirOperation grid, uw_grid_row *row) {
  if (!start_with(grid, row))
    return false;
  MlirValue slice = row->number;
  MlirOperation block = {NULL};
  uw_foreach_op (op, uw_block(grid, 0))
    if (uw_kind(op) == UW_OP_ARITH_DIVUI && uw_same(uw_operand(op, 0), slice) && uw_null(block))
      block = op;
  if (uw_null(block) || uw_defined_inside(uw_operand(block, 1), grid))
    return false;
  row->slices = uw_operand(block, 1);
  row->number = uw_result(block, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(slice); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!uw_same_op(user, block) && (uw_kind(user) != UW_OP_ARITH_REMUI || !uw_same(uw_operand(user, 1), row->slices)))
      return false;
  }
  return read_row(grid, row);
}

MlirValue uw_blocks_together(uw_builder *b, const uw_grid_row *row, MlirValue most) {
  uw_declare(mlirModuleFromOperation(uw_parent_of_kind(row->grid, UW_OP_MODULE)), "uwrt_max_workers",
             "!llvm.func<i32 ()>");
  MlirOperation asked = uw_call(b, "uwrt_max_workers", (uw_value_list){0}, uw_int_type(b->context, 32));
  MlirValue workers =
      uw_build1(b, "arith.index_castui", .in = VALS(uw_result(asked, 0)), .out = TYPES(uw_index_type(b->context)));
  MlirValue strips = with(b, "arith.muli", workers, UW_PARTS_EACH);
  strips = row->long_blocks ? strips : with(b, "arith.maxui", strips, UW_FEWEST_PARTS);
  MlirValue each = uw_binary(b, "arith.minui", uw_binary(b, "arith.divui", uw_upper_of(row->grid, 0), strips), most);
  return with(b, "arith.maxui", uw_binary(b, "arith.minui", each, row->along), 1);
}

/* How many strips a row has. With its ends alone: 2 and those in between. */
static MlirValue strips_of(uw_builder *b, const uw_grid_row *row, MlirValue each) {
  if (!row->rim_alone)
    return uw_binary(b, "arith.ceildivui", row->along, each);
  MlirValue between = with(b, "arith.subi", with(b, "arith.maxui", row->along, 2), 2);
  return uw_binary(b, "arith.minui", with(b, "arith.addi", uw_binary(b, "arith.ceildivui", between, each), 2),
                   row->along);
}

/* The first block of a strip, in its row. With the ends alone: 0, 1, 1 + each, …, along - 1. */
static MlirValue start_of(uw_builder *b, const uw_grid_row *row, MlirValue each, MlirValue strip) {
  MlirValue start = uw_binary(b, "arith.muli", strip, each);
  if (!row->rim_alone)
    return start;
  start = uw_binary(b, "arith.subi", start, with(b, "arith.subi", each, 1));
  return uw_binary(b, "arith.minui", with(b, "arith.maxsi", start, 0), with(b, "arith.subi", row->along, 1));
}

MlirValue uw_take_together(uw_arena *arena, uw_grid_row *row, MlirValue each, MlirOperation at) {
  MlirBlock body = uw_block(row->grid, 0);
  uw_ops old = uw_block_ops(arena, body);
  uw_builder b = uw_at(row->grid);
  MlirValue strips = strips_of(&b, row, each);
  MlirValue blocks = uw_upper_of(row->grid, 0);
  if (row->slices.ptr)
    blocks = uw_binary(&b, "arith.divui", blocks, row->slices);
  MlirValue all = uw_binary(&b, "arith.muli", strips, uw_binary(&b, "arith.divui", blocks, row->along));
  uw_set_upper(row->grid, 0, row->slices.ptr ? uw_binary(&b, "arith.muli", all, row->slices) : all);
  b = row->slices.ptr ? uw_at(uw_next(uw_def(row->number))) : uw_at_start(body, b.location);
  MlirValue strip = uw_binary(&b, "arith.remui", row->number, strips), start = start_of(&b, row, each, strip);
  MlirValue first =
      uw_binary(&b, "arith.addi", start,
                uw_binary(&b, "arith.muli", uw_binary(&b, "arith.divui", row->number, strips), row->along));
  for (size_t i = 0; i < old.count; i++)
    uw_replace_uses_inside(row->number, first, old.at[i]);
  b = uw_at(row->mark); /* for messages: this block, or one after it */
  MlirValue alone = uw_compare(&b, UW_EQ, each, uw_const_index(&b, 1));
  MlirValue after = uw_select(&b, alone, uw_const_int(&b, 64, 0), uw_const_int(&b, 64, (int64_t)UWRT_BLOCK_OR_AFTER));
  mlirOperationSetOperand(row->mark, MARK_OPERAND,
                          uw_binary(&b, "arith.ori", uw_operand(row->mark, MARK_OPERAND), after));
  b = uw_at(at);
  if (!row->rim_alone)
    return uw_binary(&b, "arith.minui", each, uw_binary(&b, "arith.subi", row->along, start));
  MlirValue next = start_of(&b, row, each, with(&b, "arith.addi", strip, 1)); /* after the last strip: the same block */
  return with(&b, "arith.maxui", uw_binary(&b, "arith.subi", next, start), 1);
}
