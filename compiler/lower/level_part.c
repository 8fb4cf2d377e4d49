/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The part of a program that is one level's of x86-64: its kernels, its forms of the host functions with launches in
 * place, and what it may inline of the host's. All else is named only, and found when the level is linked in
 * (levels.c):
 *
 *   host function           small ones to be inlined (available_externally, those of this file alone as copies), or a declaration
 *   variable                a declaration; constants with their values
 *   F, one that is picked   F.v3, which the level's own code calls as such; who takes its address gets that of F, which picks
 *   other device function   f.v3, internal
 */
#include <string.h>

#include "llvm-c/Comdat.h"
#include "llvm-c/Linker.h"
#include "lower.h"

/* --- the host's code ---------------------------------------------------------------------------------------------- */

static void declare_variable(LLVMValueRef global) {
  LLVMSetInitializer(global, NULL);
  LLVMSetComdat(global, NULL);
  LLVMSetLinkage(global, LLVMExternalLinkage);
  LLVMSetVisibility(global, LLVMDefaultVisibility);
  LLVMSetUnnamedAddress(global, LLVMNoUnnamedAddr);
}

static void declare_function(LLVMValueRef function) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMValueRef declaration = LLVMAddFunction(module, "", LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(declaration, LLVMGetFunctionCallConv(function));
  LLVMReplaceAllUsesWith(function, declaration);
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  char copy[length + 1];
  memcpy(copy, name, length + 1);
  LLVMDeleteFunction(function);
  LLVMSetValueName2(declaration, copy, length);
}

static void take_along(LLVMValueRef value) {
  if (uw_is_discardable(value))
    return;
  LLVMSetComdat(value, NULL);
  LLVMSetLinkage(value, LLVMAvailableExternallyLinkage);
}

/* What nobody else may name, the level has for itself. The device code has found it by then. */
static void keep_copies(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage && uw_was_local(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (LLVMGetLinkage(g) == LLVMAvailableExternallyLinkage && uw_was_local(g))
      LLVMSetLinkage(g, LLVMPrivateLinkage);
}

/* Aliases mean what they name, and go, as do lists that the host's process has. Nothing else goes yet: what only
 * functions that launch call, nobody calls here until these come back with the device's code. */
static void drop_lists(LLVMModuleRef host) {
  for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(host), next; alias; alias = next) {
    next = LLVMGetNextGlobalAlias(alias);
    LLVMReplaceAllUsesWith(alias, LLVMAliasGetAliasee(alias));
    uw_shim_delete_alias(alias);
  }
  for (LLVMValueRef indirect = LLVMGetFirstGlobalIFunc(host), next; indirect; indirect = next) {
    next = LLVMGetNextGlobalIFunc(indirect);
    LLVMValueRef declaration = LLVMAddFunction(host, "", LLVMGlobalGetValueType(indirect));
    LLVMReplaceAllUsesWith(indirect, declaration);
    LLVMEraseGlobalIFunc(indirect);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(host), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (strncmp(uw_llvm_name(g), "llvm.", 5) == 0)
      LLVMDeleteGlobal(g);
  }
  LLVMSetModuleInlineAsm2(host, "", 0);
}

static void thin_host(const uw_program *program, const uw_level_plan *plan) {
  LLVMModuleRef host = program->host;
  drop_lists(host);
  for (LLVMValueRef g = LLVMGetFirstGlobal(host); g; g = LLVMGetNextGlobal(g))
    if (LLVMIsDeclaration(g))
      continue;
    else if (uw_table_get(plan->along, g))
      take_along(g);
    else
      declare_variable(g);
  for (LLVMValueRef f = LLVMGetFirstFunction(host), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (LLVMIsDeclaration(f))
      continue;
    if (uw_table_get(plan->along, f))
      take_along(f);
    else
      declare_function(f);
  }
}

/* --- the level's -------------------------------------------------------------------------------------------------- */

/* Where processes share a variable, a level has at most a constant's value. */
static void share_variables(uw_program *program, const uw_level_plan *plan) {
  LLVMModuleRef device = program->device;
  uw_table *shared = uw_table_create(program->arena);
  for (size_t i = 0; i < plan->device.count; i++) {
    LLVMValueRef g = LLVMGetNamedGlobal(device, plan->device.items[i].name);
    if (!g || LLVMIsDeclaration(g))
      continue;
    uw_table_set(shared, g, 1);
    if (!LLVMIsGlobalConstant(g)) {
      declare_variable(g);
    } else if (uw_names_globals(LLVMGetInitializer(g), true)) {
      LLVMSetLinkage(g, LLVMInternalLinkage);
    } else {
      LLVMSetLinkage(g, LLVMAvailableExternallyLinkage);
      LLVMSetComdat(g, NULL);
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(device); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && !uw_table_get(shared, g) && !uw_llvm_is_local(g) &&
        LLVMGetLinkage(g) != LLVMAppendingLinkage)
      LLVMSetLinkage(g, LLVMInternalLinkage);
}

static bool is_picked(const uw_level_plan *plan, const char *name) {
  for (size_t i = 0; i < plan->picked.count; i++)
    if (strcmp(plan->picked.items[i].name, name) == 0)
      return true;
  return false;
}

/* Calls name the level's form; all other uses name the function that picks. */
static void name_picker(LLVMModuleRef module, LLVMValueRef body, const char *name) {
  LLVMValueRef picker = LLVMAddFunction(module, "", LLVMGlobalGetValueType(body));
  LLVMSetFunctionCallConv(picker, LLVMGetFunctionCallConv(body));
  LLVMReplaceAllUsesWith(body, picker);
  uw_llvm_rename(picker, name);
}

static void rename_functions(uw_program *program, const uw_level_plan *plan) {
  uw_table *pickers = uw_table_create(program->arena);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (LLVMIsDeclaration(f) || uw_table_get(pickers, f))
      continue;
    const char *name = uw_arena_format(program->arena, "%s", uw_llvm_name(f));
    bool picked = is_picked(plan, name);
    uw_llvm_rename(f, uw_arena_format(program->arena, "%s%s", name, program->levels.now->suffix));
    if (picked)
      name_picker(program->device, f, name);
    LLVMSetLinkage(f, picked ? LLVMExternalLinkage : LLVMInternalLinkage);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    LLVMSetComdat(f, NULL);
  }
}

/* The last operand of a call is what it calls. Functions that other files may get from this one must do for any
 * level. */
static void call_level(LLVMValueRef picker, LLVMValueRef body) {
  for (LLVMUseRef use = LLVMGetFirstUse(picker), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    unsigned last = (unsigned)LLVMGetNumOperands(user) - 1;
    if ((!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) || LLVMGetOperandUse(user, last) != use)
      continue;
    if (!uw_is_discardable(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
      LLVMSetOperand(user, last, body);
  }
}

/* A device variable is its host shadow. */
static void unify_variables(uw_program *program) {
  for (size_t i = 0; i < program->variable_count; i++) {
    LLVMValueRef device = LLVMGetNamedGlobal(program->host, program->variables[i].device);
    if (!device)
      continue;
    LLVMReplaceAllUsesWith(device, program->variables[i].shadow);
    LLVMDeleteGlobal(device);
  }
}

void uw_make_level_part(uw_program *program, const uw_level_plan *plan) {
  thin_host(program, plan);
  share_variables(program, plan);
  rename_functions(program, plan);
  LLVMModuleRef device = program->device;
  program->device = NULL;
  if (LLVMLinkModules2(program->host, device))
    uw_fatal("bug in unwarp: a level's code does not link with the host's");
  keep_copies(program->host);
  unify_variables(program);
  for (size_t i = 0; i < plan->picked.count; i++) {
    const char *name = plan->picked.items[i].name;
    LLVMValueRef picker = LLVMGetNamedFunction(program->host, name);
    LLVMValueRef body =
        LLVMGetNamedFunction(program->host, uw_arena_format(program->arena, "%s%s", name, program->levels.now->suffix));
    if (picker && body)
      call_level(picker, body);
  }
  uw_run_llvm(program->host, "globaldce,strip-dead-prototypes", 0);
}
