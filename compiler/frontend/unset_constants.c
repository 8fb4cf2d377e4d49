/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Variables of constant memory that no host code names: nobody can set them, so they keep what they are initialised
 * with, and LLVM may compute with that: offsets of a stencil in a table, weights. Kernels cannot write them, and the
 * host only by the object that stands for them (cudaMemcpyToSymbol), which without relocatable code is this file's own.
 * Only while the front end's passes run: the variables stay.
 *
 * Not what other files or the driver API find by its name: relocatable code, modules; nor what is in every file that
 * uses it; nor what a kernel stores to, of which a warning says that a GPU does not take it. */
#include <stdio.h>
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

enum { CONSTANT = 4 };

/* The value of a variable of the function that is set once, as clang leaves parameters: what is loaded from it. */
static LLVMValueRef find_store(LLVMValueRef address, int depth);
static LLVMValueRef find_store_by_loads(LLVMValueRef slot, int depth) {
  int stores = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use))
    stores += LLVMIsAStoreInst(LLVMGetUser(use)) != NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(slot); use && stores == 1; use = LLVMGetNextUse(use)) {
    LLVMValueRef load = LLVMIsALoadInst(LLVMGetUser(use)), found = load ? find_store(load, depth) : NULL;
    if (found)
      return found;
  }
  return NULL;
}

static LLVMValueRef find_store_by_call(LLVMValueRef call, LLVMValueRef address, int depth) {
  LLVMValueRef called = LLVMIsAFunction(LLVMGetCalledValue(call));
  if (!called)
    return NULL;
  if (strncmp(uw_llvm_name(called), "llvm.mem", strlen("llvm.mem")) == 0)
    return LLVMGetOperand(call, 0) == address ? call : NULL;
  for (unsigned i = 0; i < LLVMCountParams(called) && !LLVMIsDeclaration(called); i++)
    if (LLVMGetOperand(call, i) == address && find_store(LLVMGetParam(called, i), depth))
      return call;
  return NULL;
}

/* The first operation that stores to what lies there, by way of any address in it; null: none is seen. */
static LLVMValueRef find_store(LLVMValueRef address, int depth) {
  enum { DEEPEST = 24 };
  for (LLVMUseRef use = depth < DEEPEST ? LLVMGetFirstUse(address) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use), found = NULL;
    LLVMOpcode code = LLVMIsAInstruction(user)    ? LLVMGetInstructionOpcode(user)
                      : LLVMIsAConstantExpr(user) ? LLVMGetConstOpcode(user)
                                                  : (LLVMOpcode)0;
    switch ((int)code) {
    case LLVMStore:
      if (LLVMGetOperand(user, 1) == address)
        found = user;
      else if (LLVMIsAAllocaInst(LLVMGetOperand(user, 1)))
        found = find_store_by_loads(LLVMGetOperand(user, 1), depth + 1);
      break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: found = LLVMGetOperand(user, 0) == address ? user : NULL; break;
    case LLVMCall: found = find_store_by_call(user, address, depth + 1); break;
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast: found = find_store(user, depth + 1); break;
    default: break;
    }
    if (found)
      return found;
  }
  return NULL;
}

static const char *name_of(const uw_program *program, LLVMValueRef global) {
  for (size_t i = 0; i < program->variable_count; i++)
    if (strcmp(program->variables[i].device, uw_llvm_name(global)) == 0)
      return program->variables[i].name;
  return uw_llvm_name(global);
}

void uw_warn_of_constant_stores(uw_program *program) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(program->device); g && !program->options.no_warnings;
       g = LLVMGetNextGlobal(g)) {
    LLVMValueRef store = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == CONSTANT ? find_store(g, 0) : NULL;
    if (store)
      fprintf(stderr,
              "%swarning: device code stores to '%s', which is constant memory: no GPU does that. Make it __device__, "
              "or set it by cudaMemcpyToSymbol\n",
              uw_place_in_program(program, store), uw_shown_name(program, name_of(program, g)));
  }
}

void uw_take_as_constants(uw_program *program, bool set) {
  for (size_t i = 0; i < program->variable_count && program->options.optimises && program->options.is_whole; i++) {
    uw_variable *variable = &program->variables[i];
    LLVMValueRef global = LLVMGetNamedGlobal(program->device, variable->device);
    if (!global || !(variable->flags & UWRT_VARIABLE_CONSTANT) || variable->is_reference || variable->is_weak ||
        LLVMIsDeclaration(global) || find_store(global, 0) || is_named(variable->shadow) ||
        is_text_of(program->host, variable->name))
      continue;
    variable->flags |= UWRT_VARIABLE_FIXED;
    LLVMSetGlobalConstant(global, set);
  }
}
