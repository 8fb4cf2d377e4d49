/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Masks for vectors of which only some lanes are computed anew: passes/lanes/vectorize_strided.c selects these lanes by a
 * constant. LLVM takes such a selection for a shuffle, and looks through it: what the next iteration of a tree needs it
 * takes from before the selection. That spares a step in what has to wait for what, and costs one instruction more a
 * iteration, as the sum is needed twice then, with the mask and without. Where iterations run over many registers
 * nothing waits, and instructions count: with a mask whose value LLVM does not know, an iteration of a reduction is a
 * shuffle and an addition under the mask.
 *
 *   %w = select <0, 1, 0, 1, …>, %sum, %v        %m = asm "" (0xaaaa)          once in the function
 *                                         ==>    %w = select %m, %sum, %v
 *
 * Done before LLVM's optimiser, with -O2 and more, for x86-64 with AVX-512, for whole registers, for the first MOST
 * masks of a function: there are seven registers for them. Legal because the assembly of no instructions gives the
 * value that it gets. */
#include <string.h>

#include "code.h"

enum { MOST = 6, REGISTER_BITS = 512, MOST_LANES = 16 /* bound: those of REGISTER_BITS */ };

typedef struct masks {
  LLVMValueRef function;
  unsigned long long bits[MOST];
  unsigned lanes[MOST];
  LLVMValueRef made[MOST];
  size_t count;
} masks;

/* The lanes that a constant chooses; false if it does not say, or chooses all or none. */
static bool read_mask(LLVMValueRef condition, unsigned lanes, unsigned long long *bits) {
  *bits = 0;
  if (!LLVMIsConstant(condition))
    return false;
  for (unsigned l = 0; l < lanes; l++) {
    LLVMValueRef bit = LLVMGetAggregateElement(condition, l);
    if (!bit || !LLVMIsAConstantInt(bit))
      return false;
    *bits |= LLVMConstIntGetZExtValue(bit) << l;
  }
  return *bits != 0 && *bits != (1ull << lanes) - 1;
}

/* The lanes of a whole register that are computed; 0 if it is something else. */
static unsigned lanes_of(LLVMValueRef select) {
  LLVMTypeRef type = LLVMTypeOf(select);
  LLVMValueRef fresh = LLVMGetOperand(select, 1);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
      LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(select, 0))) != LLVMVectorTypeKind || !LLVMIsAInstruction(fresh) ||
      LLVMIsAShuffleVectorInst(fresh) || LLVMIsALoadInst(fresh))
    return 0;
  LLVMTypeRef element = LLVMGetElementType(type);
  LLVMTypeKind kind = LLVMGetTypeKind(element);
  unsigned bits = kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(element)
                  : kind == LLVMFloatTypeKind  ? 32
                  : kind == LLVMDoubleTypeKind ? 64
                                               : 0;
  unsigned lanes = LLVMGetVectorSize(type);
  return lanes <= MOST_LANES && lanes * bits == REGISTER_BITS ? lanes : 0;
}

/* The mask as a value, made where the function begins; null if there are too many. */
static LLVMValueRef mask_of(LLVMBuilderRef b, masks *known, unsigned long long bits, unsigned lanes) {
  size_t i = 0;
  while (i < known->count && (known->bits[i] != bits || known->lanes[i] != lanes))
    i++;
  if (i < known->count || i == MOST)
    return i < MOST ? known->made[i] : NULL;
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(known->function));
  while (LLVMIsAAllocaInst(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(b, first);
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(known->function));
  LLVMTypeRef number = LLVMIntTypeInContext(context, lanes), function = LLVMFunctionType(number, &number, 1, false);
  LLVMValueRef nothing =
      LLVMGetInlineAsm(function, "", 0, "=r,0", strlen("=r,0"), false, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef value = LLVMConstInt(number, bits, false), hidden = LLVMBuildCall2(b, function, nothing, &value, 1, "");
  known->bits[i] = bits;
  known->lanes[i] = lanes;
  known->count++;
  return known->made[i] = LLVMBuildBitCast(b, hidden, LLVMVectorType(LLVMInt1TypeInContext(context), lanes), "");
}

void uw_hide_masks(LLVMModuleRef module) {
  if (strncmp(LLVMGetTarget(module), "x86_64", strlen("x86_64")) != 0)
    return;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    masks known = {.function = f};
    if (LLVMIsDeclaration(f) || !uw_has_feature(f, "+avx512f"))
      continue;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op)) {
        unsigned lanes = LLVMIsASelectInst(op) ? lanes_of(op) : 0;
        unsigned long long bits;
        LLVMValueRef mask =
            lanes != 0 && read_mask(LLVMGetOperand(op, 0), lanes, &bits) ? mask_of(b, &known, bits, lanes) : NULL;
        if (mask)
          LLVMSetOperand(op, 0, mask);
      }
  }
  LLVMDisposeBuilder(b);
}
