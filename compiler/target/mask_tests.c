/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stores of some lanes to memory that others may write, for CPUs with AVX2 and without AVX-512. There a masked store
 * takes 6 to 7 ns on AMD's Zen, whatever the mask, where a store of all lanes takes less than one; on Intel's both are
 * fast. Most masks are those of a guard: all lanes of a register, or none.
 *
 *                                       if (all lanes of %mask)       store %v, %address
 *                                       else if (any lane of %mask)
 *   masked.store %v, %address, %mask  ==>  if (masked stores are slow)  for each lane, unrolled:
 *                                                                         store %v[lane], lane ? its address : %nowhere
 *                                          else                         masked.store %v, %address, %mask
 *
 * Which CPU it is, the runtime says, where the code is for more than one make. The lanes of a mixed mask go one by one to
 * their address or to a place on the stack, without branches: masks that follow from data are not predicted.
 *
 * Each store that stays masked somewhere is said in a remark, with why. Locations are LLVM's debug information, which is
 * kept so far where remarks are wanted.
 *
 * Done after LLVM's optimiser, whose vectoriser makes most of these stores, register by register, for the first MOST of a
 * function; what blends.c takes is no longer there. Legal for any mask: what is written is the same. */
#include <string.h>

#include "../ir/remarks.h"
#include "../ir/shim.h"
#include "llvm-c/DebugInfo.h"
#include "llvm-c/Target.h"
#include "code.h"

enum { MOST = 64 /* of a function */, REGISTER_BYTES = 32 };

#define SLOW_ON_THIS_CPU "uwrt_masked_stores_are_slow" /* runtime/uwrt.h */

typedef enum answer { NEVER, ALWAYS, RUNTIME_SAYS } answer;

/* Are masked stores slow where the function runs, which has AVX2 alone? Names of one CPU say so; others are of a level of x86-64. */
static answer slow_in(LLVMValueRef function) {
  LLVMAttributeRef said =
      LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, "target-cpu", strlen("target-cpu"));
  unsigned length = 0;
  const char *cpu = said ? LLVMGetStringAttributeValue(said, &length) : "";
  static const char *const level = "x86-64", *const zen = "znver";
  if (!length || strncmp(cpu, level, strlen(level)) == 0)
    return RUNTIME_SAYS;
  return strncmp(cpu, zen, strlen(zen)) == 0 ? ALWAYS : NEVER;
}

typedef struct store {
  LLVMValueRef call, value, address, mask; /* of the whole */
  LLVMTypeRef element;
  unsigned lanes, lane_bytes, alignment;
  LLVMValueRef nowhere;
} store;

static store read_store(LLVMTargetDataRef layout, LLVMValueRef call, LLVMValueRef nowhere) {
  store s = {call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), NULL, 0, 0, 0, nowhere};
  s.element = LLVMGetElementType(LLVMTypeOf(s.value));
  s.lanes = LLVMGetVectorSize(LLVMTypeOf(s.value));
  s.lane_bytes = (unsigned)LLVMABISizeOfType(layout, s.element);
  s.alignment = uw_alignment_of_masked(call);
  return s;
}

/* Whole bytes, and a mask that LLVM does not know. */
static bool is_worth_asking(LLVMTargetDataRef layout, LLVMValueRef op) {
  if (!uw_calls_intrinsic(op, "llvm.masked.store") || LLVMIsConstant(LLVMGetOperand(op, 2)))
    return false;
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(op, 0)), element = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) > 1 &&
         LLVMABISizeOfType(layout, element) <= UW_PLACE_BYTES &&
         LLVMSizeOfTypeInBits(layout, element) == 8 * LLVMABISizeOfType(layout, element);
}

static LLVMValueRef element_at(LLVMBuilderRef b, const store *s, unsigned lane) {
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(s->element)), lane, 0);
  return lane ? LLVMBuildGEP2(b, s->element, s->address, &index, 1, "") : s->address;
}

/* Of the address that many bytes behind the start. */
static unsigned alignment_at(const store *s, unsigned offset) {
  const unsigned lowest_bit = offset & -offset;
  return offset && lowest_bit < s->alignment ? lowest_bit : s->alignment;
}

/* Each lane of the register to its address, or to nowhere. */
static void store_one_by_one(LLVMBuilderRef b, const store *s, LLVMValueRef value, LLVMValueRef bits, unsigned first,
                             unsigned count) {
  LLVMContextRef context = LLVMGetTypeContext(s->element);
  for (unsigned l = 0; l < count; l++) {
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMValueRef bit = LLVMBuildAnd(b, bits, LLVMConstInt(type, 1ull << l, 0), "");
    LLVMValueRef at = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntNE, bit, LLVMConstNull(type), ""),
                                      element_at(b, s, first + l), s->nowhere, "");
    LLVMValueRef lane = LLVMBuildExtractElement(b, value, LLVMConstInt(LLVMInt32TypeInContext(context), l, 0), "");
    const unsigned known = alignment_at(s, (first + l) * s->lane_bytes);
    LLVMSetAlignment(LLVMBuildStore(b, lane, at), known < UW_PLACE_BYTES ? known : UW_PLACE_BYTES);
  }
}

/* Is the CPU one of those? A byte that the runtime sets before main. */
static LLVMValueRef ask_runtime(LLVMModuleRef module, LLVMBuilderRef b) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
  LLVMValueRef variable = LLVMGetNamedGlobal(module, SLOW_ON_THIS_CPU);
  if (!variable)
    variable = LLVMAddGlobal(module, byte, SLOW_ON_THIS_CPU);
  return LLVMBuildICmp(b, LLVMIntNE, LLVMBuildLoad2(b, byte, variable, ""), LLVMConstNull(byte), "");
}

static void store_register(LLVMModuleRef module, const store *s, answer slow, LLVMValueRef mask, unsigned first,
                           unsigned count) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(b, s->call);
  LLVMTypeRef bits_type = LLVMIntTypeInContext(context, count);
  LLVMValueRef part = uw_some_lanes(b, mask, first, count), value = uw_some_lanes(b, s->value, first, count),
               to = element_at(b, s, first), bits = LLVMBuildBitCast(b, part, bits_type, "");
  const unsigned alignment = alignment_at(s, first * s->lane_bytes);
  LLVMValueRef all[2], any[2], family[2];
  uw_shim_split_if(LLVMBuildICmp(b, LLVMIntEQ, bits, LLVMConstAllOnes(bits_type), ""), s->call, all);
  LLVMPositionBuilderBefore(b, all[0]);
  LLVMSetAlignment(LLVMBuildStore(b, value, to), alignment);
  LLVMPositionBuilderBefore(b, all[1]);
  uw_shim_split_if(LLVMBuildICmp(b, LLVMIntNE, bits, LLVMConstNull(bits_type), ""), all[1], any);
  LLVMPositionBuilderBefore(b, any[0]);
  if (slow == RUNTIME_SAYS) {
    uw_shim_split_if(ask_runtime(module, b), any[0], family);
    LLVMPositionBuilderBefore(b, family[1]);
    uw_build_masked(module, b, "llvm.masked.store", value, to, part, alignment);
    LLVMPositionBuilderBefore(b, family[0]);
  }
  store_one_by_one(b, s, value, bits, first, count);
  LLVMDisposeBuilder(b);
}

static void rewrite(LLVMModuleRef module, const store *s, answer slow) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(b, s->call);
  LLVMValueRef mask = LLVMBuildFreeze(b, s->mask, "");
  LLVMDisposeBuilder(b);
  const unsigned most = REGISTER_BYTES / s->lane_bytes;
  for (unsigned first = 0; first < s->lanes; first += most)
    store_register(module, s, slow, mask, first, s->lanes - first < most ? s->lanes - first : most);
  LLVMInstructionEraseFromParent(s->call);
}

/* --- remarks -------------------------------------------------------------------------------------------------------- */

static MlirLocation location_of(MlirContext context, LLVMMetadataRef place) {
  LLVMMetadataRef file = place ? LLVMDIScopeGetFile(LLVMDILocationGetScope(place)) : NULL;
  if (!file)
    return mlirLocationUnknownGet(context);
  unsigned length = 0;
  const char *name = LLVMDIFileGetFilename(file, &length);
  MlirLocation own = mlirLocationFileLineColGet(context, mlirStringRefCreate(name, length),
                                                LLVMDILocationGetLine(place), LLVMDILocationGetColumn(place));
  LLVMMetadataRef caller = LLVMDILocationGetInlinedAt(place);
  return caller ? mlirLocationCallSiteGet(own, location_of(context, caller)) : own;
}

static bool is_on_stack(LLVMValueRef address) {
  while (LLVMIsAGetElementPtrInst(address))
    address = LLVMGetOperand(address, 0);
  return LLVMIsAAllocaInst(address);
}

static const char *how(LLVMValueRef call, answer slow, bool asked) {
  if (asked)
    return "whole registers where all lanes store, else under the mask, or lane by lane on CPUs that are slow at that";
  if (LLVMIsConstant(LLVMGetOperand(call, 2)))
    return "under a mask that is known beforehand";
  if (slow == NEVER)
    return "under the mask, at which this CPU is fast";
  return "under the mask: there are too many such stores, or lanes of odd sizes";
}

/* Of a store that is asked for its mask, or stays as it is. */
static void say(MlirContext context, LLVMValueRef call, answer slow, bool asked) {
  if (asked && slow == ALWAYS)
    return;
  const char *where = is_on_stack(LLVMGetOperand(call, 1)) ? "an array whose address is handed on"
                                                           : "memory whose other elements other threads may write";
  uw_remark(location_of(context, LLVMInstructionGetDebugLoc(call)), "test-masks", "store of some lanes to %s: %s",
            where, how(call, slow, asked));
}

void uw_test_masks(LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  const bool speaks = uw_remarks_form() != UW_REMARKS_NONE;
  const MlirContext locations = speaks ? mlirContextCreate() : (MlirContext){NULL};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !uw_has_feature(f, "+avx2") || uw_has_feature(f, "+avx512vl"))
      continue;
    const answer slow = slow_in(f);
    LLVMValueRef calls[MOST];
    unsigned count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
        if (!uw_calls_intrinsic(op, "llvm.masked.store"))
          continue;
        const bool asks = slow != NEVER && count < MOST && is_worth_asking(layout, op);
        if (speaks)
          say(locations, op, slow, asks);
        if (asks)
          calls[count++] = op;
      }
    LLVMValueRef nowhere = count ? uw_place_on_stack(f) : NULL;
    for (unsigned i = 0; i < count; i++) {
      const store s = read_store(layout, calls[i], nowhere);
      rewrite(module, &s, slow);
    }
  }
  if (speaks)
    mlirContextDestroy(locations);
}
