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
      uw_foreach_op (inner, block)
        remap_operands(inner, map);
}

MlirOperation uw_clone(uw_builder *b, MlirOperation op, uw_map *map) {
  MlirOperation copy = uw_place_copy(b, op);
  remap_operands(copy, map);
  for (size_t i = 0; i < uw_result_count(op); i++)
    uw_map_set(map, uw_result(op, i), uw_result(copy, i));
  return copy;
}

/* Flags of a getelementptr are a property that no attribute sets once it is made. */
MlirOperation uw_clone_address(uw_builder *b, MlirOperation gep, uw_map *map) {
  enum { MOST_OPERANDS = 8 };
  MlirValue in[MOST_OPERANDS];
  size_t count = uw_operand_count(gep);
  uw_assert(gep, uw_kind(gep) == UW_OP_LLVM_GEP && count <= MOST_OPERANDS);
  for (size_t i = 0; i < count; i++)
    in[i] = uw_map_or_same(map, uw_operand(gep, i));
  MlirOperation copy =
      uw_build(b, "llvm.getelementptr", .in = {in, count}, .out = TYPES(mlirValueGetType(uw_result(gep, 0))),
               .attrs = ATTRS({"rawConstantIndices", uw_get_attr(gep, "rawConstantIndices")},
                              {"elem_type", uw_get_attr(gep, "elem_type")}));
  uw_map_set(map, uw_result(gep, 0), uw_result(copy, 0));
  return copy;
}

/* Only what can be computed is kept: the first value that cannot ends the search. */
static bool can_compute(const uw_again *again, uw_table *known, MlirValue value) {
  if (again->stays(again->of, value) || uw_table_get(known, value.ptr))
    return true;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || !uw_speculatable(op) || uw_region_count(op) != 0)
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!can_compute(again, known, uw_operand(op, i)))
      return false;
  uw_table_set(known, value.ptr, 1);
  return true;
}

bool uw_can_compute_again(const uw_again *again, MlirValue value) {
  if (again->stays(again->of, value))
    return true;
  uw_arena *arena = uw_arena_create();
  bool can = can_compute(again, uw_table_create(arena), value);
  uw_arena_destroy(arena);
  return can;
}

MlirValue uw_compute_again(uw_builder *b, const uw_again *again, MlirValue value, uw_map *map) {
  MlirValue done = uw_map_get(map, value);
  if (done.ptr || again->stays(again->of, value))
    return done.ptr ? done : value;
  MlirOperation op = uw_def(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    uw_compute_again(b, again, uw_operand(op, i), map);
  if (again->outside && uw_kind(op) == UW_OP_LLVM_GEP)
    uw_clone_address(b, op, map);
  else
    uw_clone(b, op, map);
  return uw_map_get(map, value);
}
