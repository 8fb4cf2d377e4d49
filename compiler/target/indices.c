/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gathers of all lanes on CPUs without an instruction for them, or with a slow one, as AVX2 but for Intel's newer CPUs.
 * LLVM's back end computes addresses of 64 bits in vectors and takes them out one by one, which keeps the one or two
 * units busy that move elements between lanes; the elements want them, too. Indices that go through memory need none:
 *
 *   %v = masked.gather %base[%indices], all  ==>  store %indices, %stack
 *                                                 %v = insert load %base[load %stack[0]], insert load %base[load %stack[1]], …
 *
 * Indices of 32 bits go as such, and are extended one by one; other addresses go whole. Elements of 4 and 8 bytes. Constant
 * indices stay: each load has its own as an immediate.
 *
 * Done after safe-gathers, which leaves no masks but those that lanes' loads decide. Legal because each element is
 * loaded from the address that it was. */
#include <string.h>

#include "../ir/shim.h"
#include "code.h"

enum { MOST = 256 /* of a function */, MOST_LANES = 64, LEAST_BYTES = 4, MOST_BYTES = 8, ALIGNMENT = 32 };

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

/* base[index]: what goes through memory, and how it becomes an address. */
typedef struct addresses {
  LLVMValueRef vector, base; /* no base: they are addresses */
  LLVMTypeRef element;       /* that indices count */
  bool is_signed, is_narrow;
} addresses;

static addresses find_addresses(LLVMValueRef pointers) {
  addresses whole = {pointers, NULL, NULL, false, false};
  if (!LLVMIsAGetElementPtrInst(pointers) || LLVMGetNumOperands(pointers) != 2)
    return whole;
  LLVMValueRef base = splat_of(LLVMGetOperand(pointers, 0)), index = LLVMGetOperand(pointers, 1);
  if (!base || LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMVectorTypeKind)
    return whole;
  addresses found = {index, base, LLVMGetGEPSourceElementType(pointers), true, false};
  if (!LLVMIsASExtInst(index) && !LLVMIsAZExtInst(index))
    return found;
  LLVMTypeRef narrow = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(index, 0)));
  if (LLVMGetIntTypeWidth(narrow) != 32)
    return found;
  return (addresses){LLVMGetOperand(index, 0), base, found.element, LLVMIsASExtInst(index) != NULL, true};
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
  return bytes >= LEAST_BYTES && bytes <= MOST_BYTES && !uw_shim_can_gather(machine, function, type, false) &&
         !LLVMIsConstant(find_addresses(LLVMGetOperand(op, 0)).vector);
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
  addresses a = find_addresses(LLVMGetOperand(call, 0));
  LLVMPositionBuilderBefore(b, call);
  LLVMSetAlignment(LLVMBuildStore(b, a.vector, stack), ALIGNMENT);
  LLVMTypeRef kept = LLVMGetElementType(LLVMTypeOf(a.vector));
  LLVMValueRef result = LLVMGetPoison(type);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    LLVMValueRef lane = LLVMConstInt(word, i, 0);
    LLVMValueRef at = LLVMBuildLoad2(b, kept, LLVMBuildGEP2(b, kept, stack, &lane, 1, ""), "");
    LLVMSetVolatile(at, 1); /* not to be taken out of the vector after all */
    if (a.is_narrow)
      at = a.is_signed ? LLVMBuildSExt(b, at, word, "") : LLVMBuildZExt(b, at, word, "");
    if (a.base)
      at = LLVMBuildGEP2(b, a.element, a.base, &at, 1, "");
    LLVMValueRef loaded = LLVMBuildLoad2(b, element, at, "");
    LLVMSetAlignment(loaded, alignment);
    result = LLVMBuildInsertElement(b, result, loaded, lane, "");
  }
  LLVMReplaceAllUsesWith(call, result);
  LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef make_room(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef function, unsigned lanes) {
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef room = LLVMBuildAlloca(b, LLVMArrayType2(word, lanes), "");
  LLVMSetAlignment(room, ALIGNMENT);
  return room;
}

void uw_gather_by_memory(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMValueRef calls[MOST];
    unsigned count = 0, lanes = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (count < MOST && is_candidate(module, machine, f, op)) {
          calls[count++] = op;
          unsigned own = LLVMGetVectorSize(LLVMTypeOf(op));
          lanes = own > lanes ? own : lanes;
        }
    LLVMValueRef room = count ? make_room(module, b, f, lanes) : NULL;
    for (unsigned i = 0; i < count; i++)
      gather(module, b, calls[i], room);
  }
  LLVMDisposeBuilder(b);
}
