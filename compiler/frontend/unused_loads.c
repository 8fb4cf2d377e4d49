/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For the checker: loads whose value nobody uses are the program's all the same. clean-up would drop them:
 *
 *   int seen = s[i]; (void)seen;    ==>    load volatile, nontemporal
 *
 * which is the mark that the checks take back (instrument/check.c): the two words together are not what clang writes.
 * A value is used if it reaches, through what has no effect and variables of the function whose address goes nowhere,
 * anything but such a variable that is never read. Loads of those variables themselves are no accesses. */
#include <string.h>

#include "../ir/shim.h"
#include "frontends.h"

typedef struct search {
  uw_arena *arena;
  uw_table *used; /* instructions */
  LLVMValueRef *left;
  size_t count, capacity;
} search;

static bool is_aside(LLVMValueRef op) {
  LLVMValueRef callee = LLVMIsACallInst(op) ? LLVMGetCalledValue(op) : NULL;
  const char *name = callee && LLVMIsAFunction(callee) ? uw_llvm_name(callee) : "";
  return strncmp(name, "llvm.lifetime.", 14) == 0 || strncmp(name, "llvm.dbg.", 9) == 0;
}

/* A variable of which only loads and stores know the address. */
static bool is_private(LLVMValueRef variable) {
  if (!LLVMIsAAllocaInst(variable))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool loads = LLVMIsALoadInst(user) && !LLVMGetVolatile(user),
         stores = LLVMIsAStoreInst(user) && !LLVMGetVolatile(user) && LLVMGetOperand(user, 0) != variable;
    if (!loads && !stores && !is_aside(user))
      return false;
  }
  return true;
}

static void note(search *s, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value) || uw_table_get(s->used, value))
    return;
  uw_table_set(s->used, value, 1);
  s->left = uw_grow(s->arena, s->left, s->count, &s->capacity, sizeof *s->left);
  s->left[s->count++] = value;
}

static bool is_used_by_itself(LLVMValueRef op) {
  if (LLVMIsALoadInst(op))
    return LLVMGetVolatile(op) || LLVMIsAtomic(op);
  if (LLVMIsAStoreInst(op))
    return LLVMGetVolatile(op) || LLVMIsAtomic(op) || !is_private(LLVMGetOperand(op, 1));
  return LLVMIsATerminatorInst(op) || LLVMIsAtomic(op) || (LLVMIsACallInst(op) && !is_aside(op));
}

static void mark_function(search *s, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (is_used_by_itself(op))
        note(s, op);
  while (s->count) {
    LLVMValueRef op = s->left[--s->count];
    for (int i = 0; i < LLVMGetNumOperands(op); i++)
      note(s, LLVMGetOperand(op, (unsigned)i));
    for (unsigned i = 0; LLVMIsAPHINode(op) && i < LLVMCountIncoming(op); i++)
      note(s, LLVMGetIncomingValue(op, i));
    if (LLVMIsAAllocaInst(op)) /* read, or known elsewhere */
      for (LLVMUseRef use = LLVMGetFirstUse(op); use; use = LLVMGetNextUse(use))
        if (LLVMIsAStoreInst(LLVMGetUser(use)))
          note(s, LLVMGetUser(use));
  }
}

static LLVMValueRef base_of(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address))
    address = LLVMGetOperand(address, 0);
  return address;
}

/* A variable of the function, or a parameter's copy: what it is given by address it may share. */
static bool is_own(LLVMValueRef base) {
  unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
  if (!LLVMIsAArgument(base))
    return LLVMIsAAllocaInst(base);
  LLVMValueRef function = LLVMGetParamParent(base);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == base)
      return LLVMGetEnumAttributeAtIndex(function, i + 1, byval) != NULL;
  return false;
}

static unsigned kind_of_mark(LLVMContextRef context) {
  return LLVMGetMDKindIDInContext(context, "nontemporal", strlen("nontemporal"));
}

/* Those of the thread's own memory, as is known after functions were inlined, are none. */
bool uw_drop_unused_private_loads(uw_program *program) {
  unsigned kind = kind_of_mark(LLVMGetModuleContext(program->device));
  bool any = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(program->device); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (LLVMIsALoadInst(op) && LLVMGetVolatile(op) && LLVMGetMetadata(op, kind) && !LLVMGetFirstUse(op) &&
            is_own(base_of(LLVMGetOperand(op, 0)))) {
          LLVMSetVolatile(op, false);
          any = true;
        }
  return any;
}

void uw_keep_unused_loads(uw_program *program) {
  LLVMContextRef context = LLVMGetModuleContext(program->device);
  LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), 1, false));
  LLVMValueRef word = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &one, 1));
  unsigned kind = kind_of_mark(context);
  for (LLVMValueRef function = LLVMGetFirstFunction(program->device); function;
       function = LLVMGetNextFunction(function)) {
    search s = {.arena = program->arena, .used = uw_table_create(program->arena)};
    mark_function(&s, function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (LLVMIsALoadInst(op) && !uw_table_get(s.used, op) && !is_own(base_of(LLVMGetOperand(op, 0)))) {
          LLVMSetVolatile(op, true);
          LLVMSetMetadata(op, kind, word);
        }
  }
}
