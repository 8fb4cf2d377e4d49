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
 *   loads from a thread's private array     uniform if the position in it is and all definitions that reach the
 *                                           load (reaching.h) are: stores of uniform values to uniform positions,
 *                                           under uniform control
 *   unwarp.reduce of the level              uniform: every thread gets the same
 *   calls                                   uniform if all arguments are and the result depends on nothing else (calls.h)
 *   everything else                         unknown
 *
 * Of memory that threads share it does not matter who wrote it, and whether under divergent control: one location holds
 * one value for all. What matters is that all threads look between the same two exchanges, and that nobody writes there
 * meanwhile: no thread of the block, or it would race, and no other block, for the same reason (what blocks tell each
 * other by volatile accesses, atomics and fences is none of these loads, and after a barrier a thread sees what its
 * block saw before). A thread's private array is another one for each thread: there the values have to be the same, and
 * the positions, and the ways that led there. */
#include "uniformity.h"

#include "calls.h"
#include "exchange.h"
#include "reaching.h"

/* The worst of what something depends on is what it is. */
typedef enum state { UNSEEN, UNIFORM, UNKNOWN, DIVERGENT } state;

static state worst(state a, state b) { return a > b ? a : b; }

struct uw_uniformity {
  uw_arena *arena;
  MlirOperation loop;
  const char *level;
  uw_table *states, *reasons; /* value -> state; -> why it is, if that is not its operands' */
  uw_table *definitions;      /* load from a private array -> uw_definitions * */
  uw_table *private_writers;  /* private array -> what it is written by, as private_array * */
  uw_accesses own;            /* plain stores to shared arrays in the block that is visited, since its last exchange */
  bool outer_memory_written;  /* the kernel may write memory that is neither private nor shared */
  bool
      waits; /* threads wait for each other in iterations, as for a lock: each may reach an operation at another time */
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

/* May op itself (not what is inside of it) write memory outside of the kernel's own? */
static bool writes_outer_memory(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_STORE: return !uw_is_made_inside(uw_address_root(uw_operand(op, 1)));
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return !uw_is_made_inside(uw_address_root(uw_operand(op, 0)));
  case UW_OP_LLVM_LOAD: /* a volatile or atomic one brings in what others write */ return !uw_plain_access(op);
  case UW_OP_BARRIER:
  case UW_OP_SHARED:
  case UW_OP_SLOT:
  case UW_OP_SHUFFLE:
  case UW_OP_REDUCE:
  case UW_OP_MATCH:
  case UW_OP_COLLECTIVE:
  case UW_OP_LLVM_ALLOCA:
  case UW_OP_LLVM_LIFETIME_START:
  case UW_OP_LLVM_LIFETIME_END:
  case UW_OP_SCF_IF:
  case UW_OP_SCF_FOR:
  case UW_OP_SCF_WHILE:
  case UW_OP_SCF_FORALL:
  case UW_OP_SCF_INDEX_SWITCH: return false;
  default: return !uw_effect_free(op) && uw_region_count(op) == 0;
  }
}

/* What one launch runs. */
static MlirOperation outermost_parallel(MlirOperation loop) {
  MlirOperation kernel = loop;
  for (MlirOperation op = loop; !uw_null(op); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_FORALL)
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

/* Is this the same at any time while the kernel runs? */
static bool reads_what_never_changes(const uw_uniformity *facts, MlirOperation load) {
  if (!mlirAttributeIsNull(uw_get_attr(load, "invariant")))
    return true;
  MlirValue base = address_base(uw_operand(load, 0));
  if (uw_kind(uw_def(base)) == UW_OP_LLVM_ADDRESSOF && uw_is_constant_global(uw_def(base)))
    return true;
  return !facts->outer_memory_written && !uw_defined_inside(base, outermost_parallel(facts->loop));
}

static state state_of(const uw_uniformity *facts, MlirValue value) {
  return (state)uw_table_get(facts->states, value.ptr);
}

static void mark(uw_uniformity *facts, MlirValue value, state new, const char *why) {
  state old = state_of(facts, value);
  if (old != UNSEEN && new <= old)
    return; /* states only get worse */
  if (old != UNSEEN)
    facts->changed = true;
  uw_table_set(facts->states, value.ptr, new > UNIFORM ? new : UNIFORM);
  uw_table_set(facts->reasons, value.ptr, (intptr_t)why);
}

static void mark_results(uw_uniformity *facts, MlirOperation op, state state, const char *why) {
  for (size_t i = 0; i < uw_result_count(op); i++)
    mark(facts, uw_result(op, i), state, why);
}

static state worst_operand(const uw_uniformity *facts, MlirOperation op) {
  state result = UNIFORM;
  for (size_t i = 0; i < uw_operand_count(op); i++)
    result = worst(result, state_of(facts, uw_operand(op, i)));
  return result;
}

/* The same for a value that may stand behind what asks: if it was not looked at yet, all is looked at again. */
static state later_state(uw_uniformity *facts, MlirValue value) {
  if (state_of(facts, value) == UNSEEN && uw_defined_inside(value, facts->loop))
    facts->changed = true;
  return state_of(facts, value);
}

/* --- loads -------------------------------------------------------------------------------------------------------- */

/* How the position in an array differs among threads, whatever the array's own address is. */
static state place_state(uw_uniformity *facts, MlirValue address) {
  state result = UNIFORM;
  for (MlirOperation op = uw_def(address);
       uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST || uw_kind(op) == UW_OP_LLVM_ADDRSPACECAST;
       op = uw_def(uw_operand(op, 0)))
    for (size_t i = 1; i < uw_operand_count(op); i++)
      result = worst(result, later_state(facts, uw_operand(op, i)));
  return result;
}

/* The worst of what decides whether a thread that is in `around` comes by op, and how often. */
static state control_state(uw_uniformity *facts, MlirOperation op, MlirOperation around) {
  state result = UNIFORM;
  for (op = uw_parent(op); !uw_null(op) && !uw_same_op(op, around); op = uw_parent(op)) {
    switch (uw_kind(op)) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_INDEX_SWITCH: result = worst(result, later_state(facts, uw_operand(op, 0))); break;
    case UW_OP_SCF_FOR:
      for (size_t i = 0; i < 3; i++)
        result = worst(result, later_state(facts, uw_operand(op, i)));
      break;
    case UW_OP_SCF_WHILE: result = worst(result, later_state(facts, uw_operand(uw_last(uw_block(op, 0)), 0))); break;
    default: return worst(result, UNKNOWN);
    }
  }
  return result;
}

static bool meets_itself(const void *launch, const uw_access *write, const uw_access *load) {
  return uw_meets_itself(*(const MlirOperation *)launch, write, load);
}

typedef struct private_array {
  const uw_writers *writers; /* null: somebody else may write there too */
} private_array;

/* What writes the private array; found once. */
static const uw_writers *writers_of(uw_uniformity *facts, MlirValue memory) {
  private_array *array = (private_array *)uw_table_get(facts->private_writers, memory.ptr);
  if (array)
    return array->writers;
  array = uw_alloc(facts->arena, sizeof *array);
  uw_table_set(facts->private_writers, memory.ptr, (intptr_t)array);
  uw_accesses writes = {0};
  if (uw_private_writes(facts->arena, facts->loop, memory, &writes))
    array->writers = uw_writers_of(facts->arena, facts->loop, &writes);
  return array->writers;
}

/* What reaches a load from a private array; found once. */
static const uw_definitions *definitions_of(uw_uniformity *facts, MlirOperation load) {
  uw_definitions *found = (uw_definitions *)uw_table_get(facts->definitions, load.ptr);
  if (found)
    return found;
  found = uw_alloc(facts->arena, sizeof *found);
  uw_table_set(facts->definitions, load.ptr, (intptr_t)found);
  uw_accesses reads = {0};
  uw_accesses_of(facts->arena, load, &reads);
  const uw_writers *among = reads.count == 1 ? writers_of(facts, reads.at[0].address.base) : NULL;
  MlirOperation launch = outermost_parallel(facts->loop);
  found->unknown = true;
  if (among)
    *found = uw_reaching(among, &reads.at[0], meets_itself, &launch);
  found->unknown = found->unknown || found->before; /* a way that does not come by the alloca */
  return found;
}

/* Whether all threads that make the load have made the write that reaches it. Without a level only these threads are
 * asked about: what stands around both does not matter, unless a loop was gone round in between. */
static state write_control(uw_uniformity *facts, const uw_access *write, MlirOperation load) {
  MlirOperation around = uw_parent(uw_null(write->crossed) ? write->op : write->crossed);
  if (facts->level)
    around = facts->loop;
  while (!uw_same_op(around, facts->loop) && !uw_inside(load, around))
    around = uw_parent(around);
  return control_state(facts, write->op, around);
}

static state private_load_state(uw_uniformity *facts, MlirOperation load, const char **why) {
  state result = place_state(facts, uw_operand(load, 0));
  *why = "at different positions of a private array";
  if (result > UNIFORM)
    return result;
  const uw_definitions *found = definitions_of(facts, load);
  *why = "from a private array whose address goes elsewhere";
  if (found->unknown)
    return UNKNOWN;
  for (size_t i = 0; i < found->count; i++) {
    MlirOperation op = found->at[i].write.op;
    state value = uw_kind(op) == UW_OP_LLVM_STORE ? later_state(facts, uw_operand(op, 0)) : UNKNOWN;
    state place = uw_kind(op) == UW_OP_LLVM_STORE ? place_state(facts, uw_operand(op, 1)) : UNIFORM;
    state control = write_control(facts, &found->at[i].write, load);
    if (worst(value, worst(place, control)) > result)
      *why = control > UNIFORM                 ? "from a private array, stored under control flow that is not uniform"
             : place > UNIFORM                 ? "from a private array, where threads store at different positions"
             : uw_kind(op) == UW_OP_LLVM_STORE ? "from a private array, where threads store different values"
                                               : "from a private array that is copied or set as a whole";
    result = worst(result, worst(value, worst(place, control)));
  }
  if (result == UNIFORM)
    *why = "from a private array: all that reaches it is";
  return result;
}

/* The value that the thread itself has put there just before, in the same block and with no exchange between: others
 * that do so too race, but a thread surely finds its own. Null if there is none. */
static MlirValue own_value(const uw_uniformity *facts, MlirOperation load) {
  uw_accesses reads = {0};
  uw_accesses_of(facts->arena, load, &reads);
  for (size_t i = facts->own.count; i-- > 0;)
    if (uw_same_place(&facts->own.at[i], &reads.at[0]))
      return uw_operand(facts->own.at[i].op, 0);
  return (MlirValue){NULL};
}

/* A load from an address that is the same for all threads. If all threads make it between the same two exchanges:
 * where one of them writes there in between, the others' loads race with that write, and the program has no
 * meaning. So all get the same. (Only the loops that lower barriers ask with a level. Each thread still makes its
 * own load where it stands; what is uniform is then taken from one of them.) Threads that pass a lock one by one do not
 * race, so nothing is known where threads wait for each other in iterations. */
static state load_state(uw_uniformity *facts, MlirOperation load, const char **why) {
  *why = "a volatile or atomic load";
  if (!uw_plain_access(load))
    return UNKNOWN;
  MlirOperation root = uw_address_root(uw_operand(load, 0));
  if (uw_kind(root) == UW_OP_LLVM_ALLOCA && uw_inside(root, facts->loop))
    return private_load_state(facts, load, why);
  *why = NULL;
  state address = worst_operand(facts, load);
  if (address > UNIFORM)
    return address;
  *why = "the memory may be written meanwhile";
  if ((!facts->level || facts->waits) && !reads_what_never_changes(facts, load))
    return UNKNOWN;
  *why = "what the thread itself has just stored there";
  MlirValue own = facts->level && uw_kind(root) == UW_OP_SHARED ? own_value(facts, load) : (MlirValue){NULL};
  if (own.ptr && state_of(facts, own) > UNIFORM)
    return state_of(facts, own);
  *why = NULL;
  return UNIFORM;
}

/* --- the sweep ---------------------------------------------------------------------------------------------------- */

static const char by_control[] = "decided by control flow that is not uniform";

static void visit_block(uw_uniformity *facts, MlirBlock block, state masked);

/* if and index_switch: operand 0 chooses the region. */
static void visit_choice(uw_uniformity *facts, MlirOperation op, state masked, state results) {
  state choice = worst(UNIFORM, state_of(facts, uw_operand(op, 0)));
  for (intptr_t r = 0; r < uw_region_count(op); r++) {
    MlirBlock block = uw_block(op, (unsigned)r);
    if (mlirBlockIsNull(block))
      continue;
    visit_block(facts, block, worst(masked, choice));
    for (size_t i = 0; i < uw_result_count(op); i++)
      mark(facts, uw_result(op, i), worst(worst(results, choice), state_of(facts, uw_operand(uw_last(block), i))),
           worst(results, choice) > UNIFORM ? by_control : NULL);
  }
}

/* In iteration k the carried values are the same for all threads if they start so and are stepped so, even if the
 * threads leave the loop after different iterations; only what comes out is not the same then. */
static void visit_for(uw_uniformity *facts, MlirOperation op, state masked, state results) {
  MlirBlock body = uw_block(op, 0);
  state counter = worst(UNIFORM, worst(state_of(facts, uw_operand(op, 0)), state_of(facts, uw_operand(op, 2))));
  state trips = worst(counter, state_of(facts, uw_operand(op, 1)));
  mark(facts, mlirBlockGetArgument(body, 0), counter, NULL);
  for (size_t i = 0; i < uw_result_count(op); i++)
    mark(facts, mlirBlockGetArgument(body, (intptr_t)i + 1), state_of(facts, uw_operand(op, i + 3)), NULL);
  visit_block(facts, body, worst(masked, trips));
  for (size_t i = 0; i < uw_result_count(op); i++) {
    MlirValue carried = mlirBlockGetArgument(body, (intptr_t)i + 1);
    mark(facts, carried, state_of(facts, uw_operand(uw_last(body), i)), NULL);
    mark(facts, uw_result(op, i), worst(worst(results, trips), state_of(facts, carried)),
         trips > UNIFORM ? by_control : NULL);
  }
}

static void visit_while(uw_uniformity *facts, MlirOperation op, state masked, state results) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  MlirOperation condition = uw_last(before);
  state trips = worst(UNIFORM, state_of(facts, uw_operand(condition, 0)));
  for (size_t i = 0; i < uw_operand_count(op); i++)
    mark(facts, mlirBlockGetArgument(before, (intptr_t)i), state_of(facts, uw_operand(op, i)), NULL);
  visit_block(facts, before, worst(masked, trips));
  if (trips < state_of(facts, uw_operand(condition, 0))) {
    facts->changed = true;
    trips = state_of(facts, uw_operand(condition, 0));
  }
  for (size_t i = 0; i < uw_result_count(op); i++) {
    state value = state_of(facts, uw_operand(condition, i + 1));
    mark(facts, mlirBlockGetArgument(after, (intptr_t)i), value, NULL);
    mark(facts, uw_result(op, i), worst(worst(results, trips), value), trips > UNIFORM ? by_control : NULL);
  }
  visit_block(facts, after, worst(masked, trips));
  for (size_t i = 0; i < uw_operand_count(op); i++)
    mark(facts, mlirBlockGetArgument(before, (intptr_t)i), state_of(facts, uw_operand(uw_last(after), i)), NULL);
}

static void visit_other(uw_uniformity *facts, MlirOperation op, state masked) {
  if (uw_is_exchange(op, facts->level)) {
    if (uw_kind(op) == UW_OP_REDUCE)
      mark_results(facts, op, UNIFORM, NULL);
    else
      mark_results(facts, op, DIVERGENT, "each thread gets another's");
    return;
  }
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
        mark(facts, mlirBlockGetArgument(block, i), DIVERGENT, "another loop's index");
      visit_block(facts, block, DIVERGENT);
    }
  state result = UNKNOWN;
  const char *why = "not looked into";
  if (uw_region_count(op)) {
    result = UNKNOWN;
  } else if (uw_speculatable(op)) {
    result = worst_operand(facts, op);
    why = NULL;
  } else if (masked > UNIFORM) {
    result = masked;
    why = "made by some threads only";
  } else if (uw_effect_free(op)) {
    result = worst_operand(facts, op);
    why = NULL;
  } else if (uw_kind(op) == UW_OP_LLVM_LOAD) {
    result = load_state(facts, op, &why);
  } else if (uw_kind(op) == UW_OP_LLVM_ALLOCA) {
    result = DIVERGENT;
    why = "each thread has its own";
  } else if (uw_kind(op) == UW_OP_LLVM_CALL && uw_call_is_function(facts->arena, op)) {
    result = worst_operand(facts, op);
    why = NULL;
  }
  mark_results(facts, op, result, why);
  if (uw_kind(op) == UW_OP_LLVM_STORE && facts->level && uw_plain_access(op) &&
      uw_kind(uw_address_root(uw_operand(op, 1))) == UW_OP_SHARED)
    uw_accesses_of(facts->arena, op, &facts->own);
}

/* masked: not all threads come here, and the caller asked for what holds in all of them. */
static void visit_block(uw_uniformity *facts, MlirBlock block, state masked) {
  if (!facts->level)
    masked = UNIFORM;
  uw_accesses around = facts->own;
  facts->own = (uw_accesses){0};
  uw_foreach_op (op, block) {
    bool exchanges = uw_has_exchange(op, facts->level);
    state results = exchanges ? UNIFORM : masked;
    switch (uw_kind(op)) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_INDEX_SWITCH: visit_choice(facts, op, masked, results); break;
    case UW_OP_SCF_FOR: visit_for(facts, op, masked, results); break;
    case UW_OP_SCF_WHILE: visit_while(facts, op, masked, results); break;
    default: visit_other(facts, op, masked);
    }
    if (exchanges)
      facts->own = (uw_accesses){0};
  }
  facts->own = around;
}

/* Iterations that wait have such a call (raise/waiting_blocks.c). */
static bool is_wait(MlirOperation call) {
  return uw_attr_is_str(call, "callee", "uwrt_yield") || uw_attr_is_str(call, "callee", "uwrt_nap") ||
         uw_attr_is_str(call, "callee", "uwrt_stuck") || uw_attr_is_str(call, "callee", "uwrt_turn");
}

static bool has_waits(uw_arena *arena, MlirOperation loop) {
  uw_ops ops = uw_collect_kind(arena, loop, UW_OP_LLVM_CALL);
  for (size_t i = 0; i < ops.count; i++)
    if (is_wait(ops.at[i]))
      return true;
  return false;
}

/* Within a loop of the thread's own, or of the warp's: the loop over its lanes stands in that. */
static bool in_serial_loop(MlirOperation op, MlirOperation threads) {
  bool loop = false, warps = uw_is_over(threads, UW_OVER_WARPS);
  for (op = uw_parent(op); !uw_same_op(op, threads); op = uw_parent(op)) {
    if (uw_kind(op) == UW_OP_SCF_FORALL && !warps)
      return false; /* that one is the loop over threads */
    loop |= uw_kind(op) == UW_OP_SCF_WHILE || uw_kind(op) == UW_OP_SCF_FOR;
  }
  return loop;
}

bool uw_has_waiting_threads(MlirOperation threads, uw_arena *arena) {
  uw_ops calls = uw_collect_kind(arena, threads, UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++)
    if (is_wait(calls.at[i]) && in_serial_loop(calls.at[i], threads))
      return true;
  return false;
}

uw_uniformity *uw_uniformity_of(uw_arena *arena, MlirOperation loop, const char *level) {
  return uw_uniformity_again(arena, loop, level, NULL);
}

uw_uniformity *uw_uniformity_again(uw_arena *arena, MlirOperation loop, const char *level,
                                   const uw_uniformity *earlier) {
  uw_uniformity *facts = uw_alloc(arena, sizeof *facts);
  *facts = (uw_uniformity){.arena = arena,
                           .loop = loop,
                           .level = level,
                           .states = uw_table_create(arena),
                           .reasons = uw_table_create(arena),
                           .definitions = uw_table_create(arena),
                           .private_writers = uw_table_create(arena)};
  facts->waits = earlier ? earlier->waits : has_waits(arena, loop);
  facts->outer_memory_written = earlier ? earlier->outer_memory_written : kernel_writes_outer_memory(arena, loop);
  MlirBlock body = uw_block(loop, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    mark(facts, mlirBlockGetArgument(body, i), DIVERGENT, "the thread's index");
  do {
    facts->changed = false;
    visit_block(facts, body, UNIFORM);
  } while (facts->changed);
  return facts;
}

uw_sameness uw_sameness_of(const uw_uniformity *facts, MlirValue value) {
  switch (state_of(facts, value)) { /* first: a pass may have moved the value out of the loop */
  case UNIFORM: return UW_UNIFORM;
  case UNKNOWN: return UW_UNKNOWN;
  case DIVERGENT: return UW_DIVERGENT;
  default: return uw_defined_inside(value, facts->loop) ? UW_UNKNOWN : UW_UNIFORM;
  }
}

bool uw_uniform(const uw_uniformity *facts, MlirValue value) { return uw_sameness_of(facts, value) == UW_UNIFORM; }

const char *uw_why_uniformity(const uw_uniformity *facts, MlirValue value) {
  return (const char *)uw_table_get(facts->reasons, value.ptr);
}

const char *uw_root_of_difference(const uw_uniformity *facts, MlirValue value, MlirLocation *where) {
  enum { MOST_STEPS = 100 };
  for (int step = 0; step < MOST_STEPS && !uw_uniform(facts, value); step++) {
    const char *why = uw_why_uniformity(facts, value);
    MlirOperation op = uw_def(value);
    if (why && !uw_null(op))
      *where = mlirOperationGetLocation(op);
    if (why || uw_null(op))
      return why;
    size_t i = 0;
    while (i < uw_operand_count(op) && uw_uniform(facts, uw_operand(op, i)))
      i++;
    if (i == uw_operand_count(op))
      return NULL;
    value = uw_operand(op, i);
  }
  return NULL;
}

bool uw_uniform_place(const uw_uniformity *facts, MlirValue address) {
  for (MlirOperation op = uw_def(address);
       uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST || uw_kind(op) == UW_OP_LLVM_ADDRSPACECAST;
       op = uw_def(uw_operand(op, 0)))
    for (size_t i = 1; i < uw_operand_count(op); i++)
      if (!uw_uniform(facts, uw_operand(op, i)))
        return false;
  return true;
}

bool uw_made_by_all(const uw_uniformity *facts, MlirOperation op) { return uw_made_by_all_in(facts, op, facts->loop); }

bool uw_made_by_all_in(const uw_uniformity *facts, MlirOperation op, MlirOperation around) {
  for (op = uw_parent(op); !uw_same_op(op, around); op = uw_parent(op)) {
    switch (uw_kind(op)) {
    case UW_OP_SCF_IF:
    case UW_OP_SCF_INDEX_SWITCH:
      if (!uw_uniform(facts, uw_operand(op, 0)))
        return false;
      break;
    case UW_OP_SCF_FOR:
      for (size_t i = 0; i < 3; i++)
        if (!uw_uniform(facts, uw_operand(op, i)))
          return false;
      break;
    case UW_OP_SCF_WHILE:
      if (!uw_uniform(facts, uw_operand(uw_last(uw_block(op, 0)), 0)))
        return false;
      break;
    default: return false;
    }
  }
  return true;
}
