/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Objects of work_group_static (include/sycl/work_group_static.hpp) are static wherever they stand, and each work-group has its
 * own. To clang they are plain variables; here
 *
 *   %x = alloca %"class.sycl::…::work_group_static"      becomes      @x = internal addrspace(3) global …
 *
 * as clang emitted it: before anything is inlined (a function that is called twice has one object), and before SROA. The
 * same for those of namespaces and static ones. Inside of another object there can be none: refused. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "sycl.h"

static bool is_group_static(LLVMTypeRef type) {
  static const char name[] = "class.sycl::_V1::ext::oneapi::experimental::work_group_static";
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMGetStructName(type))
    return false;
  const char *rest = LLVMGetStructName(type);
  if (strncmp(rest, name, sizeof name - 1) != 0)
    return false;
  rest += sizeof name - 1;
  return *rest == '\0' || *rest == '.'; /* another one of the template: ".12" */
}

static bool holds_group_static(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return is_group_static(LLVMGetElementType(type)) || holds_group_static(LLVMGetElementType(type));
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMIsOpaqueStruct(type))
    return false;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
    LLVMTypeRef element = LLVMStructGetTypeAtIndex(type, i);
    if (is_group_static(element) || holds_group_static(element))
      return true;
  }
  return false;
}

static LLVMValueRef shared_object(uw_program *program, LLVMTypeRef type, LLVMValueRef old, unsigned alignment) {
  const char *name = uw_llvm_name(old);
  LLVMValueRef object =
      LLVMAddGlobalInAddressSpace(program->device, type, *name ? name : "group_static", UW_SHARED_SPACE);
  LLVMSetInitializer(object, LLVMGetUndef(type));
  LLVMSetLinkage(object, LLVMInternalLinkage);
  LLVMSetAlignment(object, alignment);
  return LLVMConstAddrSpaceCast(object, LLVMPointerTypeInContext(program->context, 0));
}

/* Only what is of a stack frame begins and ends. */
static void drop_lifetimes(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    if (callee && strncmp(uw_llvm_name(callee), "llvm.lifetime.", strlen("llvm.lifetime.")) == 0)
      LLVMInstructionEraseFromParent(user);
  }
}

/* restrictions.c says the line of this call. */
static void mark_refused(uw_program *program, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(program->context), NULL, 0, 0);
  LLVMValueRef mark = LLVMGetNamedFunction(program->device, UW_SYCL_GROUP_STATIC_INSIDE);
  if (!mark)
    mark = LLVMAddFunction(program->device, UW_SYCL_GROUP_STATIC_INSIDE, type);
  LLVMValueRef at = variable;
  while (!LLVMIsATerminatorInst(at) && (LLVMIsAAllocaInst(at) || !LLVMInstructionGetDebugLoc(at)))
    at = LLVMGetNextInstruction(at);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderBefore(builder, at);
  LLVMBuildCall2(builder, type, mark, NULL, 0, "");
  LLVMDisposeBuilder(builder);
}

static void share_of_function(uw_program *program, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
      next = LLVMGetNextInstruction(op);
      if (!LLVMIsAAllocaInst(op))
        continue;
      LLVMTypeRef type = LLVMGetAllocatedType(op);
      if (is_group_static(type)) {
        drop_lifetimes(op);
        next = LLVMGetNextInstruction(op);
        LLVMReplaceAllUsesWith(op, shared_object(program, type, op, LLVMGetAlignment(op)));
        LLVMInstructionEraseFromParent(op);
      } else if (holds_group_static(type)) {
        mark_refused(program, op);
      }
    }
}

void uw_sycl_share_group_statics(uw_program *program) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (LLVMIsDeclaration(g) || LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != 0 ||
        !is_group_static(LLVMGlobalGetValueType(g)))
      continue;
    LLVMReplaceAllUsesWith(g, shared_object(program, LLVMGlobalGetValueType(g), g, LLVMGetAlignment(g)));
    LLVMDeleteGlobal(g);
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    share_of_function(program, f);
}
