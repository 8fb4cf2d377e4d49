/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the kernels whose blocks wait for each other: the runtime has to run their blocks side by side (runtime/grid.c). Those
 * are the kernels with a barrier of the grid, with __nanosleep, or with a loop that waits:
 *
 *   while (*(volatile int *)flag == 0) { }           ==>           while (…) { uwrt_yield(); } uwrt_waited();
 *
 * A loop waits if a) it writes nothing; b) its condition depends on what it reads from a place that is the same in each round and
 * that other blocks or the host can write: by a volatile or atomic load, a load in a loop with a fence or __nanosleep, or an atomic operation that stores
 * what the loop does not compute (a lock's exchange or compare-and-swap). Not a loop that retries a compare-and-swap with what
 * it read, nor one that takes numbers from a counter: these come to an end by themselves.
 *
 * A loop that waits for its own block's shared memory is left alone: no other block can help it. If it writes nothing and goes on
 * for nothing but what it reads there, it never ends once it goes on: all threads of the block are in it, or wait for this one
 * to leave it. Then the runtime says so and ends:
 *
 *   while (!test_wait(&barrier, state)) { }          ==>           while (…) { uwrt_stuck(); }
 *
 * A loop that writes nothing and waits for the clock alone gets a barrier of the block, which changes nothing but that all threads of
 * the block wait at once and not one after the other.
 */
#include "../../runtime/uwrt.h"
#include "../analysis/uniformity.h"
#include "raise.h"

typedef enum source { OTHER_BLOCKS, THE_CLOCK, OWN_BLOCK } source;

typedef struct search {
  uw_arena *arena;
  MlirOperation loop;
  bool fenced;
  source source; /* what the loop might wait for */
  uw_table *seen; /* values that are known not to lead anywhere new */
} search;

/* The same in each round: from outside, or computed from nothing else. */
static bool invariant(const search *s, MlirValue value) {
  if (!uw_defined_inside(value, s->loop))
    return true;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || mlirOperationGetNumRegions(op) != 0 || !uw_speculatable(op))
    return false;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!invariant(s, uw_operand(op, i)))
      return false;
  return true;
}

static bool all_invariant(const search *s, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!invariant(s, uw_operand(op, i)))
      return false;
  return true;
}

static bool reads_clock(MlirOperation op) {
  return uw_attr_is_str(op, "callee", "uwrt_clock64") || uw_attr_is_str(op, "callee", "uwrt_globaltimer");
}

static bool naps(MlirOperation op) { return uw_attr_is_str(op, "callee", "uwrt_nap"); }

/* Sums of the window's address and 32 bits are how inline PTX finds what it has a shared address of. */
static bool in_shared_memory(MlirValue address) {
  MlirOperation root = uw_address_root(address);
  if (uw_kind(root) != UW_OP_LLVM_INTTOPTR)
    return uw_kind(root) == UW_OP_SHARED;
  MlirOperation sum = uw_def(uw_operand(root, 0));
  for (size_t i = 0; uw_kind(sum) == UW_OP_ARITH_ADDI && i < 2; i++) {
    MlirOperation base = uw_def(uw_operand(sum, i)), offset = uw_def(uw_operand(sum, 1 - i));
    bool extended = uw_kind(offset) == UW_OP_ARITH_EXTSI || uw_kind(offset) == UW_OP_ARITH_EXTUI;
    if (uw_kind(base) == UW_OP_LLVM_PTRTOINT && extended && uw_kind(uw_address_root(uw_operand(base, 0))) == UW_OP_SHARED)
      return true;
  }
  return false;
}

/* Reads anew, round after round, what another block may have written, or the clock, or shared memory. */
static bool polls(const search *s, MlirOperation op) {
  enum { EXCHANGE = 0 };
  int64_t addend;
  if (s->source == THE_CLOCK)
    return reads_clock(op);
  if (s->source == OWN_BLOCK)
    return uw_kind(op) == UW_OP_LLVM_LOAD && !uw_plain_access(op) && in_shared_memory(uw_operand(op, 0));
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
    if (!s->fenced && mlirAttributeIsNull(uw_get_attr(op, "volatile_")) && uw_get_int_attr(op, "ordering", 0) == 0)
      return false;
    break;
  case UW_OP_LLVM_ATOMICRMW: /* adding 0 reads */
    if (uw_get_int_attr(op, "bin_op", -1) != EXCHANGE && !(uw_const_value(uw_operand(op, 1), &addend) && addend == 0))
      return false;
    break;
  case UW_OP_LLVM_CMPXCHG: break;
  default: return false;
  }
  return all_invariant(s, op) && !in_shared_memory(uw_operand(op, 0));
}

static bool leads_to_poll(search *s, MlirValue value);

static bool operand_leads(search *s, MlirBlock block, size_t which) {
  return !mlirBlockIsNull(block) && leads_to_poll(s, uw_operand(uw_last(block), which));
}

/* A result: of an if or switch from what its arms yield, of a while from what its condition passes on, and from the choice. */
static bool result_leads(search *s, MlirOperation op, size_t which) {
  if (uw_kind(op) == UW_OP_SCF_WHILE)
    return operand_leads(s, uw_block(op, 0), which + 1) || operand_leads(s, uw_block(op, 0), 0);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    if (operand_leads(s, uw_block(op, (unsigned)r), which))
      return true;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (leads_to_poll(s, uw_operand(op, i)))
      return true;
  return false;
}

/* An argument of a while's first region comes from its yield, or from before; one of the second from its condition. */
static bool argument_leads(search *s, MlirOperation loop, MlirBlock block, size_t which) {
  if (!mlirBlockEqual(block, uw_block(loop, 0)))
    return operand_leads(s, uw_block(loop, 0), which + 1);
  return operand_leads(s, uw_block(loop, 1), which) || leads_to_poll(s, uw_operand(loop, which));
}

/* Is the value computed from one that was polled? */
static bool leads_to_poll(search *s, MlirValue value) {
  if (!uw_defined_inside(value, s->loop) || uw_table_get(s->seen, value.ptr))
    return false;
  uw_table_set(s->seen, value.ptr, 1);
  MlirOperation op = uw_def(value);
  if (!uw_null(op))
    return polls(s, op) || result_leads(s, op, (size_t)mlirOpResultGetResultNumber(value));
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  return argument_leads(s, mlirBlockGetParentOperation(block), block, (size_t)mlirBlockArgumentGetArgNumber(value));
}

/* The same in each round if shared memory is. */
static bool settled(search *s, MlirValue value) {
  if (!uw_defined_inside(value, s->loop) || uw_table_get(s->seen, value.ptr))
    return true;
  uw_table_set(s->seen, value.ptr, 1); /* one that is not ends the whole search */
  MlirOperation op = uw_def(value);
  if (uw_null(op)) { /* handed from the condition to the body, or else changing from round to round */
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    return mlirBlockEqual(block, uw_block(s->loop, 1)) &&
           settled(s, uw_operand(uw_last(uw_block(s->loop, 0)), (size_t)mlirBlockArgumentGetArgNumber(value) + 1));
  }
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      if (!settled(s, uw_operand(uw_last(uw_block(op, (unsigned)r)), (size_t)mlirOpResultGetResultNumber(value))))
        return false;
    break;
  case UW_OP_LLVM_LOAD:
    if (!in_shared_memory(uw_operand(op, 0)))
      return false;
    break;
  default:
    if (mlirOperationGetNumRegions(op) != 0 || !uw_speculatable(op))
      return false;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!settled(s, uw_operand(op, i)))
      return false;
  return true;
}

static bool writes_nothing(const search *s, uw_ops ops) {
  for (size_t i = 0; i < ops.count; i++)
    switch (uw_kind(ops.at[i])) {
    case UW_OP_LLVM_LOAD:
    case UW_OP_LLVM_FENCE:
    case UW_OP_SHUFFLE:
    case UW_OP_REDUCE:
    case UW_OP_MATCH:
    case UW_OP_SCF_YIELD:
    case UW_OP_SCF_CONDITION:
    case UW_OP_SCF_IF: /* what is in these is in the list */
    case UW_OP_SCF_WHILE:
    case UW_OP_SCF_INDEX_SWITCH: break;
    case UW_OP_BARRIER:
      if (s->source != OWN_BLOCK)
        return false;
      break;
    default:
      if (!uw_speculatable(ops.at[i]) && !polls(s, ops.at[i]) && !reads_clock(ops.at[i]) &&
          !naps(ops.at[i]) && !uw_name_starts(ops.at[i], "llvm.intr.dbg") &&
          !uw_name_starts(ops.at[i], "llvm.intr.assume"))
        return false;
    }
  return true;
}

static bool waits(uw_arena *arena, MlirOperation loop, source source) {
  search s = {arena, loop, false, source, uw_table_create(arena)};
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    s.fenced |= uw_kind(ops.at[i]) == UW_OP_LLVM_FENCE || naps(ops.at[i]);
  MlirValue condition = uw_operand(uw_last(uw_block(loop, 0)), 0);
  if (!writes_nothing(&s, ops) || !leads_to_poll(&s, condition))
    return false;
  s.seen = uw_table_create(arena);
  return source != OWN_BLOCK || settled(&s, condition);
}

static bool has_exchange(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_SHUFFLE || uw_kind(ops.at[i]) == UW_OP_REDUCE || uw_kind(ops.at[i]) == UW_OP_MATCH)
      return true;
  return false;
}

/* All threads of the block wait at once. */
static void wait_together(MlirOperation loop) {
  uw_builder b = uw_at_start(uw_block(loop, 1), mlirOperationGetLocation(loop));
  uw_build(&b, "unwarp.barrier",
           .attrs = ATTRS({"level", uw_str_attr(b.context, "block")}, {UW_SWAP, mlirUnitAttrGet(b.context)}));
}

static void call(MlirModule module, uw_builder b, const char *function) {
  uw_declare(module, function, "!llvm.func<void ()>");
  uw_call(&b, function, (uw_value_list){0}, (MlirType){NULL});
}

/* In each round that is not the last. */
static uw_builder in_rounds(MlirOperation loop) { return uw_at_start(uw_block(loop, 1), mlirOperationGetLocation(loop)); }

/* The runtime sees whether a wait gets anywhere: a nap in it is no sign of that. */
static void yield_in_rounds(MlirModule module, uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    if (naps(ops.at[i]))
      uw_set_attr(ops.at[i], "callee", uw_attr(mlirOperationGetContext(loop), "@uwrt_yield"));
  call(module, in_rounds(loop), "uwrt_yield");
  call(module, uw_after(loop), "uwrt_waited");
}

static void report_in_rounds(MlirModule module, MlirOperation loop, uw_arena *arena) {
  uw_builder b = in_rounds(loop);
  uw_declare(module, "uwrt_stuck", "!llvm.func<void (ptr)>");
  uw_call(&b, "uwrt_stuck", VALS(uw_build_text(&b, module, uw_places(arena, b.location))), (MlirType){NULL});
}

void uw_raise_waits(MlirModule module, uw_program *program) {
  for (size_t k = 0; k < program->kernel_count; k++) {
    MlirOperation func = uw_find_symbol(module, program->kernels[k].name);
    if (uw_null(func))
      continue;
    uw_ops ops = uw_collect(program->arena, func);
    for (size_t i = 0; i < ops.count; i++) {
      MlirOperation op = ops.at[i];
      bool loop = uw_kind(op) == UW_OP_SCF_WHILE, loop_waits = loop && waits(program->arena, op, OTHER_BLOCKS);
      if (loop_waits)
        yield_in_rounds(module, program->arena, op);
      else if (loop && waits(program->arena, op, THE_CLOCK) && !has_exchange(program->arena, op))
        wait_together(op);
      else if (loop && waits(program->arena, op, OWN_BLOCK))
        report_in_rounds(module, op, program->arena);
      if (loop_waits || naps(op) ||
          (uw_kind(op) == UW_OP_REDUCE && uw_attr_is_str(op, "kind", "grid")))
        program->kernels[k].flags |= UWRT_KERNEL_BLOCKS_WAIT;
    }
  }
}
