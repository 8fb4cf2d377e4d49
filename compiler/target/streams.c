/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stores that go past the caches. passes/memory/nontemporal_stores.c marks them before LLVM makes vectors of them; those that
 * became whole, aligned vectors are told to do so here, after LLVM's optimiser. What is smaller or not known to be
 * aligned stays as it is: on x86 such a store would be taken apart, or trap. */
#include <string.h>

#include "../analysis/thresholds.h"
#include "llvm-c/Target.h"

#include "../raise/raise.h"
#include "code.h"

enum { REGISTER = 64 };

static bool is_marked(LLVMValueRef store, LLVMContextRef context) {
  LLVMValueRef list = LLVMGetMetadata(store, LLVMGetMDKindIDInContext(context, "alias.scope", strlen("alias.scope")));
  unsigned count = list ? LLVMGetMDNodeNumOperands(list) : 0;
  LLVMValueRef scopes[count + 1];
  if (list)
    LLVMGetMDNodeOperands(list, scopes);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef parts[3]; /* itself, its domain, its name */
    unsigned length;
    if (!LLVMIsAMDNode(scopes[i]) || LLVMGetMDNodeNumOperands(scopes[i]) != 3)
      continue;
    LLVMGetMDNodeOperands(scopes[i], parts);
    const char *name = parts[2] && LLVMIsAMDString(parts[2]) ? LLVMGetMDString(parts[2], &length) : NULL;
    if (name && length == strlen(UW_STREAM) && memcmp(name, UW_STREAM, length) == 0)
      return true;
  }
  return false;
}

static bool is_whole(LLVMValueRef store, LLVMTargetDataRef layout) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return false;
  unsigned long long bytes = LLVMStoreSizeOfType(layout, type);
  unsigned aligned = LLVMGetAlignment(store);
  return bytes >= UW_SMALLEST_STREAM && (bytes & (bytes - 1)) == 0 && aligned >= (bytes < REGISTER ? bytes : REGISTER);
}

void uw_lower_streams(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  unsigned kind = LLVMGetMDKindIDInContext(context, "nontemporal", strlen("nontemporal"));
  LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), 1, 0));
  LLVMValueRef yes = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &one, 1));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (LLVMGetInstructionOpcode(op) == LLVMStore && !LLVMGetVolatile(op) && is_marked(op, context) &&
            is_whole(op, layout))
          LLVMSetMetadata(op, kind, yes);
}
