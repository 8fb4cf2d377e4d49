/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does a trip of one loop do what so many trips of another do one by one? Asked of accesses, barriers and calls in
 * their order, of the values that they take, of branches, and of what the loops leave with. See remainders.h.
 *
 * Beside analysis/dependence.h, which asks whether accesses may change places. Here none does: all have to be the same
 * in the same order, at whatever addresses, and there is nothing to solve (equation.h). */
#include "remainders.h"

#include <string.h>

enum { MOST_STEPS = 20000, MOST_FACTOR = 16 };

typedef struct two_phis {
  LLVMValueRef one, many;
  unsigned iteration;
} two_phis;

/* The comparison of both loops' iterations. */
typedef struct comparing {
  const uw_ptx_pair *pair;
  const uw_ptx_iterations *single, *multiple;
  uw_table *values[MOST_FACTOR]; /* of an iteration: a value of the single loop -> the multiple one's */
  uw_table *blocks[MOST_FACTOR]; /* the same for blocks */
  uw_table *after;               /* block of the multiple loop -> the instruction after those that were compared */
  two_phis *phis;                /* inside of an iteration, to be compared */
  size_t phi_count, phi_room;
  unsigned steps, blocks_met;
} comparing;

/* By which way the join is met after the first loop. */
static LLVMBasicBlockRef way_through(const uw_ptx_pair *pair) { return pair->cross ? pair->cross : pair->first.latch; }

/* --- do the iterations agree? ------------------------------------------------------------------------------------- */

/* Accesses and calls whose order counts. */
bool uw_ptx_is_ordered(LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: return true;
  case LLVMCall: return !uw_ptx_is_pure_call(op);
  default: return false;
  }
}

static bool is_same_ordered(LLVMValueRef a, LLVMValueRef b) {
  switch (LLVMGetInstructionOpcode(a)) {
  case LLVMLoad: /* the single loop's promise of alignment is for all iterations then */
  case LLVMStore:
    return LLVMGetVolatile(a) == LLVMGetVolatile(b) && LLVMGetOrdering(a) == LLVMGetOrdering(b) &&
           LLVMGetAlignment(a) <= LLVMGetAlignment(b);
  case LLVMCall: return LLVMGetCalledValue(a) == LLVMGetCalledValue(b);
  case LLVMAtomicRMW:
    return LLVMGetAtomicRMWBinOp(a) == LLVMGetAtomicRMWBinOp(b) && LLVMGetOrdering(a) == LLVMGetOrdering(b) &&
           LLVMGetVolatile(a) == LLVMGetVolatile(b);
  default: return false;
  }
}

static bool agree(comparing *c, LLVMValueRef one, LLVMValueRef many, unsigned iteration);

static bool is_swapped(LLVMValueRef one, LLVMValueRef many) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(one);
  if (opcode == LLVMICmp)
    return LLVMGetICmpPredicate(one) != LLVMGetICmpPredicate(many);
  return opcode == LLVMFCmp && LLVMGetFCmpPredicate(one) != LLVMGetFCmpPredicate(many);
}

static bool has_swapped_flags(LLVMValueRef one, LLVMValueRef many) {
  static const LLVMRealPredicate reals[] = {LLVMRealPredicateFalse,
                                            LLVMRealOEQ,
                                            LLVMRealOLT,
                                            LLVMRealOLE,
                                            LLVMRealOGT,
                                            LLVMRealOGE,
                                            LLVMRealONE,
                                            LLVMRealORD,
                                            LLVMRealUNO,
                                            LLVMRealUEQ,
                                            LLVMRealULT,
                                            LLVMRealULE,
                                            LLVMRealUGT,
                                            LLVMRealUGE,
                                            LLVMRealUNE,
                                            LLVMRealPredicateTrue};
  static const LLVMIntPredicate numbers[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE, LLVMIntUGT,
                                             LLVMIntUGE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
  if (LLVMIsAICmpInst(one))
    return numbers[LLVMGetICmpPredicate(one) - LLVMIntEQ] == LLVMGetICmpPredicate(many);
  return reals[LLVMGetFCmpPredicate(one)] == LLVMGetFCmpPredicate(many) &&
         LLVMGetFastMathFlags(one) == LLVMGetFastMathFlags(many);
}

/* May the first two operands change places? */
static bool commutes(LLVMValueRef op) {
  static const char *const calls[] = {"llvm.fma.",  "llvm.maxnum.", "llvm.minnum.", "llvm.smax.",
                                      "llvm.smin.", "llvm.umax.",   "llvm.umin."};
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMAdd:
  case LLVMMul:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMFAdd:
  case LLVMFMul: return true;
  case LLVMICmp: return LLVMGetICmpPredicate(op) == LLVMIntEQ || LLVMGetICmpPredicate(op) == LLVMIntNE;
  case LLVMFCmp: return LLVMGetFCmpPredicate(op) == LLVMRealOEQ || LLVMGetFCmpPredicate(op) == LLVMRealUNE;
  case LLVMCall:
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
      if (strncmp(uw_llvm_name(LLVMGetCalledValue(op)), calls[i], strlen(calls[i])) == 0)
        return true;
    return false;
  default: return false;
  }
}

static bool operands_agree(comparing *c, LLVMValueRef one, LLVMValueRef many, unsigned iteration) {
  unsigned count = (unsigned)uw_ptx_operand_count(one), swapped = is_swapped(one, many),
           turns = swapped || !commutes(one) ? 1 : 2;
  if ((int)count != uw_ptx_operand_count(many))
    return false;
  for (unsigned turn = 0; turn < turns; turn++) {
    unsigned i = 0;
    while (i < count &&
           agree(c, LLVMGetOperand(one, i), LLVMGetOperand(many, i < 2 ? i ^ (turn | swapped) : i), iteration))
      i++;
    if (i == count)
      return true;
  }
  return false;
}

/* Values that both loops carry: the second goes on with what the first leaves with. */
static bool is_handed_on(const comparing *c, LLVMValueRef one, LLVMValueRef many) {
  const uw_ptx_pair *pair = c->pair;
  LLVMValueRef first = pair->multiple_first ? many : one, second = pair->multiple_first ? one : many;
  if (!uw_ptx_is_phi_of(first, pair->first.header) || !uw_ptx_is_phi_of(second, pair->second.header))
    return false;
  LLVMValueRef joined = uw_incoming_from(second, pair->second.before);
  return joined && uw_ptx_is_phi_of(joined, pair->join) && LLVMCountIncoming(joined) == 2 &&
         uw_incoming_from(joined, pair->guard) == uw_incoming_from(first, pair->first.before) &&
         uw_incoming_from(joined, way_through(pair)) == uw_incoming_from(first, pair->first.latch);
}

/* As sums that grow from iteration to iteration. Decided: both are such sums. */
static bool forms_agree(const comparing *c, LLVMValueRef one, LLVMValueRef many, unsigned iteration, bool *decided) {
  uw_ptx_affine single, multiple;
  uw_ptx_sum by = {0};
  *decided = uw_ptx_affine_of(c->pair, one, &single) && uw_ptx_affine_of(c->pair, many, &multiple);
  return *decided && uw_ptx_add_sum(&by, &single.by, c->pair->factor) && uw_ptx_equal_sums(&by, &multiple.by) &&
         uw_ptx_add_sum(&single.base, &single.by, iteration) && uw_ptx_equal_sums(&single.base, &multiple.base);
}

/* What comes into them is compared when all blocks are known. */
static bool phis_agree(comparing *c, LLVMValueRef one, LLVMValueRef many, unsigned iteration) {
  if (LLVMCountIncoming(one) != LLVMCountIncoming(many) ||
      (LLVMBasicBlockRef)uw_table_get(c->blocks[iteration], LLVMGetInstructionParent(one)) !=
          LLVMGetInstructionParent(many))
    return false;
  c->phis = uw_grow(c->pair->program->arena, c->phis, c->phi_count, &c->phi_room, sizeof *c->phis);
  c->phis[c->phi_count++] = (two_phis){one, many, iteration};
  return true;
}

static bool incoming_agree(comparing *c) {
  for (size_t k = 0; k < c->phi_count; k++)
    for (unsigned i = 0; i < LLVMCountIncoming(c->phis[k].one); i++) {
      const two_phis p = c->phis[k];
      LLVMBasicBlockRef from = (LLVMBasicBlockRef)uw_table_get(c->blocks[p.iteration], LLVMGetIncomingBlock(p.one, i));
      LLVMValueRef other = from ? uw_incoming_from(p.many, from) : NULL;
      if (!other || !agree(c, LLVMGetIncomingValue(p.one, i), other, p.iteration))
        return false;
    }
  return true;
}

static bool operations_agree(comparing *c, LLVMValueRef one, LLVMValueRef many, unsigned iteration) {
  if (uw_ptx_is_ordered(one) || uw_ptx_opcode_of(one) != uw_ptx_opcode_of(many) || LLVMTypeOf(one) != LLVMTypeOf(many))
    return false; /* ordered ones are known by their order */
  if (LLVMIsAPHINode(one))
    return phis_agree(c, one, many, iteration);
  return (is_swapped(one, many) ? has_swapped_flags(one, many) : uw_ptx_has_same_flags(one, many)) &&
         operands_agree(c, one, many, iteration);
}

/* Is `one`, in the iteration, what `many` is? */
static bool agree(comparing *c, LLVMValueRef one, LLVMValueRef many, unsigned iteration) {
  LLVMValueRef known = (LLVMValueRef)uw_table_get(c->values[iteration], one);
  bool decided;
  if (known || c->steps++ > MOST_STEPS)
    return known == many;
  bool same = forms_agree(c, one, many, iteration, &decided);
  if (decided || !uw_ptx_is_in(c->single, one))
    return same || (!decided && one == many);
  if (uw_ptx_is_phi_of(one, c->single->header))
    same = iteration == 0 ? is_handed_on(c, one, many)
                          : agree(c, uw_incoming_from(one, c->single->latch), many, iteration - 1);
  else
    same = uw_ptx_is_in(c->multiple, many) && operations_agree(c, one, many, iteration);
  if (same)
    uw_table_set(c->values[iteration], one, (intptr_t)many);
  return same;
}

/* The next access or call of the block that was not compared yet. */
static LLVMValueRef next_ordered(comparing *c, LLVMBasicBlockRef block) {
  LLVMValueRef op = (LLVMValueRef)uw_table_get(c->after, block);
  op = op ? LLVMGetNextInstruction(op) : LLVMGetFirstInstruction(block);
  while (op && !uw_ptx_is_ordered(op))
    op = LLVMGetNextInstruction(op);
  return op;
}

static bool blocks_agree(comparing *c, LLVMBasicBlockRef one, LLVMBasicBlockRef many, unsigned iteration);

static bool branches_agree(comparing *c, LLVMBasicBlockRef one, LLVMBasicBlockRef many, unsigned iteration) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(one), other = LLVMGetBasicBlockTerminator(many);
  if (!LLVMIsABranchInst(end) || !LLVMIsABranchInst(other) || LLVMIsConditional(end) != LLVMIsConditional(other) ||
      (LLVMIsConditional(end) && !agree(c, LLVMGetCondition(end), LLVMGetCondition(other), iteration)))
    return false;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (!blocks_agree(c, LLVMGetSuccessor(end, i), LLVMGetSuccessor(other, i), iteration))
      return false;
  return true;
}

static bool blocks_agree(comparing *c, LLVMBasicBlockRef one, LLVMBasicBlockRef many, unsigned iteration) {
  LLVMBasicBlockRef known = (LLVMBasicBlockRef)uw_table_get(c->blocks[iteration], one);
  if (known || !uw_table_get(c->single->inside, one) || !uw_table_get(c->multiple->inside, many))
    return known == many;
  uw_table_set(c->blocks[iteration], one, (intptr_t)many);
  for (LLVMValueRef op = LLVMGetFirstInstruction(one); op; op = LLVMGetNextInstruction(op)) {
    if (!uw_ptx_is_ordered(op))
      continue;
    LLVMValueRef other = next_ordered(c, many);
    if (!other || LLVMGetInstructionOpcode(op) != LLVMGetInstructionOpcode(other) ||
        LLVMTypeOf(op) != LLVMTypeOf(other) || !is_same_ordered(op, other) || !operands_agree(c, op, other, iteration))
      return false;
    uw_table_set(c->after, many, (intptr_t)other);
    uw_table_set(c->values[iteration], op, (intptr_t)other);
  }
  if (one == c->single->latch && iteration + 1 < c->pair->factor)
    return blocks_agree(c, c->single->header, many, iteration + 1);
  c->blocks_met++;
  if (next_ordered(c, many))
    return false;
  return one == c->single->latch ? many == c->multiple->latch
                                 : many != c->multiple->latch && branches_agree(c, one, many, iteration);
}

/* Does the single loop end with what the multiple one ends with, or the way past the second? */
static bool ends_agree(comparing *c, LLVMValueRef one, LLVMValueRef many) {
  if (!uw_ptx_is_in(c->single, one) || !uw_ptx_is_in(c->multiple, many))
    return one == many;
  return agree(c, one, many, c->pair->factor - 1);
}

/* What the single loop carries and how many iterations it does, the count alone apart. */
static bool carried_agree(comparing *c, LLVMValueRef count) {
  for (LLVMValueRef one = LLVMGetFirstInstruction(c->single->header); LLVMIsAPHINode(one);
       one = LLVMGetNextInstruction(one)) {
    uw_ptx_affine form;
    bool found = one == count || uw_ptx_affine_of(c->pair, one, &form);
    for (LLVMValueRef many = LLVMGetFirstInstruction(c->multiple->header); !found && LLVMIsAPHINode(many);
         many = LLVMGetNextInstruction(many))
      found = is_handed_on(c, one, many) &&
              ends_agree(c, uw_incoming_from(one, c->single->latch), uw_incoming_from(many, c->multiple->latch));
    if (!found)
      return false;
  }
  return true;
}

/* After both loops: what comes from the second, and from the ways past it. */
static bool exits_agree(comparing *c) {
  const uw_ptx_pair *pair = c->pair;
  for (LLVMValueRef phi = LLVMGetFirstInstruction(pair->second.exit); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi))
    for (unsigned way = 0; way < 2; way++) {
      LLVMBasicBlockRef past = way == 0 ? pair->cross : pair->fork;
      LLVMValueRef last = uw_incoming_from(phi, pair->second.latch), before = past ? uw_incoming_from(phi, past) : NULL;
      if (before && uw_ptx_is_phi_of(before, pair->join))
        before = uw_incoming_from(before, way_through(pair));
      if (past &&
          (!last || !before || !(pair->multiple_first ? ends_agree(c, last, before) : ends_agree(c, before, last))))
        return false;
    }
  return true;
}

static unsigned count_ordered(const uw_ptx_iterations *loop, LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op && uw_table_get(loop->inside, block);
         op = LLVMGetNextInstruction(op))
      count += uw_ptx_is_ordered(op);
  return count;
}

static unsigned count_blocks(const uw_ptx_iterations *loop, LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    count += uw_table_get(loop->inside, block) != 0;
  return count;
}

bool uw_ptx_iterations_agree(const uw_ptx_pair *pair, LLVMValueRef count) {
  LLVMValueRef function = LLVMGetBasicBlockParent(pair->join);
  comparing c = {.pair = pair,
                 .single = uw_ptx_single(pair),
                 .multiple = uw_ptx_multiple(pair),
                 .after = uw_table_create(pair->program->arena)};
  if (count_ordered(c.single, function) * pair->factor != count_ordered(c.multiple, function) ||
      pair->factor > MOST_FACTOR)
    return false;
  for (unsigned i = 0; i < pair->factor; i++) {
    c.values[i] = uw_table_create(pair->program->arena);
    c.blocks[i] = uw_table_create(pair->program->arena);
  }
  return blocks_agree(&c, c.single->header, c.multiple->header, 0) &&
         c.blocks_met == count_blocks(c.multiple, function) && carried_agree(&c, count) && exits_agree(&c) &&
         incoming_agree(&c);
}
