/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A source without host code: NVRTC's, where the device is the default execution space. clang then sees its device side
 * alone, since on the host's a function that is not marked would be the host's as well, and could call nothing of the
 * device's.
 *
 * What device_only.c reads off the host module is here in the device's: a variable __unwarp_name_N whose initial value
 * is the address of a kernel or a variable asks for its mangled name.
 */
#include "frontend.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../runtime/uwrt.h"

static const char asked[] = "__unwarp_name_";
enum { GLOBAL = 1, CONSTANT = 4 };

static bool is_asked(LLVMValueRef global) { return strncmp(uw_llvm_name(global), asked, sizeof asked - 1) == 0; }

/* Through the cast to a pointer of no address space. */
static LLVMValueRef object_of(LLVMValueRef address) {
  while (address && LLVMIsAConstantExpr(address))
    address = LLVMGetOperand(address, 0);
  return address;
}

static bool has_name(LLVMValueRef object) {
  if (object && LLVMIsAFunction(object))
    return LLVMGetFunctionCallConv(object) == LLVMPTXKernelCallConv;
  return object && LLVMIsAGlobalVariable(object);
}

/* clang lists what is marked as used, and the questions with that. */
void uw_drop_asked_names(LLVMModuleRef device) {
  bool any = false;
  for (LLVMValueRef g = LLVMGetFirstGlobal(device); g && !any; g = LLVMGetNextGlobal(g))
    any = is_asked(g);
  LLVMValueRef list = any ? LLVMGetNamedGlobal(device, "llvm.compiler.used") : NULL;
  if (list)
    LLVMDeleteGlobal(list);
  for (LLVMValueRef g = LLVMGetFirstGlobal(device), next; any && g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (!is_asked(g))
      continue;
    LLVMReplaceAllUsesWith(g, LLVMGetPoison(LLVMTypeOf(g)));
    LLVMDeleteGlobal(g);
  }
}

bool uw_answer_names_alone(uw_program *program, const char *names) {
  FILE *file = names ? fopen(names, "w") : NULL;
  bool good = file || !names;
  if (!good)
    fprintf(stderr, "unwarp: error: cannot write '%s': %s\n", names, strerror(errno));
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g && file; g = LLVMGetNextGlobal(g)) {
    if (!is_asked(g))
      continue;
    LLVMValueRef object = object_of(LLVMGetInitializer(g));
    const char *number = uw_llvm_name(g) + sizeof asked - 1;
    if (has_name(object)) {
      fprintf(file, "%s %s\n", number, uw_llvm_name(object));
    } else {
      fprintf(stderr, "unwarp: error: name expression %s is no kernel and no variable of the device\n", number);
      good = false;
    }
  }
  if (file)
    good = fclose(file) == 0 && good;
  uw_drop_asked_names(program->device);
  return good;
}

/* Variables that are the source's own are found by their names, too, as NVRTC's users find them. */
static void show_own_variables(LLVMModuleRef device) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(device); g; g = LLVMGetNextGlobal(g)) {
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    if (LLVMIsDeclaration(g) || LLVMGetLinkage(g) != LLVMInternalLinkage || (space != GLOBAL && space != CONSTANT) ||
        (LLVMIsGlobalConstant(g) && space != CONSTANT))
      continue;
    LLVMSetGlobalConstant(g, 0); /* clang saw nobody who sets a __constant__ variable */
    LLVMSetExternallyInitialized(g, 1);
    LLVMSetLinkage(g, LLVMExternalLinkage);
  }
}

bool uw_register_clang_alone(uw_program *program) {
  show_own_variables(program->device);
  if (!uw_register_alone(program))
    return false;
  for (size_t i = 0; i < program->kernel_count; i++)
    program->kernels[i].flags &= ~(uint32_t)UWRT_KERNEL_ALONE; /* it has no source, that means */
  return true;
}
