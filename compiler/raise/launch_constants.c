/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What variables hold for one launch, which its operands say (frontend/sycl/specialization.c):
 *
 *   call @__unwarp_launch_K(…, @V, 4, %v)         in K's body at this launch: load (@V + 4) ==> %v
 *
 * The variable may hold another value when the launch runs: it is put off, or another thread's command group has set
 * it. */
#include "raise.h"

static MlirOperation variable_of(MlirValue address) {
  MlirOperation op = uw_def(address);
  return uw_string_is(uw_name(op), "llvm.mlir.addressof") ? op : (MlirOperation){NULL};
}

static bool is_load_of(MlirOperation load, MlirOperation variable, int64_t wanted) {
  int64_t offset;
  MlirValue base;
  if (!uw_plain_access(load) || !uw_field_of(uw_operand(load, 0), &offset, &base) || offset != wanted ||
      uw_null(uw_def(base)))
    return false;
  MlirOperation of = variable_of(base);
  return !uw_null(of) && mlirAttributeEqual(uw_get_attr(of, "global_name"), uw_get_attr(variable, "global_name"));
}

static void put_value(const uw_ops *loads, MlirOperation variable, int64_t offset, MlirValue value) {
  for (size_t i = 0; i < loads->count; i++)
    if (mlirTypeEqual(mlirValueGetType(uw_result(loads->at[i], 0)), mlirValueGetType(value)) &&
        is_load_of(loads->at[i], variable, offset))
      uw_replace_uses(uw_result(loads->at[i], 0), value);
}

void uw_know_constants(uw_arena *arena, MlirOperation func, MlirOperation launch, size_t first) {
  if (uw_operand_count(launch) <= first)
    return;
  uw_ops loads = uw_collect_kind(arena, func, UW_OP_LLVM_LOAD);
  for (size_t i = first; i + 2 < uw_operand_count(launch); i += 3) {
    int64_t offset;
    MlirOperation variable = uw_def(uw_operand(launch, i));
    if (!uw_null(variable) && !uw_null(variable_of(uw_operand(launch, i))) &&
        uw_const_value(uw_operand(launch, i + 1), &offset))
      put_value(&loads, variable, offset, uw_operand(launch, i + 2));
  }
}
