/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A forward fixpoint over the structured body. Every value starts as "not known to be divergent"; a sweep marks
 * what must be divergent; sweeps repeat while a loop-carried value changed. What is left is uniform.
 *
 *   defined outside the loop                uniform
 *   the loop's own induction variables      divergent
 *   pure operations                         uniform if all operands are
 *   results of if, index_switch             uniform if the condition and all yielded values are
 *   loop-carried values, results of loops   uniform if bounds or condition, start and next value are
 *   loads                                   uniform if the address is and no thread may write there in between
 *   unwarp.reduce of the level              uniform: every thread gets the same
 *   everything else                         divergent */
#include "uniformity.h"

#include "exchange.h"

enum { UNSEEN, UNIFORM, DIVERGENT };

struct uw_uniformity {
  MlirOperation loop;
  const char *level;
  uw_table *states;
  bool outer_memory_written; /* the kernel may write memory that is neither private nor shared */
  bool changed;
};

/* What an address is computed from, through address arithmetic and casts. */
static MlirValue address_base(MlirValue address) {
  for (;;) {
    MlirOperation op = uw_def(address);
    if (uw_kind(op) != UW_OP_LLVM_GEP && uw_kind(op) != UW_OP_LLVM_BITCAST && uw_kind(op) != UW_OP_LLVM_ADDRSPACECAST)
      return address;
    address = uw_operand(op, 0);
  }
}

MlirOperation uw_address_root(MlirValue address) { return uw_def(address_base(address)); }

static bool is_local_memory(MlirOperation root) {
  return uw_kind(root) == UW_OP_LLVM_ALLOCA || uw_kind(root) == UW_OP_SLOT || uw_kind(root) == UW_OP_SHARED;
}

/* May op itself (not what is inside of it) write memory outside of the kernel's own? */
static bool writes_outer_memory(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_STORE: return !is_local_memory(uw_address_root(uw_operand(op, 1)));
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return !is_local_memory(uw_address_root(uw_operand(op, 0)));
  case UW_OP_LLVM_LOAD: /* a volatile or atomic one brings in what others write */
    return !uw_plain_access(op);
  case UW_OP_BARRIER:
  case UW_OP_SHARED:
  case UW_OP_SLOT:
  case UW_OP_SHUFFLE:
  case UW_OP_REDUCE:
  case UW_OP_MATCH:
  case UW_OP_LLVM_ALLOCA:
  case UW_OP_LLVM_LIFETIME_START:
  case UW_OP_LLVM_LIFETIME_END:
  case UW_OP_SCF_IF:
  case UW_OP_SCF_FOR:
  case UW_OP_SCF_WHILE:
  case UW_OP_SCF_PARALLEL:
  case UW_OP_SCF_INDEX_SWITCH: return false;
  default: return !uw_effect_free(op) && mlirOperationGetNumRegions(op) == 0;
  }
}

/* What one launch runs. */
static MlirOperation outermost_parallel(MlirOperation loop) {
  MlirOperation kernel = loop;
  for (MlirOperation op = loop; !uw_null(op); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_PARALLEL)
      kernel = op;
  return kernel;
}

static bool kernel_writes_outer_memory(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect(arena, outermost_parallel(loop));
  for (size_t i = 0; i < ops.count; i++)
    if (writes_outer_memory(ops.at[i]))
      return true;
  return false;
}

static bool is_constant_global(MlirOperation addressof) {
  MlirStringRef name = uw_get_str_attr(addressof, "global_name");
  MlirOperation module = uw_parent_of_kind(addressof, UW_OP_MODULE);
  if (!name.data || uw_null(module))
    return false;
  uw_foreach_op(op, uw_block(module, 0)) {
    MlirStringRef other = uw_get_str_attr(op, "sym_name");
    if (other.data && mlirStringRefEqual(other, name))
      return uw_kind(op) == UW_OP_LLVM_GLOBAL && !mlirAttributeIsNull(uw_get_attr(op, "constant"));
  }
  return false;
}

/* Is this the same at any time while the kernel runs? */
static bool reads_what_never_changes(const uw_uniformity *facts, MlirOperation load) {
  if (!mlirAttributeIsNull(uw_get_attr(load, "invariant")))
    return true;
  MlirValue base = address_base(uw_operand(load, 0));
  if (uw_kind(uw_def(base)) == UW_OP_LLVM_ADDRESSOF && is_constant_global(uw_def(base)))
    return true;
  return !facts->outer_memory_written && !uw_defined_inside(base, outermost_parallel(facts->loop));
}

/* A load from an address that is the same for all threads. If all threads make it between the same two exchanges:
 * where one of them writes there in between, the others' loads race with that write, and the program has no
 * meaning. So all get the same. (Only the loops that lower barriers ask with a level. Each thread still makes its
 * own load where it stands; what is uniform is then taken from one of them.) */
static bool load_is_uniform(const uw_uniformity *facts, MlirOperation load) {
  return uw_plain_access(load) && (facts->level || reads_what_never_changes(facts, load));
}

static bool divergent(const uw_uniformity *facts, MlirValue value) {
  return uw_table_get(facts->states, value.ptr) == DIVERGENT;
}

static void mark(uw_uniformity *facts, MlirValue value, bool is_divergent) {
  intptr_t old = uw_table_get(facts->states, value.ptr);
  if (old == DIVERGENT)
    return; /* states only fall */
  if (is_divergent && old == UNIFORM)
    facts->changed = true;
  uw_table_set(facts->states, value.ptr, is_divergent ? DIVERGENT : UNIFORM);
}

static void mark_results(uw_uniformity *facts, MlirOperation op, bool is_divergent) {
  for (size_t i = 0; i < uw_result_count(op); i++)
    mark(facts, uw_result(op, i), is_divergent);
}

static bool some_operand_divergent(const uw_uniformity *facts, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (divergent(facts, uw_operand(op, i)))
      return true;
  return false;
}

static void visit_block(uw_uniformity *facts, MlirBlock block, bool masked);

/* if and index_switch: operand 0 chooses the region. */
static void visit_choice(uw_uniformity *facts, MlirOperation op, bool masked, bool results_divergent) {
  bool choice_divergent = divergent(facts, uw_operand(op, 0));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = uw_block(op, (unsigned)r);
    if (mlirBlockIsNull(block))
      continue;
    visit_block(facts, block, masked || choice_divergent);
    for (size_t i = 0; i < uw_result_count(op); i++)
      mark(facts, uw_result(op, i),
           results_divergent || choice_divergent || divergent(facts, uw_operand(uw_last(block), i)));
  }
}

/* In iteration k the carried values are the same for all threads if they start so and are stepped so, even if the
 * threads leave the loop after different iterations; only what comes out is not the same then. */
static void visit_for(uw_uniformity *facts, MlirOperation op, bool masked, bool results_divergent) {
  MlirBlock body = uw_block(op, 0);
  bool counter_divergent = divergent(facts, uw_operand(op, 0)) || divergent(facts, uw_operand(op, 2));
  bool trips_divergent = counter_divergent || divergent(facts, uw_operand(op, 1));
  mark(facts, mlirBlockGetArgument(body, 0), counter_divergent);
  for (size_t i = 0; i < uw_result_count(op); i++)
    mark(facts, mlirBlockGetArgument(body, (intptr_t)i + 1), divergent(facts, uw_operand(op, i + 3)));
  visit_block(facts, body, masked || trips_divergent);
  for (size_t i = 0; i < uw_result_count(op); i++) {
    MlirValue carried = mlirBlockGetArgument(body, (intptr_t)i + 1);
    mark(facts, carried, divergent(facts, uw_operand(uw_last(body), i)));
    mark(facts, uw_result(op, i), results_divergent || trips_divergent || divergent(facts, carried));
  }
}

static void visit_while(uw_uniformity *facts, MlirOperation op, bool masked, bool results_divergent) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  MlirOperation condition = uw_last(before);
  bool trips_divergent = divergent(facts, uw_operand(condition, 0));
  for (size_t i = 0; i < uw_operand_count(op); i++)
    mark(facts, mlirBlockGetArgument(before, (intptr_t)i), divergent(facts, uw_operand(op, i)));
  visit_block(facts, before, masked || trips_divergent);
  if (!trips_divergent && divergent(facts, uw_operand(condition, 0)))
    facts->changed = trips_divergent = true;
  for (size_t i = 0; i < uw_result_count(op); i++) {
    bool value_divergent = divergent(facts, uw_operand(condition, i + 1));
    mark(facts, mlirBlockGetArgument(after, (intptr_t)i), value_divergent);
    mark(facts, uw_result(op, i), results_divergent || trips_divergent || value_divergent);
  }
  visit_block(facts, after, masked || trips_divergent);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    mark(facts, mlirBlockGetArgument(before, (intptr_t)i), divergent(facts, uw_operand(uw_last(after), i)));
}

static void visit_other(uw_uniformity *facts, MlirOperation op, bool masked) {
  if (uw_is_exchange(op, facts->level)) {
    mark_results(facts, op, uw_kind(op) != UW_OP_REDUCE);
    return;
  }
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        mark(facts, mlirBlockGetArgument(block, i), true);
      visit_block(facts, block, true);
    }
  bool result_divergent = true;
  if (mlirOperationGetNumRegions(op))
    result_divergent = true;
  else if (uw_speculatable(op))
    result_divergent = some_operand_divergent(facts, op);
  else if (masked)
    result_divergent = true;
  else if (uw_effect_free(op))
    result_divergent = some_operand_divergent(facts, op);
  else if (uw_kind(op) == UW_OP_LLVM_LOAD)
    result_divergent = some_operand_divergent(facts, op) || !load_is_uniform(facts, op);
  mark_results(facts, op, result_divergent);
}

/* masked: not all threads come here, and the caller asked for what holds in all of them. */
static void visit_block(uw_uniformity *facts, MlirBlock block, bool masked) {
  if (!facts->level)
    masked = false;
  uw_foreach_op(op, block) {
    bool results_divergent = masked && !uw_has_exchange(op, facts->level);
    switch (uw_kind(op)) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_INDEX_SWITCH: visit_choice(facts, op, masked, results_divergent); break;
    case UW_OP_SCF_FOR: visit_for(facts, op, masked, results_divergent); break;
    case UW_OP_SCF_WHILE: visit_while(facts, op, masked, results_divergent); break;
    default: visit_other(facts, op, masked);
    }
  }
}

uw_uniformity *uw_uniformity_of(uw_arena *arena, MlirOperation loop, const char *level) {
  return uw_uniformity_again(arena, loop, level, NULL);
}

uw_uniformity *uw_uniformity_again(uw_arena *arena, MlirOperation loop, const char *level,
                                   const uw_uniformity *earlier) {
  uw_uniformity *facts = uw_alloc(arena, sizeof *facts);
  *facts = (uw_uniformity){.loop = loop, .level = level, .states = uw_table_create(arena)};
  facts->outer_memory_written = earlier ? earlier->outer_memory_written : kernel_writes_outer_memory(arena, loop);
  MlirBlock body = uw_block(loop, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    mark(facts, mlirBlockGetArgument(body, i), true);
  do {
    facts->changed = false;
    visit_block(facts, body, false);
  } while (facts->changed);
  return facts;
}

bool uw_uniform(const uw_uniformity *facts, MlirValue value) {
  intptr_t state = uw_table_get(facts->states, value.ptr); /* first: a pass may have moved the value out of the loop */
  return state == UNIFORM || (state == UNSEEN && !uw_defined_inside(value, facts->loop));
}
