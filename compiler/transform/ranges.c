/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ranges of loops over threads: see ranges.h. */
#include "ranges.h"

static bool is_marked(MlirOperation op) { return !uw_null(op) && !mlirAttributeIsNull(uw_get_attr(op, UW_FALLBACK)); }

bool uw_is_fallback(MlirOperation loop) { return is_marked(loop) || is_marked(uw_parent_of_kind(loop, UW_OP_MODULE)); }

void uw_set_fallback(MlirOperation op) { uw_set_attr(op, UW_FALLBACK, mlirUnitAttrGet(mlirOperationGetContext(op))); }

void uw_do_ends(uw_builder *b, MlirOperation loop, MlirValue parted, MlirValue low, MlirValue high) {
  size_t dims = (size_t)mlirBlockGetNumArguments(uw_block(loop, 0));
  MlirValue zero = uw_const_index(b, 0), one = uw_const_index(b, 1), two = uw_const_index(b, 2);
  MlirValue lower = uw_operand(loop, dims - 1), upper = uw_operand(loop, 2 * dims - 1);
  MlirOperation ends =
      uw_build_for(b, zero, parted.ptr ? uw_select(b, parted, two, one) : two, one, (uw_value_list){0});
  uw_builder in = uw_at_end(uw_block(ends, 0), b->location);
  MlirValue starts = uw_compare(&in, UW_EQ, mlirBlockGetArgument(uw_block(ends, 0), 0), zero);
  MlirValue head = parted.ptr ? uw_binary(&in, "arith.andi", parted, starts) : starts;
  mlirOperationSetOperand(loop, (intptr_t)dims - 1, uw_select(&in, starts, lower, high));
  mlirOperationSetOperand(loop, (intptr_t)(2 * dims - 1), uw_select(&in, head, low, upper));
  uw_move_to_end(loop, uw_block(ends, 0));
  uw_yield(uw_block(ends, 0), b->location, (uw_value_list){0});
}
