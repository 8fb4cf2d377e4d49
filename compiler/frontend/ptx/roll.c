/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compilers for a GPU write loops of known length out. Long ones become loops again, which later passes know: what is
 * the same in all iterations, which memory an iteration reads, what SIMD lanes could share.
 *
 *     s1 = fma (load a), (load b), s0                        for (k = 0; k < 16; k++)
 *     s2 = fma (load a + 4), (load b + 64), s1       ==>       s = fma (load a + 4 * k), (load b + 64 * k), s
 *     …
 *     s16 = fma (load a + 60), (load b + 960), s15
 *
 * A chain is a sum like s: each value an operand of the next one, by the same operation. Chains of one block that are
 * equally long are rolled together, each alone if that cannot be. Holds when a) there are LEAST iterations or more; b)
 * the iterations compute the same from what they do not share, but for constants of integers and addresses, which go up
 * by one step; c) nothing between the first load of all and the position of the loop, after the last one, may write; d)
 * nobody else uses what the chains are on the way.
 */
#include <string.h>

#include "llvm-c/DebugInfo.h"
#include "llvm-c/Target.h"
#include "alike.h"
#include "ptx.h"

enum { LEAST = 8, MOST_CHAINS = 32, CONSTANT_SPACE = 4 };

typedef struct chain {
  LLVMValueRef *links; /* one an iteration */
  unsigned *places;    /* which operand of each is the one before */
  LLVMValueRef start;
} chain;

typedef struct slot { /* an operand of the first iteration that has another constant in each */
  LLVMValueRef user;
  unsigned operand, iterations; /* iterations that were seen so far */
  long long first, step;
  LLVMValueRef outside; /* what all iterations take here, but for the constant; null: each its own */
} slot;

typedef struct roll {
  uw_program *program;
  LLVMBuilderRef builder;
  LLVMTargetDataRef layout;
  LLVMBasicBlockRef block;
  uw_table *order; /* of the block's instructions, from 1 */
  chain *chains[MOST_CHAINS];
  size_t chain_count;
  unsigned iterations, iteration;
  uw_table *same;         /* instruction of the first iteration -> the one of this iteration */
  uw_table *iteration_of; /* instruction -> 1 + its iteration */
  LLVMValueRef *members;  /* of the first iteration */
  unsigned *alignments;   /* of members that load: the least of all iterations */
  size_t member_count, member_room, alignment_room;
  slot *slots;
  size_t slot_count, slot_room;
  intptr_t first_load, last; /* in the block's order */
} roll;

static bool is_pointer(LLVMValueRef value) { return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind; }

static bool is_number(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
}

/* The value without constants that are added to it. */
static LLVMValueRef without_constant(const roll *r, LLVMValueRef value, long long *constant) {
  *constant = 0;
  for (;;) {
    LLVMOpcode opcode = LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : uw_ptx_opcode_of(value);
    if (is_pointer(value) && opcode == LLVMGetElementPtr && LLVMGetNumOperands(value) == 2 &&
        LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
      *constant += LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1)) *
                   (long long)LLVMABISizeOfType(r->layout, LLVMGetGEPSourceElementType(value));
    else if (is_number(value) && (opcode == LLVMAdd || (opcode == LLVMOr && LLVMGetIsDisjoint(value))) &&
             LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
      *constant += LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
    else
      return value;
    value = LLVMGetOperand(value, 0);
  }
}

/* --- do the iterations agree? ------------------------------------------------------------------------------------- */

/* What all iterations take from outside must be there in front of the loop. */
static void note_outside(roll *r, LLVMValueRef value) {
  intptr_t at = uw_table_get(r->order, value);
  r->last = at > r->last ? at : r->last;
}

static slot *note_slot(roll *r, LLVMValueRef user, unsigned operand, long long first, long long now) {
  size_t i = 0;
  while (i < r->slot_count && (r->slots[i].user != user || r->slots[i].operand != operand))
    i++;
  if (i == r->slot_count) {
    r->slots = uw_grow(r->program->arena, r->slots, r->slot_count, &r->slot_room, sizeof *r->slots);
    r->slots[r->slot_count++] = (slot){user, operand, 1, first, now - first, NULL};
  }
  slot *s = &r->slots[i];
  if (s->iterations != r->iteration || s->first != first || now - first != s->step * (long long)r->iteration)
    return NULL;
  s->iterations++;
  return s;
}

static bool agree(roll *r, LLVMValueRef user, unsigned operand, LLVMValueRef first, LLVMValueRef now);

/* Is it in the block, or a load of what no kernel writes, which may be done there? */
static bool is_within_reach(const roll *r, LLVMValueRef op) {
  long long constant;
  if (uw_table_get(r->order, op))
    return true;
  if (!LLVMIsALoadInst(op) || LLVMGetVolatile(op) || LLVMGetOrdering(op) != LLVMAtomicOrderingNotAtomic)
    return false;
  LLVMValueRef base = without_constant(r, LLVMGetOperand(op, 0), &constant);
  if (LLVMIsAConstantExpr(base) && LLVMGetConstOpcode(base) == LLVMAddrSpaceCast)
    base = LLVMGetOperand(base, 0);
  return LLVMIsAGlobalVariable(base) && LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == CONSTANT_SPACE;
}

static void note_load(roll *r, LLVMValueRef first, LLVMValueRef now) {
  intptr_t at = uw_table_get(r->order, now);
  r->last = at > r->last ? at : r->last;
  r->first_load = !r->first_load || at < r->first_load ? at : r->first_load;
  for (size_t i = 0; i < r->member_count; i++)
    if (r->members[i] == first && LLVMGetAlignment(now) < r->alignments[i])
      r->alignments[i] = LLVMGetAlignment(now);
}

/* Two instructions, one of the first iteration and one of this. */
static bool take(roll *r, LLVMValueRef first, LLVMValueRef now) {
  LLVMValueRef known = (LLVMValueRef)uw_table_get(r->same, first);
  if (known)
    return known == now;
  intptr_t iteration = uw_table_get(r->iteration_of, now);
  if (!is_within_reach(r, first) || !is_within_reach(r, now) ||
      (iteration && iteration != (intptr_t)r->iteration + 1) || uw_ptx_opcode_of(first) != uw_ptx_opcode_of(now) ||
      LLVMTypeOf(first) != LLVMTypeOf(now) || uw_ptx_operand_count(first) != uw_ptx_operand_count(now) ||
      !uw_ptx_has_same_flags(first, now))
    return false;
  intptr_t of_first = uw_table_get(r->iteration_of, first);
  if (r->iteration == 1) {
    if (of_first)
      return false;
    uw_table_set(r->iteration_of, first, 1);
    r->alignments =
        uw_grow(r->program->arena, r->alignments, r->member_count, &r->alignment_room, sizeof *r->alignments);
    r->members = uw_grow(r->program->arena, r->members, r->member_count, &r->member_room, sizeof *r->members);
    r->alignments[r->member_count] = LLVMIsALoadInst(first) ? LLVMGetAlignment(first) : 0;
    r->members[r->member_count++] = first;
    if (LLVMIsALoadInst(first))
      note_load(r, first, first);
  } else if (of_first != 1) {
    return false;
  }
  uw_table_set(r->same, first, (intptr_t)now);
  uw_table_set(r->iteration_of, now, (intptr_t)r->iteration + 1);
  if (LLVMIsALoadInst(now))
    note_load(r, first, now);
  for (int i = 0; i < uw_ptx_operand_count(first); i++)
    if (!agree(r, first, (unsigned)i, LLVMGetOperand(first, (unsigned)i), LLVMGetOperand(now, (unsigned)i)))
      return false;
  return true;
}

static const chain *chain_of(const roll *r, LLVMValueRef first_link) {
  for (size_t i = 0; i < r->chain_count; i++)
    if (r->chains[i]->links[0] == first_link)
      return r->chains[i];
  return NULL;
}

static bool agree(roll *r, LLVMValueRef user, unsigned operand, LLVMValueRef first, LLVMValueRef now) {
  const chain *c = chain_of(r, user);
  if (c && c->places[0] == operand)
    return c->places[r->iteration] == operand && now == c->links[r->iteration - 1];
  long long constants[2] = {0, 0};
  if (is_pointer(first) || (is_number(first) && !LLVMIsAConstant(first))) {
    first = without_constant(r, first, &constants[0]);
    now = without_constant(r, now, &constants[1]);
  } else if (LLVMIsAConstantInt(first) && LLVMIsAConstantInt(now) && is_number(first)) {
    constants[0] = LLVMConstIntGetSExtValue(first);
    constants[1] = LLVMConstIntGetSExtValue(now);
    first = now;
  }
  slot *s = note_slot(r, user, operand, constants[0], constants[1]);
  if (!s)
    return false;
  if (first != now)
    return take(r, first, now);
  s->outside = first;
  note_outside(r, first);
  return true;
}

static bool iterations_agree(roll *r) {
  for (size_t i = 0; i < r->chain_count; i++)
    note_outside(r, r->chains[i]->start);
  for (r->iteration = 1; r->iteration < r->iterations; r->iteration++) {
    r->same = uw_table_create(r->program->arena);
    size_t before = r->member_count;
    for (size_t i = 0; i < r->chain_count; i++)
      if (!take(r, r->chains[i]->links[0], r->chains[i]->links[r->iteration]))
        return false;
    if (r->iteration > 1 && before != r->member_count)
      return false;
    for (size_t i = 0; i < r->member_count; i++)
      if (!uw_table_get(r->same, r->members[i]))
        return false;
  }
  for (size_t i = 0; i < r->slot_count; i++)
    if (r->slots[i].iterations != r->iterations ||
        (r->slots[i].outside && uw_table_get(r->iteration_of, r->slots[i].outside)))
      return false;
  for (size_t i = 0; i < r->chain_count; i++)
    if (uw_table_get(r->iteration_of, r->chains[i]->start))
      return false;
  return true;
}

/* --- is there a position for the loop?---------------------------------------------------------------------------- */

static bool may_write(LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMStore:
  case LLVMFence:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: return true;
  case LLVMLoad: return LLVMGetVolatile(op) || LLVMGetOrdering(op) != LLVMAtomicOrderingNotAtomic;
  case LLVMCall: return !uw_ptx_is_pure_call(op);
  default: return false;
  }
}

static bool has_place(roll *r) {
  for (LLVMValueRef op = LLVMGetFirstInstruction(r->block); op; op = LLVMGetNextInstruction(op)) {
    intptr_t at = uw_table_get(r->order, op);
    if (r->first_load && at > r->first_load && at < r->last && may_write(op))
      return false;
    if (LLVMIsATerminatorInst(op) && at <= r->last)
      return false;
  }
  for (size_t i = 0; i < r->chain_count; i++)
    for (unsigned k = 0; k < r->iterations; k++)
      for (LLVMUseRef use = LLVMGetFirstUse(r->chains[i]->links[k]); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        intptr_t at = LLVMIsAPHINode(user) ? 0 : uw_table_get(r->order, user);
        if (k + 1 < r->iterations ? !uw_table_get(r->iteration_of, user) : at && at <= r->last)
          return false;
      }
  return true;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static int by_order(const roll *r, LLVMValueRef a, LLVMValueRef b) {
  intptr_t left = uw_table_get(r->order, a), right = uw_table_get(r->order, b);
  return (left > right) - (left < right);
}

static void sort_members(roll *r) {
  for (size_t i = 1; i < r->member_count; i++)
    for (size_t k = i; k > 0 && by_order(r, r->members[k - 1], r->members[k]) > 0; k--) {
      LLVMValueRef member = r->members[k];
      unsigned alignment = r->alignments[k];
      r->members[k] = r->members[k - 1];
      r->alignments[k] = r->alignments[k - 1];
      r->members[k - 1] = member;
      r->alignments[k - 1] = alignment;
    }
}

static const slot *slot_of(const roll *r, LLVMValueRef user, unsigned operand) {
  for (size_t i = 0; i < r->slot_count; i++)
    if (r->slots[i].user == user && r->slots[i].operand == operand)
      return &r->slots[i];
  return NULL;
}

/* An operand of the first iteration as one of the iteration with that index. */
static LLVMValueRef operand_at(roll *r, uw_table *fresh, LLVMValueRef user, unsigned operand, LLVMValueRef iteration) {
  LLVMValueRef value = LLVMGetOperand(user, operand);
  const slot *s = slot_of(r, user, operand);
  long long constant = 0;
  if (LLVMIsAConstantInt(value)) {
    if (!s || !s->step)
      return value;
    LLVMValueRef number = LLVMBuildIntCast2(r->builder, iteration, LLVMTypeOf(value), true, "");
    LLVMValueRef moved =
        LLVMBuildMul(r->builder, number, LLVMConstInt(LLVMTypeOf(value), (unsigned long long)s->step, true), "");
    return LLVMBuildAdd(r->builder, moved, value, "");
  }
  LLVMValueRef base = is_pointer(value) || is_number(value) ? without_constant(r, value, &constant) : value;
  LLVMValueRef known = (LLVMValueRef)uw_table_get(fresh, base);
  if (!known && (!s || !s->step))
    return value;
  LLVMValueRef result = known ? known : base;
  long long step = s ? s->step : 0;
  if (is_pointer(value)) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(r->program->context), element = byte, i64 = LLVMTypeOf(iteration);
    if (LLVMIsALoadInst(user) && step % (long long)LLVMABISizeOfType(r->layout, LLVMTypeOf(user)) == 0)
      element = LLVMTypeOf(user);
    LLVMValueRef by = LLVMConstInt(i64, (unsigned long long)constant, true);
    if (constant)
      result = LLVMBuildGEP2(r->builder, byte, result, &by, 1, "");
    long long scale = step / (long long)LLVMABISizeOfType(r->layout, element);
    LLVMValueRef index =
        scale == 1 ? iteration
                   : LLVMBuildMul(r->builder, iteration, LLVMConstInt(i64, (unsigned long long)scale, true), "");
    return step ? LLVMBuildGEP2(r->builder, element, result, &index, 1, "") : result;
  }
  LLVMTypeRef type = LLVMTypeOf(value);
  if (constant)
    result = LLVMBuildAdd(r->builder, result, LLVMConstInt(type, (unsigned long long)constant, true), "");
  if (!step)
    return result;
  LLVMValueRef number = LLVMBuildIntCast2(r->builder, iteration, type, true, "");
  return LLVMBuildAdd(r->builder, result,
                      LLVMBuildMul(r->builder, number, LLVMConstInt(type, (unsigned long long)step, true), ""), "");
}

/* The members once more, for the iteration with that index. A chain's link has its phi for the one before. */
static void write_iteration(roll *r, uw_table *fresh, LLVMValueRef iteration, const LLVMValueRef *phis) {
  for (size_t i = 0; i < r->member_count; i++) {
    LLVMValueRef member = r->members[i], copy = LLVMInstructionClone(member);
    size_t own = 0;
    while (own < r->chain_count && r->chains[own]->links[0] != member)
      own++;
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(member));
    for (int k = 0; k < uw_ptx_operand_count(member); k++) {
      bool is_before = own < r->chain_count && r->chains[own]->places[0] == (unsigned)k;
      LLVMSetOperand(copy, (unsigned)k, is_before ? phis[own] : operand_at(r, fresh, member, (unsigned)k, iteration));
    }
    LLVMInsertIntoBuilder(r->builder, copy);
    uw_ptx_drop_promises(copy);
    if (r->alignments[i])
      LLVMSetAlignment(copy, r->alignments[i]);
    uw_table_set(fresh, member, (intptr_t)copy);
  }
}

/* The block up to the loop's position gets a block of its own in front of the rest: so phis of what follows keep
 * theirs. */
static LLVMBasicBlockRef split_front(roll *r) {
  LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(r->program->context, r->block, "");
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(r->block)), next; use; use = next) {
    next = LLVMGetNextUse(use); /* replacing all uses would change phis, too */
    LLVMValueRef user = LLVMGetUser(use);
    for (unsigned i = 0; LLVMIsATerminatorInst(user) && i < LLVMGetNumSuccessors(user); i++)
      if (LLVMGetSuccessor(user, i) == r->block)
        LLVMSetSuccessor(user, i, front);
  }
  LLVMPositionBuilderAtEnd(r->builder, front);
  LLVMSetCurrentDebugLocation2(r->builder, NULL); /* what is put in keeps its own */
  for (LLVMValueRef op;
       (op = LLVMGetFirstInstruction(r->block)) && (LLVMIsAPHINode(op) || uw_table_get(r->order, op) <= r->last);) {
    LLVMInstructionRemoveFromParent(op);
    LLVMInsertIntoBuilder(r->builder, op);
  }
  return front;
}

static void write_loop(roll *r) {
  LLVMContextRef context = r->program->context;
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMValueRef zero = LLVMConstInt(i64, 0, false);
  sort_members(r);
  LLVMBasicBlockRef front = split_front(r), top = LLVMInsertBasicBlockInContext(context, r->block, ""),
                    body = LLVMInsertBasicBlockInContext(context, r->block, "");
  LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(r->members[0]));
  LLVMBuildBr(r->builder, top);
  LLVMPositionBuilderAtEnd(r->builder, top);
  LLVMValueRef iteration = LLVMBuildPhi(r->builder, i64, ""), phis[MOST_CHAINS];
  for (size_t i = 0; i < r->chain_count; i++)
    phis[i] = LLVMBuildPhi(r->builder, LLVMTypeOf(r->chains[i]->start), "");
  LLVMValueRef more = LLVMBuildICmp(r->builder, LLVMIntSLT, iteration, LLVMConstInt(i64, r->iterations, false), "");
  LLVMBuildCondBr(r->builder, more, body, r->block);
  LLVMPositionBuilderAtEnd(r->builder, body);
  uw_table *fresh = uw_table_create(r->program->arena);
  for (size_t i = 0; i < r->chain_count; i++)
    LLVMReplaceAllUsesWith(r->chains[i]->links[r->iterations - 1], phis[i]);
  write_iteration(r, fresh, iteration, phis);
  LLVMValueRef next = LLVMBuildNSWAdd(r->builder, iteration, LLVMConstInt(i64, 1, false), "");
  LLVMBuildBr(r->builder, top);
  LLVMAddIncoming(iteration, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){front, body}, 2);
  for (size_t i = 0; i < r->chain_count; i++) {
    LLVMValueRef last = (LLVMValueRef)uw_table_get(fresh, r->chains[i]->links[0]);
    LLVMAddIncoming(phis[i], (LLVMValueRef[]){r->chains[i]->start, last}, (LLVMBasicBlockRef[]){front, body}, 2);
  }
}

/* The chains as they were; what they alone took, LLVM drops later. */
static void erase_links(roll *r) {
  for (unsigned k = r->iterations; k-- > 0;)
    for (size_t i = 0; i < r->chain_count; i++)
      if (!LLVMGetFirstUse(r->chains[i]->links[k]))
        LLVMInstructionEraseFromParent(r->chains[i]->links[k]);
}

/* --- chains ------------------------------------------------------------------------------------------------------- */

static bool is_link(LLVMValueRef op) {
  switch (LLVMGetInstructionOpcode(op)) {
  case LLVMAdd:
  case LLVMMul:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMFAdd:
  case LLVMFSub:
  case LLVMFMul: return true;
  case LLVMCall: return uw_ptx_is_pure_call(op);
  default: return false;
  }
}

/* The one user in the block that is the same operation, and where the value stands in it; null if there is none or more
 * than one. */
static LLVMValueRef next_link(const roll *r, LLVMValueRef link, unsigned *place) {
  LLVMValueRef found = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(link); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!uw_table_get(r->order, user) || uw_ptx_opcode_of(user) != uw_ptx_opcode_of(link) ||
        LLVMTypeOf(user) != LLVMTypeOf(link) ||
        (LLVMIsACallInst(user) && LLVMGetCalledValue(user) != LLVMGetCalledValue(link)))
      continue;
    if (found)
      return NULL;
    found = user;
  }
  unsigned count = 0;
  for (int i = 0; found && i < uw_ptx_operand_count(found); i++)
    if (LLVMGetOperand(found, (unsigned)i) == link) {
      *place = (unsigned)i;
      count++;
    }
  return count == 1 ? found : NULL;
}

/* The chain from this link on, as far as the link before stands at the same position; links that were seen are
 * marked. */
static chain *find_chain(roll *r, LLVMValueRef first, uw_table *seen, unsigned *length) {
  unsigned place, count = 1, own = 0;
  for (LLVMValueRef link = first, next; (next = next_link(r, link, &place)) && (count == 1 || place == own);
       link = next, count++)
    own = place;
  chain *c = uw_alloc(r->program->arena, sizeof *c);
  c->links = uw_alloc(r->program->arena, count * sizeof *c->links);
  c->places = uw_alloc(r->program->arena, count * sizeof *c->places);
  LLVMValueRef link = first;
  for (unsigned i = 0; i < count; i++, link = next_link(r, link, &place)) {
    c->links[i] = link;
    c->places[i] = own;
    uw_table_set(seen, link, 1);
  }
  c->start = count > 1 && own < (unsigned)uw_ptx_operand_count(first) ? LLVMGetOperand(first, own) : NULL;
  *length = c->start ? count : 0;
  return c;
}

static bool try_roll(roll *r, chain **chains, size_t count, unsigned iterations) {
  roll trial = {.program = r->program,
                .builder = r->builder,
                .layout = r->layout,
                .block = r->block,
                .order = r->order,
                .iterations = iterations,
                .iteration_of = uw_table_create(r->program->arena)};
  trial.chain_count = count;
  memcpy(trial.chains, chains, count * sizeof *chains);
  if (!iterations_agree(&trial) || !has_place(&trial))
    return false;
  write_loop(&trial);
  erase_links(&trial);
  return true;
}

/* One loop of the block, if there is one. */
static bool roll_block(roll *r) {
  uw_table *seen = uw_table_create(r->program->arena);
  chain *chains[MOST_CHAINS];
  unsigned lengths[MOST_CHAINS];
  size_t count = 0;
  intptr_t at = 0;
  r->order = uw_table_create(r->program->arena);
  for (LLVMValueRef op = LLVMGetFirstInstruction(r->block); op; op = LLVMGetNextInstruction(op))
    uw_table_set(r->order, op, ++at);
  if (at < LEAST)
    return false;
  for (LLVMValueRef op = LLVMGetFirstInstruction(r->block); op && count < MOST_CHAINS; op = LLVMGetNextInstruction(op))
    if (!uw_table_get(seen, op) && is_link(op)) {
      chains[count] = find_chain(r, op, seen, &lengths[count]);
      count += lengths[count] >= LEAST;
    }
  for (size_t i = 0; i < count; i++) {
    chain *group[MOST_CHAINS];
    size_t members = 0;
    for (size_t k = 0; k < count; k++)
      if (lengths[k] == lengths[i])
        group[members++] = chains[k];
    if (group[0] == chains[i] && members > 1 && try_roll(r, group, members, lengths[i]))
      return true;
    if (try_roll(r, &chains[i], 1, lengths[i]))
      return true;
  }
  return false;
}

void uw_ptx_recover_iterations(uw_program *program) {
  roll r = {.program = program,
            .builder = LLVMCreateBuilderInContext(program->context),
            .layout = LLVMGetModuleDataLayout(program->device)};
  for (LLVMValueRef f = LLVMGetFirstFunction(program->device); f; f = LLVMGetNextFunction(f))
    for (r.block = LLVMGetFirstBasicBlock(f); r.block; r.block = LLVMGetNextBasicBlock(r.block))
      while (roll_block(&r)) { /* the rest of the block stays the block */
      }
  LLVMDisposeBuilder(r.builder);
  uw_run_llvm(program->device, "function(dce,instcombine<no-verify-fixpoint>,early-cse,simplifycfg)", 0);
}
