/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the natural loops of a function: branches to a block that a walk from the entry has under way go back to a header, and
 * what reaches such a branch without passing the header is in the loop. Counts the rounds of those whose counter starts at a
 * constant, is changed by a constant, and is compared with one, by going through them. */
#include "device_loops.h"

typedef struct {
  LLVMBasicBlockRef *blocks;
  uw_table *number_of; /* block -> its number + 1 */
  size_t count;
  size_t **before; /* numbers of the blocks that lead to one */
  size_t *before_count;
} uw_graph;

static size_t number_of(const uw_graph *graph, LLVMBasicBlockRef block) {
  return (size_t)uw_table_get(graph->number_of, block) - 1;
}

static uw_graph graph_of(uw_arena *arena, LLVMValueRef function) {
  uw_graph graph = {.number_of = uw_table_create(arena), .count = LLVMCountBasicBlocks(function)};
  graph.blocks = uw_alloc(arena, graph.count * sizeof *graph.blocks);
  graph.before = uw_alloc(arena, graph.count * sizeof *graph.before);
  graph.before_count = uw_alloc(arena, graph.count * sizeof *graph.before_count);
  size_t *capacity = uw_alloc(arena, graph.count * sizeof *capacity);
  LLVMGetBasicBlocks(function, graph.blocks);
  for (size_t i = 0; i < graph.count; i++)
    uw_table_set(graph.number_of, graph.blocks[i], (intptr_t)i + 1);
  for (size_t i = 0; i < graph.count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph.blocks[i]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
      size_t to = number_of(&graph, LLVMGetSuccessor(end, s));
      graph.before[to] = uw_grow(arena, graph.before[to], graph.before_count[to], &capacity[to], sizeof **graph.before);
      graph.before[to][graph.before_count[to]++] = i;
    }
  }
  return graph;
}

/* --- how often ---------------------------------------------------------------------------------------------------- */

static bool is_in(const uw_graph *graph, const uw_device_loop *loop, LLVMBasicBlockRef block) {
  return loop->holds[number_of(graph, block)];
}

static int64_t wrapped(int64_t value, unsigned bits) {
  return bits >= 64 ? value : (int64_t)((uint64_t)value << (64 - bits)) >> (64 - bits);
}

static bool holds(LLVMIntPredicate predicate, int64_t a, int64_t b, unsigned bits) {
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

/* The value that the loop changes by a constant from round to round, of which `value` is this round's or the next one's. */
static LLVMValueRef counter_of(const uw_device_loop *loop, LLVMValueRef value, bool *next) {
  *next = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
  if (*next)
    value = LLVMGetOperand(value, 0);
  return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == loop->header && LLVMCountIncoming(value) == 2 ? value : NULL;
}

/* What a branch compares: the counter on one side, perhaps a truth value that is tested for itself. */
typedef struct {
  LLVMValueRef counter, compared, limit; /* compared: the counter, or what it is in the next round */
  LLVMIntPredicate predicate;
  bool swapped, next;
} uw_exit_test;

static bool read_test(const uw_device_loop *loop, LLVMValueRef condition, uw_exit_test *test) {
  if (!LLVMIsAICmpInst(condition)) {
    *test = (uw_exit_test){.compared = condition, .limit = LLVMConstNull(LLVMTypeOf(condition)), .predicate = LLVMIntNE};
    test->counter = counter_of(loop, condition, &test->next);
    return test->counter != NULL;
  }
  for (unsigned side = 0; side < 2; side++) {
    *test = (uw_exit_test){.compared = LLVMGetOperand(condition, side), .limit = LLVMGetOperand(condition, 1 - side),
                           .predicate = LLVMGetICmpPredicate(condition), .swapped = side == 1};
    test->counter = counter_of(loop, test->compared, &test->next);
    if (test->counter)
      return true;
  }
  return false;
}

static bool adds_constant(LLVMValueRef step, LLVMValueRef to) {
  return LLVMIsAInstruction(step) && LLVMGetInstructionOpcode(step) == LLVMAdd && LLVMGetOperand(step, 0) == to && LLVMIsAConstantInt(LLVMGetOperand(step, 1));
}

/* Rounds until a branch leaves the loop, as its condition compares a counter; 0: unknown. */
static unsigned rounds_of(const uw_graph *graph, uw_device_loop *loop, LLVMValueRef branch) {
  bool goes_on_if = is_in(graph, loop, LLVMGetSuccessor(branch, 0));
  uw_exit_test test;
  if (!read_test(loop, LLVMGetCondition(branch), &test))
    return 0;
  unsigned outside = is_in(graph, loop, LLVMGetIncomingBlock(test.counter, 0)) ? 1 : 0;
  LLVMValueRef start = LLVMGetIncomingValue(test.counter, outside), step = LLVMGetIncomingValue(test.counter, 1 - outside);
  bool is_sum = adds_constant(step, test.counter);
  if ((!is_sum && !LLVMIsAConstantInt(step)) || (test.next && test.compared != step)) /* 0 + 1 has become 1 where there are two rounds */
    return 0;
  loop->counter = test.counter;
  loop->limit = test.limit;
  unsigned bits = LLVMGetTypeKind(LLVMTypeOf(start)) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(LLVMTypeOf(start)) : 0;
  if (!LLVMIsAConstantInt(start) || !LLVMIsAConstantInt(test.limit) || bits == 0 || bits > 64)
    return 0;
  int64_t value = LLVMConstIntGetSExtValue(start), by = LLVMConstIntGetSExtValue(is_sum ? LLVMGetOperand(step, 1) : step);
  int64_t end = LLVMConstIntGetSExtValue(test.limit);
  for (unsigned round = 1; round <= UW_MOST_TRIPS + 1; round++) {
    int64_t after = is_sum ? wrapped((int64_t)((uint64_t)value + (uint64_t)by), bits) : by;
    int64_t now = test.next ? after : value;
    if (holds(test.predicate, test.swapped ? end : now, test.swapped ? now : end, bits) != goes_on_if)
      return round;
    value = after;
  }
  return 0;
}

static void count_trips(const uw_graph *graph, uw_device_loop *loop) {
  for (size_t i = 0; i < graph->count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[i]);
    if (!loop->holds[i] || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
        is_in(graph, loop, LLVMGetSuccessor(end, 0)) == is_in(graph, loop, LLVMGetSuccessor(end, 1)))
      continue;
    bool at_end = false;
    for (size_t k = 0; k < loop->latch_count; k++)
      at_end = at_end || loop->latches[k] == end;
    if (!at_end && graph->blocks[i] != loop->header)
      continue; /* a condition may stand before it */
    unsigned rounds = rounds_of(graph, loop, end), trips = at_end ? rounds : rounds ? rounds - 1 : 0;
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

/* Adds to the loop what leads to a latch. False if the entry does: the loop has another way in. */
static bool gather(const uw_graph *graph, uw_device_loop *loop, size_t latch, size_t *stack) {
  size_t depth = 0;
  stack[depth++] = latch;
  while (depth) {
    size_t block = stack[--depth];
    if (loop->holds[block])
      continue;
    loop->holds[block] = true;
    if (block == 0)
      return false;
    for (size_t i = 0; i < graph->before_count[block]; i++)
      if (!loop->holds[graph->before[block][i]])
        stack[depth++] = graph->before[block][i];
  }
  return true;
}

static size_t size_of(const uw_graph *graph, const uw_device_loop *loop) {
  size_t size = 0;
  for (size_t i = 0; i < graph->count; i++)
    size += loop->holds[i];
  return size;
}

/* Numbers of the blocks to which a branch goes back, by a walk from the entry. */
static bool *headers_of(uw_arena *arena, const uw_graph *graph) {
  enum { NEW, UNDER_WAY, DONE };
  bool *headers = uw_alloc(arena, graph->count * sizeof *headers);
  char *state = uw_alloc(arena, graph->count);
  size_t *stack = uw_alloc(arena, graph->count * sizeof *stack), depth = 0;
  unsigned *successor = uw_alloc(arena, graph->count * sizeof *successor);
  stack[depth++] = 0;
  state[0] = UNDER_WAY;
  while (depth) {
    size_t block = stack[depth - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->blocks[block]);
    if (successor[block] == LLVMGetNumSuccessors(end)) {
      state[block] = DONE;
      depth--;
      continue;
    }
    size_t to = number_of(graph, LLVMGetSuccessor(end, successor[block]++));
    if (state[to] == UNDER_WAY)
      headers[to] = true;
    if (state[to] == NEW) {
      state[to] = UNDER_WAY;
      stack[depth++] = to;
    }
  }
  return headers;
}

/* The loop of a header: what leads to branches to it from blocks that the entry reaches by the header alone. `stack` has room for all edges. */
static bool find_loop(uw_arena *arena, const uw_graph *graph, size_t header, size_t *stack, uw_device_loop *loop) {
  size_t capacity = 0;
  *loop = (uw_device_loop){.header = graph->blocks[header], .parent = UW_NO_LOOP, .holds = uw_alloc(arena, graph->count)};
  loop->holds[header] = true;
  for (size_t i = 0; i < graph->before_count[header]; i++) {
    size_t from = graph->before[header][i];
    uw_device_loop tried = *loop;
    tried.holds = uw_alloc(arena, graph->count);
    memcpy(tried.holds, loop->holds, graph->count);
    if (!gather(graph, &tried, from, stack))
      continue; /* the way in */
    loop->holds = tried.holds;
    loop->latches = uw_grow(arena, loop->latches, loop->latch_count, &capacity, sizeof *loop->latches);
    loop->latches[loop->latch_count++] = LLVMGetBasicBlockTerminator(graph->blocks[from]);
  }
  return loop->latch_count > 0;
}

uw_device_loops uw_find_device_loops(uw_arena *arena, LLVMValueRef function) {
  uw_graph graph = graph_of(arena, function);
  uw_device_loops found = {.blocks = graph.blocks, .block_count = graph.count};
  size_t capacity = 0, edges = 1;
  for (size_t i = 0; i < graph.count; i++)
    edges += graph.before_count[i];
  size_t *stack = uw_alloc(arena, edges * sizeof *stack);
  bool *headers = headers_of(arena, &graph);
  for (size_t i = 1; i < graph.count; i++) { /* nothing branches to the entry */
    uw_device_loop loop;
    if (!headers[i] || !find_loop(arena, &graph, i, stack, &loop))
      continue;
    found.loops = uw_grow(arena, found.loops, found.count, &capacity, sizeof *found.loops);
    size_t at = found.count++; /* larger ones first */
    for (; at > 0 && size_of(&graph, &found.loops[at - 1]) < size_of(&graph, &loop); at--)
      found.loops[at] = found.loops[at - 1];
    found.loops[at] = loop;
  }
  for (size_t i = 0; i < found.count; i++) {
    count_trips(&graph, &found.loops[i]);
    for (size_t k = 0; k < i; k++)
      if (is_in(&graph, &found.loops[k], found.loops[i].header))
        found.loops[i].parent = k;
  }
  for (size_t b = 0; b < graph.count; b++) {
    size_t innermost = UW_NO_LOOP;
    for (size_t i = 0; i < found.count; i++)
      if (found.loops[i].holds[b])
        innermost = i;
    if (innermost != UW_NO_LOOP)
      found.loops[innermost].own_size += instructions_in(graph.blocks[b]);
  }
  return found;
}

size_t uw_device_loop_at(const uw_device_loops *loops, LLVMBasicBlockRef header) {
  for (size_t i = 0; i < loops->count; i++)
    if (loops->loops[i].header == header)
      return i;
  return UW_NO_LOOP;
}
