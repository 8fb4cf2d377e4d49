/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compilers for a GPU carry what a loop computes from its counter as a counter of its own, so that a product becomes a
 * sum. Here it is computed from the counter again: so later passes see how far apart iterations and threads are.
 *
 *     i = 0, j = a, p = q                             i = 0
 *     loop { … i += 1, j += s, p += 4 }        ==>    loop { j = a + i * s, p = q + 4 * i, … i += 1 }
 *
 * A counter that goes down to 0 from what is no constant goes up first, which is how a loop over elements was written:
 *
 *     r = n; while (r > 0) { … r -= 1 }        ==>    i = 0; while (i < n) { r = n - i, … i += 1 }
 *
 * The counter starts at any value from outside and goes up or down by a constant d; the step s is from outside, and a
 * multiple of d, as a constant or a product with one, or d is 1 or -1. Integers of the counter's own width are exact,
 * as both wrap around alike. Wider ones and pointers follow where the counter does not go around all its values: the
 * top of the loop asks whether it is below a limit, and it goes up (above, with a sign, and down by 1). A loop that
 * steps over such a limit again and again would not end.
 */
#include <string.h>

#include "llvm-c/Target.h"
#include "../device_loops.h"
#include "alike.h"

enum { DEEPEST = 12 };

typedef struct counter {
  LLVMValueRef phi, start, next;
  long long step;
  LLVMValueRef by; /* the step, where it is no constant: then step is 0 */
  bool is_bounded; /* the iterations so far fit its bits, without a sign */
} counter;

typedef struct iterations_of {
  LLVMBasicBlockRef header, before, latch;
  uw_table *inside;
} iterations_of;

static bool is_outside(const iterations_of *l, LLVMValueRef value) {
  return !LLVMIsAInstruction(value) || !uw_table_get(l->inside, LLVMGetInstructionParent(value));
}

/* A loop with one way in and one way back. */
static bool find_loop(uw_program *program, LLVMBasicBlockRef header, iterations_of *l) {
  LLVMValueRef phi = LLVMGetFirstInstruction(header);
  if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2)
    return false;
  for (unsigned turn = 0; turn < 2; turn++) {
    *l = (iterations_of){header, LLVMGetIncomingBlock(phi, turn), LLVMGetIncomingBlock(phi, !turn),
                         uw_table_create(program->arena)};
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
  return LLVMGetOperand(next, 0) == phi   ? LLVMGetOperand(next, 1)
         : LLVMGetOperand(next, 1) == phi ? LLVMGetOperand(next, 0)
                                          : NULL;
}

/* Does the top ask whether the counter is still on this side of a limit? */
static bool is_bounded(const iterations_of *l, const counter *c) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(l->header);
  LLVMValueRef condition = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
  if (!condition || !LLVMIsAICmpInst(condition) || LLVMGetOperand(condition, 0) != c->phi ||
      (c->step != 1 && !is_outside(l, LLVMGetOperand(condition, 1))) ||
      !uw_table_get(l->inside, LLVMGetSuccessor(end, 0)) || uw_table_get(l->inside, LLVMGetSuccessor(end, 1)))
    return false;
  LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
  return ((p == LLVMIntSLT || p == LLVMIntULT) && (c->step > 0 || c->by)) || (p == LLVMIntSGT && c->step == -1);
}

/* The counter of the loop: of several, one that is bounded. */
static bool find_counter(const iterations_of *l, counter *best) {
  *best = (counter){0};
  for (LLVMValueRef phi = LLVMGetFirstInstruction(l->header); phi && LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(phi)) > 64)
      continue;
    counter c = {phi, uw_incoming_from(phi, l->before), uw_incoming_from(phi, l->latch), 0, NULL, false};
    LLVMValueRef step = step_of(phi, c.next);
    if (!step || !is_outside(l, step))
      continue;
    c.step = LLVMIsAConstantInt(step) ? LLVMConstIntGetSExtValue(step) : 0;
    c.by = LLVMIsAConstantInt(step) ? NULL : step;
    c.is_bounded = is_bounded(l, &c);
    if (c.by && !c.is_bounded)
      continue;
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
  if (factor == by)
    return LLVMGetOperand(step, 0);
  return LLVMBuildMul(builder, LLVMGetOperand(step, 0),
                      LLVMConstInt(LLVMTypeOf(step), (unsigned long long)(factor / by), true), "");
}

/* The iterations so far, times step, as bits of the width; null where that is not known. */
static LLVMValueRef advance(LLVMBuilderRef builder, const counter *c, LLVMValueRef step, LLVMTypeRef type) {
  unsigned own = LLVMGetIntTypeWidth(LLVMTypeOf(c->phi)), bits = LLVMGetIntTypeWidth(type);
  if (c->by || (own < bits && !c->is_bounded))
    return NULL;
  bool is_constant = LLVMIsAConstantInt(step);
  long long by = is_constant ? LLVMConstIntGetSExtValue(step) : 0;
  LLVMValueRef part = NULL;
  if (c->step != 1 && c->step != -1 &&
      (is_constant ? by % c->step != 0 : own < bits || !(part = divided(builder, step, c->step))))
    return NULL;
  LLVMValueRef iterations = LLVMIsAConstantInt(c->start) && LLVMIsNull(c->start) ? c->phi
                            : c->is_bounded && c->step == -1 ? LLVMBuildSub(builder, c->start, c->phi, "")
                                                             : LLVMBuildSub(builder, c->phi, c->start, "");
  bool counted = c->is_bounded && c->step == -1 && iterations != c->phi; /* iterations themselves, not below zero */
  if (own < bits)
    iterations = c->is_bounded && c->step == -1 && !counted ? LLVMBuildSExt(builder, iterations, type, "")
                                                            : LLVMBuildZExt(builder, iterations, type, "");
  else if (own > bits)
    iterations = LLVMBuildTrunc(builder, iterations, type, "");
  long long divisor = counted ? 1 : c->step;
  LLVMValueRef factor = is_constant   ? LLVMConstInt(type, (unsigned long long)(by / divisor), true)
                        : part        ? part
                        : divisor < 0 ? LLVMBuildNeg(builder, step, "")
                                      : step;
  return LLVMBuildMul(builder, iterations, factor, "");
}

/* The elements that lie a step apart are integers: so the counter itself is the index. */
static LLVMTypeRef element_for(LLVMTypeRef byte, long long step) {
  bool fits = step == 1 || step == 2 || step == 4 || step == 8;
  return fits ? LLVMIntTypeInContext(LLVMGetTypeContext(byte), 8 * (unsigned)step) : byte;
}

/* --- starts ------------------------------------------------------------------------------------------------------- */

/* What is left of a sum without factor * times * start, times being null for 1; how: by which the start was extended
 * there ('s', 'z', 0 where it was not). */
typedef struct lacking {
  LLVMBuilderRef builder;
  LLVMValueRef start, times;
  char how;
} lacking;

static bool has_flag(LLVMValueRef op, char how) { return how == 0 || (how == 's' ? LLVMGetNSW(op) : LLVMGetNUW(op)); }

/* An integer; of what is extended later each sum must be exact. Null: the start is not in it. */
static LLVMValueRef number_without(lacking *l, LLVMValueRef value, long long factor, char how, int depth) {
  LLVMOpcode opcode = uw_ptx_opcode_of(value);
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef rest = NULL;
  if (value == l->start && factor == 1 && !l->times) {
    l->how = how;
    return LLVMConstNull(type);
  }
  if (depth == DEEPEST)
    return NULL;
  switch (opcode) {
  case LLVMSExt:
  case LLVMZExt:
    if (how || !(rest = number_without(l, LLVMGetOperand(value, 0), factor, opcode == LLVMSExt ? 's' : 'z', depth + 1)))
      return NULL;
    return opcode == LLVMSExt ? LLVMBuildSExt(l->builder, rest, type, "") : LLVMBuildZExt(l->builder, rest, type, "");
  case LLVMAdd:
    for (unsigned i = 0; i < 2 && has_flag(value, how); i++)
      if ((rest = number_without(l, LLVMGetOperand(value, i), factor, how, depth + 1)))
        return how == 's'   ? LLVMBuildNSWAdd(l->builder, rest, LLVMGetOperand(value, 1 - i), "")
               : how == 'z' ? LLVMBuildNUWAdd(l->builder, rest, LLVMGetOperand(value, 1 - i), "")
                            : LLVMBuildAdd(l->builder, rest, LLVMGetOperand(value, 1 - i), "");
    return NULL;
  case LLVMMul:
    for (unsigned i = 0; i < 2 && l->times && !how; i++) {
      lacking other = {l->builder, l->start, NULL, 0};
      if (LLVMGetOperand(value, i) == l->times &&
          (rest = number_without(&other, LLVMGetOperand(value, 1 - i), factor, 0, depth + 1)))
        return LLVMBuildMul(l->builder, rest, l->times, "");
    }
    return NULL;
  case LLVMShl: {
    LLVMValueRef by = LLVMGetOperand(value, 1);
    long long bits = LLVMIsAConstantInt(by) ? LLVMConstIntGetSExtValue(by) : -1;
    if (bits < 0 || bits > 30 || factor % (1ll << bits) || !has_flag(value, how) ||
        !(rest = number_without(l, LLVMGetOperand(value, 0), factor >> bits, how, depth + 1)))
      return NULL;
    LLVMValueRef left = LLVMBuildShl(l->builder, rest, by, "");
    if (how && LLVMIsAInstruction(left)) {
      LLVMSetNSW(left, how == 's');
      LLVMSetNUW(left, how == 'z');
    }
    return left;
  }
  default: return NULL;
  }
}

static LLVMValueRef address_without(lacking *l, LLVMTargetDataRef layout, LLVMValueRef address, long long factor,
                                    int depth) {
  if (depth == DEEPEST || uw_ptx_opcode_of(address) != LLVMGetElementPtr || LLVMGetNumOperands(address) != 2)
    return NULL;
  LLVMTypeRef element = LLVMGetGEPSourceElementType(address);
  long long size = (long long)LLVMABISizeOfType(layout, element);
  LLVMValueRef base = LLVMGetOperand(address, 0), index = LLVMGetOperand(address, 1);
  LLVMValueRef rest = address_without(l, layout, base, factor, depth + 1);
  if (rest)
    return LLVMBuildGEP2(l->builder, element, rest, &index, 1, "");
  if (size == 0 || factor % size || !(rest = number_without(l, index, factor / size, 0, 0)))
    return NULL;
  return LLVMIsAConstantInt(rest) && LLVMIsNull(rest) ? base : LLVMBuildGEP2(l->builder, element, base, &rest, 1, "");
}

/* By how much the value is a multiple of the other, extended or not: 0 if it is none that is known. */
static long long multiple_of(LLVMValueRef value, LLVMValueRef of, char how, char *extended, int depth) {
  LLVMOpcode opcode = uw_ptx_opcode_of(value);
  if (value == of) {
    *extended = how;
    return 1;
  }
  if (depth < DEEPEST && !how && (opcode == LLVMSExt || opcode == LLVMZExt))
    return multiple_of(LLVMGetOperand(value, 0), of, opcode == LLVMSExt ? 's' : 'z', extended, depth + 1);
  if (depth == DEEPEST || (opcode != LLVMShl && opcode != LLVMMul) || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)) ||
      !has_flag(value, how))
    return 0;
  long long by = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
  if (by <= 0 || by > 1 << 20 || (opcode == LLVMShl && by > 20))
    return 0;
  return multiple_of(LLVMGetOperand(value, 0), of, how, extended, depth + 1) * (opcode == LLVMShl ? 1ll << by : by);
}

/* The counter as an index, extended as its start and its step are; null if they are not alike. */
static LLVMValueRef as_index(LLVMBuilderRef builder, const counter *c, char start, char step, LLVMTypeRef number) {
  if (c->by && start != step)
    return NULL;
  return start == 's'                   ? LLVMBuildSExt(builder, c->phi, number, "")
         : start == 'z'                 ? LLVMBuildZExt(builder, c->phi, number, "")
         : LLVMTypeOf(c->phi) == number ? c->phi
                                        : NULL;
}

/* An address that starts at p + size * i, where i is what the counter starts at: p + size * counter. Step: in elements
 * of so many bytes. */
static LLVMValueRef by_counter_alone(LLVMBuilderRef builder, LLVMTargetDataRef layout, const counter *c,
                                     LLVMValueRef start, LLVMValueRef step, long long bytes) {
  lacking l = {builder, c->start, NULL, 0};
  LLVMTypeRef number = LLVMTypeOf(step), byte = LLVMInt8TypeInContext(LLVMGetTypeContext(number));
  char extended = 0;
  long long by = !LLVMIsAConstantInt(step) ? 0 : LLVMConstIntGetSExtValue(step) * bytes;
  long long factor = c->by                          ? multiple_of(step, c->by, 0, &extended, 0) * bytes
                     : c->step && by % c->step == 0 ? by / c->step
                                                    : 0;
  if (!c->is_bounded || c->step < 0 || factor <= 0 || LLVMIsAConstantInt(c->start))
    return NULL;
  LLVMValueRef base = address_without(&l, layout, start, factor, 0);
  LLVMValueRef index = base ? as_index(builder, c, l.how, extended, number) : NULL;
  if (!index)
    return NULL;
  LLVMTypeRef element = element_for(byte, factor);
  if (element == byte)
    index = LLVMBuildMul(builder, index, LLVMConstInt(number, (unsigned long long)factor, false), "");
  return LLVMBuildGEP2(builder, element, base, &index, 1, "");
}

/* The same for an integer that is wider than the counter, or whose step no constant is. */
static LLVMValueRef wide_by_counter_alone(LLVMBuilderRef builder, const counter *c, LLVMValueRef start,
                                          LLVMValueRef step) {
  lacking l = {builder, c->start, NULL, 0};
  char extended = 0;
  long long factor = c->by && c->is_bounded ? multiple_of(step, c->by, 0, &extended, 0) : 0;
  LLVMTypeRef type = LLVMTypeOf(step);
  LLVMValueRef rest = factor > 0 && !LLVMIsAConstantInt(c->start) ? number_without(&l, start, factor, 0, 0) : NULL;
  LLVMValueRef index = rest ? as_index(builder, c, l.how, extended, type) : NULL;
  return index
             ? LLVMBuildAdd(builder, rest,
                            LLVMBuildMul(builder, index, LLVMConstInt(type, (unsigned long long)factor, false), ""), "")
             : NULL;
}

/* The same for an integer of the counter's width, exact as both wrap around alike. */
static LLVMValueRef number_by_counter_alone(LLVMBuilderRef builder, const counter *c, LLVMValueRef start,
                                            LLVMValueRef step) {
  LLVMTypeRef type = LLVMTypeOf(c->phi);
  bool is_constant = LLVMIsAConstantInt(step);
  if (LLVMTypeOf(start) != type || LLVMIsAConstantInt(c->start) || c->step == 0)
    return NULL;
  long long by = is_constant ? LLVMConstIntGetSExtValue(step) : 1;
  LLVMValueRef unit = is_constant ? NULL : c->step == 1 ? step : divided(builder, step, c->step);
  if (is_constant ? by % c->step != 0 || by / c->step <= 0 : !unit)
    return NULL;
  lacking l = {builder, c->start, unit, 0};
  LLVMValueRef rest = number_without(&l, start, is_constant ? by / c->step : 1, 0, 0);
  if (!rest)
    return NULL;
  LLVMValueRef factor = is_constant ? LLVMConstInt(type, (unsigned long long)(by / c->step), false) : unit;
  return LLVMBuildAdd(builder, rest, LLVMBuildMul(builder, c->phi, factor, ""), "");
}

/* --- what is carried ---------------------------------------------------------------------------------------------- */

/* What a phi is, by the counter; null where that is not known. */
static LLVMValueRef by_counter(LLVMBuilderRef builder, LLVMTargetDataRef layout, const iterations_of *l,
                               const counter *c, LLVMValueRef phi) {
  LLVMValueRef start = uw_incoming_from(phi, l->before), next = uw_incoming_from(phi, l->latch);
  LLVMTypeRef type = LLVMTypeOf(phi);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
    LLVMValueRef step = step_of(phi, next);
    LLVMValueRef alone =
        step && step != phi && is_outside(l, step) ? number_by_counter_alone(builder, c, start, step) : NULL;
    if (!alone && step && step != phi && is_outside(l, step))
      alone = wide_by_counter_alone(builder, c, start, step);
    if (alone)
      return alone;
    LLVMValueRef by = step && step != phi && is_outside(l, step) ? advance(builder, c, step, type) : NULL;
    return by ? LLVMBuildAdd(builder, start, by, "") : NULL;
  }
  if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || !LLVMIsAGetElementPtrInst(next) ||
      LLVMGetNumOperands(next) != 2 || LLVMGetOperand(next, 0) != phi)
    return NULL;
  LLVMValueRef step = LLVMGetOperand(next, 1), by = NULL;
  LLVMTypeRef element = LLVMGetGEPSourceElementType(next), byte = LLVMInt8TypeInContext(LLVMGetTypeContext(element));
  if ((by = by_counter_alone(builder, layout, c, start, step, (long long)LLVMABISizeOfType(layout, element))) ||
      !is_outside(l, step))
    return by;
  if (element == byte && LLVMIsAConstantInt(step) && element_for(byte, LLVMConstIntGetSExtValue(step)) != byte) {
    element = element_for(byte, LLVMConstIntGetSExtValue(step));
    step = LLVMConstInt(LLVMTypeOf(step), 1, false);
  }
  by = advance(builder, c, step, LLVMTypeOf(step));
  return by ? LLVMBuildGEP2(builder, element, start, &by, 1, "") : NULL;
}

/* --- counters that go down ---------------------------------------------------------------------------------------- */

/* The counter that the top of the loop compares with 0, from a start that is no constant. */
static bool goes_down(const iterations_of *l, counter *c) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(l->header);
  LLVMValueRef condition = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL, phi;
  if (!condition || !LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) ||
      !LLVMIsNull(LLVMGetOperand(condition, 1)) || !LLVMIsAPHINode(phi = LLVMGetOperand(condition, 0)) ||
      LLVMGetInstructionParent(phi) != l->header)
    return false;
  bool continues = uw_table_get(l->inside, LLVMGetSuccessor(end, 0)),
       leaves = uw_table_get(l->inside, LLVMGetSuccessor(end, 1));
  LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
  *c = (counter){phi, uw_incoming_from(phi, l->before), uw_incoming_from(phi, l->latch), 0, NULL, false};
  LLVMValueRef step = step_of(phi, c->next);
  return continues != leaves && (p == (continues ? LLVMIntNE : LLVMIntEQ) || (continues && p == LLVMIntSGT)) && step &&
         LLVMIsAConstantInt(step) && LLVMConstIntGetSExtValue(step) == -1 && !LLVMIsAConstantInt(c->start);
}

static void turn_up(LLVMBuilderRef builder, const iterations_of *l, const counter *c) {
  LLVMTypeRef type = LLVMTypeOf(c->phi);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(l->header), condition = LLVMGetCondition(end), first = c->phi;
  while (LLVMIsAPHINode(first))
    first = LLVMGetNextInstruction(first);
  LLVMPositionBuilderBefore(builder, c->phi);
  LLVMValueRef up = LLVMBuildPhi(builder, type, "");
  LLVMPositionBuilderBefore(builder, first);
  LLVMValueRef left = LLVMBuildSub(builder, c->start, up, "");
  LLVMPositionBuilderBefore(builder, end);
  bool is_signed = LLVMGetICmpPredicate(condition) == LLVMIntSGT;
  LLVMValueRef more = LLVMBuildICmp(builder, is_signed ? LLVMIntSLT : LLVMIntULT, up, c->start, "");
  if (LLVMGetICmpPredicate(condition) == LLVMIntEQ) {
    LLVMBasicBlockRef out = LLVMGetSuccessor(end, 0);
    LLVMSetSuccessor(end, 0, LLVMGetSuccessor(end, 1));
    LLVMSetSuccessor(end, 1, out);
  }
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(l->latch));
  LLVMValueRef next = LLVMBuildNUWAdd(builder, up, LLVMConstInt(type, 1, false), "");
  if (is_signed)
    LLVMSetNSW(next, true);
  LLVMAddIncoming(up, (LLVMValueRef[]){LLVMConstNull(type), next}, (LLVMBasicBlockRef[]){l->before, l->latch}, 2);
  LLVMSetCondition(end, more);
  LLVMReplaceAllUsesWith(c->phi, left);
  LLVMInstructionEraseFromParent(c->phi);
}

/* --- the loops ---------------------------------------------------------------------------------------------------- */

/* Where the value of a phi is computed: in the body, where the test at the top does not ask for it and nobody after
 * the loop. */
static LLVMValueRef place_for(const iterations_of *l, LLVMValueRef phi) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(l->header), first = LLVMGetFirstInstruction(l->header);
  LLVMBasicBlockRef body = NULL;
  while (LLVMIsAPHINode(first))
    first = LLVMGetNextInstruction(first);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (uw_table_get(l->inside, LLVMGetSuccessor(end, i)))
      body = body ? l->header : LLVMGetSuccessor(end, i);
  unsigned ways = 0;
  for (LLVMUseRef use = body ? LLVMGetFirstUse(LLVMBasicBlockAsValue(body)) : NULL; use; use = LLVMGetNextUse(use))
    ways += LLVMIsATerminatorInst(LLVMGetUser(use)) != NULL;
  if (!body || body == l->header || ways != 1 || LLVMIsAPHINode(LLVMGetFirstInstruction(body)))
    return first;
  for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(LLVMGetUser(use));
    if (block == l->header || !uw_table_get(l->inside, block))
      return first;
  }
  return LLVMGetFirstInstruction(body);
}

static bool rewrite(LLVMBuilderRef builder, LLVMTargetDataRef layout, const iterations_of *l) {
  counter c;
  if (!find_counter(l, &c))
    return false;
  bool changed = false;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(l->header), next; phi && LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    if (phi == c.phi)
      continue;
    LLVMPositionBuilderBefore(builder, place_for(l, phi));
    LLVMValueRef value = by_counter(builder, layout, l, &c, phi);
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
      iterations_of l;
      counter down;
      if (!find_loop(program, block, &l))
        continue;
      if (goes_down(&l, &down))
        turn_up(builder, &l, &down);
      rewrite(builder, LLVMGetModuleDataLayout(program->device), &l);
    }
  LLVMDisposeBuilder(builder);
  uw_run_llvm(program->device, "function(instcombine<no-verify-fixpoint>,early-cse,simplifycfg)", 0);
}
