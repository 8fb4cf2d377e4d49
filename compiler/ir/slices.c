/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Slices of a block: see slices.h. */
#include "slices.h"

#include "parallel.h"

void uw_take_slice(uw_builder *b, MlirOperation loop, size_t dimension, MlirValue own, MlirValue slices,
                   int64_t group) {
  MlirType index_type = uw_index_type(b->context);
  MlirOperation slice =
      uw_build(b, "unwarp.slice", .in = VALS(uw_upper_of(loop, dimension), own, slices),
               .out = TYPES(index_type, index_type), .attrs = ATTRS({"group", uw_int_attr(b->context, 64, group)}));
  MlirBlock body = uw_block(loop, 0);
  MlirValue index = mlirBlockGetArgument(body, (intptr_t)dimension);
  uw_builder in = uw_at_start(body, mlirOperationGetLocation(loop));
  MlirValue moved = uw_binary(&in, "arith.addi", uw_result(slice, 0), index);
  uw_replace_uses(index, moved);
  mlirOperationSetOperand(uw_def(moved), 1, index);
  uw_set_upper(loop, dimension, uw_result(slice, 1));
}

MlirValue uw_extent_in_block(MlirOperation loop, size_t dimension) {
  MlirValue upper = uw_upper_of(loop, dimension);
  return uw_kind(uw_def(upper)) == UW_OP_SLICE ? uw_operand(uw_def(upper), UW_SLICE_EXTENT) : upper;
}

bool uw_is_index_in_slice(MlirValue index) {
  MlirOperation sum = uw_def(index);
  return uw_kind(sum) == UW_OP_ARITH_ADDI && uw_kind(uw_def(uw_operand(sum, 0))) == UW_OP_SLICE;
}

bool uw_is_only_for_slice(MlirValue index) {
  if (!uw_used_once(index))
    return false;
  MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(index));
  return uw_result_count(user) == 1 && uw_is_index_in_slice(uw_result(user, 0));
}

/* From groups * own / slices on, to groups * (own + 1) / slices; the last one may have part of a group. */
static void expand(MlirOperation slice) {
  uw_builder b = uw_at(slice);
  MlirValue extent = uw_operand(slice, UW_SLICE_EXTENT), own = uw_operand(slice, UW_SLICE_OWN);
  MlirValue slices = uw_operand(slice, UW_SLICE_ALL), groups = extent;
  int64_t width = uw_get_int_attr(slice, "group", 1);
  MlirValue group = uw_const_index(&b, width), next = uw_binary(&b, "arith.addi", own, uw_const_index(&b, 1));
  if (width > 1)
    groups = uw_binary(&b, "arith.ceildivui", extent, group);
  MlirValue first = uw_binary(&b, "arith.divui", uw_binary(&b, "arith.muli", groups, own), slices);
  MlirValue end = uw_binary(&b, "arith.divui", uw_binary(&b, "arith.muli", groups, next), slices);
  MlirValue count = uw_binary(&b, "arith.subi", end, first);
  if (width > 1) {
    first = uw_binary(&b, "arith.muli", first, group);
    count = uw_binary(&b, "arith.minui", uw_binary(&b, "arith.muli", count, group),
                      uw_binary(&b, "arith.subi", extent, first));
  }
  uw_replace_uses(uw_result(slice, 0), first);
  uw_replace_uses(uw_result(slice, 1), count);
  uw_erase(slice);
}

void uw_expand_slices(uw_arena *arena, MlirOperation root) {
  uw_ops slices = uw_collect_kind(arena, root, UW_OP_SLICE);
  for (size_t i = 0; i < slices.count; i++)
    expand(slices.at[i]);
}
