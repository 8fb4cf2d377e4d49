/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Variables of constant memory that no host code names: nobody can set them, so they keep what they are initialised
 * with, and LLVM may compute with that: offsets of a stencil in a table, weights. Kernels cannot write them, and the
 * host only by the object that stands for them (cudaMemcpyToSymbol), which without relocatable code is this file's own.
 * Only while the front end's passes run: the variables stay.
 *
 * Not what other files or the driver API find by its name: relocatable code, modules; nor what is in every file that
 * uses it. */
#include <string.h>

#include "../../runtime/uwrt.h"
#include "frontend.h"

/* A use that is more than clang's list of what is to be kept. */
static bool is_named(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAConstant(user))
      return true;
    if (LLVMIsAGlobalVariable(user) ? strncmp(uw_llvm_name(user), "llvm.", 5) != 0
                                    : LLVMIsAGlobalValue(user) || is_named(user))
      return true;
  }
  return false;
}

/* Old programs name variables by texts. */
static bool is_text_of(LLVMModuleRef host, const char *name) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(host); g; g = LLVMGetNextGlobal(g)) {
    LLVMValueRef text = LLVMIsDeclaration(g) || !LLVMGetFirstUse(g) ? NULL : LLVMGetInitializer(g);
    size_t length;
    if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
      continue;
    const char *letters = LLVMGetAsString(text, &length);
    if (length == strlen(name) + 1 && memcmp(letters, name, length) == 0)
      return true;
  }
  return false;
}

void uw_take_as_constants(uw_program *program, bool set) {
  for (size_t i = 0; i < program->variable_count && program->options.optimises && program->options.is_whole; i++) {
    uw_variable *variable = &program->variables[i];
    LLVMValueRef global = LLVMGetNamedGlobal(program->device, variable->device);
    if (!global || !(variable->flags & UWRT_VARIABLE_CONSTANT) || variable->is_reference || variable->is_weak ||
        LLVMIsDeclaration(global) || is_named(variable->shadow) || is_text_of(program->host, variable->name))
      continue;
    variable->flags |= UWRT_VARIABLE_FIXED;
    LLVMSetGlobalConstant(global, set);
  }
}
