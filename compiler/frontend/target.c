/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The processor that code is made for. clang wrote the user's -march and friends into each host function; device code,
 * and what OpenMP lowering outlines from it, gets the same.
 *
 * A null pointer is an address that faults, as on a GPU: LLVM would take it for code that cannot run, and leave it out. */
#include <string.h>

#include "frontend.h"

const char *uw_host_attribute(uw_program *program, const char *name) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->host); f; f = LLVMGetNextFunction(f)) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    unsigned length;
    if (attribute && !LLVMIsDeclaration(f))
      return uw_arena_format(program->arena, "%s", LLVMGetStringAttributeValue(attribute, &length));
  }
  return NULL;
}

void uw_retarget(uw_program *program, LLVMModuleRef module) {
  static const char *const names[] = {"target-cpu", "target-features", "tune-cpu"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned length = (unsigned)strlen(names[i]);
    const char *value = uw_host_attribute(program, names[i]);
    LLVMAttributeRef attribute =
        value ? LLVMCreateStringAttribute(program->context, names[i], length, value, (unsigned)strlen(value)) : NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
      LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, names[i], length);
      if (attribute && !LLVMIsDeclaration(f))
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
    }
  }
  unsigned kind = LLVMGetEnumAttributeKindForName("null_pointer_is_valid", 21);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(program->context, kind, 0));
}
