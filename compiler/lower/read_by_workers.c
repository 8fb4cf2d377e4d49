/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a region of workers uses from in front of it is handed to them one by one: two instructions to store a value, two
 * to load it. An entry has the kernel's arguments and the launch's dimensions in memory, which stays as it is: workers
 * read them there, and only the two addresses are handed over.
 *
 *   %n = load (gep %arguments, 8)             omp.parallel {
 *   omp.parallel { … %n … }             ==>     %n = load (gep %arguments, 8)
 *                                               … %n … } */
#include "../analysis/thresholds.h"
#include "lower.h"

typedef struct reading {
  size_t operations;
  bool loads;
} reading;

static bool is_step(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD: return !mlirAttributeIsNull(uw_get_attr(op, "unwarp.readonly")) && uw_plain_access(op);
  case UW_OP_LLVM_GEP:
  case UW_OP_ARITH_INDEX_CAST:
  case UW_OP_ARITH_INDEX_CASTUI:
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_TRUNCI: return true;
  default: return false;
  }
}

static bool is_parameter(MlirValue value) {
  MlirOperation around = mlirBlockGetParentOperation(uw_value_block(value));
  return mlirValueIsABlockArgument(value) && (uw_kind(around) == UW_OP_FUNC || uw_kind(around) == UW_OP_LLVM_FUNC);
}

static bool can_read(MlirValue value, reading *r) {
  int64_t number;
  if (is_parameter(value) || uw_const_value(value, &number))
    return true;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || !is_step(op) || ++r->operations > UW_READ_AGAIN)
    return false;
  r->loads |= uw_kind(op) == UW_OP_LLVM_LOAD;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!can_read(uw_operand(op, i), r))
      return false;
  return true;
}

static MlirValue read_again(uw_builder *b, MlirValue value, uw_map *map, uw_arena *arena, uw_ops *read) {
  int64_t number;
  MlirValue done = uw_map_get(map, value);
  if (done.ptr || is_parameter(value) || uw_const_value(value, &number))
    return done.ptr ? done : value;
  MlirOperation op = uw_def(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    read_again(b, uw_operand(op, i), map, arena, read);
  uw_clone(b, op, map);
  uw_ops_push(arena, read, op); /* after what it is made of */
  return uw_map_get(map, value);
}

static void read_in(MlirOperation region, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, region), read = {0};
  uw_map *map = uw_map_create(arena);
  uw_builder b = uw_at(uw_first(uw_block(region, 0)));
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; !uw_same_op(ops.at[i], region) && k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k);
      reading r = {0};
      if (!uw_defined_inside(value, region) && !is_parameter(value) && can_read(value, &r) && r.loads)
        mlirOperationSetOperand(ops.at[i], (intptr_t)k, read_again(&b, value, map, arena, &read));
    }
  for (size_t i = read.count; i-- > 0;)
    if (uw_unused(read.at[i]))
      uw_erase(read.at[i]);
}

void uw_read_by_workers(MlirModule module, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module)), regions = {0};
  for (size_t i = 0; i < ops.count; i++)
    if (uw_string_is(uw_name(ops.at[i]), "omp.parallel"))
      uw_ops_push(arena, &regions, ops.at[i]);
  for (size_t i = 0; i < regions.count; i++)
    read_in(regions.at[i], arena);
}
