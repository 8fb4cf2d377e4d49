/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compilers for a GPU write out several iterations of a loop whose number of iterations they do not know, and let a
 * second loop do the remainder, one by one. That loop does all of them again, so that later passes meet the loop that
 * the source had.
 *
 *     r = n & 3
 *     if (n >= 4)                                     r = n
 *       do { s += a[i], …, s += a[i + 3];      ==>    do s += a[i++]; while (--r)
 *            i += 4 } while (i != (n & ~3))
 *     if (r)
 *       do s += a[i++]; while (--r)
 *
 * The rest may also come first. Holds when a) a trip of the one loop does the same as so many trips of the other one by
 * one: the same accesses, barriers and calls in the same order, of the same values, through the same branches; b) what
 * one of them leaves with is what the other goes on with; c) the remainder is n & (factor - 1), the loop with several
 * iterations does n - r where n is not below the factor, and is passed by where it is; d) there are only sums between
 * them.
 */
#include "remainders.h"

#include <string.h>

enum { MOST_FACTOR = 16, DEEPEST = 4 };

/* --- how many iterations? ----------------------------------------------------------------------------------------- */

/* How a loop that is left when a value is reached counts: from start to limit. */
typedef struct counting {
  LLVMValueRef phi, start, limit, condition;
  unsigned limit_operand;     /* of the condition */
  LLVMIntPredicate predicate; /* under which the loop goes on, the value on the left */
  long long step;
} counting;

static LLVMIntPredicate negated(LLVMIntPredicate p) {
  return p == LLVMIntEQ ? LLVMIntNE : p == LLVMIntSGE ? LLVMIntSLT : p == LLVMIntUGE ? LLVMIntULT : (LLVMIntPredicate)0;
}

static bool find_counting(const uw_ptx_pair *pair, const uw_ptx_iterations *loop, counting *count) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->latch);
  count->condition = LLVMGetCondition(end);
  if (!LLVMIsAICmpInst(count->condition))
    return false;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(loop->header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    for (unsigned i = 0; i < 2; i++) {
      uw_ptx_sum step;
      LLVMIntPredicate p = LLVMGetICmpPredicate(count->condition);
      LLVMValueRef compared = LLVMGetOperand(count->condition, i);
      if (uw_ptx_opcode_of(compared) == LLVMTrunc) /* an integer that also is an index */
        compared = LLVMGetOperand(compared, 0);
      if (compared != uw_incoming_from(phi, loop->latch) || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind ||
          !uw_ptx_step_of(pair, loop, phi, &step) || !uw_ptx_is_number(&step, &count->step) ||
          uw_ptx_is_in(loop, LLVMGetOperand(count->condition, 1 - i)))
        continue;
      count->phi = phi;
      count->start = uw_incoming_from(phi, loop->before);
      count->limit = LLVMGetOperand(count->condition, 1 - i);
      count->limit_operand = 1 - i;
      count->predicate = LLVMGetSuccessor(end, 0) == loop->header ? p : negated(p);
      return i == 0 || p == LLVMIntEQ || p == LLVMIntNE;
    }
  return false;
}

static bool is_zero(LLVMValueRef value) { return LLVMIsAConstantInt(value) && LLVMIsNull(value); }

/* x & mask; null: it is not that. */
static LLVMValueRef masked(LLVMValueRef value, unsigned long long *mask) {
  if (uw_ptx_opcode_of(value) != LLVMAnd || !LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
    return NULL;
  *mask = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1));
  return LLVMGetOperand(value, 0);
}

/* Does the branch go to the block where n is below the factor, as an unsigned integer, whatever it does where n is
 * 0? */
static bool is_for_few(const uw_ptx_pair *pair, LLVMBasicBlockRef block, LLVMBasicBlockRef to, LLVMValueRef n) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block), condition = LLVMGetCondition(end);
  uw_ptx_affine left, all;
  long long least = 0; /* 1: n is one more than what is compared without its bits */
  unsigned bits = 0;   /* of n, which is what is compared without them */
  bool negates = LLVMGetSuccessor(end, 0) != to;
  if (!LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)))
    return false;
  LLVMValueRef more_by_one =
      uw_ptx_opcode_of(n) == LLVMAdd && LLVMIsAConstantInt(LLVMGetOperand(n, 1)) ? LLVMGetOperand(n, 0) : NULL;
  if (more_by_one && LLVMConstIntGetSExtValue(LLVMGetOperand(n, 1)) == 1 && uw_ptx_opcode_of(more_by_one) == LLVMLShr &&
      LLVMGetOperand(more_by_one, 0) == LLVMGetOperand(condition, 0)) { /* iterations of a loop with a step */
    least = 1;
    n = more_by_one;
  }
  if (uw_ptx_opcode_of(n) == LLVMLShr && LLVMGetOperand(n, 0) == LLVMGetOperand(condition, 0) &&
      LLVMIsAConstantInt(LLVMGetOperand(n, 1))) {
    bits = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(n, 1));
    n = LLVMGetOperand(n, 0);
  }
  if (bits > 24 || !uw_ptx_affine_of(pair, LLVMGetOperand(condition, 0), &left) || !uw_ptx_affine_of(pair, n, &all))
    return false;
  LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
  long long limit = LLVMConstIntGetSExtValue(LLVMGetOperand(condition, 1)), factor = (pair->factor - least) << bits,
            by = 1, more;
  if (p == LLVMIntUGT && !negates) { /* -n > -factor */
    by = -1;
    limit = -limit;
  } else if (p == LLVMIntUGT && negates) {
    limit++;
  } else if (p != LLVMIntULT || negates) {
    return false;
  }
  uw_ptx_sum difference = {0}; /* of what is compared and n, or -n */
  if (!uw_ptx_add_sum(&difference, &left.base, by) || !uw_ptx_add_sum(&difference, &all.base, -1) ||
      !uw_ptx_is_number(&difference, &more) || left.by.count || left.by.constant)
    return false;
  return (more == 0 && limit == factor) || (more == -1 && !bits && limit == factor - 1 && by == 1);
}

/* The multiple loop first: it runs to n & ~(factor - 1), or from it to 0, but for high bits perhaps that a compiler
 * knew to be 0. */
static LLVMValueRef all_with_rest_after(const uw_ptx_pair *pair, LLVMBuilderRef builder, LLVMValueRef n,
                                        const counting *multiple) {
  bool up = multiple->step == (long long)pair->factor && is_zero(multiple->start);
  bool down = multiple->step == -(long long)pair->factor && is_zero(multiple->limit);
  unsigned long long mask;
  LLVMValueRef most = up ? multiple->limit : multiple->start;
  if (multiple->predicate != LLVMIntNE || (!up && !down) || LLVMTypeOf(most) != LLVMTypeOf(n) ||
      masked(most, &mask) != n || (mask & (pair->factor - 1)) || !is_for_few(pair, pair->guard, pair->join, n))
    return NULL;
  mask |= pair->factor - 1;
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(pair->guard));
  return LLVMBuildAnd(builder, n, LLVMConstInt(LLVMTypeOf(n), mask, false), "");
}

/* max(limit, i + c) - i for limit - i, which are the same where that is not below c. */
static LLVMValueRef without_maximum(LLVMValueRef n, LLVMValueRef limit, const char *maximum) {
  if (uw_ptx_opcode_of(n) != LLVMSub || !LLVMIsACallInst(LLVMGetOperand(n, 0)))
    return NULL;
  LLVMValueRef call = LLVMGetOperand(n, 0), callee = LLVMGetCalledValue(call), start = LLVMGetOperand(n, 1);
  if (!LLVMIsAFunction(callee) || strncmp(uw_llvm_name(callee), maximum, strlen(maximum)) != 0)
    return NULL;
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef other = LLVMGetOperand(call, 1 - i);
    if (LLVMGetOperand(call, i) == limit && uw_ptx_opcode_of(other) == LLVMAdd && LLVMGetOperand(other, 0) == start &&
        LLVMIsAConstantInt(LLVMGetOperand(other, 1)) && LLVMConstIntGetSExtValue(LLVMGetOperand(other, 1)) == 1)
      return start;
  }
  return NULL;
}

/* The rest first: the multiple loop does n less the iterations that were done, where n is not below the factor. */
static LLVMValueRef all_with_rest_in_front(const uw_ptx_pair *pair, LLVMValueRef n, const counting *multiple) {
  uw_ptx_affine start, limit, all;
  uw_ptx_sum left = {0};
  long long sign = multiple->step < 0 ? -1 : 1, by;
  if (multiple->step != sign * (long long)pair->factor || !is_for_few(pair, pair->fork, pair->second.exit, n) ||
      !uw_ptx_affine_of(pair, multiple->start, &start) || !uw_ptx_affine_of(pair, multiple->limit, &limit) ||
      !uw_ptx_affine_of(pair, n, &all) || !uw_ptx_add_sum(&left, &limit.base, sign) ||
      !uw_ptx_add_sum(&left, &start.base, -sign) || limit.by.count || limit.by.constant ||
      !uw_ptx_is_number(&start.by, &by) || by != sign)
    return NULL;
  if (multiple->predicate == LLVMIntNE && uw_ptx_equal_sums(&left, &all.base))
    return n;
  bool is_signed = multiple->predicate == LLVMIntSLT;
  if (sign < 0 || (!is_signed && multiple->predicate != LLVMIntULT))
    return NULL;
  LLVMValueRef from = without_maximum(n, multiple->limit, is_signed ? "llvm.smax." : "llvm.umax.");
  uw_ptx_affine begin;
  return from && uw_ptx_affine_of(pair, from, &begin) && uw_ptx_equal_sums(&begin.base, &start.base) ? n : NULL;
}

/* --- the pair ----------------------------------------------------------------------------------------------------- */

static unsigned predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef *list, unsigned most) {
  unsigned count = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
    if (LLVMIsATerminatorInst(LLVMGetUser(use))) {
      if (count == most)
        return most + 1;
      list[count++] = LLVMGetInstructionParent(LLVMGetUser(use));
    }
  return count;
}

static bool is_two_way(LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  return LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
}

static bool goes_to(LLVMBasicBlockRef block, LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == to)
      return true;
  return false;
}

/* A loop that is left at its one way back alone. */
static bool find_iterations(uw_program *program, LLVMBasicBlockRef header, uw_ptx_iterations *loop) {
  LLVMBasicBlockRef from[2], entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(header));
  if (!LLVMIsAPHINode(LLVMGetFirstInstruction(header)) || predecessors(header, from, 2) != 2 || from[0] == from[1])
    return false;
  for (unsigned turn = 0; turn < 2; turn++) {
    *loop = (uw_ptx_iterations){header, from[turn], from[!turn], NULL, uw_table_create(program->arena)};
    if (!is_two_way(loop->latch))
      continue;
    uw_add_blocks_of_loop(program->arena, loop->latch, header, loop->inside);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->latch);
    loop->exit = LLVMGetSuccessor(end, LLVMGetSuccessor(end, 0) == header);
    if (!uw_table_get(loop->inside, entry) && !uw_table_get(loop->inside, loop->before) &&
        !uw_table_get(loop->inside, loop->exit))
      return true;
  }
  return false;
}

/* Nothing but sums, comparisons and branches. */
static bool is_plain(LLVMBasicBlockRef block) {
  for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
    switch (LLVMGetInstructionOpcode(op)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return false;
    default:
      if (uw_ptx_is_ordered(op))
        return false;
    }
  return true;
}

/* The blocks from one that is reached by two ways up to the second loop. */
static bool find_join(uw_ptx_pair *pair, LLVMBasicBlockRef from[2]) {
  LLVMBasicBlockRef block = pair->second.before;
  for (unsigned count;; block = from[0]) {
    bool forks = is_two_way(block);
    if (!is_plain(block) || (forks && (pair->fork || !goes_to(block, pair->second.exit))))
      return false;
    pair->fork = forks ? block : pair->fork;
    uw_table_set(pair->between, block, 1);
    count = predecessors(block, from, 2);
    if (count == 2)
      break;
    if (count != 1 || LLVMIsAPHINode(LLVMGetFirstInstruction(block)))
      return false;
  }
  pair->join = block;
  return from[0] != from[1];
}

/* Is the one the way through the first loop to the join, and the other the way past it? */
static bool are_ways(uw_ptx_pair *pair, LLVMBasicBlockRef through, LLVMBasicBlockRef past) {
  LLVMBasicBlockRef block = pair->first.before, from[1];
  pair->guard = past;
  pair->cross = through == pair->first.latch ? NULL : through;
  if (pair->cross && (predecessors(through, from, 1) != 1 || from[0] != pair->first.latch || !is_two_way(through) ||
                      !goes_to(through, pair->second.exit) || !is_plain(through)))
    return false;
  if (!is_two_way(past) || past == pair->first.latch)
    return false;
  while (block != pair->guard) { /* nothing else comes to the first loop */
    if (predecessors(block, from, 1) != 1 || (from[0] != pair->guard && is_two_way(from[0])))
      return false;
    block = from[0];
  }
  return true;
}

/* What a loop computes is used after it in these phis alone. */
static bool is_closed(const uw_ptx_pair *pair, const uw_ptx_iterations *loop) {
  LLVMValueRef function = LLVMGetBasicBlockParent(pair->join);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op && uw_table_get(loop->inside, block);
         op = LLVMGetNextInstruction(op))
      for (LLVMUseRef use = LLVMGetFirstUse(op); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!uw_ptx_is_in(loop, user) && !uw_ptx_is_phi_of(user, pair->join) &&
            !uw_ptx_is_phi_of(user, pair->second.exit))
          return false;
      }
  return true;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

/* The question in front of the single loop whether there is a rest: about all iterations now. */
static void ask_about_all(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef rest, LLVMValueRef all) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block), condition = LLVMGetCondition(end);
  LLVMPositionBuilderBefore(builder, end);
  LLVMSetCondition(end,
                   LLVMBuildICmp(builder, LLVMGetICmpPredicate(condition), all, LLVMConstNull(LLVMTypeOf(rest)), ""));
}

static bool asks_for_rest(LLVMBasicBlockRef block, LLVMBasicBlockRef to, LLVMValueRef rest) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block), condition = is_two_way(block) ? LLVMGetCondition(end) : NULL;
  if (!condition || !LLVMIsAICmpInst(condition) || LLVMGetOperand(condition, 0) != rest ||
      !is_zero(LLVMGetOperand(condition, 1)))
    return false;
  return LLVMGetICmpPredicate(condition) == (LLVMGetSuccessor(end, 0) == to ? LLVMIntEQ : LLVMIntNE);
}

/* Of the branch; LLVM drops the other way. */
static void always_go(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from), condition = LLVMGetCondition(end);
  LLVMSetCondition(end, LLVMConstInt(LLVMTypeOf(condition), LLVMGetSuccessor(end, 0) == to, false));
}

static void drop_promises(const uw_table *blocks, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op && uw_table_get((uw_table *)blocks, block);
         op = LLVMGetNextInstruction(op))
      uw_ptx_drop_promises(op);
}

static bool rewrite(const uw_ptx_pair *pair, LLVMBuilderRef builder, const counting *single, LLVMValueRef rest,
                    LLVMValueRef all) {
  LLVMValueRef function = LLVMGetBasicBlockParent(pair->join);
  LLVMBasicBlockRef asking = pair->multiple_first ? pair->fork : pair->guard;
  if (asking && !asks_for_rest(asking, pair->multiple_first ? pair->second.exit : pair->join, rest))
    return false;
  if (asking)
    ask_about_all(builder, asking, rest, all);
  for (unsigned i = 0; single->start == rest && i < LLVMCountIncoming(single->phi); i++)
    if (LLVMGetIncomingBlock(single->phi, i) == uw_ptx_single(pair)->before)
      LLVMSetOperand(single->phi, i, all);
  if (single->start != rest)
    LLVMSetOperand(single->condition, single->limit_operand, all);
  drop_promises(uw_ptx_single(pair)->inside, function);
  drop_promises(pair->between, function);
  always_go(pair->multiple_first ? pair->guard : pair->fork, pair->multiple_first ? pair->join : pair->second.exit);
  return true;
}

/* By how many iterations the multiple loop's value grows, and the other's by one: a power of two. */
static unsigned factor_of(const counting *single, const counting *multiple) {
  long long by = multiple->step < 0 ? -multiple->step : multiple->step;
  bool one = single->step == 1 || single->step == -1;
  return one && by >= 2 && by <= MOST_FACTOR && (by & (by - 1)) == 0 ? (unsigned)by : 0;
}

static bool try_pair(uw_ptx_pair *pair, LLVMBuilderRef builder) {
  counting single, multiple;
  unsigned long long mask;
  if (!find_counting(pair, uw_ptx_single(pair), &single) || !find_counting(pair, uw_ptx_multiple(pair), &multiple) ||
      single.predicate != LLVMIntNE || !(pair->factor = factor_of(&single, &multiple)))
    return false;
  LLVMValueRef rest = single.step == -1 && is_zero(single.limit)  ? single.start
                      : single.step == 1 && is_zero(single.start) ? single.limit
                                                                  : NULL;
  LLVMValueRef n = rest ? masked(rest, &mask) : NULL;
  if (!n || mask != pair->factor - 1 || !is_closed(pair, &pair->first) || !is_closed(pair, &pair->second) ||
      !uw_ptx_iterations_agree(pair, single.phi))
    return false;
  LLVMValueRef all = pair->multiple_first ? all_with_rest_after(pair, builder, n, &multiple)
                                          : all_with_rest_in_front(pair, n, &multiple);
  return all && rewrite(pair, builder, &single, rest, all);
}

/* One pair of the function, if there is one. */
static bool join_function(uw_program *program, LLVMBuilderRef builder, LLVMValueRef function) {
  uw_ptx_iterations *loops = NULL, loop;
  size_t count = 0, room = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    if (find_iterations(program, block, &loop)) {
      loops = uw_grow(program->arena, loops, count, &room, sizeof *loops);
      loops[count++] = loop;
    }
  for (size_t i = 0; i < count; i++) {
    uw_ptx_pair pair = {.program = program,
                        .layout = LLVMGetModuleDataLayout(program->device),
                        .second = loops[i],
                        .between = uw_table_create(program->arena)};
    LLVMBasicBlockRef from[2];
    if (!find_join(&pair, from))
      continue;
    for (size_t k = 0; k < count; k++)
      for (unsigned turn = 0; turn < 4 && k != i; turn++) {
        pair.first = loops[k];
        pair.multiple_first = turn & 1;
        if (are_ways(&pair, from[turn >> 1], from[!(turn >> 1)]) &&
            (pair.fork || (pair.cross && pair.multiple_first)) && try_pair(&pair, builder))
          return true;
      }
  }
  return false;
}

void uw_ptx_recover_remainders(uw_program *program) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(program->context);
  bool changed = true;
  for (unsigned depth = 0; depth < DEEPEST && changed;
       depth++) { /* inner loops first, of which outer ones have several */
    changed = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
      while (join_function(program, builder, f))
        changed = true;
    if (changed)
      uw_run_llvm(program->device, "function(simplifycfg,instcombine<no-verify-fixpoint>,early-cse,simplifycfg)", 0);
  }
  LLVMDisposeBuilder(builder);
}
