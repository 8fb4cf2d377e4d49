/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lets vectors that passes made be as wide as they are. On processors that prefer 256 bits (Intel's with AVX-512)
 * LLVM's back end takes wider ones apart, unless a function says that its source asked for them:
 * "min-legal-vector-width". clang writes that from what it sees in the host function, 0, and a share of blocks taken
 * out of it inherits it.
 *
 *   "min-legal-vector-width"="0"  { fadd <16 x float> … }    ==>    "min-legal-vector-width"="512"  { fadd <16 x float> … }
 *
 * Of loops LLVM makes vectors of 256 bits there, which is right for code that uses vectors now and then. A share does
 * nothing else: it prefers 512, unless the command line says otherwise ("prefer-vector-width", by
 * -mprefer-vector-width=). Runs before LLVM's optimiser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"

static const char attribute[] = "min-legal-vector-width", preference[] = "prefer-vector-width";
enum { WIDEST = 512 };

static unsigned bits_of(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return 0;
  LLVMTypeRef element = LLVMGetElementType(type);
  unsigned each = 0;
  switch (LLVMGetTypeKind(element)) {
  case LLVMIntegerTypeKind: each = LLVMGetIntTypeWidth(element); break;
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind: each = 16; break;
  case LLVMFloatTypeKind: each = 32; break;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind: each = 64; break;
  default: break;
  }
  unsigned bits = each == 1 ? 0 : each * LLVMGetVectorSize(type); /* masks have registers of their own */
  return bits < WIDEST ? bits : WIDEST;
}

static unsigned widest_in(LLVMValueRef function) {
  unsigned widest = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
      unsigned bits = bits_of(LLVMTypeOf(op));
      widest = bits > widest ? bits : widest;
    }
  return widest;
}

unsigned uw_allowed_width(LLVMValueRef function) {
  LLVMAttributeRef said =
      LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute, sizeof attribute - 1);
  unsigned length;
  return said ? (unsigned)strtoul(LLVMGetStringAttributeValue(said, &length), NULL, 10)
              : WIDEST; /* not said: all are */
}

static void set(LLVMValueRef function, const char *name, unsigned bits) {
  char text[16];
  int written = snprintf(text, sizeof text, "%u", bits);
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), text, (unsigned)written));
}

static bool says(LLVMValueRef function, const char *name) {
  return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name)) != NULL;
}

void uw_allow_widths(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function)) {
    if (uw_is_share(function) && uw_has_feature(function, "+avx512f") && !says(function, preference))
      set(function, preference, WIDEST);
    unsigned widest = widest_in(function);
    if (widest > uw_allowed_width(function))
      set(function, attribute, widest);
  }
}
