/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels that launch kernels. clang writes such a launch as
 *
 *     buffer = cudaGetParameterBuffer(64, bytes);     the parameters are stored there, each at its alignment
 *     cudaLaunchDevice(kernel, buffer, grid, block, shared bytes, stream)
 *
 * which the headers name as functions of the runtime. Left to do: the kernel's address becomes that of its record, a
 * kernel that only device code launches gets a host stub, so that it is one like the others, and the dimensions go by
 * address.
 *
 * clang does so only in its form of relocatable device code, so the driver compiles a file with such launches as that,
 * and all with -rdc=true; its names for static kernels and variables, NAME__intern__FILE and NAME__static__FILE, become NAME again.
 */
#include <string.h>

#include "frontend.h"

/* Of another file's kernel only a launch tells that it is one. */
static bool is_kernel(LLVMValueRef function) {
  if (LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv)
    return true;
  for (LLVMUseRef use = LLVMIsDeclaration(function) ? LLVMGetFirstUse(function) : NULL; use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (LLVMIsACallInst(call) && LLVMIsAFunction(LLVMGetCalledValue(call)) && LLVMGetOperand(call, 0) == function &&
        strcmp(uw_llvm_name(LLVMGetCalledValue(call)), "uwrt_launch_device") == 0)
      return true;
  }
  return false;
}

/* Gives the module's NAME__what__FILE the name NAME, also to who uses it under that. */
static void rename_back(LLVMValueRef thing, const char *name, LLVMValueRef declared) {
  if (declared) {
    LLVMReplaceAllUsesWith(declared, thing);
    LLVMIsAFunction(declared) ? LLVMDeleteFunction(declared) : LLVMDeleteGlobal(declared);
  }
  LLVMSetValueName2(thing, name, strlen(name));
}

static void rename_statics(uw_program *program) {
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f)) {
    const char *name = uw_plain_name(program, uw_llvm_name(f));
    if (!is_kernel(f) || strcmp(name, uw_llvm_name(f)) == 0)
      continue;
    rename_back(f, name, LLVMGetNamedFunction(program->device, name));
    LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    const char *name = uw_plain_name(program, uw_llvm_name(g));
    if (LLVMIsDeclaration(g) || strcmp(name, uw_llvm_name(g)) == 0)
      continue;
    LLVMValueRef declared = LLVMGetNamedGlobal(program->device, name);
    next = next == declared ? LLVMGetNextGlobal(next) : next;
    rename_back(g, name, declared);
  }
}

/* What clang keeps alive by name would count as a use. */
static void drop_lists(LLVMModuleRef module) {
  static const char *const lists[] = {"llvm.used", "llvm.compiler.used", "__clang_gpu_used_external"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, lists[i]);
    if (list && !LLVMGetFirstUse(list))
      LLVMDeleteGlobal(list);
  }
}

static bool is_known(const uw_program *program, const char *kernel) {
  for (size_t i = 0; i < program->kernel_count; i++)
    if (strcmp(program->kernels[i].name, kernel) == 0)
      return true;
  return false;
}

/* A host function that stands for the kernel, as clang makes for those that the host launches. */
static LLVMValueRef make_stub(uw_program *program, const char *kernel) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(program->context), NULL, 0, false);
  LLVMValueRef stub = LLVMAddFunction(program->host, uw_arena_format(program->arena, "__unwarp_stub_%s", kernel), type);
  LLVMSetLinkage(stub, LLVMInternalLinkage);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(program->context, stub, ""));
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  return stub;
}

static void add_kernel(uw_program *program, LLVMValueRef function) {
  uw_kernel *kernels = uw_alloc(program->arena, (program->kernel_count + 1) * sizeof *kernels);
  if (program->kernel_count)
    memcpy(kernels, program->kernels, program->kernel_count * sizeof *kernels);
  uw_kernel *kernel = &kernels[program->kernel_count++];
  kernel->name = uw_arena_format(program->arena, "%s", uw_llvm_name(function));
  kernel->entry = uw_arena_format(program->arena, "__unwarp_entry_%s", kernel->name);
  kernel->stub = make_stub(program, kernel->name);
  program->kernels = kernels;
}

/* A kernel as a value is the address of its record, which lower/merge.c writes. */
static void address_records(uw_program *program) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(program->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!is_kernel(f))
      continue;
    if (!LLVMGetFirstUse(f) || (LLVMIsDeclaration(f) && !program->options.relocatable))
      continue; /* launched by the host only; or refused by its name */
    if (!LLVMIsDeclaration(f) && !is_known(program, uw_llvm_name(f)))
      add_kernel(program, f);
    const char *record = uw_arena_format(program->arena, UW_KERNEL_RECORD "%s", uw_llvm_name(f));
    LLVMReplaceAllUsesWith(f, LLVMAddGlobal(program->device, byte, record));
  }
}

/* The runtime is C, where a structure by value is not what LLVM's byval is. */
static void pass_dimensions_by_address(uw_program *program) {
  LLVMValueRef launch = LLVMGetNamedFunction(program->device, "uwrt_launch_device");
  unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 1; launch && i <= LLVMCountParams(launch); i++) {
    LLVMRemoveEnumAttributeAtIndex(launch, i, by_value);
    for (LLVMUseRef use = LLVMGetFirstUse(launch); use; use = LLVMGetNextUse(use))
      if (LLVMIsACallInst(LLVMGetUser(use)))
        LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), i, by_value);
  }
}

void uw_take_nested_launches(uw_program *program) {
  if (program->nested_launches) {
    drop_lists(program->device);
    rename_statics(program);
    address_records(program);
    pass_dimensions_by_address(program);
  }
  for (size_t i = 0; i < program->kernel_count; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(program->device, program->kernels[i].name);
    program->kernels[i].linkage = function ? LLVMGetLinkage(function) : LLVMInternalLinkage;
  }
}
