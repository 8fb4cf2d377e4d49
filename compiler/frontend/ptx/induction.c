/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compilers for a GPU carry what a loop computes from its counter as a counter of its own, so that a product becomes a sum.
 * Here it is computed from the counter again: so later passes see how far apart rounds and threads are.
 *
 *     i = 0, j = a, p = q                             i = 0
 *     loop { … i += 1, j += s, p += 4 }        ==>    loop { j = a + i * s, p = q + 4 * i, … i += 1 }
 *
 * The counter starts at any value from outside and goes up or down by a constant d; the step s is from outside, and a multiple of
 * d, as a constant or a product with one, or d is 1 or -1. Numbers of the counter's own width are exact, as both wrap around alike. Wider
 * ones and pointers follow where the counter does not wrap: the top of the loop asks whether it is below (above) a limit, with
 * a sign, and it goes up (down) by 1.
 */
#include <string.h>

#include "../device_loops.h"
#include "ptx.h"

typedef struct counter {
  LLVMValueRef phi, start, next;
  long long step;
  bool is_bounded; /* the rounds so far fit its bits, without a sign */
} counter;

typedef struct rounds_of {
  LLVMBasicBlockRef header, before, latch;
  uw_table *inside;
} rounds_of;

static bool is_outside(const rounds_of *l, LLVMValueRef value) {
  return !LLVMIsAInstruction(value) || !uw_table_get(l->inside, LLVMGetInstructionParent(value));
}

/* A loop with one way in and one way back. */
static bool find_loop(uw_program *program, LLVMBasicBlockRef header, rounds_of *l) {
  LLVMValueRef phi = LLVMGetFirstInstruction(header);
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
    return false;
  for (unsigned turn = 0; turn < 2; turn++) {
    *l = (rounds_of){header, LLVMGetIncomingBlock(phi, turn), LLVMGetIncomingBlock(phi, !turn), uw_table_create(program->arena)};
    uw_add_blocks_of_loop(program->arena, l->latch, header, l->inside);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(header));
    if (!uw_table_get(l->inside, entry) && !uw_table_get(l->inside, l->before))
      return true;
  }
  return false;
}

/* The other term of a sum with the phi; null: it is none. */
static LLVMValueRef step_of(LLVMValueRef phi, LLVMValueRef next) {
  if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd)
    return NULL;
  return LLVMGetOperand(next, 0) == phi ? LLVMGetOperand(next, 1) : LLVMGetOperand(next, 1) == phi ? LLVMGetOperand(next, 0) : NULL;
}

/* Does the top ask whether the counter is still on this side of a limit? */
static bool is_bounded(const rounds_of *l, const counter *c) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(l->header);
  LLVMValueRef condition = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
  if (!condition || !LLVMIsAICmpInst(condition) || LLVMGetOperand(condition, 0) != c->phi || !is_outside(l, LLVMGetOperand(condition, 1)) ||
      !uw_table_get(l->inside, LLVMGetSuccessor(end, 0)) || uw_table_get(l->inside, LLVMGetSuccessor(end, 1)))
    return false;
  LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
  return (p == LLVMIntSLT && c->step == 1) || (p == LLVMIntSGT && c->step == -1);
}

/* The counter of the loop: of several, one that is bounded. */
static bool find_counter(const rounds_of *l, counter *best) {
  *best = (counter){0};
  for (LLVMValueRef phi = LLVMGetFirstInstruction(l->header); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(phi)) > 64)
      continue;
    counter c = {phi, uw_incoming_from(phi, l->before), uw_incoming_from(phi, l->latch), 0, false};
    LLVMValueRef step = step_of(phi, c.next);
    if (!step || !LLVMIsAConstantInt(step))
      continue;
    c.step = LLVMConstIntGetSExtValue(step);
    c.is_bounded = is_bounded(l, &c);
    bool unit = c.step == 1 || c.step == -1, best_unit = best->step == 1 || best->step == -1;
    bool asked = LLVMIsAConstantInt(c.start), best_asked = best->phi && LLVMIsAConstantInt(best->start);
    if (!best->phi || c.is_bounded > best->is_bounded || (c.is_bounded == best->is_bounded && unit > best_unit) ||
        (c.is_bounded == best->is_bounded && unit == best_unit && asked > best_asked))
      *best = c;
  }
  return best->phi != NULL;
}

/* step / by, where it is a product with a constant that is a multiple of it: null if not. */
static LLVMValueRef divided(LLVMBuilderRef builder, LLVMValueRef step, long long by) {
  if (!LLVMIsAInstruction(step))
    return NULL;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(step);
  if ((opcode != LLVMShl && opcode != LLVMMul) || !LLVMIsAConstantInt(LLVMGetOperand(step, 1)))
    return NULL;
  long long factor = LLVMConstIntGetSExtValue(LLVMGetOperand(step, 1));
  if (opcode == LLVMShl && factor > 30)
    return NULL;
  factor = opcode == LLVMShl ? 1ll << factor : factor;
  if (factor % by)
    return NULL;
  return LLVMBuildMul(builder, LLVMGetOperand(step, 0), LLVMConstInt(LLVMTypeOf(step), (unsigned long long)(factor / by), true), "");
}

/* The rounds so far, times step, as bits of the width; null where that is not known. */
static LLVMValueRef advance(LLVMBuilderRef builder, const counter *c, LLVMValueRef step, LLVMTypeRef type) {
  unsigned own = LLVMGetIntTypeWidth(LLVMTypeOf(c->phi)), bits = LLVMGetIntTypeWidth(type);
  if (own < bits && !c->is_bounded)
    return NULL;
  bool is_constant = LLVMIsAConstantInt(step);
  long long by = is_constant ? LLVMConstIntGetSExtValue(step) : 0;
  LLVMValueRef part = NULL;
  if (c->step != 1 && c->step != -1 && (is_constant ? by % c->step != 0 : own < bits || !(part = divided(builder, step, c->step))))
    return NULL;
  LLVMValueRef rounds = LLVMIsAConstantInt(c->start) && LLVMIsNull(c->start) ? c->phi
                        : c->is_bounded && c->step == -1                      ? LLVMBuildSub(builder, c->start, c->phi, "")
                                                                              : LLVMBuildSub(builder, c->phi, c->start, "");
  bool counted = c->is_bounded && c->step == -1 && rounds != c->phi; /* rounds themselves, not below zero */
  if (own < bits)
    rounds = c->is_bounded && c->step == -1 && !counted ? LLVMBuildSExt(builder, rounds, type, "") : LLVMBuildZExt(builder, rounds, type, "");
  else if (own > bits)
    rounds = LLVMBuildTrunc(builder, rounds, type, "");
  long long divisor = counted ? 1 : c->step;
  LLVMValueRef factor = is_constant ? LLVMConstInt(type, (unsigned long long)(by / divisor), true)
                        : part        ? part
                        : divisor < 0 ? LLVMBuildNeg(builder, step, "")
                                      : step;
  return LLVMBuildMul(builder, rounds, factor, "");
}

/* What a phi is, by the counter; null where that is not known. */
static LLVMValueRef by_counter(LLVMBuilderRef builder, const rounds_of *l, const counter *c, LLVMValueRef phi) {
  LLVMValueRef start = uw_incoming_from(phi, l->before), next = uw_incoming_from(phi, l->latch);
  LLVMTypeRef type = LLVMTypeOf(phi);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
    LLVMValueRef step = step_of(phi, next);
    LLVMValueRef by = step && step != phi && is_outside(l, step) ? advance(builder, c, step, type) : NULL;
    return by ? LLVMBuildAdd(builder, start, by, "") : NULL;
  }
  if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || !LLVMIsAGetElementPtrInst(next) || LLVMGetNumOperands(next) != 2 ||
      LLVMGetOperand(next, 0) != phi || !is_outside(l, LLVMGetOperand(next, 1)))
    return NULL;
  LLVMValueRef step = LLVMGetOperand(next, 1);
  LLVMValueRef by = advance(builder, c, step, LLVMTypeOf(step));
  return by ? LLVMBuildGEP2(builder, LLVMGetGEPSourceElementType(next), start, &by, 1, "") : NULL;
}

static bool rewrite(LLVMBuilderRef builder, const rounds_of *l) {
  counter c;
  if (!find_counter(l, &c))
    return false;
  bool changed = false;
  LLVMValueRef first = LLVMGetFirstInstruction(l->header);
  while (LLVMIsAPHINode(first))
    first = LLVMGetNextInstruction(first);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(l->header), next; phi && LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    if (phi == c.phi)
      continue;
    LLVMPositionBuilderBefore(builder, first);
    LLVMValueRef value = by_counter(builder, l, &c, phi);
    if (!value)
      continue;
    LLVMReplaceAllUsesWith(phi, value);
    LLVMInstructionEraseFromParent(phi);
    changed = true;
  }
  return changed;
}

void uw_ptx_recover_induction(uw_program *program) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
      rounds_of l;
      if (find_loop(program, block, &l))
        rewrite(builder, &l);
    }
  LLVMDisposeBuilder(builder);
  uw_run_llvm(program->device, "function(instcombine<no-verify-fixpoint>,early-cse,simplifycfg)", 0);
}
