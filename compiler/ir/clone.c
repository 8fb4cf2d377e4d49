/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of operations under a map of values. */
#include "ir.h"

/* A clone maps what it defines itself; what remains is operands defined outside, at any depth. */
static void remap_operands(MlirOperation op, const uw_map *map) {
  for (size_t i = 0; i < uw_operand_count(op); i++) {
    MlirValue to = uw_map_get(map, uw_operand(op, i));
    if (to.ptr)
      mlirOperationSetOperand(op, (intptr_t)i, to);
  }
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      uw_foreach_op(inner, block)
        remap_operands(inner, map);
}

MlirOperation uw_clone(uw_builder *b, MlirOperation op, uw_map *map) {
  MlirOperation copy = mlirOperationClone(op);
  remap_operands(copy, map);
  if (uw_null(b->before))
    mlirBlockAppendOwnedOperation(b->block, copy);
  else
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  for (size_t i = 0; i < uw_result_count(op); i++)
    uw_map_set(map, uw_result(op, i), uw_result(copy, i));
  return copy;
}
