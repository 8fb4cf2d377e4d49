/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the natural loops of a function: branches to a block that a walk from the entry has under way go back to a
 * header, and what reaches such a branch without passing the header is in the loop. Counts the iterations of those
 * whose counter starts at a constant, is changed by a constant, and is compared with one, by going through them. */
#include "device_loops.h"

/* --- blocks ------------------------------------------------------------------------------------------------------- */

void uw_add_blocks_of_loop(uw_arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef header, uw_table *inside) {
  LLVMBasicBlockRef *work = NULL;
  size_t count = 0, room = 0;
  uw_table_set(inside, header, 1);
  for (LLVMBasicBlockRef block = from;; block = work[--count]) {
    bool is_new = !uw_table_get(inside, block);
    uw_table_set(inside, block, 1);
    for (LLVMUseRef use = is_new ? LLVMGetFirstUse(LLVMBasicBlockAsValue(block)) : NULL; use;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (!LLVMIsATerminatorInst(user) || uw_table_get(inside, LLVMGetInstructionParent(user)))
        continue;
      work = uw_grow(arena, work, count, &room, sizeof *work);
      work[count++] = LLVMGetInstructionParent(user);
    }
    if (count == 0)
      return;
  }
}

LLVMValueRef uw_incoming_from(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

/* --- how often ---------------------------------------------------------------------------------------------------- */

static bool is_in(const uw_device_loop *loop, LLVMBasicBlockRef block) { return uw_table_get(loop->inside, block); }

static int64_t wrapped(int64_t value, unsigned bits) {
  return bits >= 64 ? value : (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

bool uw_numbers_compare(LLVMIntPredicate predicate, int64_t a, int64_t b, unsigned bits) {
  uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, ua = (uint64_t)a & mask, ub = (uint64_t)b & mask;
  switch (predicate) {
  case LLVMIntEQ: return a == b;
  case LLVMIntNE: return a != b;
  case LLVMIntUGT: return ua > ub;
  case LLVMIntUGE: return ua >= ub;
  case LLVMIntULT: return ua < ub;
  case LLVMIntULE: return ua <= ub;
  case LLVMIntSGT: return a > b;
  case LLVMIntSGE: return a >= b;
  case LLVMIntSLT: return a < b;
  default: return a <= b;
  }
}

/* The value that the loop changes by a constant from iteration to iteration, of which `value` is this iteration's or
 * the next one's. */
static LLVMValueRef counter_of(const uw_device_loop *loop, LLVMValueRef value, bool *next) {
  *next = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
  if (*next)
    value = LLVMGetOperand(value, 0);
  return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == loop->header && LLVMCountIncoming(value) == 2
             ? value
             : NULL;
}

/* What a branch compares: the counter on one side, perhaps a truth value that is tested for itself. */
typedef struct {
  LLVMValueRef counter, compared, limit; /* compared: the counter, or what it is in the next iteration */
  LLVMIntPredicate predicate;
  bool swapped, next;
} uw_exit_test;

static bool read_test(const uw_device_loop *loop, LLVMValueRef condition, uw_exit_test *test) {
  if (!LLVMIsAICmpInst(condition)) {
    *test =
        (uw_exit_test){.compared = condition, .limit = LLVMConstNull(LLVMTypeOf(condition)), .predicate = LLVMIntNE};
    test->counter = counter_of(loop, condition, &test->next);
    return test->counter != NULL;
  }
  for (unsigned side = 0; side < 2; side++) {
    *test = (uw_exit_test){.compared = LLVMGetOperand(condition, side),
                           .limit = LLVMGetOperand(condition, 1 - side),
                           .predicate = LLVMGetICmpPredicate(condition),
                           .swapped = side == 1};
    test->counter = counter_of(loop, test->compared, &test->next);
    if (test->counter)
      return true;
  }
  return false;
}

static bool adds_constant(LLVMValueRef step, LLVMValueRef to) {
  return LLVMIsAInstruction(step) && LLVMGetInstructionOpcode(step) == LLVMAdd && LLVMGetOperand(step, 0) == to &&
         LLVMIsAConstantInt(LLVMGetOperand(step, 1));
}

/* Iterations until a branch leaves the loop, as its condition compares a counter; 0: unknown. */
static unsigned iterations_of(uw_device_loop *loop, LLVMValueRef branch) {
  bool goes_on_if = is_in(loop, LLVMGetSuccessor(branch, 0));
  uw_exit_test test;
  if (!read_test(loop, LLVMGetCondition(branch), &test))
    return 0;
  unsigned outside = is_in(loop, LLVMGetIncomingBlock(test.counter, 0)) ? 1 : 0;
  LLVMValueRef start = LLVMGetIncomingValue(test.counter, outside),
               step = LLVMGetIncomingValue(test.counter, 1 - outside);
  bool is_sum = adds_constant(step, test.counter);
  if ((!is_sum && !LLVMIsAConstantInt(step)) ||
      (test.next && test.compared != step)) /* 0 + 1 has become 1 where there are two iterations */
    return 0;
  loop->counter = test.counter;
  loop->limit = test.limit;
  unsigned bits =
      LLVMGetTypeKind(LLVMTypeOf(start)) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(LLVMTypeOf(start)) : 0;
  if (!LLVMIsAConstantInt(start) || !LLVMIsAConstantInt(test.limit) || bits == 0 || bits > 64)
    return 0;
  int64_t value = LLVMConstIntGetSExtValue(start),
          by = LLVMConstIntGetSExtValue(is_sum ? LLVMGetOperand(step, 1) : step);
  int64_t end = LLVMConstIntGetSExtValue(test.limit);
  for (unsigned iteration = 1; iteration <= UW_MOST_TRIPS + 1; iteration++) {
    int64_t after = is_sum ? wrapped((int64_t)((uint64_t)value + (uint64_t)by), bits) : by;
    int64_t now = test.next ? after : value;
    if (uw_numbers_compare(test.predicate, test.swapped ? end : now, test.swapped ? now : end, bits) != goes_on_if)
      return iteration;
    value = after;
  }
  return 0;
}

static void count_trips(LLVMValueRef function, uw_device_loop *loop) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!is_in(loop, block) || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        is_in(loop, LLVMGetSuccessor(end, 0)) == is_in(loop, LLVMGetSuccessor(end, 1)))
      continue;
    bool at_end = false;
    for (size_t k = 0; k < loop->latch_count; k++)
      at_end = at_end || loop->latches[k] == end;
    if (!at_end && block != loop->header)
      continue; /* a condition may stand before it */
    unsigned iterations = iterations_of(loop, end), trips = at_end ? iterations : iterations ? iterations - 1 : 0;
    if (trips && (!loop->trips || trips < loop->trips))
      loop->trips = trips;
  }
}

/* --- which -------------------------------------------------------------------------------------------------------- */

static size_t instructions_in(LLVMBasicBlockRef block) {
  size_t count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    count++;
  return count;
}

static size_t size_of(LLVMValueRef function, const uw_device_loop *loop) {
  size_t size = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    size += is_in(loop, block);
  return size;
}

/* The blocks to which a branch goes back, by a walk from the entry -> HEADER. */
static uw_table *headers_of(uw_arena *arena, LLVMValueRef function) {
  enum { NEW, UNDER_WAY, DONE, HEADER = 1 };
  typedef struct {
    LLVMBasicBlockRef block;
    unsigned successor;
  } step;
  uw_table *headers = uw_table_create(arena), *state = uw_table_create(arena);
  step *stack = uw_alloc(arena, (LLVMCountBasicBlocks(function) + 1) * sizeof *stack);
  size_t depth = 0;
  stack[depth++] = (step){LLVMGetEntryBasicBlock(function), 0};
  uw_table_set(state, stack[0].block, UNDER_WAY);
  while (depth) {
    step *top = &stack[depth - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(top->block);
    if (top->successor == LLVMGetNumSuccessors(end)) {
      uw_table_set(state, top->block, DONE);
      depth--;
      continue;
    }
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, top->successor++);
    if (uw_table_get(state, to) == UNDER_WAY)
      uw_table_set(headers, to, HEADER);
    if (uw_table_get(state, to) == NEW) {
      uw_table_set(state, to, UNDER_WAY);
      stack[depth++] = (step){to, 0};
    }
  }
  return headers;
}

/* The loop of a header: what leads to branches to it from blocks that the entry reaches by the header alone. */
static bool find_loop(uw_arena *arena, LLVMValueRef function, LLVMBasicBlockRef header, uw_device_loop *loop) {
  size_t capacity = 0;
  *loop = (uw_device_loop){.header = header, .parent = UW_NO_LOOP, .inside = uw_table_create(arena)};
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(header)); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef branch = LLVMGetUser(use);
    if (!LLVMIsATerminatorInst(branch))
      continue;
    uw_table *tried = uw_table_create(arena);
    uw_add_blocks_of_loop(arena, LLVMGetInstructionParent(branch), header, tried);
    if (uw_table_get(tried, LLVMGetEntryBasicBlock(function)))
      continue; /* the way in */
    uw_add_blocks_of_loop(arena, LLVMGetInstructionParent(branch), header, loop->inside);
    loop->latches = uw_grow(arena, loop->latches, loop->latch_count, &capacity, sizeof *loop->latches);
    loop->latches[loop->latch_count++] = branch;
  }
  return loop->latch_count > 0;
}

uw_device_loops uw_find_device_loops(uw_arena *arena, LLVMValueRef function) {
  uw_device_loops found = {0};
  size_t capacity = 0;
  uw_table *headers = headers_of(arena, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    uw_device_loop loop;
    if (!uw_table_get(headers, block) || !find_loop(arena, function, block, &loop))
      continue;
    found.loops = uw_grow(arena, found.loops, found.count, &capacity, sizeof *found.loops);
    size_t at = found.count++; /* larger ones first */
    for (; at > 0 && size_of(function, &found.loops[at - 1]) < size_of(function, &loop); at--)
      found.loops[at] = found.loops[at - 1];
    found.loops[at] = loop;
  }
  for (size_t i = 0; i < found.count; i++) {
    count_trips(function, &found.loops[i]);
    for (size_t k = 0; k < i; k++)
      if (is_in(&found.loops[k], found.loops[i].header))
        found.loops[i].parent = k;
  }
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    size_t innermost = UW_NO_LOOP;
    for (size_t i = 0; i < found.count; i++)
      if (is_in(&found.loops[i], block))
        innermost = i;
    if (innermost != UW_NO_LOOP)
      found.loops[innermost].own_size += instructions_in(block);
  }
  return found;
}

size_t uw_device_loop_at(const uw_device_loops *loops, LLVMBasicBlockRef header) {
  for (size_t i = 0; i < loops->count; i++)
    if (loops->loops[i].header == header)
      return i;
  return UW_NO_LOOP;
}
