/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the steps on accesses of some lanes share: parts of vectors, and llvm.masked.store with its alignment. */
#include <string.h>

#include "code.h"

LLVMValueRef uw_some_lanes(LLVMBuilderRef b, LLVMValueRef vector, unsigned first, unsigned count) {
  if (count == LLVMGetVectorSize(LLVMTypeOf(vector)))
    return vector;
  LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(vector)));
  LLVMValueRef which[UW_LANES_OF_A_STORE];
  for (unsigned i = 0; i < count; i++)
    which[i] = LLVMConstInt(number, first + i, 0);
  return LLVMBuildShuffleVector(b, vector, LLVMGetPoison(LLVMTypeOf(vector)), LLVMConstVector(which, count), "");
}

LLVMValueRef uw_in_each_lane(LLVMBuilderRef b, LLVMValueRef scalar, unsigned lanes) {
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), lanes),
              number = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  LLVMValueRef one = LLVMBuildInsertElement(b, LLVMGetPoison(type), scalar, LLVMConstInt(number, 0, 0), "");
  return LLVMBuildShuffleVector(b, one, LLVMGetPoison(type), LLVMConstNull(LLVMVectorType(number, lanes)), "");
}

LLVMValueRef uw_place_on_stack(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef place = LLVMBuildAlloca(b, LLVMInt64TypeInContext(context), "");
  LLVMSetAlignment(place, UW_PLACE_BYTES);
  LLVMDisposeBuilder(b);
  return place;
}

enum { ADDRESS = 2 /* of both, counted from 1 */ };

static unsigned alignment_kind(void) { return LLVMGetEnumAttributeKindForName("align", strlen("align")); }

unsigned uw_alignment_of_masked(LLVMValueRef call) {
  LLVMAttributeRef said = LLVMGetCallSiteEnumAttribute(call, ADDRESS, alignment_kind());
  return said ? (unsigned)LLVMGetEnumAttributeValue(said) : 1;
}

LLVMValueRef uw_build_masked(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMValueRef value,
                             LLVMValueRef to, LLVMValueRef mask, unsigned alignment) {
  LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMTypeOf(to)};
  LLVMValueRef call = uw_call_intrinsic(module, b, name, types, 2, (LLVMValueRef[]){value, to, mask}, 3);
  LLVMAddCallSiteAttribute(call, ADDRESS,
                           LLVMCreateEnumAttribute(LLVMGetModuleContext(module), alignment_kind(), alignment));
  return call;
}
