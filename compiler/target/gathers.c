/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gathers and scatters of some lanes on CPUs without instructions for them, or with slow ones: AVX2 but for Intel's
 * newer CPUs, and SSE. LLVM's back end makes a branch for each lane there. Without a mask it makes loads and stores alone, so lanes that do not count get an address that anybody may access:
 *
 *                                        %safe = select %mask, %addresses, %nowhere
 *   %v = masked.gather %addresses,  ==>  %all = masked.gather %safe, all
 *                      %mask, %rest      %v = select %mask, %all, %rest
 *
 * Not so where the mask follows from what lanes have loaded, in vectors: there the processor guesses which lanes go on, and loads
 * ahead (foreign-shapes/lookup would take 1.2 times as long; shifts, whose lanes counted then, takes 0.7 of the time). There it is asked
 * whether all lanes take part, which is guessed too: then the gather has no mask. Scatters stay.
 *
 * Done after LLVM's optimiser, which would fold that. Legal because %nowhere is a place on the stack, one of the function, whose
 * value nobody uses. */
#include <string.h>

#include "../ir/shim.h"
#include "llvm-c/Target.h"
#include "code.h"

enum {
  MOST = 256, /* of a function */
  GATHER_ADDRESSES = 0,
  SCATTER_ADDRESSES = 1
};

/* Is something in the value's computation loaded as a vector? Values that there is no room to look at count as such. */
static bool is_of_loads(LLVMValueRef mask) {
  enum { MOST_LOOKED_AT = 128 };
  LLVMValueRef seen[MOST_LOOKED_AT] = {mask};
  for (unsigned next = 0, count = 1; next < count; next++) {
    LLVMValueRef op = seen[next];
    bool is_load = LLVMIsALoadInst(op) || uw_calls_intrinsic(op, "llvm.masked.load") ||
                   uw_calls_intrinsic(op, "llvm.masked.gather");
    if (is_load && LLVMGetTypeKind(LLVMTypeOf(op)) == LLVMVectorTypeKind)
      return true;
    for (int i = 0; !is_load && LLVMIsAInstruction(op) && i < LLVMGetNumOperands(op); i++) {
      LLVMValueRef operand = LLVMGetOperand(op, (unsigned)i);
      unsigned k = 0;
      while (k < count && seen[k] != operand)
        k++;
      if (k < count || !LLVMIsAInstruction(operand))
        continue;
      if (count == MOST_LOOKED_AT)
        return true;
      seen[count++] = operand;
    }
  }
  return false;
}

static bool is_scatter(LLVMValueRef call) { return uw_calls_intrinsic(call, "llvm.masked.scatter"); }

static LLVMValueRef mask_of(LLVMValueRef call) {
  return LLVMGetOperand(call, (is_scatter(call) ? SCATTER_ADDRESSES : GATHER_ADDRESSES) + 1);
}

static bool is_candidate(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMValueRef function, LLVMValueRef op) {
  bool stores = is_scatter(op);
  if (!stores && !uw_calls_intrinsic(op, "llvm.masked.gather"))
    return false;
  LLVMTypeRef type = LLVMTypeOf(stores ? LLVMGetOperand(op, 0) : op);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) > 1 &&
         LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetElementType(type)) <= UW_PLACE_BYTES &&
         !LLVMIsConstant(mask_of(op)) && !uw_shim_can_gather(machine, function, type, stores);
}

static void make_safe(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef nowhere) {
  bool stores = is_scatter(call);
  const unsigned at = stores ? SCATTER_ADDRESSES : GATHER_ADDRESSES;
  LLVMPositionBuilderBefore(b, call);
  LLVMValueRef addresses = LLVMGetOperand(call, at), mask = LLVMBuildFreeze(b, LLVMGetOperand(call, at + 1), "");
  LLVMTypeRef type = LLVMTypeOf(stores ? LLVMGetOperand(call, 0) : call);
  LLVMValueRef nowhere_for_all = uw_in_each_lane(b, nowhere, LLVMGetVectorSize(type));
  LLVMSetOperand(call, at, LLVMBuildSelect(b, mask, addresses, nowhere_for_all, ""));
  LLVMSetOperand(call, at + 1, LLVMConstAllOnes(LLVMTypeOf(mask)));
  if (stores)
    return;
  LLVMValueRef rest = LLVMGetOperand(call, at + 2);
  if (LLVMIsUndef(rest)) /* poison, too */
    return;
  LLVMSetOperand(call, at + 2, LLVMGetPoison(type));
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(call));
  LLVMValueRef chosen = LLVMBuildSelect(b, mask, call, rest, "");
  LLVMReplaceAllUsesWith(call, chosen);
  LLVMSetOperand(chosen, 1, call); /* but here */
}

/* Two versions of a gather, the one for when all lanes take part. */
static void ask_for_all(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call) {
  LLVMPositionBuilderBefore(b, call);
  LLVMTypeRef type = LLVMTypeOf(call),
              bits_type = LLVMIntTypeInContext(LLVMGetModuleContext(module), LLVMGetVectorSize(type));
  LLVMValueRef mask = LLVMBuildFreeze(b, mask_of(call), ""), bits = LLVMBuildBitCast(b, mask, bits_type, ""), ends[2];
  uw_shim_split_if(LLVMBuildICmp(b, LLVMIntEQ, bits, LLVMConstAllOnes(bits_type), ""), call, ends);
  LLVMValueRef versions[2] = {LLVMInstructionClone(call), LLVMInstructionClone(call)};
  LLVMSetOperand(versions[0], GATHER_ADDRESSES + 1, LLVMConstAllOnes(LLVMTypeOf(mask)));
  LLVMSetOperand(versions[0], GATHER_ADDRESSES + 2, LLVMGetPoison(type));
  LLVMSetOperand(versions[1], GATHER_ADDRESSES + 1, mask);
  LLVMBasicBlockRef blocks[2];
  for (size_t i = 0; i < 2; i++) {
    LLVMPositionBuilderBefore(b, ends[i]);
    LLVMInsertIntoBuilder(b, versions[i]);
    blocks[i] = LLVMGetInstructionParent(ends[i]);
  }
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetInstructionParent(call)));
  LLVMValueRef either = LLVMBuildPhi(b, type, "");
  LLVMAddIncoming(either, versions, blocks, 2);
  LLVMReplaceAllUsesWith(call, either);
  LLVMInstructionEraseFromParent(call);
}

void uw_make_gathers_safe(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMValueRef calls[MOST];
    unsigned count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
        if (count < MOST && is_candidate(module, machine, f, op))
          calls[count++] = op;
    if (!count)
      continue;
    LLVMValueRef nowhere = uw_place_on_stack(f);
    for (unsigned i = 0; i < count; i++)
      if (!is_of_loads(mask_of(calls[i])))
        make_safe(b, calls[i], nowhere);
      else if (!is_scatter(calls[i]))
        ask_for_all(module, b, calls[i]);
  }
  LLVMDisposeBuilder(b);
}
