/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Annotations of functions: rows of {function, text, file, line, arguments} in llvm.global.annotations, which is where
 * clang leaves what our headers say of a function beyond what it knows itself. __cluster_dims__ is one, whose arguments
 * may be a template's. It becomes the attribute that PTX's .reqnctapercluster becomes, too. */
#include <stdio.h>
#include <string.h>

#include "frontend.h"

static LLVMValueRef find_row(LLVMValueRef rows, unsigned i, const char *wanted) {
  LLVMValueRef row = LLVMGetOperand(rows, i), text = LLVMGetOperand(row, 1);
  size_t length = 0;
  LLVMValueRef string = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
  const char *chars = string && LLVMIsConstantString(string) ? LLVMGetAsString(string, &length) : "";
  return length && strcmp(chars, wanted) == 0 ? row : NULL;
}

void uw_each_annotated(LLVMModuleRef module, const char *text,
                       void (*each)(void *context, LLVMValueRef function, LLVMValueRef arguments), void *context) {
  LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef rows = list ? LLVMGetInitializer(list) : NULL;
  for (unsigned i = 0; rows && i < (unsigned)LLVMGetNumOperands(rows); i++) {
    LLVMValueRef row = find_row(rows, i, text);
    if (!row)
      continue;
    LLVMValueRef given = LLVMGetOperand(row, 4);
    each(context, LLVMGetOperand(row, 0), LLVMIsAGlobalVariable(given) ? LLVMGetInitializer(given) : NULL);
  }
}

/* Without arguments the launch has to say it. */
static void set_cluster(void *context, LLVMValueRef function, LLVMValueRef arguments) {
  LLVMContextRef of_module = context;
  char text[96];
  unsigned long long extents[3] = {1, 1, 1};
  if (!arguments || !LLVMIsAFunction(function))
    return;
  for (unsigned d = 0; d < 3 && d < (unsigned)LLVMGetNumOperands(arguments); d++)
    extents[d] = LLVMConstIntGetZExtValue(LLVMGetOperand(arguments, d));
  snprintf(text, sizeof text, "%llu,%llu,%llu", extents[0], extents[1], extents[2]);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(of_module, UW_CLUSTER_DIMS, (unsigned)strlen(UW_CLUSTER_DIMS), text,
                                                    (unsigned)strlen(text)));
}

void uw_read_clusters(LLVMModuleRef module) {
  uw_each_annotated(module, UW_CLUSTER_ANNOTATION, set_cluster, LLVMGetModuleContext(module));
}
