/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses through a __restrict__ parameter carry its index (from 1): once the parameter is a value of the launching
 * function, nothing else would tell. Where it is the memory of an accessor, the index is negative, for people who want
 * to know whose promise it is. analysis/bases.c reads the marks. */
#include "raise.h"

static void mark(MlirValue address, int64_t number) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_kind(user) == UW_OP_LLVM_GEP)
      mark(uw_result(user, 0), number);
    else if (uw_kind(user) == UW_OP_LLVM_LOAD || uw_kind(user) == UW_OP_LLVM_STORE ||
             uw_kind(user) == UW_OP_LLVM_ATOMICRMW || uw_kind(user) == UW_OP_LLVM_CMPXCHG)
      uw_set_attr(user, "unwarp.restrict", uw_int_attr(mlirOperationGetContext(user), 32, number));
  }
}

/* Is the parameter, or an element after it, only what loads, stores and atomics access? Where it goes on, into a
 * choice among pointers or into memory, accesses that are based on it may carry no index, or that of another one. */
static bool is_only_accessed(MlirValue address) {
  for (MlirOpOperand use = mlirValueGetFirstUse(address); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t number = mlirOpOperandGetOperandNumber(use);
    switch (uw_kind(user)) {
    case UW_OP_LLVM_GEP:
      if (!is_only_accessed(uw_result(user, 0)))
        return false;
      break;
    case UW_OP_LLVM_LOAD: break;
    case UW_OP_LLVM_STORE:
      if (number != 1)
        return false;
      break;
    case UW_OP_LLVM_ATOMICRMW:
    case UW_OP_LLVM_CMPXCHG:
      if (number != 0)
        return false;
      break;
    default: return false;
    }
  }
  return true;
}

static bool is_restrict(MlirOperation func, uint32_t parameter) {
  MlirAttribute all = uw_get_attr(func, "arg_attrs");
  return !mlirAttributeIsNull(all) && !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
                                          mlirArrayAttrGetElement(all, (intptr_t)parameter), uw_str("llvm.noalias")));
}

void uw_mark_restrict(MlirOperation func, uint32_t parameter, bool of_accessor) {
  MlirValue argument = mlirBlockGetArgument(uw_block(func, 0), (intptr_t)parameter);
  if (is_restrict(func, parameter) && is_only_accessed(argument))
    mark(argument, of_accessor ? -(int64_t)parameter - 1 : (int64_t)parameter + 1);
}
