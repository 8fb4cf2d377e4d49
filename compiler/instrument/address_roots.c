/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the addresses of a kernel come from: see address_roots.h. */
#include <string.h>

#include "../ir/known_calls.h"
#include "address_roots.h"

MlirOperation uw_root_of(MlirValue address) {
  MlirOperation op = uw_def(address);
  while (uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST)
    op = uw_def(uw_operand(op, 0));
  return op;
}

static MlirValue behind_geps(MlirValue address) {
  while (!uw_null(uw_def(address)) && uw_kind(uw_def(address)) == UW_OP_LLVM_GEP)
    address = uw_operand(uw_def(address), 0);
  return address;
}

static bool is_parameters(MlirOperation entry, MlirValue address) {
  return uw_same(behind_geps(address), mlirBlockGetArgument(uw_block(entry, 0), 1));
}

bool uw_is_parameter_of(MlirOperation entry, MlirOperation root) {
  if (uw_null(root) || uw_kind(root) != UW_OP_LLVM_LOAD ||
      !mlirTypeIsALLVMPointerType(mlirValueGetType(uw_result(root, 0))))
    return false;
  if (!mlirBlockEqual(mlirOperationGetBlock(root), uw_block(entry, 0)))
    return false;
  MlirOperation value = uw_root_of(uw_operand(root, 0));
  return !uw_null(value) && uw_kind(value) == UW_OP_LLVM_LOAD && is_parameters(entry, uw_operand(value, 0));
}

bool uw_is_call_of(MlirOperation op, const char *name) {
  return uw_kind(op) == UW_OP_LLVM_CALL && uw_attr_is_str(op, "callee", name);
}

bool uw_is_of_launch(MlirOperation entry, MlirOperation root) {
  if (uw_is_call_of(root, "uwrt_context") || uw_is_call_of(root, "uwrt_parameter_buffer"))
    return true;
  return uw_kind(root) == UW_OP_LLVM_LOAD && !uw_null(entry) && is_parameters(entry, uw_operand(root, 0));
}

bool uw_is_harmless_call(MlirOperation call) {
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  static const char *const known[] = {"__nv_", UW_CHECK_MASK, UW_NOTE_TILE, "uwrt_vprintf"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (callee.length >= strlen(known[i]) && memcmp(callee.data, known[i], strlen(known[i])) == 0)
      return true;
  return false;
}

bool uw_has_unit(MlirOperation op, const char *name) { return !mlirAttributeIsNull(uw_get_attr(op, name)); }

int64_t uw_access_bytes(MlirType type) {
  if (mlirTypeIsAVector(type) && mlirShapedTypeHasStaticShape(type) && mlirShapedTypeGetRank(type) == 1)
    return mlirShapedTypeGetDimSize(type, 0) * (int64_t)uw_type_bytes(mlirShapedTypeGetElementType(type));
  return (int64_t)uw_type_bytes(type);
}
