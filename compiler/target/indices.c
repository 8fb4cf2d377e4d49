/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gathers of all lanes on CPUs without an instruction for them, or with a slow one, as AVX2 but for Intel's newer CPUs.
 * LLVM's back end computes addresses of 64 bits in vectors and takes them out one by one, which keeps the one or two
 * units busy that move elements between lanes; the elements want them, too. Indices that go through memory need none:
 *
 *   %v = masked.gather %base[%indices], all  ==>  store %indices, %stack
 *                                                 %v = insert load %base[load %stack[0]], insert load %base[load %stack[1]], …
 *
 * Done of indices of 32 bits, for elements of 4 and 8 bytes. Whole addresses stay in vectors: loads of these beside
 * loads that miss the caches leave fewer of them under way (bench/transpose would take 1.1 times as long).
 *
 * A function takes no more of them than it may grow (ir/growth.h).
 *
 * Done after safe-gathers, which leaves no masks but those that lanes' loads decide. Legal because each element is
 * loaded from the address that it was. */
#include <string.h>

#include "../ir/growth.h"
#include "../ir/shim.h"
#include "code.h"

enum {
  MOST = 256 /* of a function */,
  MOST_LANES = 64 /* bound of the room on the stack */,
  INDEX_BITS = 32,
  WORD_BYTES = 4,
  PER_LANE = 6 /* instructions that a lane becomes */,
  ALIGNMENT = 32
};

/* What is the same in all lanes; null if nothing is. */
static LLVMValueRef splat_of(LLVMValueRef value) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind)
    return value;
  if (!LLVMIsAShuffleVectorInst(value))
    return NULL;
  for (unsigned i = 0; i < LLVMGetNumMaskElements(value); i++)
    if (LLVMGetMaskValue(value, i) != 0)
      return NULL;
  LLVMValueRef first = LLVMGetOperand(value, 0);
  bool inserts = LLVMIsAInsertElementInst(first) && LLVMIsConstant(LLVMGetOperand(first, 2)) &&
                 LLVMIsNull(LLVMGetOperand(first, 2));
  return inserts ? LLVMGetOperand(first, 1) : NULL;
}

/* base[index] */
typedef struct indices {
  LLVMValueRef vector, base;
  LLVMTypeRef element; /* that they count */
  bool is_signed;
} indices;

static bool find_indices(LLVMValueRef pointers, indices *found) {
  if (!LLVMIsAGetElementPtrInst(pointers) || LLVMGetNumOperands(pointers) != 2)
    return false;
  LLVMValueRef base = splat_of(LLVMGetOperand(pointers, 0)), wide = LLVMGetOperand(pointers, 1);
  if (!base || (!LLVMIsASExtInst(wide) && !LLVMIsAZExtInst(wide)))
    return false;
  *found =
      (indices){LLVMGetOperand(wide, 0), base, LLVMGetGEPSourceElementType(pointers), LLVMIsASExtInst(wide) != NULL};
  LLVMTypeRef type = LLVMTypeOf(found->vector);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetIntTypeWidth(LLVMGetElementType(type)) == INDEX_BITS;
}

static bool is_candidate(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMValueRef function, LLVMValueRef op) {
  if (!uw_calls_intrinsic(op, "llvm.masked.gather"))
    return false;
  LLVMTypeRef type = LLVMTypeOf(op);
  LLVMValueRef mask = LLVMGetOperand(op, 1);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) < 4 ||
      LLVMGetVectorSize(type) > MOST_LANES || mask != LLVMConstAllOnes(LLVMTypeOf(mask)))
    return false;
  unsigned long long bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetElementType(type));
  return (bytes == WORD_BYTES || bytes == 2 * WORD_BYTES) && !uw_shim_can_gather(machine, function, type, false) &&
         find_indices(LLVMGetOperand(op, 0), &(indices){0});
}

/* Of the elements, in bytes. */
static unsigned alignment_of(LLVMValueRef call) {
  enum { ADDRESSES = 1 /* counted from 1 */ };
  LLVMAttributeRef said =
      LLVMGetCallSiteEnumAttribute(call, ADDRESSES, LLVMGetEnumAttributeKindForName("align", strlen("align")));
  return said ? (unsigned)LLVMGetEnumAttributeValue(said) : 1;
}

static void gather(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef stack) {
  LLVMTypeRef type = LLVMTypeOf(call), element = LLVMGetElementType(type),
              word = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  const unsigned alignment = alignment_of(call);
  indices all = {0};
  find_indices(LLVMGetOperand(call, 0), &all);
  LLVMPositionBuilderBefore(b, call);
  LLVMSetAlignment(LLVMBuildStore(b, all.vector, stack), ALIGNMENT);
  LLVMTypeRef narrow = LLVMGetElementType(LLVMTypeOf(all.vector));
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    LLVMValueRef lane = LLVMConstInt(word, i, 0);
    LLVMValueRef index = LLVMBuildLoad2(b, narrow, LLVMBuildGEP2(b, narrow, stack, &lane, 1, ""), "");
    index = all.is_signed ? LLVMBuildSExt(b, index, word, "") : LLVMBuildZExt(b, index, word, "");
    LLVMValueRef at = LLVMBuildGEP2(b, all.element, all.base, &index, 1, "");
    LLVMValueRef loaded = LLVMBuildLoad2(b, element, at, "");
    LLVMSetAlignment(loaded, alignment);
    result = LLVMBuildInsertElement(b, result, loaded, lane, "");
  }
  LLVMReplaceAllUsesWith(call, result);
  LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef make_room(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef function, unsigned lanes) {
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef room = LLVMBuildAlloca(b, LLVMArrayType2(index, lanes), "");
  LLVMSetAlignment(room, ALIGNMENT);
  return room;
}

void uw_gather_by_memory(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMValueRef calls[MOST];
    unsigned count = 0, lanes = 0;
    size_t room_left = uw_room_to_grow(f);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (count < MOST && is_candidate(module, machine, f, op)) {
          unsigned own = LLVMGetVectorSize(LLVMTypeOf(op));
          if (own * PER_LANE > room_left)
            continue;
          room_left -= own * PER_LANE;
          calls[count++] = op;
          lanes = own > lanes ? own : lanes;
        }
    LLVMValueRef room = count ? make_room(module, b, f, lanes) : NULL;
    for (unsigned i = 0; i < count; i++)
      gather(module, b, calls[i], room);
  }
  LLVMDisposeBuilder(b);
}
