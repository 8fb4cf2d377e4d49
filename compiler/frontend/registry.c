/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * clang's host side registers each kernel and variable with NVIDIA's runtime in __cuda_register_globals. That function
 * is the one place that ties host symbols to device names, so it is read here, call by call, and then taken out
 * together with the constructor around it; lower/ writes unwarp's own registration. */
#include <string.h>

#include "../../runtime/uwrt.h"
#include "frontend.h"
#include "llvm-c/Target.h"

static const char *constant_text(LLVMValueRef value) {
  LLVMValueRef text = LLVMGetInitializer(value);
  size_t length;
  return LLVMGetAsString(text, &length);
}

const char *uw_plain_name(uw_program *program, const char *name) {
  const char *at = program->nested_launches ? strstr(name, "__intern__") : NULL;
  if (program->nested_launches && !at)
    at = strstr(name, "__static__");
  return uw_arena_format(program->arena, "%.*s", at ? (int)(at - name) : (int)strlen(name), name);
}

/* kernel_call: __cudaRegisterFunction(handle, stub, name, name, thread limit, …) */
static void read_kernel(uw_program *program, LLVMValueRef call) {
  uw_kernel *kernel = &program->kernels[program->kernel_count++];
  kernel->stub = LLVMGetOperand(call, 1);
  kernel->name = uw_plain_name(program, constant_text(LLVMGetOperand(call, 2)));
  kernel->entry = uw_arena_format(program->arena, "__unwarp_entry_%s", kernel->name);
}

/* variable_call: __cudaRegisterVar(handle, shadow, name, name, extern, bytes, constant, 0) */
static void read_variable(uw_program *program, LLVMValueRef call) {
  uw_variable *variable = &program->variables[program->variable_count++];
  variable->shadow = LLVMGetOperand(call, 1);
  variable->name = uw_plain_name(program, constant_text(LLVMGetOperand(call, 2)));
  variable->device = uw_arena_format(program->arena, "__unwarp_device_%s", variable->name);
  variable->bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 5));
  if (LLVMConstIntGetZExtValue(LLVMGetOperand(call, 6)))
    variable->flags |= UWRT_VARIABLE_CONSTANT;
  const char *section = LLVMGetSection(variable->shadow);
  if (section && strcmp(section, UW_MANAGED_SECTION) == 0) {
    variable->flags |= UWRT_VARIABLE_MANAGED;
    LLVMSetSection(variable->shadow, "");
  }
}

/* reference_call: __cudaRegisterTexture(handle, shadow, name, name, …), __cudaRegisterSurface likewise: an old
 * reference, whose own fields say all. */
static void read_reference(uw_program *program, LLVMValueRef call) {
  uw_variable *variable = &program->variables[program->variable_count++];
  variable->shadow = LLVMGetOperand(call, 1);
  variable->name = uw_arena_format(program->arena, "%s", constant_text(LLVMGetOperand(call, 2)));
  variable->device = uw_arena_format(program->arena, "__unwarp_device_%s", variable->name);
  variable->bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(program->host), LLVMGlobalGetValueType(variable->shadow));
  variable->is_reference = true;
}

/* Removes one function from llvm.global_ctors. */
static void remove_constructor(LLVMModuleRef module, LLVMValueRef function) {
  LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global_ctors");
  if (!list)
    return;
  LLVMValueRef old = LLVMGetInitializer(list);
  LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(old));
  int count = LLVMGetNumOperands(old), kept = 0;
  LLVMValueRef entries[count > 0 ? count : 1];
  for (int i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetOperand(old, (unsigned)i);
    if (LLVMGetOperand(entry, 1) != function)
      entries[kept++] = entry;
  }
  if (kept == count)
    return;
  if (kept) {
    LLVMValueRef fresh = LLVMAddGlobal(module, LLVMArrayType2(element, (uint64_t)kept), "");
    LLVMSetInitializer(fresh, LLVMConstArray2(element, entries, (uint64_t)kept));
    LLVMSetLinkage(fresh, LLVMAppendingLinkage);
    LLVMDeleteGlobal(list);
    LLVMSetValueName2(fresh, "llvm.global_ctors", strlen("llvm.global_ctors"));
  } else {
    LLVMDeleteGlobal(list);
  }
}

static void delete_function(LLVMModuleRef module, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function)
    return;
  LLVMReplaceAllUsesWith(function, LLVMConstNull(LLVMTypeOf(function)));
  LLVMDeleteFunction(function);
}

static void delete_global(LLVMModuleRef module, const char *name) {
  LLVMValueRef global = LLVMGetNamedGlobal(module, name);
  if (global && !LLVMGetFirstUse(global))
    LLVMDeleteGlobal(global);
}

/* How clang registers relocatable device code: __cudaRegisterLinkedBinary_FILE(registration, wrapper, …). */
static LLVMValueRef linked_binary(LLVMModuleRef host) {
  static const char prefix[] = "__cudaRegisterLinkedBinary";
  size_t length;
  for (LLVMValueRef f = LLVMGetFirstFunction(host); f; f = LLVMGetNextFunction(f))
    if (strncmp(LLVMGetValueName2(f, &length), prefix, sizeof prefix - 1) == 0)
      return f;
  return NULL;
}

/* Its other name for the wrapper; internal, so that nobody sees it and LLVM drops both. */
static void hide_wrapper_alias(LLVMModuleRef host) {
  size_t length;
  for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(host); alias; alias = LLVMGetNextGlobalAlias(alias))
    if (strncmp(LLVMGetValueName2(alias, &length), "__fatbinwrap", 12) == 0)
      LLVMSetLinkage(alias, LLVMInternalLinkage);
}

typedef void reader(uw_program *program, LLVMValueRef call, const char *callee);

static void for_each_call(uw_program *program, LLVMValueRef function, reader *read) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef call = LLVMGetFirstInstruction(block); call; call = LLVMGetNextInstruction(call))
      if (LLVMIsACallInst(call)) {
        size_t length;
        read(program, call, LLVMGetValueName2(LLVMGetCalledValue(call), &length));
      }
}

typedef void entry_reader(uw_program *program, LLVMValueRef call);

static const struct {
  const char *name;
  entry_reader *read;
  bool is_kernel;
} entries[] = {{"__cudaRegisterFunction", read_kernel, true},
               {"__cudaRegisterVar", read_variable, false},
               {"__cudaRegisterTexture", read_reference, false},
               {"__cudaRegisterSurface", read_reference, false}};

static void count_entry(uw_program *program, LLVMValueRef call, const char *callee) {
  (void)call;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(callee, entries[i].name) == 0)
      *(entries[i].is_kernel ? &program->kernel_count : &program->variable_count) += 1;
}

static void read_entry(uw_program *program, LLVMValueRef call, const char *callee) {
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(callee, entries[i].name) == 0)
      entries[i].read(program, call);
}

bool uw_read_registry(uw_program *program) {
  LLVMValueRef linked = linked_binary(program->host);
  program->nested_launches = linked != NULL;
  LLVMValueRef registration = LLVMGetNamedFunction(program->host, "__cuda_register_globals");
  if (registration) {
    for_each_call(program, registration, count_entry);
    program->kernels = uw_alloc(program->arena, program->kernel_count * sizeof *program->kernels);
    program->variables = uw_alloc(program->arena, program->variable_count * sizeof *program->variables);
    program->kernel_count = program->variable_count = 0;
    for_each_call(program, registration, read_entry);
  }
  LLVMValueRef constructor = LLVMGetNamedFunction(program->host, "__cuda_module_ctor");
  if (constructor)
    remove_constructor(program->host, constructor);
  static const char *const functions[] = {
      "__cuda_module_ctor",      "__cuda_module_dtor",         "__cuda_register_globals",  "__cudaRegisterFunction",
      "__cudaRegisterVar",       "__cudaRegisterManagedVar",   "__cudaRegisterSurface",    "__cudaRegisterTexture",
      "__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    delete_function(program->host, functions[i]);
  if (linked) {
    LLVMDeleteFunction(linked);
    hide_wrapper_alias(program->host);
  }
  delete_global(program->host, "__cuda_gpubin_handle");
  delete_global(program->host, "__cuda_fatbin_wrapper");
  return true;
}
