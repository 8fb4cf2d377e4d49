/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The last iterations of trees in shared memory (is_tip_of_tree in lanes.c) are unrolled by LLVM, and so are the few
 * vectors of the iterations before them, but the latter after its passes that take loads and stores together. Functions
 * that have such iterations get these once more: what one iteration stores and the next one loads then stays in
 * registers. Others do not: what is loaded again may be cheaper than a register that is kept (bench path takes 1.05 of
 * its time with them). */
#include <string.h>

#include "llvm-c/Error.h"
#include "code.h"

#define MARK "unwarp-tips"

static bool says_full(LLVMValueRef node) {
  static const char wanted[] = "llvm.loop.unroll.full";
  LLVMValueRef first;
  unsigned length;
  if (!LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) != 1)
    return false;
  LLVMGetMDNodeOperands(node, &first);
  if (!first || !LLVMIsAMDString(first))
    return false;
  const char *text = LLVMGetMDString(first, &length);
  return length == sizeof wanted - 1 && memcmp(text, wanted, length) == 0;
}

/* Is it the end of a loop that is to be unrolled? */
static bool ends_tip(LLVMValueRef end, unsigned kind) {
  enum { MOST = 16 };
  LLVMValueRef loop = end ? LLVMGetMetadata(end, kind) : NULL, parts[MOST];
  unsigned count = loop ? LLVMGetMDNodeNumOperands(loop) : 0;
  if (count == 0 || count > MOST)
    return false;
  LLVMGetMDNodeOperands(loop, parts);
  for (unsigned i = 1; i < count; i++) /* the first one is the node itself */
    if (parts[i] && says_full(parts[i]))
      return true;
  return false;
}

void uw_mark_tips(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    bool found = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block && !found; block = LLVMGetNextBasicBlock(block))
      found = ends_tip(LLVMGetBasicBlockTerminator(block), kind);
    if (found)
      LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                              LLVMCreateStringAttribute(context, MARK, strlen(MARK), "", 0));
  }
}

void uw_forward_tips(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, MARK, strlen(MARK)))
      continue;
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, MARK, strlen(MARK));
    LLVMErrorRef error = LLVMRunPassesOnFunction(f, "early-cse<memssa>,dse", machine, options);
    if (error)
      uw_fatal("bug in unwarp: LLVM's optimiser failed: %s", LLVMGetErrorMessage(error));
  }
  LLVMDisposePassBuilderOptions(options);
}
