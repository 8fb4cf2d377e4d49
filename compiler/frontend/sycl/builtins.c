/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * clang reads the device side of a SYCL program as C++ for this CPU. Here it becomes what CUDA's device side is:
 *
 *   - kernels have a GPU kernel's calling convention
 *   - __unwarp_sycl_local_memory() is the address of the group's dynamic shared memory
 *   - __unwarp_sycl_group_object(n) is the address of n bytes of the group's, others for each call that stands in the source
 *   - __unwarp_sycl_group_variable(p) is p, a variable in shared memory, as a plain pointer
 *   - invokes are calls: no kernel throws (restrictions.c)
 *   - functions of the C++ library that only throw are traps
 *   - typeinfo objects do without the C++ library's tables
 */
#include <string.h>

#include "sycl.h"

enum { LOCAL_ALIGNMENT = 128 };

static bool starts(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

static LLVMValueRef local_memory(uw_program *program) {
  static const char name[] = "__unwarp_sycl_local";
  LLVMValueRef memory = LLVMGetNamedGlobal(program->device, name);
  if (!memory) {
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(program->context), 0);
    memory = LLVMAddGlobalInAddressSpace(program->device, type, name, UW_SHARED_SPACE);
    LLVMSetAlignment(memory, LOCAL_ALIGNMENT);
  }
  return LLVMConstAddrSpaceCast(memory, LLVMPointerTypeInContext(program->context, 0));
}

static LLVMValueRef group_object(uw_program *program, LLVMValueRef call) {
  LLVMTypeRef type =
      LLVMArrayType2(LLVMInt8TypeInContext(program->context), LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0)));
  LLVMValueRef object = LLVMAddGlobalInAddressSpace(program->device, type, "__unwarp_sycl_object", UW_SHARED_SPACE);
  LLVMSetInitializer(object, LLVMGetUndef(type));
  LLVMSetLinkage(object, LLVMInternalLinkage);
  LLVMSetAlignment(object, LOCAL_ALIGNMENT);
  return LLVMConstAddrSpaceCast(object, LLVMPointerTypeInContext(program->context, 0));
}

/* What a call of one of our own functions means; null for other functions. */
static LLVMValueRef meaning(uw_program *program, LLVMBuilderRef builder, const char *name, LLVMValueRef call) {
  if (strcmp(name, "__unwarp_sycl_local_memory") == 0)
    return local_memory(program);
  if (strcmp(name, "__unwarp_sycl_group_object") == 0)
    return group_object(program, call);
  if (strcmp(name, "__unwarp_sycl_group_variable") == 0)
    return LLVMBuildAddrSpaceCast(builder, LLVMGetOperand(call, 0), LLVMPointerTypeInContext(program->context, 0), "");
  return NULL;
}

static void replace_calls(uw_program *program, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call))
      continue;
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef value = meaning(program, builder, uw_llvm_name(function), call);
    if (!value)
      break;
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(builder);
}

/* std::__throw_bad_alloc() and its like: a kernel that comes there ends, with its location in the source. */
static void trap(uw_program *program, LLVMValueRef function) {
  unsigned id = LLVMLookupIntrinsicID("llvm.trap", strlen("llvm.trap"));
  LLVMValueRef callee = LLVMGetIntrinsicDeclaration(program->device, id, NULL, 0);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(program->context, function, ""));
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, NULL, 0, "");
  LLVMBuildUnreachable(builder);
  LLVMDisposeBuilder(builder);
  LLVMSetLinkage(function, LLVMInternalLinkage);
}

bool uw_sycl_is_external(LLVMValueRef function) {
  const char *section = LLVMGetSection(function);
  return section && strcmp(section, "unwarp_sycl_external") == 0;
}

/* clang takes variables in shared memory for constants that are zero. */
static void free_shared_variables(uw_program *program) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != UW_SHARED_SPACE || LLVMIsDeclaration(g))
      continue;
    LLVMSetGlobalConstant(g, 0);
    LLVMSetInitializer(g, LLVMGetUndef(LLVMGlobalGetValueType(g)));
  }
}

/* A class with virtual functions has a typeinfo object, which begins with the address of a table in the C++ library.
 * Kernels call none of its functions: that typeid gives the object's name is all they may do with it. */
static void drop_library_tables(uw_program *program) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (!LLVMIsDeclaration(g) || !starts(uw_llvm_name(g), "_ZTVN10__cxxabiv1"))
      continue;
    LLVMReplaceAllUsesWith(g, LLVMConstNull(LLVMTypeOf(g)));
    LLVMDeleteGlobal(g);
  }
}

void uw_sycl_define_builtins(uw_program *program) {
  uw_sycl_note_captures(program);
  uw_sycl_share_group_statics(program);
  free_shared_variables(program);
  drop_library_tables(program);
  uw_run_llvm(program->device, "always-inline", 0);
  unsigned norecurse = LLVMGetEnumAttributeKindForName("norecurse", strlen("norecurse"));
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, norecurse);
    if (LLVMGetFunctionCallConv(f) == LLVMSPIRKERNELCallConv)
      LLVMSetFunctionCallConv(f, LLVMPTXKernelCallConv);
    if (!LLVMIsDeclaration(f))
      continue;
    if (starts(uw_llvm_name(f), "_ZSt") && strstr(uw_llvm_name(f), "__throw_"))
      trap(program, f);
    else if (starts(uw_llvm_name(f), "__unwarp_sycl_"))
      replace_calls(program, f);
  }
  uw_run_llvm(program->device, "function(lower-invoke,simplifycfg),globaldce", 0);
}
