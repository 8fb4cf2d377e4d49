/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compilers turn a loop around: it tests at its end, and once more in front of it. Here it tests at the top again,
 * which is the form that source has and that later passes know.
 *
 *     if (a < n)                                      for (i = a; i < n; i = j)
 *       do { j = i + s; … i = j } while (j < n)   ==>   { j = i + s; … }
 *
 * Holds when the test at the end asks of the next value what the one in front asks of the first: a) the same comparison
 * with the same value from outside of the loop; or b) j != n where j is i + 1 and the first is < n, or i - 1 and it is
 * > n: then j does not pass n; or c) the first value is a sum with a constant, of whose other term the test in front
 * is:
 *
 *     if (n > 2) { i = n - 2; do { … i = i - 1 } while (i != 0) }   ==>   for (i = max(n, 2) - 2; i > 0; …)
 *
 * the maximum keeps the sum from wrapping around; or d) that first value is one below it, by a constant:
 *
 *     if (t < 48) { i = t - 8; do { … i = i + 8 } while (i < 40) }   ==>   for (j = t; j < 48; j = j + 8) { i = j - 8; … }
 *
 * Where what follows the loop is under the test in front, too, that test stays and the one at the top is done once more:
 *
 *     if (a < n) { do { … i = j } while (j < n); after }   ==>   if (a < n) { for (i = a; i < n; i = j) { … } after }
 *
 * A mask around the next value that changes none of its values is left out. A limit that both tests load from one
 * address is loaded at the top. A loop without a test in front has one where the first value is a constant that passes
 * it, or a number of iterations that is not 0. What stands between the test in front and the loop is then done where
 * the loop has no iterations, so it must be without effect.
 */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "../device_loops.h"
#include "alike.h"

typedef struct comparison {
  LLVMIntPredicate predicate; /* of value against limit */
  LLVMValueRef value, limit;
} comparison;

typedef struct loop {
  LLVMBasicBlockRef guard, before, header, test, latch,
      exit;               /* guard: null, or before itself; test: latch itself, or in front of it */
  bool keeps_guard;       /* the guard goes elsewhere than to the exit where the loop has no iteration */
  LLVMValueRef phi, next; /* of the header, that the test at the end is about */
  comparison top;         /* value: that of the phi */
  LLVMValueRef end_limit; /* of the test at the end: may be loaded anew */
  LLVMValueRef term;      /* c): the first value is max(term, least) + add; else null */
  long long least, add;
  LLVMValueRef unshifted; /* d): the first value is this plus shift; else null */
  long long shift;
} loop;

static LLVMValueRef condition_of(LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
}

static LLVMIntPredicate inverse(LLVMIntPredicate p) {
  switch (p) {
  case LLVMIntEQ: return LLVMIntNE;
  case LLVMIntNE: return LLVMIntEQ;
  case LLVMIntUGT: return LLVMIntULE;
  case LLVMIntUGE: return LLVMIntULT;
  case LLVMIntULT: return LLVMIntUGE;
  case LLVMIntULE: return LLVMIntUGT;
  case LLVMIntSGT: return LLVMIntSLE;
  case LLVMIntSGE: return LLVMIntSLT;
  case LLVMIntSLT: return LLVMIntSGE;
  default: return LLVMIntSGT;
  }
}

static LLVMIntPredicate swapped(LLVMIntPredicate p) {
  switch (p) {
  case LLVMIntUGT: return LLVMIntULT;
  case LLVMIntUGE: return LLVMIntULE;
  case LLVMIntULT: return LLVMIntUGT;
  case LLVMIntULE: return LLVMIntUGE;
  case LLVMIntSGT: return LLVMIntSLT;
  case LLVMIntSGE: return LLVMIntSLE;
  case LLVMIntSLT: return LLVMIntSGT;
  case LLVMIntSLE: return LLVMIntSGE;
  default: return p;
  }
}

/* n >= 1 as n > 0, n <= 7 as n < 8, where that does not wrap around. */
static void make_strict(comparison *c) {
  bool at_least = c->predicate == LLVMIntSGE || c->predicate == LLVMIntUGE;
  bool at_most = c->predicate == LLVMIntSLE || c->predicate == LLVMIntULE;
  if (!LLVMIsAConstantInt(c->limit) || !(at_least || at_most))
    return;
  long long n = LLVMConstIntGetSExtValue(c->limit);
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(c->limit));
  if (bits > 63 || n == -1 || n == 0 || n == (1ll << (bits - 1)) - 1 || n == -(1ll << (bits - 1)))
    if (!(n == 0 && c->predicate == LLVMIntSLE) && !(n == -1 && c->predicate == LLVMIntSGE))
      return;
  c->limit = LLVMConstInt(LLVMTypeOf(c->limit), (unsigned long long)(at_least ? n - 1 : n + 1), true);
  c->predicate = c->predicate == LLVMIntSGE   ? LLVMIntSGT
                 : c->predicate == LLVMIntUGE ? LLVMIntUGT
                 : c->predicate == LLVMIntSLE ? LLVMIntSLT
                                              : LLVMIntULT;
}

/* The comparison under which a block goes on to `to`. */
static bool read_comparison(LLVMBasicBlockRef block, LLVMBasicBlockRef to, comparison *c) {
  LLVMValueRef condition = condition_of(block);
  if (!condition || !LLVMIsAICmpInst(condition) ||
      LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(condition, 0))) != LLVMIntegerTypeKind)
    return false;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool yes = LLVMGetSuccessor(end, 0) == to;
  if (LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
    return false;
  LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
  *c = (comparison){yes ? p : inverse(p), LLVMGetOperand(condition, 0), LLVMGetOperand(condition, 1)};
  make_strict(c);
  return true;
}

static void swap(comparison *c) {
  *c = (comparison){swapped(c->predicate), c->limit, c->value};
  make_strict(c);
}

/* next = phi + constant: the constant, else 0. */
static long long step_of(const loop *l) {
  if (!LLVMIsAInstruction(l->next) || LLVMGetInstructionOpcode(l->next) != LLVMAdd ||
      LLVMGetOperand(l->next, 0) != l->phi || !LLVMIsAConstantInt(LLVMGetOperand(l->next, 1)))
    return 0;
  return LLVMConstIntGetSExtValue(LLVMGetOperand(l->next, 1));
}

static bool is_plain_load(LLVMValueRef value) {
  return uw_ptx_opcode_of(value) == LLVMLoad && !LLVMGetVolatile(value) &&
         LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic;
}

/* Nothing after the load in its block may write, so that it may as well be done with the test. */
static bool is_loaded_for_test(LLVMValueRef load) {
  for (LLVMValueRef op = LLVMGetNextInstruction(load); op; op = LLVMGetNextInstruction(op))
    if (LLVMIsAStoreInst(op) || LLVMIsAAtomicRMWInst(op) || LLVMIsAAtomicCmpXchgInst(op) || LLVMIsAFenceInst(op) ||
        LLVMIsACallInst(op))
      return false;
  return true;
}

/* The same value, or the same location in memory read anew for each test. */
static bool is_same_limit(const loop *l, LLVMValueRef front, LLVMValueRef end) {
  if (front == end)
    return true;
  return is_plain_load(front) && is_plain_load(end) && LLVMGetOperand(front, 0) == LLVMGetOperand(end, 0) &&
         LLVMTypeOf(front) == LLVMTypeOf(end) && LLVMGetInstructionParent(front) == l->guard &&
         LLVMGetInstructionParent(end) == l->test && is_loaded_for_test(front) && is_loaded_for_test(end);
}

/* a) and b) of the head: the test at the end, of the next value, as one of the value itself. */
static bool agree(const loop *l, const comparison *front, const comparison *end) {
  if (!is_same_limit(l, front->limit, end->limit))
    return false;
  if (front->predicate == end->predicate)
    return true;
  if (end->predicate != LLVMIntNE)
    return false;
  long long step = step_of(l);
  return (step == 1 && (front->predicate == LLVMIntSLT || front->predicate == LLVMIntULT)) ||
         (step == -1 && (front->predicate == LLVMIntSGT || front->predicate == LLVMIntUGT));
}

static bool constant_passes(const comparison *c) {
  unsigned bits =
      LLVMIsAConstantInt(c->value) && LLVMIsAConstantInt(c->limit) ? LLVMGetIntTypeWidth(LLVMTypeOf(c->value)) : 0;
  return bits && bits <= 64 &&
         uw_numbers_compare(c->predicate, LLVMConstIntGetSExtValue(c->value), LLVMConstIntGetSExtValue(c->limit), bits);
}

/* value = term + constant, of 64 bits at most. */
static bool is_sum_with(LLVMValueRef value, LLVMValueRef term, long long *constant) {
  if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMAdd || LLVMGetOperand(value, 0) != term ||
      !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
    return false;
  *constant = LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
  return true;
}

static bool is_number(LLVMValueRef value, long long number) {
  return LLVMIsAConstantInt(value) && LLVMConstIntGetSExtValue(value) == number;
}

/* A number of iterations, of which there is one at least: (x >> bits) + 1. */
static bool is_never_zero(LLVMValueRef value) {
  long long add;
  LLVMValueRef part = uw_ptx_opcode_of(value) == LLVMAdd ? LLVMGetOperand(value, 0) : NULL;
  return part && is_sum_with(value, part, &add) && add == 1 && uw_ptx_opcode_of(part) == LLVMLShr &&
         LLVMIsAConstantInt(LLVMGetOperand(part, 1)) && !LLVMIsNull(LLVMGetOperand(part, 1));
}

/* The test at the end, of the next value of a phi of the header; or the other way round. */
static bool find_phi(loop *l, comparison *end) {
  for (int turn = 0; turn < 2; turn++, swap(end))
    for (LLVMValueRef phi = LLVMGetFirstInstruction(l->header); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi))
      if (uw_incoming_from(phi, l->latch) == end->value && uw_incoming_from(phi, l->before)) {
        l->phi = phi;
        l->next = end->value;
        return true;
      }
  return false;
}

/* next & mask, where the mask leaves each value that there is from the first to the limit as it is. */
static LLVMValueRef without_mask(const loop *l, const comparison *c) {
  enum { MOST_ITERATIONS = 1 << 12 };
  if (uw_ptx_opcode_of(c->value) != LLVMAnd || !LLVMIsAConstantInt(LLVMGetOperand(c->value, 1)) ||
      !LLVMIsAConstantInt(c->limit) || c->predicate != LLVMIntNE)
    return c->value;
  LLVMValueRef next = LLVMGetOperand(c->value, 0);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(l->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef first = uw_incoming_from(phi, l->before);
    long long step;
    if (uw_incoming_from(phi, l->latch) != next || !is_sum_with(next, phi, &step) || !first ||
        !LLVMIsAConstantInt(first) || step <= 0)
      continue;
    long long number = LLVMConstIntGetSExtValue(first), limit = LLVMConstIntGetSExtValue(c->limit), iterations = 0;
    long long mask = LLVMConstIntGetSExtValue(LLVMGetOperand(c->value, 1));
    if (number < 0 || limit <= number || (limit - number) % step || (limit - number) / step > MOST_ITERATIONS)
      return c->value;
    for (number += step; number <= limit && (number & mask) == number; number += step)
      iterations++;
    return number > limit && iterations ? next : c->value;
  }
  return c->value;
}

/* c) of the head. */
static bool agree_by_sum(loop *l, const comparison *front, const comparison *end, LLVMValueRef first) {
  if (front->predicate != LLVMIntSGT || !LLVMIsAConstantInt(front->limit) || LLVMIsAConstantInt(front->value) ||
      LLVMGetIntTypeWidth(LLVMTypeOf(front->value)) > 64 || end->predicate != LLVMIntNE)
    return false;
  l->term = front->value;
  l->least = LLVMConstIntGetSExtValue(front->limit);
  long long sum;
  /* The largest sum may not wrap around either. */
  if (is_sum_with(first, l->term, &l->add) && !__builtin_add_overflow(l->least, l->add, &sum) &&
      is_number(end->limit, sum) && step_of(l) == -1 && l->add <= 0 && l->least >= 0) {
    l->top = (comparison){LLVMIntSGT, first, end->limit};
    l->end_limit = end->limit;
    return true;
  }
  l->term = NULL;
  return false;
}

/* A test at the end of the value itself, i < 16, is one of the next, i + 32 < 48, where neither wraps around: which
 * they do not if the one in front asks of the first value what this one asks of the next. */
static void ask_about_next(const loop *l, comparison *c) {
  if (!LLVMIsAPHINode(c->value) || LLVMGetInstructionParent(c->value) != l->header || !LLVMIsAConstantInt(c->limit) ||
      (c->predicate != LLVMIntSLT && c->predicate != LLVMIntULT))
    return;
  LLVMValueRef next = uw_incoming_from(c->value, l->latch);
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(c->limit));
  if (!next || uw_ptx_opcode_of(next) != LLVMAdd || LLVMGetOperand(next, 0) != c->value ||
      !LLVMIsAConstantInt(LLVMGetOperand(next, 1)) || bits > 63)
    return;
  long long step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1)), limit = LLVMConstIntGetSExtValue(c->limit);
  if (step > 0 && limit >= 0 && limit + 2 * step < 1ll << (bits - 1))
    *c =
        (comparison){c->predicate, next, LLVMConstInt(LLVMTypeOf(c->limit), (unsigned long long)(limit + step), false)};
}

/* Only the loop uses what it counts by: the value itself and the next. */
static bool is_counted_inside(uw_program *program, const loop *l) {
  uw_table *inside = uw_table_create(program->arena);
  uw_add_blocks_of_loop(program->arena, l->latch, l->header, inside);
  for (unsigned i = 0; i < 2; i++)
    for (LLVMUseRef use = LLVMGetFirstUse(i ? l->next : l->phi); use; use = LLVMGetNextUse(use))
      if (!uw_table_get(inside, LLVMGetInstructionParent(LLVMGetUser(use))))
        return false;
  return true;
}

/* d) of the head. All values but the first are 0 or more, and none wraps around. */
static bool agree_by_shift(uw_program *program, loop *l, const comparison *front, const comparison *end,
                           LLVMValueRef first) {
  long long shift, step = step_of(l);
  if (front->predicate != LLVMIntULT || (end->predicate != LLVMIntULT && end->predicate != LLVMIntSLT) ||
      !LLVMIsAConstantInt(front->limit) || !LLVMIsAConstantInt(end->limit) ||
      !is_sum_with(first, front->value, &shift) || LLVMGetIntTypeWidth(LLVMTypeOf(first)) > 63)
    return false;
  long long limit = LLVMConstIntGetSExtValue(front->limit), most = 1ll << (LLVMGetIntTypeWidth(LLVMTypeOf(first)) - 1);
  if (shift >= 0 || step <= 0 || shift + step < 0 || limit <= 0 || limit + shift <= 0 || limit + step >= most ||
      LLVMConstIntGetSExtValue(end->limit) != limit + shift || !is_counted_inside(program, l))
    return false;
  l->unshifted = front->value;
  l->shift = shift;
  l->top = *front;
  l->end_limit = end->limit;
  return true;
}

static bool decide(uw_program *program, loop *l) {
  comparison end, front;
  if (!read_comparison(l->test, l->test == l->latch ? l->header : l->latch, &end))
    return false;
  end.value = without_mask(l, &end);
  ask_about_next(l, &end);
  if (!find_phi(l, &end))
    return false;
  LLVMValueRef first = uw_incoming_from(l->phi, l->before);
  if (l->guard) {
    LLVMBasicBlockRef to = l->guard == l->before ? l->header : l->before;
    if (!read_comparison(l->guard, to, &front))
      return false;
    for (int turn = 0; turn < 2; turn++, swap(&front))
      if (front.value == first && agree(l, &front, &end)) {
        l->top = front;
        l->end_limit = end.limit;
        return !l->keeps_guard || front.limit == end.limit;
      } else if (l->keeps_guard) {
        continue;
      } else if (agree_by_sum(l, &front, &end, first) || agree_by_shift(program, l, &front, &end, first)) {
        return true;
      }
    return false;
  }
  front = (comparison){end.predicate, first, end.limit};
  long long step = step_of(l), way = LLVMIsAConstantInt(first) && LLVMIsAConstantInt(end.limit)
                                         ? LLVMConstIntGetSExtValue(end.limit) - LLVMConstIntGetSExtValue(first)
                                         : 0;
  if (end.predicate == LLVMIntNE && step > 0 && (step == 1 || (way > 0 && way % step == 0)))
    front.predicate = LLVMIntSLT;
  if (end.predicate == LLVMIntNE && step == -1 && LLVMIsAConstantInt(first))
    front.predicate = LLVMIntSGT;
  l->top = front;
  l->end_limit = end.limit;
  return constant_passes(&front) ||
         (end.predicate == LLVMIntNE && step == -1 && is_number(end.limit, 0) && is_never_zero(first));
}

/* --- which loops -------------------------------------------------------------------------------------------------- */

/* The blocks that go to this one: those that end with a branch; their number. */
static unsigned predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef *list, unsigned most) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsATerminatorInst(user))
      continue;
    if (count == most)
      return most + 1;
    list[count++] = LLVMGetInstructionParent(user);
  }
  return count;
}

static bool goes_to(LLVMBasicBlockRef block, LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == to)
      return true;
  return false;
}

static bool is_harmless(LLVMBasicBlockRef block) {
  for (LLVMValueRef op = LLVMGetFirstInstruction(block); op && !LLVMIsATerminatorInst(op);
       op = LLVMGetNextInstruction(op))
    switch (LLVMGetInstructionOpcode(op)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMLoad:
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW: return false;
    case LLVMCall: {
      size_t length;
      const char *name =
          LLVMIsAFunction(LLVMGetCalledValue(op)) ? LLVMGetValueName2(LLVMGetCalledValue(op), &length) : "";
      if (strncmp(name, "llvm.nvvm.read.ptx.sreg.", 24) != 0 && strncmp(name, "llvm.umin.", 10) != 0 &&
          strncmp(name, "llvm.smax.", 10) != 0)
        return false;
      break;
    }
    default: break;
    }
  return true;
}

/* Is the limit a location in memory that each test reads? */
static bool is_read_anew(const loop *l) {
  return l->guard && LLVMIsAInstruction(l->top.limit) && LLVMGetInstructionParent(l->top.limit) == l->guard &&
         is_plain_load(l->top.limit) && l->end_limit != l->top.limit;
}

/* After LLVM's lcssa only phis of the exits use what a loop computes. What is not so, stays as it is. */
static bool is_closed(const loop *l, uw_program *program) {
  LLVMValueRef function = LLVMGetBasicBlockParent(l->header);
  uw_table *inside = uw_table_create(program->arena);
  uw_add_blocks_of_loop(program->arena, l->latch, l->header, inside);
  LLVMValueRef limit = is_read_anew(l) ? LLVMGetOperand(l->top.limit, 0) : l->top.limit;
  if (uw_table_get(inside, l->exit) || uw_table_get(inside, LLVMGetEntryBasicBlock(function)) ||
      uw_table_get(inside, l->before) ||
      (LLVMIsAInstruction(limit) && uw_table_get(inside, LLVMGetInstructionParent(limit))))
    return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op && uw_table_get(inside, block);
         op = LLVMGetNextInstruction(op))
      for (LLVMUseRef use = LLVMGetFirstUse(op); use; use = LLVMGetNextUse(use))
        if (!uw_table_get(inside, LLVMGetInstructionParent(LLVMGetUser(use))) && !LLVMIsAPHINode(LLVMGetUser(use)))
          return false;
  return true;
}

static bool find_loop(uw_program *program, LLVMBasicBlockRef header, loop *l) {
  LLVMBasicBlockRef from[2], more[1];
  if (!LLVMIsAPHINode(LLVMGetFirstInstruction(header)) || predecessors(header, from, 2) != 2 || from[0] == from[1])
    return false;
  for (int turn = 0; turn < 2; turn++) {
    *l = (loop){.before = from[turn], .header = header, .test = from[!turn], .latch = from[!turn]};
    if (!condition_of(l->latch)) { /* a block alone on the way back */
      if (LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(l->latch)) != 1 || predecessors(l->latch, more, 1) != 1 ||
          !condition_of(more[0]) || LLVMIsAPHINode(LLVMGetFirstInstruction(l->latch)) || !is_harmless(l->latch))
        continue;
      l->test = more[0];
    }
    LLVMBasicBlockRef back = l->test == l->latch ? header : l->latch;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(l->test);
    l->exit = LLVMGetSuccessor(end, LLVMGetSuccessor(end, 0) == back);
    if (l->exit == back || l->exit == header)
      continue;
    if (condition_of(l->before)) {
      l->guard = l->before;
      l->keeps_guard = !goes_to(l->before, l->exit);
    } else if (LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(l->before)) != 1) {
      continue;
    } else if (predecessors(l->before, more, 1) == 1 && condition_of(more[0])) {
      bool moves =
          goes_to(more[0], l->exit) && !LLVMIsAPHINode(LLVMGetFirstInstruction(l->before)) && is_harmless(l->before);
      l->guard = more[0];
      l->keeps_guard = !moves;
    }
    if (l->guard == l->latch || l->before == l->latch || l->guard == l->test || l->before == l->test)
      continue;
    if (decide(program, l) && is_closed(l, program))
      return true;
    if (l->guard && l->guard != l->before) { /* perhaps it needs none */
      l->guard = NULL;
      l->keeps_guard = false;
      if (decide(program, l) && is_closed(l, program))
        return true;
    }
  }
  return false;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

/* A phi of the new top that starts with first, or with anything where that is poison, and goes on with next; one that
 * is there serves. */
static LLVMValueRef carried(LLVMBuilderRef builder, const loop *l, LLVMBasicBlockRef top, LLVMBasicBlockRef into,
                            LLVMValueRef first, LLVMValueRef next) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(top); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    if ((uw_incoming_from(phi, into) == first || LLVMIsPoison(first)) && uw_incoming_from(phi, l->latch) == next)
      return phi;
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(top));
  LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(first), "");
  LLVMAddIncoming(phi, (LLVMValueRef[]){first, next}, (LLVMBasicBlockRef[]){into, l->latch}, 2);
  return phi;
}

/* What the exit takes over from the latch comes from the top. */
static void rewrite_exit(LLVMBuilderRef builder, const loop *l, LLVMBasicBlockRef top) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(l->exit), following; phi && LLVMIsAPHINode(phi); phi = following) {
    following = LLVMGetNextInstruction(phi);
    LLVMBasicBlockRef skips = l->keeps_guard ? NULL : l->guard;
    LLVMValueRef last = uw_incoming_from(phi, l->test), none = skips ? uw_incoming_from(phi, skips) : NULL;
    LLVMValueRef first = none ? none : LLVMGetPoison(LLVMTypeOf(phi));
    LLVMValueRef value = last == first ? last : carried(builder, l, top, l->before, first, last);
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef fresh = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
      LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
      LLVMValueRef other = LLVMGetIncomingValue(phi, i);
      if (from != l->test && from != skips)
        LLVMAddIncoming(fresh, &other, &from, 1);
    }
    LLVMAddIncoming(fresh, &value, &top, 1);
    LLVMReplaceAllUsesWith(phi, fresh);
    LLVMInstructionEraseFromParent(phi);
  }
}

static void branch_to(LLVMBuilderRef builder, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  LLVMPositionBuilderBefore(builder, end);
  LLVMBuildBr(builder, to);
  LLVMInstructionEraseFromParent(end);
}

/* Where a block goes on to the one it goes on to the other. */
static void enter_by(LLVMBasicBlockRef from, LLVMBasicBlockRef one, LLVMBasicBlockRef other) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == one)
      LLVMSetSuccessor(end, i, other);
}

/* max(term, least) + add, in front of the loop. */
static LLVMValueRef limited_sum(LLVMBuilderRef builder, const loop *l) {
  LLVMTypeRef type = LLVMTypeOf(l->term);
  LLVMValueRef least = LLVMConstInt(type, (unsigned long long)l->least, true),
               add = LLVMConstInt(type, (unsigned long long)l->add, true);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(l->before));
  LLVMValueRef is_more = LLVMBuildICmp(builder, LLVMIntSGT, l->term, least, "");
  return LLVMBuildNSWAdd(builder, LLVMBuildSelect(builder, is_more, l->term, least, ""), add, "");
}

static void set_incoming(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMValueRef value) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from)
      LLVMSetOperand(phi, i, value);
}

/* The counter begins at what the test in front is about, and the body has its sum with the constant. Of the top. */
static LLVMValueRef shift_counter(LLVMBuilderRef builder, loop *l, LLVMBasicBlockRef top) {
  LLVMTypeRef type = LLVMTypeOf(l->phi);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(top));
  LLVMValueRef counter = LLVMBuildPhi(builder, type, "");
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(l->header));
  LLVMValueRef shifted = LLVMBuildNSWAdd(builder, counter, LLVMConstInt(type, (unsigned long long)l->shift, true), "");
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(l->latch));
  LLVMValueRef next = LLVMBuildNSWAdd(builder, counter, LLVMConstInt(type, (unsigned long long)step_of(l), true), "");
  LLVMSetNUW(next, true);
  LLVMAddIncoming(counter, (LLVMValueRef[]){l->unshifted, next}, (LLVMBasicBlockRef[]){l->before, l->latch}, 2);
  LLVMReplaceAllUsesWith(l->phi, shifted);
  LLVMInstructionEraseFromParent(l->phi);
  return counter;
}

static void turn(uw_program *program, LLVMBuilderRef builder, loop *l) {
  LLVMBasicBlockRef top = LLVMInsertBasicBlockInContext(program->context, l->header, "");
  LLVMValueRef place = LLVMGetBasicBlockTerminator(l->test);
  LLVMPositionBuilderAtEnd(builder, top);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(place));
  LLVMValueRef value = NULL;
  if (l->term) {
    set_incoming(l->phi, l->before, limited_sum(builder, l));
    LLVMPositionBuilderAtEnd(builder, top);
  }
  for (LLVMValueRef phi; (phi = LLVMGetFirstInstruction(l->header)) && LLVMIsAPHINode(phi);) {
    LLVMInstructionRemoveFromParent(phi);
    LLVMInsertIntoBuilder(builder, phi);
    if (phi == l->phi)
      value = phi;
  }
  if (l->unshifted) {
    value = shift_counter(builder, l, top);
    LLVMPositionBuilderAtEnd(builder, top);
  }
  LLVMValueRef limit = l->top.limit;
  if (is_read_anew(l)) {
    limit = LLVMInstructionClone(limit);
    LLVMInsertIntoBuilder(builder, limit);
  }
  LLVMValueRef more = LLVMBuildICmp(builder, l->top.predicate, value, limit, "");
  LLVMBuildCondBr(builder, more, l->header, l->exit);
  rewrite_exit(builder, l, top);
  branch_to(builder, l->test, l->test == l->latch ? top : l->latch);
  if (l->test != l->latch)
    branch_to(builder, l->latch, top);
  if (l->guard && l->guard != l->before && !l->keeps_guard)
    branch_to(builder, l->guard, l->before);
  if (l->guard == l->before && l->keeps_guard)
    enter_by(l->guard, l->header, top);
  else
    branch_to(builder, l->before, top);
}

void uw_ptx_recover_loops(uw_program *program) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  uw_run_llvm(program->device, "function(lcssa)", 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f), next; block; block = next) {
      loop l;
      next = LLVMGetNextBasicBlock(block);
      if (find_loop(program, block, &l))
        turn(program, builder, &l);
    }
  LLVMDisposeBuilder(builder);
  uw_run_llvm(program->device, "function(instcombine<no-verify-fixpoint>,early-cse,simplifycfg)", 0);
}
