/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A module that a program loads at run time (-cubin) has the kernels and variables of its source and nothing of its
 * host code: no function runs when it is opened, and no library is needed that only host code calls. So the host module
 * keeps the kernels' stubs and the variables' shadows.
 *
 * A host variable __unwarp_name_N whose initial value is a kernel's or a variable's address asks for its mangled name:
 * that is how NVRTC finds the names of what name expressions instantiate. The answers go to a file, a line "N name"
 * each.
 */
#include "frontend.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../runtime/uwrt.h"
#include "llvm-c/Target.h"

static const char asked[] = "__unwarp_name_";

static bool is_stub(const uw_program *program, LLVMValueRef function) {
  for (size_t i = 0; i < program->kernel_count; i++)
    if (program->kernels[i].stub == function)
      return true;
  return false;
}

static bool is_shadow(const uw_program *program, LLVMValueRef global) {
  for (size_t i = 0; i < program->variable_count; i++)
    if (program->variables[i].shadow == global)
      return true;
  return false;
}

/* What an address is of, through casts and offsets of 0. */
static LLVMValueRef object_of(LLVMValueRef address) {
  while (address && LLVMIsAConstantExpr(address))
    address = LLVMGetOperand(address, 0);
  return address;
}

static const char *mangled_name(const uw_program *program, LLVMValueRef object) {
  for (size_t i = 0; i < program->kernel_count; i++)
    if (program->kernels[i].stub == object)
      return program->kernels[i].name;
  for (size_t i = 0; i < program->variable_count; i++)
    if (program->variables[i].shadow == object)
      return program->variables[i].name;
  return NULL;
}

static bool answer_names(const uw_program *program, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) {
    fprintf(stderr, "unwarp: error: cannot write '%s': %s\n", path, strerror(errno));
    return false;
  }
  bool good = true;
  for (LLVMValueRef global = LLVMGetFirstGlobal(program->host); global; global = LLVMGetNextGlobal(global)) {
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    LLVMValueRef value = LLVMGetInitializer(global);
    if (strncmp(name, asked, sizeof asked - 1) != 0 || !value)
      continue;
    const char *found = mangled_name(program, object_of(value)), *number = name + sizeof asked - 1;
    if (!found) {
      fprintf(stderr, "unwarp: error: name expression %s is no kernel and no variable of the device\n", number);
      good = false;
    } else {
      fprintf(file, "%s %s\n", number, found);
    }
  }
  return fclose(file) == 0 && good;
}

static void drop_global(LLVMModuleRef module, const char *name) {
  LLVMValueRef global = LLVMGetNamedGlobal(module, name);
  if (global)
    LLVMDeleteGlobal(global);
}

static void drop_uses(LLVMValueRef value) { LLVMReplaceAllUsesWith(value, LLVMGetPoison(LLVMTypeOf(value))); }

static bool is_known(const uw_program *program, const char *name) {
  for (size_t i = 0; i < program->variable_count; i++)
    if (strcmp(program->variables[i].name, name) == 0)
      return true;
  return false;
}

/* Variables that are the file's own and that only device code uses have no shadow, so that nobody could set them: a
 * program finds them by name, as it finds all of a module. They get one. */
static void add_own_variables(uw_program *program) {
  size_t count = program->variable_count, length;
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g))
    count++;
  uw_variable *all = uw_alloc(program->arena, (count + 1) * sizeof *all);
  if (program->variable_count)
    memcpy(all, program->variables, program->variable_count * sizeof *all);
  program->variables = all;
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g)) {
    const char *name = LLVMGetValueName2(g, &length);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    bool is_variable = space == 1 || space == 4;
    if (!is_variable || LLVMIsDeclaration(g) || LLVMGetLinkage(g) != LLVMInternalLinkage || is_known(program, name))
      continue;
    if (LLVMIsGlobalConstant(g) && space != 4)
      continue;
    LLVMSetGlobalConstant(g, 0); /* clang saw nobody who sets a __constant__ variable */
    LLVMSetExternallyInitialized(g, 1);
    LLVMTypeRef type = LLVMGlobalGetValueType(g);
    LLVMValueRef shadow = LLVMAddGlobal(program->host, type, name);
    LLVMSetInitializer(shadow, LLVMGetUndef(type));
    LLVMSetLinkage(shadow, LLVMInternalLinkage);
    LLVMSetAlignment(shadow, LLVMGetAlignment(g));
    program->variables[program->variable_count++] =
        (uw_variable){.shadow = shadow,
                      .name = uw_arena_format(program->arena, "%s", name),
                      .device = uw_arena_format(program->arena, "__unwarp_device_%s", name),
                      .bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(program->device), type),
                      .flags = space == 4 ? UWRT_VARIABLE_CONSTANT : 0};
  }
}

bool uw_keep_device_code(uw_program *program, const char *names) {
  LLVMModuleRef host = program->host;
  if (names && !answer_names(program, names))
    return false;
  static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    drop_global(host, lists[i]);
  for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(host), next; alias; alias = next) {
    next = LLVMGetNextGlobalAlias(alias);
    drop_uses(alias);
    LLVMDeleteGlobal(alias);
  }
  for (LLVMValueRef function = LLVMGetFirstFunction(host), next; function; function = next) {
    next = LLVMGetNextFunction(function);
    if (LLVMIsDeclaration(function) || is_stub(program, function))
      continue;
    drop_uses(function);
    LLVMDeleteFunction(function);
  }
  for (LLVMValueRef global = LLVMGetFirstGlobal(host), next; global; global = next) {
    next = LLVMGetNextGlobal(global);
    if (is_shadow(program, global))
      continue;
    drop_uses(global);
    LLVMDeleteGlobal(global);
  }
  add_own_variables(program);
  return true;
}
