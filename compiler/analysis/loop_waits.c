/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which loops wait, and for what: see loop_waits.h.
 *
 * A loop that writes nothing waits if its condition depends on what it reads from an address that is the same in each
 * iteration and that other blocks or the host can write: by a volatile or atomic load, a load in a loop with a fence or
 * __nanosleep, or an atomic operation that stores what the loop does not compute (a lock's exchange or
 * compare-and-swap). Not a loop that retries a compare-and-swap with what it read, nor one that takes values from a
 * counter: these come to an end by themselves.
 *
 * What it polls may go through votes and shuffles, and through shared memory: a store of what was polled, or under a
 * condition on it, and a load after a barrier. So that such a loop gets nowhere by itself, each iteration must store
 * the same again as long as what is polled stays the same: neither values, addresses nor conditions of its stores
 * depend on shared memory or on what the loop carries from iteration to iteration. A loop with a barrier of the block
 * reads plain loads anew, too, as far as it gets nowhere by itself (it is settled): others are a program's ordinary
 * loops, to an end that memory holds.
 *
 * A loop that writes waits as well, if its condition depends on what it reads by volatile or atomic loads, or by any
 * load while it has a lock that it takes and gives back (loop_locks.h), and is the same in each iteration as long as
 * memory is: what it carries from iteration to iteration may come to rest (carried.h). So does what it finds in a word
 * that it takes and gives back as it was, or only takes, and, where lanes vote, what plain loads find in what it does
 * not write. With a barrier in it, what it
 * reads in shared memory is its block's own progress, which it brings about itself. With one of the block, so is what
 * it reads outside, directly in the condition: only one waits there whose condition depends on what it carries, or on
 * a vote of the block, or on what was left for it in shared memory. Not one with a barrier of the grid.
 */
#include "loop_waits.h"

#include "../ir/known_calls.h"
#include "calls.h"
#include "carried.h"
#include "exchange.h"
#include "loop_locks.h"
#include "uniformity.h"

typedef struct search {
  uw_arena *arena;
  MlirOperation loop;
  uw_ops ops;               /* in it */
  bool fenced;              /* by a fence: plain loads may wait */
  bool meets;               /* at a barrier of the block: plain loads may wait in a settled loop */
  uw_wait_source source;    /* what the loop might wait for */
  uw_table *seen;           /* values that are known not to lead anywhere new */
  intptr_t computed, steps; /* of settled */
  bool looks;               /* any volatile or atomic operation counts */
  bool writes, locks;       /* the loop writes; what it takes by exchanges counts */
  uw_table *guards;         /* the locks that it takes and gives back: what it reads may be another's next time */
  uw_table *words;          /* in which something is handed over */
  bool votes;               /* lanes vote in it */
  uw_table *written;        /* the objects that it writes */
} search;

static bool comes_from_outside(const void *of, MlirValue value) {
  const search *s = of;
  return !uw_defined_inside(value, s->loop);
}

/* The same in each iteration: from outside, or computed from nothing else. */
static bool invariant(const search *s, MlirValue value) {
  return uw_can_compute_again(&(uw_again){.stays = comes_from_outside, .of = s}, value);
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

bool uw_naps(MlirOperation op) { return uw_attr_is_str(op, "callee", "uwrt_nap"); }
static bool is_note(MlirOperation op) {
  return uw_attr_is_str(op, "callee", UW_CHECK_MASK) || uw_attr_is_str(op, "callee", UW_NOTE_MBARRIER) ||
         uw_attr_is_str(op, "callee", UW_NOTE_TILE);
}

/* Sums of the window's address and 32 bits are how inline PTX finds what it has a shared address of. */
static bool in_shared_memory(MlirValue address) {
  MlirOperation root = uw_address_root(address);
  if (uw_kind(root) != UW_OP_LLVM_INTTOPTR)
    return uw_kind(root) == UW_OP_SHARED;
  MlirOperation sum = uw_def(uw_operand(root, 0));
  for (size_t i = 0; uw_kind(sum) == UW_OP_ARITH_ADDI && i < 2; i++) {
    MlirOperation base = uw_def(uw_operand(sum, i)), offset = uw_def(uw_operand(sum, 1 - i));
    bool extended = uw_kind(offset) == UW_OP_ARITH_EXTSI || uw_kind(offset) == UW_OP_ARITH_EXTUI;
    if (uw_kind(base) == UW_OP_LLVM_PTRTOINT && extended &&
        uw_kind(uw_address_root(uw_operand(base, 0))) == UW_OP_SHARED)
      return true;
  }
  return false;
}

/* An atomic operation that leaves what it finds: adds 0, or stores what it compares with. */
static bool only_reads(MlirOperation op) {
  enum { EXCHANGE = 0 };
  int64_t addend;
  if (uw_kind(op) == UW_OP_LLVM_CMPXCHG)
    return uw_same(uw_operand(op, 1), uw_operand(op, 2));
  return uw_get_int_attr(op, "bin_op", -1) != EXCHANGE && uw_const_value(uw_operand(op, 1), &addend) && addend == 0;
}

/* A plain load, in a loop whose lanes meet in votes, of what the loop itself does not write. */
static bool is_left_to_others(const search *s, MlirOperation load) {
  const void *object = s->votes ? uw_object_of(uw_operand(load, 0)) : NULL;
  return object && !uw_table_get(s->written, object);
}

/* Takes a word in which others leave something: gives it back, or only empties it. */
static bool is_handed_on(const search *s, MlirOperation op) {
  return s->words && uw_may_take(op) && uw_table_get(s->words, uw_object_of(uw_operand(op, 0)));
}

/* Reads anew, iteration after iteration, what another block may have written, or the clock, or shared memory. */
static bool polls(const search *s, MlirOperation op) {
  enum { EXCHANGE = 0 };
  if (s->looks)
    return uw_kind(op) == UW_OP_LLVM_ATOMICRMW || uw_kind(op) == UW_OP_LLVM_CMPXCHG ||
           (uw_kind(op) == UW_OP_LLVM_LOAD && !uw_plain_access(op));
  if (s->writes && uw_kind(op) == UW_OP_LLVM_LOAD)
    return (s->guards || !uw_plain_access(op) || is_left_to_others(s, op)) &&
           !(s->meets && in_shared_memory(uw_operand(op, 0)));
  if (s->source == UW_THE_CLOCK)
    return reads_clock(op);
  if (s->source == UW_OWN_BLOCK)
    return uw_kind(op) == UW_OP_LLVM_LOAD && (s->meets || !uw_plain_access(op)) && in_shared_memory(uw_operand(op, 0));
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
    if (!s->fenced && !s->meets && mlirAttributeIsNull(uw_get_attr(op, "volatile_")) &&
        uw_get_int_attr(op, "ordering", 0) == 0)
      return false;
    break;
  case UW_OP_LLVM_ATOMICRMW: /* adding 0 reads */
    if (is_handed_on(s, op))
      return true;
    if (uw_get_int_attr(op, "bin_op", -1) != EXCHANGE && !only_reads(op))
      return false;
    break;
  case UW_OP_LLVM_CMPXCHG:
    if (is_handed_on(s, op))
      return true;
    break;
  default: return false;
  }
  if (s->writes)
    return all_invariant(s, op) && (s->locks || only_reads(op));
  return all_invariant(s, op) && !in_shared_memory(uw_operand(op, 0));
}

static bool leads_to_poll(search *s, MlirValue value);

static bool operand_leads(search *s, MlirBlock block, size_t which) {
  return !mlirBlockIsNull(block) && leads_to_poll(s, uw_operand(uw_last(block), which));
}

/* A result: of an if or switch from what its arms yield, of a while from what its condition passes on, and from the
 * choice. */
static bool result_leads(search *s, MlirOperation op, size_t which) {
  if (uw_kind(op) == UW_OP_SCF_WHILE)
    return operand_leads(s, uw_block(op, 0), which + 1) || operand_leads(s, uw_block(op, 0), 0);
  for (intptr_t r = 0; r < uw_region_count(op); r++)
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

static bool is_changed(const search *s, MlirValue value) {
  search own = {.arena = s->arena, .loop = s->loop, .ops = s->ops, .meets = true, .source = UW_OWN_BLOCK};
  own.seen = uw_table_create(s->arena);
  return leads_to_poll(&own, value) || uw_depends_on_carried(s->arena, s->loop, value);
}

/* What the block makes of what it left in shared memory, or carries, is its own progress. */
static bool is_progress(const search *s, MlirOperation store) {
  bool changed = is_changed(s, uw_operand(store, 0)) || is_changed(s, uw_operand(store, 1));
  for (MlirOperation at = uw_parent(store); !changed && !uw_same_op(at, s->loop); at = uw_parent(at))
    changed = is_changed(s, uw_operand(uw_kind(at) == UW_OP_SCF_WHILE ? uw_last(uw_block(at, 0)) : at, 0));
  return changed;
}

/* A load of shared memory: from the loop's stores to it, and from the conditions that these stand under. */
static bool shared_leads(search *s, MlirOperation load) {
  if (s->source != UW_OTHER_BLOCKS || uw_kind(load) != UW_OP_LLVM_LOAD || !in_shared_memory(uw_operand(load, 0)))
    return false;
  for (size_t i = 0; i < s->ops.count; i++) {
    MlirOperation store = s->ops.at[i];
    if (uw_kind(store) != UW_OP_LLVM_STORE || (s->writes && s->meets && is_progress(s, store)))
      continue;
    if (leads_to_poll(s, uw_operand(store, 0)))
      return true;
    for (MlirOperation around = uw_parent(store); !uw_same_op(around, s->loop); around = uw_parent(around))
      if ((uw_kind(around) == UW_OP_SCF_IF || uw_kind(around) == UW_OP_SCF_INDEX_SWITCH) &&
          leads_to_poll(s, uw_operand(around, 0)))
        return true;
  }
  return false;
}

/* Is the value computed from one that was polled? */
static bool leads_to_poll(search *s, MlirValue value) {
  if (!uw_defined_inside(value, s->loop) || uw_table_get(s->seen, value.ptr))
    return false;
  uw_table_set(s->seen, value.ptr, 1);
  MlirOperation op = uw_def(value);
  if (!uw_null(op))
    return polls(s, op) || shared_leads(s, op) || result_leads(s, op, (size_t)mlirOpResultGetResultNumber(value));
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  return argument_leads(s, mlirBlockGetParentOperation(block), block, (size_t)mlirBlockArgumentGetArgNumber(value));
}

/* --- what gets nowhere by itself ---------------------------------------------------------------------------------- */

typedef enum memory { ANY_MEMORY, NOT_SHARED } memory; /* what a value may be read from */

static bool settled(search *s, MlirValue value, memory from);

/* An operand that is computed with, not only passed on. */
static bool settled_operand(search *s, MlirValue value, memory from) {
  s->computed++;
  bool ok = settled(s, value, from);
  s->computed--;
  return ok;
}

/* From lane to lane; from the same one for all, values come to rest after an iteration. */
static bool is_broadcast(MlirOperation shuffle) {
  int64_t lane;
  return uw_const_value(uw_operand(shuffle, 1), &lane);
}

static bool settled_result(search *s, MlirOperation op, size_t which, memory from) {
  size_t passed = 0, past = 0; /* operands [passed, past) may be passed on as they are */
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    for (intptr_t r = 0; r < uw_region_count(op); r++)
      if (!settled(s, uw_operand(uw_last(uw_block(op, (unsigned)r)), which), from))
        return false;
    break;
  case UW_OP_ARITH_SELECT: passed = 1, past = 3; break;
  case UW_OP_LLVM_LOAD:
    if (s->source != UW_OWN_BLOCK && from != ANY_MEMORY && in_shared_memory(uw_operand(op, 0)))
      return false;
    break;
  case UW_OP_SHUFFLE: past = is_broadcast(op); break;
  case UW_OP_REDUCE:
  case UW_OP_COLLECTIVE:
  case UW_OP_MATCH: break;
  default:
    if (!polls(s, op) && (uw_region_count(op) != 0 || !uw_speculatable(op)))
      return false;
  }
  for (size_t i = 0; i < uw_operand_count(op); i++)
    if (!(i >= passed && i < past ? settled : settled_operand)(s, uw_operand(op, i), from))
      return false;
  return true;
}

/* An argument of the loop: handed from the condition to the body, or from the last iteration. */
static bool settled_argument(search *s, MlirValue value, memory from) {
  MlirBlock block = mlirBlockArgumentGetOwner(value), first = uw_block(s->loop, 0), second = uw_block(s->loop, 1);
  size_t which = (size_t)mlirBlockArgumentGetArgNumber(value);
  if (mlirBlockEqual(block, second))
    return settled(s, uw_operand(uw_last(first), which + 1), from);
  return mlirBlockEqual(block, first) && settled(s, uw_operand(uw_last(second), which), from);
}

/* The same in each iteration, but for the first ones, as long as memory that the loop does not write is the same. What
 * it passes on through shared memory is then the same, too: see passes_on. A value that is computed from itself counts
 * iterations; one that is only passed on does not. */
static bool settled(search *s, MlirValue value, memory from) {
  enum { MOST_STEPS = 5000 }; /* each way to a value is one of its own */
  if (!uw_defined_inside(value, s->loop))
    return true;
  intptr_t asked = uw_table_get(s->seen, value.ptr); /* on the way here, after so many computations, and one more */
  if (asked)
    return asked - 1 == s->computed;
  if (++s->steps > MOST_STEPS)
    return false;
  uw_table_set(s->seen, value.ptr, s->computed + 1);
  MlirOperation op = uw_def(value);
  bool ok = uw_null(op) ? settled_argument(s, value, from)
                        : settled_result(s, op, (size_t)mlirOpResultGetResultNumber(value), from);
  uw_table_set(s->seen, value.ptr, 0);
  return ok;
}

/* In UW_OWN_BLOCK a load of other memory is a wait for others. */
static bool reads_only_shared(const search *s) {
  for (size_t i = 0; i < s->ops.count; i++)
    if (uw_kind(s->ops.at[i]) == UW_OP_LLVM_LOAD && !in_shared_memory(uw_operand(s->ops.at[i], 0)))
      return false;
  return true;
}

/* A store to shared memory that does the same again in each iteration. */
static bool passes_on(search *s, MlirOperation store) {
  if (s->source != UW_OTHER_BLOCKS || !in_shared_memory(uw_operand(store, 1)))
    return false;
  s->seen = uw_table_create(s->arena);
  bool same = settled(s, uw_operand(store, 0), NOT_SHARED) && settled(s, uw_operand(store, 1), NOT_SHARED);
  for (MlirOperation around = uw_parent(store); same && !uw_same_op(around, s->loop); around = uw_parent(around))
    same = (uw_kind(around) == UW_OP_SCF_IF || uw_kind(around) == UW_OP_SCF_INDEX_SWITCH) &&
           settled(s, uw_operand(around, 0), NOT_SHARED);
  return same;
}

static bool writes_nothing(search *s) {
  for (size_t i = 0; i < s->ops.count; i++) {
    MlirOperation op = s->ops.at[i];
    switch (uw_kind(op)) {
    case UW_OP_LLVM_LOAD:
    case UW_OP_LLVM_FENCE:
    case UW_OP_SHUFFLE:
    case UW_OP_REDUCE:
    case UW_OP_MATCH:
    case UW_OP_COLLECTIVE:
    case UW_OP_SCF_YIELD:
    case UW_OP_SCF_CONDITION:
    case UW_OP_SCF_IF: /* what is in these is in the list */
    case UW_OP_SCF_WHILE:
    case UW_OP_SCF_INDEX_SWITCH: break;
    case UW_OP_BARRIER:
      if (s->source == UW_THE_CLOCK)
        return false;
      break;
    case UW_OP_LLVM_STORE:
      if (!passes_on(s, op))
        return false;
      break;
    default:
      if (!uw_speculatable(op) && !polls(s, op) && !reads_clock(op) && !uw_naps(op) && !is_note(op) &&
          !uw_of_debugger(op) && !uw_name_starts(op, "llvm.intr.assume"))
        return false;
    }
  }
  return true;
}

/* A barrier of the block, or a vote of all its threads. */
static bool is_meeting(MlirOperation op) {
  return (uw_kind(op) == UW_OP_BARRIER || uw_kind(op) == UW_OP_REDUCE) && uw_attr_is_str(op, "level", "block") &&
         !uw_waits_for_blocks(op);
}

/* A question on the way to the answer of another one. */
static bool decided_by_others(void *context, MlirValue condition) {
  search *s = context;
  uw_table *seen = s->seen;
  s->seen = uw_table_create(s->arena);
  bool yes = leads_to_poll(s, condition);
  s->seen = seen;
  return yes;
}

uw_wait uw_waits_for(uw_arena *arena, MlirOperation loop, uw_wait_source source) {
  search s = {
      .arena = arena, .loop = loop, .ops = uw_collect(arena, loop), .source = source, .seen = uw_table_create(arena)};
  bool stores = false, clock = false;
  for (size_t i = 0; i < s.ops.count; i++) {
    s.fenced |= uw_kind(s.ops.at[i]) == UW_OP_LLVM_FENCE || uw_naps(s.ops.at[i]);
    s.meets |= is_meeting(s.ops.at[i]);
    clock |= reads_clock(s.ops.at[i]);
    stores |= uw_kind(s.ops.at[i]) == UW_OP_LLVM_STORE;
  }
  MlirValue condition = uw_operand(uw_last(uw_block(loop, 0)), 0);
  if (!writes_nothing(&s))
    return UW_NO_WAIT;
  s.seen = uw_table_create(arena);
  if (!leads_to_poll(&s, condition))
    return UW_NO_WAIT;
  s.seen = uw_table_create(arena);
  if (settled(&s, condition, ANY_MEMORY))
    return source != UW_OWN_BLOCK || reads_only_shared(&s) ? UW_FOR_OTHERS : UW_NO_WAIT;
  if (source == UW_OWN_BLOCK || s.meets || stores)
    return UW_NO_WAIT;
  bool rests = source == UW_OTHER_BLOCKS && !clock &&
               uw_may_rest(arena, loop, condition, decided_by_others, &s, /*turns=*/false);
  return rests ? UW_FOR_OTHERS : UW_MAY_END;
}

/* --- loops that write --------------------------------------------------------------------------------------------- */

/* A vote of all threads of the block, or what they leave in shared memory for each other, about what was polled. */
static bool block_votes(search *s) {
  for (size_t i = 0; i < s->ops.count; i++) {
    MlirOperation op = s->ops.at[i];
    if ((uw_kind(op) == UW_OP_REDUCE && is_meeting(op) && decided_by_others(s, uw_operand(op, 0))) ||
        (uw_kind(op) == UW_OP_LLVM_LOAD && in_shared_memory(uw_operand(op, 0)) &&
         decided_by_others(s, uw_result(op, 0))))
      return true;
  }
  return false;
}

bool uw_waits_and_writes(uw_arena *arena, MlirOperation loop, bool locks) {
  search s = {.arena = arena,
              .loop = loop,
              .ops = uw_collect(arena, loop),
              .source = UW_OTHER_BLOCKS,
              .seen = uw_table_create(arena),
              .writes = true,
              .locks = locks,
              .written = uw_table_create(arena)};
  bool meets = false;
  for (size_t i = 0; i < s.ops.count; i++) {
    MlirValue written = uw_written_address(s.ops.at[i]);
    if (written.ptr)
      uw_table_set(s.written, uw_object_of(written), 1);
    s.votes |= uw_kind(s.ops.at[i]) == UW_OP_REDUCE && uw_attr_is_str(s.ops.at[i], "level", "warp");
    bool barrier = uw_kind(s.ops.at[i]) == UW_OP_BARRIER;
    meets |= is_meeting(s.ops.at[i]);
    s.meets |= barrier || is_meeting(s.ops.at[i]);
    if (barrier && (uw_attr_is_str(s.ops.at[i], "level", "grid") || uw_attr_is_str(s.ops.at[i], "level", "cluster")))
      return false;
  }
  s.guards = uw_loop_locks(arena, loop);
  s.words = uw_handed_words(arena, loop, s.guards);
  MlirValue condition = uw_operand(uw_last(uw_block(loop, 0)), 0);
  if (!leads_to_poll(&s, condition))
    return false;
  if (meets && !uw_depends_on_carried(arena, loop, condition) && !block_votes(&s))
    return false;
  return uw_may_rest(arena, loop, condition, decided_by_others, &s, /*turns=*/true);
}

bool uw_looks_at_others(uw_arena *arena, MlirOperation loop) {
  search s = {.arena = arena,
              .loop = loop,
              .ops = uw_collect(arena, loop),
              .source = UW_OTHER_BLOCKS,
              .seen = uw_table_create(arena),
              .looks = true};
  return leads_to_poll(&s, uw_operand(uw_last(uw_block(loop, 0)), 0));
}
