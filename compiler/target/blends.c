/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stores of some lanes to an array on the worker's stack, on CPUs whose masked stores are slow: AVX2's take 6 to 7 ns on
 * AMD's Zen, whatever the mask, where a load, a blend and a store take 0.7 to 0.9; on Intel's both are fast.
 *
 *                                     %at = select (any lane of %mask), %address, %array
 *   masked.store %v, %address, %mask  ==>  %old = load %at
 *                                     store (select %mask, %v, %old), %at
 *
 * What is stored are LLVM's vectoriser's loops over threads with a condition: shared memory of a block, and values that
 * threads keep over a barrier. So it runs after LLVM's optimiser.
 *
 * Blends that LLVM's vectoriser made stay blends.
 *
 * Legal where a) nobody else writes the array meanwhile: it is on this worker's stack, and its address is used for nothing but
 * accesses; b) all lanes may be accessed: where one of them stores, the others lie next to it, within the array or what
 * is added to it before and behind; where none does, the array's start is accessed. What is not stored is written as it
 * was read. Memory that others may write keeps its masked stores.
 *
 * Done in functions for CPUs with AVX2 and without AVX-512, whose masked stores are fast. */
#include <string.h>

#include "../ir/shim.h"
#include "llvm-c/Target.h"
#include "code.h"

enum { MARGIN = 128 /* bytes before and behind an array: the longest vector, and the largest alignment */ };

typedef struct masked_store {
  LLVMValueRef call, array;
  struct masked_store *next;
} masked_store;

typedef struct search {
  LLVMTargetDataRef layout;
  uw_arena *arena;
  uw_table *is_private; /* arrays: 1 if so, 2 if not */
} search;

static unsigned long long bytes_of(LLVMTargetDataRef layout, LLVMValueRef array) {
  LLVMValueRef count = LLVMGetOperand(array, 0);
  return LLVMIsAConstantInt(count)
             ? LLVMConstIntGetZExtValue(count) * LLVMABISizeOfType(layout, LLVMGetAllocatedType(array))
             : 0;
}

/* Of the array, whose address it does not store. Comparisons ask whether accesses overlap. */
static bool is_access(LLVMValueRef user, LLVMValueRef address) {
  static const char *const accesses[] = {"llvm.masked.load", "llvm.masked.gather",  "llvm.memcpy",      "llvm.memset",
                                         "llvm.memmove",     "llvm.lifetime.start", "llvm.lifetime.end"};
  for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
    if (uw_calls_intrinsic(user, accesses[i]))
      return true;
  if (LLVMIsAStoreInst(user) || uw_calls_intrinsic(user, "llvm.masked.store") ||
      uw_calls_intrinsic(user, "llvm.masked.scatter"))
    return LLVMGetOperand(user, 0) != address;
  return LLVMIsALoadInst(user) || LLVMIsAICmpInst(user);
}

/* One or more addresses, made of one or chosen. */
static bool is_address(LLVMValueRef user) {
  return LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user) ||
         LLVMIsAInsertElementInst(user) || LLVMIsAExtractElementInst(user) || LLVMIsAShuffleVectorInst(user);
}

/* Is the address used for nothing but accesses, and addresses that are made of it or chosen? */
static bool is_accessed_only(search *s, LLVMValueRef address, uw_table *seen) {
  if (uw_table_get(seen, address))
    return true;
  uw_table_set(seen, address, 1);
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_address(user) ? !is_accessed_only(s, user, seen) : !is_access(user, address))
      return false;
  }
  return true;
}

/* The array on the stack that the address is in; null if it is in none that this is done for. */
static LLVMValueRef array_of(search *s, LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address))
    address = LLVMGetOperand(address, 0);
  if (!LLVMIsAAllocaInst(address) || !bytes_of(s->layout, address) || LLVMGetAlignment(address) > MARGIN)
    return NULL;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(address);
  if (block != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)))
    return NULL;
  intptr_t known = uw_table_get(s->is_private, address);
  if (!known)
    uw_table_set(s->is_private, address, known = is_accessed_only(s, address, uw_table_create(s->arena)) ? 1 : 2);
  return known == 1 ? address : NULL;
}

static bool is_masked_store(search *s, LLVMValueRef op) {
  return uw_calls_intrinsic(op, "llvm.masked.store") && !LLVMIsConstant(LLVMGetOperand(op, 2)) &&
         LLVMABISizeOfType(s->layout, LLVMTypeOf(LLVMGetOperand(op, 0))) <= MARGIN;
}

/* The same array with room before and behind. */
static LLVMValueRef widened(search *s, LLVMModuleRef module, LLVMValueRef array) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef byte = LLVMInt8TypeInContext(context);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(b, array);
  LLVMValueRef larger = LLVMBuildAlloca(b, LLVMArrayType2(byte, bytes_of(s->layout, array) + 2 * MARGIN), "");
  LLVMSetAlignment(larger, MARGIN);
  LLVMValueRef margin = LLVMConstInt(LLVMInt64TypeInContext(context), MARGIN, 0);
  LLVMValueRef inner = LLVMBuildInBoundsGEP2(b, byte, larger, &margin, 1, "");
  LLVMDisposeBuilder(b);
  for (LLVMUseRef use = LLVMGetFirstUse(array), next; use; use = next) { /* these name whole arrays only */
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (uw_calls_intrinsic(user, "llvm.lifetime.start") || uw_calls_intrinsic(user, "llvm.lifetime.end"))
      LLVMInstructionEraseFromParent(user);
  }
  LLVMReplaceAllUsesWith(array, inner);
  LLVMInstructionEraseFromParent(array);
  return inner;
}

/* LLVM's back end makes a masked store of a load, a blend and a store, of those that its vectoriser made too: not where
 * the load is volatile. */
static void keep_blend(LLVMValueRef load) { LLVMSetVolatile(load, true); }

static LLVMValueRef loaded_from(LLVMValueRef value, LLVMValueRef address) {
  return LLVMIsALoadInst(value) && LLVMGetOperand(value, 0) == address ? value : NULL;
}

/* What is loaded where this stores it again in some lanes; else null. */
static LLVMValueRef blended_by(LLVMValueRef op) {
  LLVMValueRef value = LLVMIsAStoreInst(op) ? LLVMGetOperand(op, 0) : NULL;
  if (!value || !LLVMIsASelectInst(value) ||
      LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) != LLVMVectorTypeKind)
    return NULL;
  LLVMValueRef load = loaded_from(LLVMGetOperand(value, 1), LLVMGetOperand(op, 1));
  return load ? load : loaded_from(LLVMGetOperand(value, 2), LLVMGetOperand(op, 1));
}

static void blend(LLVMModuleRef module, LLVMValueRef call, LLVMValueRef array) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(b, call);
  LLVMValueRef value = LLVMGetOperand(call, 0), address = LLVMGetOperand(call, 1),
               mask = LLVMBuildFreeze(b, LLVMGetOperand(call, 2), "");
  LLVMTypeRef bits = LLVMIntTypeInContext(context, LLVMGetVectorSize(LLVMTypeOf(mask)));
  LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildBitCast(b, mask, bits, ""), LLVMConstNull(bits), "");
  LLVMValueRef at = LLVMBuildSelect(b, any, address, array, "");
  const unsigned alignment = uw_alignment_of_masked(call);
  LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(value), at, "");
  LLVMSetAlignment(old, alignment);
  keep_blend(old);
  LLVMSetAlignment(LLVMBuildStore(b, LLVMBuildSelect(b, mask, value, old, ""), at), alignment);
  LLVMDisposeBuilder(b);
  LLVMInstructionEraseFromParent(call);
}

void uw_blend_stores(LLVMModuleRef module, uw_arena *arena) {
  search s = {LLVMGetModuleDataLayout(module), arena, uw_table_create(arena)};
  masked_store *all = NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !uw_has_feature(f, "+avx2") || uw_has_feature(f, "+avx512vl"))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
        LLVMValueRef old = blended_by(op);
        if (old)
          keep_blend(old);
        LLVMValueRef array = is_masked_store(&s, op) ? array_of(&s, LLVMGetOperand(op, 1)) : NULL;
        if (!array)
          continue;
        masked_store *mine = uw_alloc(arena, sizeof *mine);
        *mine = (masked_store){op, array, all};
        all = mine;
      }
  }
  uw_table *inner = uw_table_create(arena); /* of arrays that were widened */
  for (; all; all = all->next) {
    LLVMValueRef array = (LLVMValueRef)uw_table_get(inner, all->array);
    if (!array)
      uw_table_set(inner, all->array, (intptr_t)(array = widened(&s, module, all->array)));
    blend(module, all->call, array);
  }
}
