/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Variables that host and kernels share: device globals, known by their class, and the values of specialization
 * constants, by their section. Both modules have one of the same name; like a CUDA variable and its shadow they become
 * one object (lower/merge.c). */
#include <string.h>

#include "llvm-c/Target.h"
#include "sycl.h"

static bool is_constant(LLVMValueRef variable) {
  const char *section = LLVMGetSection(variable);
  return section && strcmp(section, UW_SYCL_CONSTANT_SECTION) == 0;
}

bool uw_sycl_is_shared_variable(LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  return is_constant(variable) || (name && strstr(name, "::experimental::device_global"));
}

void uw_sycl_free_variables(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (uw_sycl_is_shared_variable(g))
      LLVMSetGlobalConstant(g, 0);
}

void uw_sycl_read_variables(uw_program *program) {
  size_t count = 0, length;
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g))
    count += uw_sycl_is_shared_variable(g);
  program->variables = uw_alloc(program->arena, (count + 1) * sizeof *program->variables);
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g; g = LLVMGetNextGlobal(g)) {
    const char *name = LLVMGetValueName2(g, &length);
    LLVMValueRef shadow = uw_sycl_is_shared_variable(g) ? LLVMGetNamedGlobal(program->host, name) : NULL;
    if (!shadow) { /* no host code of this file uses it */
      if (is_constant(g) && uw_llvm_is_local(g))
        LLVMSetGlobalConstant(g, 1);
      continue;
    }
    LLVMSetSection(shadow, "");
    name = uw_arena_format(program->arena, "%s", name);
    program->variables[program->variable_count++] =
        (uw_variable){.shadow = shadow,
                      .name = name,
                      .device = uw_arena_format(program->arena, "__unwarp_device_%s", name),
                      .bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(program->device), LLVMGlobalGetValueType(g))};
  }
}
