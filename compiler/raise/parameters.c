/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parameters that a kernel takes in memory: structures by value. Where threads only read one, its fields are values of
 * the launch. */
#include "raise.h"

MlirValue uw_load_readonly(uw_builder *b, MlirValue base, size_t offset, MlirType type) {
  MlirValue address = uw_byte_address(b, base, (int64_t)offset);
  return uw_build1(b, "llvm.load", .in = VALS(address), .out = TYPES(type),
                   .attrs = ATTRS({"unwarp.readonly", mlirUnitAttrGet(b->context)}));
}

bool uw_parameter_is_only_read(MlirValue address) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    switch (uw_kind(user)) {
    case UW_OP_LLVM_LOAD: break;
    case UW_OP_LLVM_GEP:
      if (!uw_parameter_is_only_read(uw_result(user, 0)))
        return false;
      break;
    default:
      if (!uw_string_is(uw_name(user), "llvm.intr.memcpy") || mlirOpOperandGetOperandNumber(use) != 1)
        return false;
    }
  }
  return true;
}

/* The one constant number of bytes by which an operation moves a pointer; -1: not so. */
static int64_t constant_step(MlirOperation gep) {
  MlirAttribute constants = uw_get_attr(gep, "rawConstantIndices");
  if (uw_operand_count(gep) != 1 || mlirDenseArrayGetNumElements(constants) != 1)
    return -1;
  int64_t elements = mlirDenseI32ArrayGetElement(constants, 0);
  return elements < 0 ? -1 : elements * (int64_t)uw_type_bytes(mlirTypeAttrGetValue(uw_get_attr(gep, "elem_type")));
}

bool uw_field_of(MlirValue address, int64_t *offset, MlirValue *base) {
  for (*offset = 0; uw_kind(uw_def(address)) == UW_OP_LLVM_GEP; address = uw_operand(uw_def(address), 0)) {
    int64_t step = constant_step(uw_def(address));
    if (step < 0)
      return false;
    *offset += step;
  }
  *base = address;
  return true;
}

bool uw_field_of_parameter(MlirValue address, int64_t *offset, MlirValue *base) {
  return uw_field_of(address, offset, base) && uw_null(uw_def(*base));
}

/* Fields at constant offsets are loaded at the launch, and so are values like other parameters: `launched` is where the
 * first of `bytes` bytes, at `offset`, stand there. Other loads are marked as of what no kernel writes. */
static void take_apart(uw_arena *arena, uw_builder *at_launch, MlirValue address, MlirValue launched, int64_t offset,
                       int64_t bytes) {
  uw_ops loads = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_GEP) {
      int64_t step = offset < 0 ? -1 : constant_step(user);
      take_apart(arena, at_launch, uw_result(user, 0), launched, step < 0 ? -1 : offset + step, bytes);
    } else if (uw_kind(user) == UW_OP_LLVM_LOAD) {
      uw_set_attr(user, "unwarp.readonly", mlirUnitAttrGet(at_launch->context));
      int64_t size = (int64_t)uw_type_bytes(mlirValueGetType(uw_result(user, 0)));
      if (offset >= 0 && size > 0 && offset + size <= bytes && uw_plain_access(user))
        uw_ops_push(arena, &loads, user);
    }
  }
  for (size_t i = 0; i < loads.count; i++) {
    MlirOperation load = loads.at[i];
    MlirValue value = uw_load_readonly(at_launch, launched, (size_t)offset, mlirValueGetType(uw_result(load, 0)));
    MlirAttribute alignment = uw_get_attr(load, "alignment");
    if (!mlirAttributeIsNull(alignment))
      uw_set_attr(uw_def(value), "alignment", alignment);
    uw_replace_uses(uw_result(load, 0), value);
    uw_erase(load);
  }
}

/* Every thread may change its own copy of such a parameter; most never do and read the launch's. */
MlirValue uw_parameter_in_memory(uw_arena *arena, uw_builder *at_launch, uw_builder *thread, MlirValue argument,
                                 MlirValue launched, uint32_t bytes) {
  if (uw_parameter_is_only_read(argument)) {
    take_apart(arena, at_launch, argument, launched, 0, bytes);
    return launched;
  }
  MlirValue one = uw_const_int(thread, 64, 1);
  MlirType room = uw_type(at_launch->context, uw_arena_format(arena, "!llvm.array<%u x i8>", bytes));
  MlirValue copy = uw_build1(
      thread, "llvm.alloca", .in = VALS(one), .out = TYPES(mlirValueGetType(launched)),
      .attrs = ATTRS({"elem_type", mlirTypeAttrGet(room)}, {"alignment", uw_int_attr(at_launch->context, 64, 16)}));
  uw_build(thread, "llvm.intr.memcpy", .in = VALS(copy, launched, uw_const_int(thread, 64, bytes)),
           .attrs = ATTRS({"isVolatile", mlirBoolAttrGet(at_launch->context, false)}));
  return copy;
}
