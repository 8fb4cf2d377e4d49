/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Aligns the device's variables as a GPU has them in practice. CUDA programs read an `int table[64]` as int4, which C++
 * leaves undefined: clang for a GPU aligns such an array as its elements, and code for this CPU then faults where it
 * counts on an int4's alignment. On a GPU nothing of that kind begins elsewhere than at a multiple of 16 bytes.
 *
 * Holds for global and constant variables of 16 bytes and more, and for private ones whose size is a multiple of 16:
 * others would take more room, as each thread of a block has its own one after that of the last. These get, once
 * functions are inlined, what accesses to them count on (a structure of 440 bytes with an array in it that is read as
 * int4), and 16 bytes where a function that is called may do so. An array that does not begin at a multiple of 16 in
 * its structure is one only in C++: on a GPU it is registers. Accesses there count on no more than what can be seen of
 * their address. Shared memory: raise/spaces.c.
 */
#include <string.h>

#include "../ir/shim.h"
#include "frontend.h"
#include "llvm-c/Target.h"

enum { SHARED = 3, ALIGNMENT = 16, PHIS = 16 /* more on one way are not followed */ };

void uw_align_variable(LLVMModuleRef module, LLVMValueRef global) {
  uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGlobalGetValueType(global));
  unsigned given = LLVMGetAlignment(global);
  if (bytes >= ALIGNMENT && given && given < ALIGNMENT)
    LLVMSetAlignment(global, ALIGNMENT);
}

static void align_private(LLVMModuleRef module, LLVMValueRef variable) {
  uint64_t bytes = LLVMIsAAllocaInst(variable)
                       ? LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(variable))
                       : 0;
  if (bytes && bytes % ALIGNMENT == 0 && LLVMGetAlignment(variable) < ALIGNMENT)
    LLVMSetAlignment(variable, ALIGNMENT);
}

static unsigned claimed(LLVMValueRef address, LLVMValueRef phis[], unsigned phi_count);

/* Of an intrinsic, what stands at its parameter; of a function that may do anything, the most. */
static unsigned claimed_by_call(LLVMValueRef call, LLVMValueRef address) {
  LLVMValueRef called = LLVMIsAFunction(LLVMGetCalledValue(call));
  if (!called || !LLVMGetIntrinsicID(called))
    return ALIGNMENT;
  unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align")), most = 1;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMAttributeRef given =
        LLVMGetOperand(call, i) == address ? LLVMGetCallSiteEnumAttribute(call, i + 1, kind) : NULL;
    if (given && LLVMGetEnumAttributeValue(given) > most)
      most = (unsigned)LLVMGetEnumAttributeValue(given);
  }
  return most;
}

static unsigned claimed_by(LLVMValueRef user, LLVMValueRef address, LLVMValueRef phis[], unsigned phi_count) {
  switch ((int)LLVMGetInstructionOpcode(user)) {
  case LLVMLoad: return LLVMGetAlignment(user);
  case LLVMStore: return LLVMGetOperand(user, 1) == address ? LLVMGetAlignment(user) : ALIGNMENT;
  case LLVMCall: return claimed_by_call(user, address);
  case LLVMGetElementPtr:
  case LLVMAddrSpaceCast:
  case LLVMBitCast:
  case LLVMSelect: return claimed(user, phis, phi_count);
  case LLVMPHI:
    for (unsigned i = 0; i < phi_count; i++)
      if (phis[i] == user)
        return 1;
    if (phi_count == PHIS)
      return ALIGNMENT;
    phis[phi_count] = user;
    return claimed(user, phis, phi_count + 1);
  default: return 1;
  }
}

/* The largest alignment that an access by way of this address counts on; phis are those on the way to it. */
static unsigned claimed(LLVMValueRef address, LLVMValueRef phis[], unsigned phi_count) {
  unsigned most = 1;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use && most < ALIGNMENT; use = LLVMGetNextUse(use)) {
    unsigned one = claimed_by(LLVMGetUser(use), address, phis, phi_count);
    most = one > most ? one : most;
  }
  return most;
}

static bool is_private(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsACastInst(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAAllocaInst(address);
}

/* What a load or store, or a memory intrinsic at this operand, counts on becomes what can be seen of its address. */
static void lower_claims(LLVMModuleRef module, LLVMValueRef access) {
  if (LLVMIsALoadInst(access) || LLVMIsAStoreInst(access)) {
    LLVMValueRef address = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
    unsigned known = is_private(address) ? uw_shim_known_alignment(address, module) : 0;
    if (known && LLVMGetAlignment(access) > known)
      LLVMSetAlignment(access, known);
    return;
  }
  if (!LLVMIsAMemIntrinsic(access))
    return;
  unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
  for (unsigned i = 0; i < LLVMGetNumArgOperands(access); i++) {
    LLVMAttributeRef given = LLVMGetCallSiteEnumAttribute(access, i + 1, kind);
    unsigned known =
        given && is_private(LLVMGetOperand(access, i)) ? uw_shim_known_alignment(LLVMGetOperand(access, i), module) : 0;
    if (!known || LLVMGetEnumAttributeValue(given) <= known)
      continue;
    LLVMRemoveCallSiteEnumAttribute(access, i + 1, kind);
    LLVMAddCallSiteAttribute(access, i + 1, LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, known));
  }
}

static void each_instruction(LLVMModuleRef module, void (*what)(LLVMModuleRef module, LLVMValueRef instruction)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        what(module, i);
}

static void align_accessed(LLVMModuleRef module, LLVMValueRef variable) {
  if (!LLVMIsAAllocaInst(variable) || LLVMGetAlignment(variable) >= ALIGNMENT ||
      LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(variable)) < ALIGNMENT)
    return;
  LLVMValueRef phis[PHIS];
  unsigned most = claimed(variable, phis, 0);
  if (most > LLVMGetAlignment(variable))
    LLVMSetAlignment(variable, most < ALIGNMENT ? most : ALIGNMENT);
}

void uw_align_private(LLVMModuleRef module) {
  each_instruction(module, align_accessed);
  each_instruction(module, lower_claims);
}

void uw_align_variables(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) != SHARED)
      uw_align_variable(module, g);
  each_instruction(module, align_private);
}
