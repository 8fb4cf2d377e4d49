/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX takes words of two halves apart where it need not, and loops carry the halves:
 *
 *     %low = phi i16 [ low half of %a ], [ low half of %b ]
 *     %high = phi i16 [ high half of %a ], [ high half of %b ]      ==>      %word = phi i32 [ %a ], [ %b ]
 *     %word = %low | %high << 16
 *
 * Done where each way into the phis brings two halves of one word, or of one constant, in their order. */
#include "../device_loops.h"
#include "alike.h"
#include "ptx.h"

enum { HALF = 16 };

static LLVMValueRef operand(LLVMValueRef value, unsigned i) { return LLVMGetOperand(value, i); }

static bool has_bits(LLVMValueRef value, unsigned bits) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == bits;
}

static bool is_constant(LLVMValueRef value, unsigned long long number) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == number;
}

/* What a half is in a word: the value that was extended, or the word itself, whose upper bits may be anything here. */
static LLVMValueRef without_extension(LLVMValueRef value) {
  return uw_ptx_opcode_of(value) == LLVMZExt && has_bits(operand(value, 0), HALF) ? operand(value, 0) : value;
}

/* The halves that a word is made of. */
static bool is_pack(LLVMValueRef op, LLVMValueRef *low, LLVMValueRef *high) {
  if ((uw_ptx_opcode_of(op) != LLVMOr && uw_ptx_opcode_of(op) != LLVMAdd) || !has_bits(op, 2 * HALF))
    return false;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef shift = operand(op, i);
    if (uw_ptx_opcode_of(shift) != LLVMShl || !is_constant(operand(shift, 1), HALF))
      continue;
    *high = without_extension(operand(shift, 0));
    *low = without_extension(operand(op, !i));
    return true;
  }
  return false;
}

/* A half of a word, or of a vector of words: of which, and its number. */
typedef struct part {
  LLVMValueRef of;
  unsigned long long number;
} part;

static part part_of(LLVMValueRef half) {
  part none = {NULL, 0};
  switch (uw_ptx_opcode_of(half)) {
  case LLVMTrunc: {
    part inner = part_of(operand(half, 0));
    return inner.of ? inner : has_bits(operand(half, 0), 2 * HALF) ? (part){operand(half, 0), 0} : none;
  }
  case LLVMLShr:
    return is_constant(operand(half, 1), HALF) && has_bits(half, 2 * HALF) ? (part){operand(half, 0), 1} : none;
  case LLVMAnd:
    return is_constant(operand(half, 1), 0xffff) && has_bits(half, 2 * HALF) ? (part){operand(half, 0), 0} : none;
  case LLVMExtractElement: {
    LLVMValueRef cast = operand(half, 0), number = operand(half, 1);
    return uw_ptx_opcode_of(cast) == LLVMBitCast && LLVMIsAConstantInt(number) && has_bits(half, HALF)
               ? (part){operand(cast, 0), LLVMConstIntGetZExtValue(number)}
               : none;
  }
  default: return none;
  }
}

/* Is it 32 bits, or a vector of such elements? */
static bool has_words(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
  return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 2 * HALF;
}

/* Are they the halves of one word? */
static bool are_of_one(LLVMValueRef low, LLVMValueRef high) {
  if (LLVMIsAConstantInt(low) && LLVMIsAConstantInt(high))
    return LLVMConstIntGetZExtValue(low) <= 0xffff;
  part first = part_of(low), second = part_of(high);
  return first.of && first.of == second.of && first.number % 2 == 0 && second.number == first.number + 1 &&
         has_words(first.of);
}

/* That word, at the builder. */
static LLVMValueRef word_of(LLVMBuilderRef builder, LLVMTypeRef word, LLVMValueRef low, LLVMValueRef high) {
  if (LLVMIsAConstantInt(low))
    return LLVMConstInt(word, LLVMConstIntGetZExtValue(low) | LLVMConstIntGetZExtValue(high) << HALF, false);
  part first = part_of(low);
  if (has_bits(first.of, 2 * HALF))
    return first.of;
  return LLVMBuildExtractElement(builder, first.of, LLVMConstInt(word, first.number / 2, false), "");
}

static bool carries_words(LLVMValueRef low, LLVMValueRef high) {
  if (!LLVMIsAPHINode(low) || !LLVMIsAPHINode(high) || LLVMGetInstructionParent(low) != LLVMGetInstructionParent(high))
    return false;
  for (unsigned i = 0; i < LLVMCountIncoming(low); i++) {
    LLVMValueRef other = uw_incoming_from(high, LLVMGetIncomingBlock(low, i));
    if (!other || !are_of_one(LLVMGetIncomingValue(low, i), other))
      return false;
  }
  return true;
}

static LLVMValueRef carry_word(LLVMBuilderRef builder, LLVMTypeRef word, LLVMValueRef low, LLVMValueRef high) {
  LLVMPositionBuilderBefore(builder, low);
  LLVMValueRef phi = LLVMBuildPhi(builder, word, "");
  for (unsigned i = 0; i < LLVMCountIncoming(low); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(low, i);
    LLVMValueRef value = uw_incoming_from(phi, from); /* a switch may come several times */
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(from));
    value = value ? value : word_of(builder, word, LLVMGetIncomingValue(low, i), uw_incoming_from(high, from));
    LLVMAddIncoming(phi, &value, &from, 1);
  }
  return phi;
}

bool uw_ptx_recover_words(uw_program *program) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  bool changed = false;
  for (LLVMValueRef function = LLVMGetFirstFunction(program->device); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef op = LLVMGetFirstInstruction(block), next; op; op = next) {
        LLVMValueRef low, high;
        next = LLVMGetNextInstruction(op);
        if (!is_pack(op, &low, &high) || !carries_words(low, high))
          continue;
        LLVMReplaceAllUsesWith(op, carry_word(builder, LLVMTypeOf(op), low, high));
        LLVMInstructionEraseFromParent(op);
        changed = true;
      }
  LLVMDisposeBuilder(builder);
  return changed;
}
