/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Works around a miscompilation in LLVM 22's loop vectoriser. An address that its analysis (ScalarEvolution) shows to
 * be the same in all lanes, or to go from one to the next, is computed in the first lane alone. But a division in a
 * conditional block is done in the lanes in which the condition holds, so the address is wrong in all if it does not
 * hold in the first (tests/run/conditional-divisions.cu):
 *
 *   for i:                                              %one = extractelement %c, 0
 *     if c[i]:                                          br %one, then %q = udiv %x, %y
 *       %q = udiv %x, %y                         ==>    %q' = phi [ %q, then ], [ poison, … ]
 *       load (gep %t, %q)                               gather (broadcast of gep %t, %q'), %c
 *
 * Right in front of the vectoriser, so when all that is the same in all iterations and may be done without a condition
 * has left the loop, a division that gives an address leaves it too, by 1 where it would have been by 0:
 *
 *   %y' = freeze %y;  %q = udiv %x, (%y' == 0 ? 1 : %y')      for i: if c[i]: load (gep %t, %q)
 *
 * One that depends on the iteration, as (i / 16) / y, is hidden from that analysis by a freeze, and so is one with a
 * sign, of which it makes use only where neither side can be negative (the optimiser has made most of those a udiv).
 * The checks for overlap that the vectoriser makes of a store's address divide in front of the loop too, by 0 then;
 * here they need not. Other divisions stay: by constants but 0, which the vectoriser does without conditions, and those
 * that no address needs, for each lane gets its own.
 *
 * The second one: where the remainder by a power of two may start anew among the iterations of a loop, as t & 3 in 16 of
 * them or (t + 5) & 15 in so many as there are, it takes the address `&p[4 * t + (t & 3)]` to go on by 5 from iteration to
 * iteration, and asks of the sum alone whether it wraps around (tests/run/rests-in-lanes.cu, lockstep-exchanges.cu).
 * Such a rest is hidden by a freeze too (ir/shim.cpp).
 *
 * Legal because an iteration that divides by 0 has no meaning, so that where the divisor is 0 no iteration uses the
 * quotient. Costs a division for a loop in which no iteration's condition holds; spares the others one an iteration. */
#include "code.h"

void uw_tame_address_division(LLVMValueRef division, LLVMValueRef before) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(division);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(division)));
  if (before && (opcode == LLVMUDiv || opcode == LLVMURem)) {
    LLVMTypeRef type = LLVMTypeOf(division);
    LLVMPositionBuilderBefore(b, before);
    LLVMValueRef divisor = LLVMBuildFreeze(b, LLVMGetOperand(division, 1), "");
    LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, divisor, LLVMConstInt(type, 0, false), "");
    LLVMSetOperand(division, 1, LLVMBuildSelect(b, zero, LLVMConstInt(type, 1, false), divisor, ""));
    LLVMInstructionRemoveFromParent(division);
    LLVMInsertIntoBuilder(b, division);
    if (opcode == LLVMUDiv)
      LLVMSetExact(division, false);
  } else {
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(division));
    LLVMValueRef hidden = LLVMBuildFreeze(b, division, "");
    LLVMReplaceAllUsesWith(division, hidden);
    LLVMSetOperand(hidden, 0, division);
  }
  LLVMDisposeBuilder(b);
}
