/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Answers what kind of memory an address is in (__isShared, __isGlobal, … and PTX's isspacep) from where it comes from:
 * a shared variable, a kernel's parameter, a local variable. On a CPU the address itself does not say. libcu++ asks so
 * to choose how memcpy_async copies.
 *
 * A pointer in a kernel's parameter is one to global memory, and so is one that stands in global or constant memory or
 * in a parameter: addresses of shared and local variables mean nothing to other blocks or threads. What comes from
 * elsewhere stays a question, which raise/intrinsics.c refuses at its line.
 */
#include <string.h>

#include "frontend.h"

typedef enum { NOWHERE, IN_GLOBAL, IN_SHARED, IN_CONSTANT, IN_LOCAL, ANYWHERE } kind;

enum { MOST_STEPS = 64 };

static kind merge(kind left, kind right) {
  return left == NOWHERE ? right : right == NOWHERE || left == right ? left : ANYWHERE;
}

static kind of_parameter(LLVMValueRef parameter) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  if (LLVMGetFunctionCallConv(function) != LLVMPTXKernelCallConv)
    return ANYWHERE;
  unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == parameter && LLVMGetEnumAttributeAtIndex(function, i + 1, by_value))
      return IN_CONSTANT;
  return IN_GLOBAL;
}

/* steps bounds the walk, through loops too. */
static kind kind_of(LLVMValueRef address, int *steps) {
  if (--*steps < 0)
    return ANYWHERE;
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(address));
  if (space == 3)
    return IN_SHARED;
  if (LLVMIsAGlobalVariable(address))
    return space == 4 ? IN_CONSTANT : IN_GLOBAL;
  if (LLVMIsAConstantPointerNull(address) || LLVMIsUndef(address))
    return NOWHERE;
  if (LLVMIsAArgument(address))
    return of_parameter(address);
  if (!LLVMIsAInstruction(address) && !LLVMIsAConstantExpr(address))
    return ANYWHERE;
  switch (LLVMIsAConstantExpr(address) ? LLVMGetConstOpcode(address) : LLVMGetInstructionOpcode(address)) {
  case LLVMAlloca: return IN_LOCAL;
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze: return kind_of(LLVMGetOperand(address, 0), steps);
  case LLVMSelect: return merge(kind_of(LLVMGetOperand(address, 1), steps), kind_of(LLVMGetOperand(address, 2), steps));
  case LLVMPHI: {
    kind all = NOWHERE;
    for (unsigned i = 0; i < LLVMCountIncoming(address) && all != ANYWHERE; i++) {
      LLVMValueRef from = LLVMGetIncomingValue(address, i);
      bool steps_on = LLVMIsAGetElementPtrInst(from) && LLVMGetOperand(from, 0) == address; /* p++ in a loop */
      all = steps_on || from == address ? all : merge(all, kind_of(from, steps));
    }
    return all;
  }
  case LLVMLoad: {
    kind holder = kind_of(LLVMGetOperand(address, 0), steps);
    return holder == IN_GLOBAL || holder == IN_CONSTANT ? IN_GLOBAL : ANYWHERE;
  }
  default: return ANYWHERE;
  }
}

static kind asked_for(const char *name) {
  static const struct {
    const char *name;
    kind kind;
  } kinds[] = {{"llvm.nvvm.isspacep.global", IN_GLOBAL},
               {"llvm.nvvm.isspacep.shared", IN_SHARED},
               {"llvm.nvvm.isspacep.const", IN_CONSTANT},
               {"llvm.nvvm.isspacep.local", IN_LOCAL}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(name, kinds[i].name) == 0)
      return kinds[i].kind;
  return NOWHERE;
}

void uw_answer_memory_kinds(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    kind asked = asked_for(LLVMGetValueName2(f, &length));
    if (asked == NOWHERE)
      continue;
    for (LLVMUseRef use = LLVMGetFirstUse(f), next; use; use = next) {
      next = LLVMGetNextUse(use);
      LLVMValueRef call = LLVMGetUser(use);
      int steps = MOST_STEPS;
      kind found = kind_of(LLVMGetOperand(call, 0), &steps);
      if (found == ANYWHERE)
        continue;
      LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), found == asked, 0));
      LLVMInstructionEraseFromParent(call);
    }
  }
}
