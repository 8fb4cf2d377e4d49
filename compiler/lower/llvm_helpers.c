/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the steps on LLVM's form share: whose code a function is, what its processor has, calls of instructions. */
#include <string.h>

#include "lower.h"

bool uw_has_feature(LLVMValueRef function, const char *feature) {
  LLVMAttributeRef all =
      LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, "target-features", strlen("target-features"));
  unsigned length = 0, wanted = (unsigned)strlen(feature);
  const char *text = all ? LLVMGetStringAttributeValue(all, &length) : "";
  for (unsigned i = 0; i + wanted <= length; i++)
    if (memcmp(text + i, feature, wanted) == 0 && (i + wanted == length || text[i + wanted] == ',') &&
        (i == 0 || text[i - 1] == ','))
      return true;
  return false;
}

bool uw_is_share(LLVMValueRef function) {
  return LLVMIsAFunction(function) && !LLVMIsDeclaration(function) &&
         strstr(uw_llvm_name(function), "..omp_par") != NULL;
}

bool uw_calls_intrinsic(LLVMValueRef op, const char *name) {
  LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  return callee && LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0 &&
         LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, strlen(name));
}

LLVMValueRef uw_call_intrinsic(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMTypeRef *types,
                               size_t type_count, LLVMValueRef *arguments, unsigned count) {
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), types, type_count);
  return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}
