/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the kernels whose blocks wait for each other: the runtime has to run their blocks side by side (runtime/grid.c). Those
 * are the kernels with a barrier of the grid, with __nanosleep, or with a loop that waits:
 *
 *   while (*(volatile int *)flag == 0) { }           ==>           while (…) { uwrt_yield(); }
 *
 * A loop waits if a) it writes nothing; b) its condition depends on what it reads from a place that is the same in each round and
 * that other blocks can write: by a volatile or atomic load, a load in a loop with a fence, or an atomic operation that stores
 * what the loop does not compute (a lock's exchange or compare-and-swap). Not a loop that retries a compare-and-swap with what
 * it read, nor one that takes numbers from a counter: these come to an end by themselves.
 *
 * A loop that waits for its own block's shared memory is left alone: no other block can help it.
 *
 * A loop that writes nothing and waits for the clock alone gets a barrier of the block, which changes nothing but that all threads of
 * the block wait at once and not one after the other.
 */
#include "../../runtime/uwrt.h"
#include "../analysis/uniformity.h"
#include "raise.h"

typedef struct search {
  uw_arena *arena;
  MlirOperation loop;
  bool fenced;
  bool clock; /* what is looked for is the clock, not memory */
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

/* Reads anew, round after round, what another block may have written, or the clock. */
static bool polls(const search *s, MlirOperation op) {
  enum { EXCHANGE = 0 };
  int64_t addend;
  if (s->clock)
    return reads_clock(op);
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
  return all_invariant(s, op) && uw_kind(uw_address_root(uw_operand(op, 0))) != UW_OP_SHARED;
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
    default:
      if (!uw_speculatable(ops.at[i]) && !polls(s, ops.at[i]) && !reads_clock(ops.at[i]) && !uw_attr_is_str(ops.at[i], "callee", "uwrt_yield") &&
          !uw_name_starts(ops.at[i], "llvm.intr.dbg") && !uw_name_starts(ops.at[i], "llvm.intr.assume"))
        return false;
    }
  return true;
}

static bool waits(uw_arena *arena, MlirOperation loop, bool clock) {
  search s = {arena, loop, false, clock, uw_table_create(arena)};
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++)
    s.fenced |= uw_kind(ops.at[i]) == UW_OP_LLVM_FENCE;
  return writes_nothing(&s, ops) && leads_to_poll(&s, uw_operand(uw_last(uw_block(loop, 0)), 0));
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

void uw_raise_waits(MlirModule module, uw_program *program) {
  for (size_t k = 0; k < program->kernel_count; k++) {
    MlirOperation func = uw_find_symbol(module, program->kernels[k].name);
    if (uw_null(func))
      continue;
    uw_ops ops = uw_collect(program->arena, func);
    for (size_t i = 0; i < ops.count; i++) {
      bool loop = uw_kind(ops.at[i]) == UW_OP_SCF_WHILE, loop_waits = loop && waits(program->arena, ops.at[i], false);
      if (loop && !loop_waits && waits(program->arena, ops.at[i], true) && !has_exchange(program->arena, ops.at[i]))
        wait_together(ops.at[i]);
      if (loop_waits) {
        uw_declare(module, "uwrt_yield", "!llvm.func<void ()>");
        uw_builder b = uw_at_start(uw_block(ops.at[i], 1), mlirOperationGetLocation(ops.at[i]));
        uw_call(&b, "uwrt_yield", (uw_value_list){0}, (MlirType){NULL});
      }
      if (loop_waits || uw_attr_is_str(ops.at[i], "callee", "uwrt_yield") ||
          (uw_kind(ops.at[i]) == UW_OP_REDUCE && uw_attr_is_str(ops.at[i], "kind", "grid")))
        program->kernels[k].flags |= UWRT_KERNEL_BLOCKS_WAIT;
    }
  }
}
