/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which values of a while loop come to rest: see carried.h.
 *
 * Between the loop's arguments there are edges: the next value of one is passed on from another, or computed from it, or
 * chosen by it. An argument that is computed from itself, by way of others or not, counts iterations: it never rests. One
 * that is only passed on does, and so does one that is computed from arguments that rest. Where what others write decides
 * which of two values is passed on, the one that lets the argument rest counts, if there is one: a loop that counts what
 * it found goes on looking where nothing comes. Ways on which the loop ends do not count.
 *
 * An atomic operation gives what memory holds, whatever it leaves there. A minimum, a maximum, and bits that are set or
 * masked come to rest by themselves.
 */
#include "carried.h"

enum { MOST_ARGUMENTS = 256, MOST_STEPS = 20000, MOST_ARMS = 8 };

/* How a value depends on another one, from the weakest. */
typedef enum edge { NONE, CHOSEN, PASSED, COMPUTED } edge;

typedef struct carried {
  uw_arena *arena;
  MlirOperation loop;
  size_t count; /* of arguments */
  uw_decided *decided;
  void *context;
  bool apart;        /* choices take their arms apart */
  bool turns;        /* what goes round among several arguments rests */
  MlirValue goes_on; /* the loop's condition on the way that is looked at */
  size_t steps;
} carried;

/* What one value depends on. */
typedef struct trace {
  uw_table *seen; /* values, with the strongest edge to them */
  edge *to;       /* by argument */
  size_t of;      /* the argument whose next value it is; count: of none */
} trace;

static trace new_trace(const carried *c, size_t of) {
  trace t = {uw_table_create(c->arena), uw_alloc(c->arena, (c->count + 1) * sizeof(edge)), of};
  for (size_t i = 0; i < c->count; i++)
    t.to[i] = NONE;
  return t;
}

static void visit(carried *c, trace *t, MlirValue value, edge how);

static edge at_least_computed(edge how) { return how == PASSED ? COMPUTED : how; }

static MlirValue yielded(MlirOperation op, unsigned region, size_t which) {
  return uw_operand(uw_last(uw_block(op, region)), which);
}

static MlirValue passed_to_body(MlirOperation loop, size_t which) { return yielded(loop, 0, which + 1); }

static void visit_operands(carried *c, trace *t, MlirOperation op, edge how) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    visit(c, t, uw_operand(op, i), how);
}

static void visit_argument(carried *c, trace *t, MlirValue value, edge how) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation owner = mlirBlockGetParentOperation(block);
  size_t which = (size_t)mlirBlockArgumentGetArgNumber(value);
  if (uw_kind(owner) != UW_OP_SCF_WHILE) {
    visit_operands(c, t, owner, at_least_computed(how));
  } else if (mlirBlockEqual(block, uw_block(owner, 1))) {
    visit(c, t, passed_to_body(owner, which), how);
  } else if (uw_same_op(owner, c->loop)) {
    if (t->to[which] < how)
      t->to[which] = how;
  } else {
    visit(c, t, uw_operand(owner, which), how);
    visit(c, t, yielded(owner, 1, which), how);
  }
}

/* --- choices ------------------------------------------------------------------------------------------------------ */

/* Whether the loop goes on, as the arm of the if says it, where the if says it. */
static MlirValue goes_on_in(const carried *c, MlirOperation choice, unsigned arm) {
  bool here = c->goes_on.ptr && uw_same_op(uw_def(c->goes_on), choice);
  return here ? yielded(choice, arm, (size_t)mlirOpResultGetResultNumber(c->goes_on)) : c->goes_on;
}

static bool is_undefined(MlirValue value) {
  MlirOperation op = uw_def(value);
  return !uw_null(op) && (uw_string_is(uw_name(op), "ub.poison") || uw_kind(op) == UW_OP_LLVM_POISON ||
                          uw_kind(op) == UW_OP_LLVM_UNDEF);
}

/* Or hands on nothing, as the last iteration does. */
static bool ends_loop(const carried *c, MlirOperation choice, unsigned arm, size_t which) {
  int64_t goes_on;
  if (is_undefined(yielded(choice, arm, which)))
    return true;
  return c->goes_on.ptr && uw_const_value(goes_on_in(c, choice, arm), &goes_on) && !goes_on;
}

typedef struct arm {
  MlirValue value, goes_on; /* goes_on: with that */
} arm;

static void visit_arm(carried *c, trace *t, const arm *way, edge how) {
  MlirValue goes_on = c->goes_on;
  c->goes_on = way->goes_on;
  visit(c, t, way->value, how);
  c->goes_on = goes_on;
}

/* The arms are looked at apart; those that compute the argument from itself do not count if another one does not. */
static void visit_arms(carried *c, trace *t, const arm *arms, size_t count, bool one_is_enough, edge how) {
  if (!one_is_enough || count < 2) {
    for (size_t i = 0; i < count; i++)
      visit_arm(c, t, &arms[i], how);
    return;
  }
  trace apart[MOST_ARMS];
  bool rests[MOST_ARMS], any_rests = false;
  for (size_t i = 0; i < count; i++) {
    apart[i] = new_trace(c, t->of);
    visit_arm(c, &apart[i], &arms[i], how);
    rests[i] = apart[i].to[t->of] != COMPUTED;
    any_rests = any_rests || rests[i];
  }
  for (size_t i = 0; i < count; i++)
    for (size_t a = 0; a < c->count && (rests[i] || !any_rests); a++)
      if (t->to[a] < apart[i].to[a])
        t->to[a] = apart[i].to[a];
}

static bool may_choose(const carried *c, MlirValue condition, edge how) {
  return c->apart && how == PASSED && c->decided(c->context, condition);
}

/* An if or a switch. */
static void visit_choice(carried *c, trace *t, MlirOperation choice, size_t which, edge how) {
  arm arms[MOST_ARMS];
  size_t count = 0, regions = (size_t)uw_region_count(choice);
  visit(c, t, uw_operand(choice, 0), CHOSEN);
  if (regions > MOST_ARMS) {
    for (unsigned i = 0; i < regions; i++)
      visit(c, t, yielded(choice, i, which), how);
    return;
  }
  for (unsigned i = 0; i < regions; i++)
    if (how != PASSED || !ends_loop(c, choice, i, which))
      arms[count++] = (arm){yielded(choice, i, which), goes_on_in(c, choice, i)};
  visit_arms(c, t, arms, count, count > 1 && may_choose(c, uw_operand(choice, 0), how), how);
}

static void visit_select(carried *c, trace *t, MlirOperation choice, edge how) {
  const arm arms[2] = {{uw_operand(choice, 1), c->goes_on}, {uw_operand(choice, 2), c->goes_on}};
  visit(c, t, uw_operand(choice, 0), CHOSEN);
  visit_arms(c, t, arms, 2, may_choose(c, uw_operand(choice, 0), how), how);
}

/* n + found: a count of what was found is n where nothing was. */
static bool visit_count(carried *c, trace *t, MlirOperation sum, edge how) {
  for (size_t i = 0; i < 2; i++) {
    MlirOperation found = uw_def(uw_operand(sum, i));
    bool is_bit = uw_kind(found) == UW_OP_ARITH_EXTUI || uw_kind(found) == UW_OP_ARITH_EXTSI;
    if (is_bit && mlirTypeIsAInteger(mlirValueGetType(uw_operand(found, 0))) &&
        mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(found, 0))) == 1 &&
        may_choose(c, uw_operand(found, 0), how)) {
      visit(c, t, uw_operand(sum, i), CHOSEN);
      visit(c, t, uw_operand(sum, 1 - i), how);
      return true;
    }
  }
  return false;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void visit_result(carried *c, trace *t, MlirOperation op, size_t which, edge how) {
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH: visit_choice(c, t, op, which, how); return;
  case UW_OP_ARITH_SELECT: visit_select(c, t, op, how); return;
  case UW_OP_SCF_WHILE:
    visit(c, t, yielded(op, 0, 0), at_least_computed(how));
    visit(c, t, passed_to_body(op, which), how);
    return;
  case UW_OP_ARITH_ADDI:
    if (visit_count(c, t, op, how))
      return;
    break;
  case UW_OP_LLVM_ATOMICRMW: /* gives what memory holds, whatever it leaves there */
  case UW_OP_LLVM_CMPXCHG: visit(c, t, uw_operand(op, 0), at_least_computed(how)); return;
  case UW_OP_ARITH_EXTUI:
  case UW_OP_ARITH_EXTSI:
  case UW_OP_ARITH_TRUNCI:
  case UW_OP_LLVM_FREEZE:
  case UW_OP_ARITH_ANDI:
  case UW_OP_ARITH_ORI:
  case UW_OP_ARITH_MINSI:
  case UW_OP_ARITH_MINUI:
  case UW_OP_ARITH_MAXSI:
  case UW_OP_ARITH_MAXUI: visit_operands(c, t, op, how); return;
  default: break;
  }
  visit_operands(c, t, op, at_least_computed(how));
}

static void visit(carried *c, trace *t, MlirValue value, edge how) {
  if (!uw_defined_inside(value, c->loop) || uw_table_get(t->seen, value.ptr) >= (intptr_t)how ||
      c->steps++ > MOST_STEPS)
    return;
  uw_table_set(t->seen, value.ptr, (intptr_t)how);
  MlirOperation op = uw_def(value);
  if (uw_null(op))
    visit_argument(c, t, value, how);
  else
    visit_result(c, t, op, (size_t)mlirOpResultGetResultNumber(value), how);
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

/* The edges from the argument's next value. Each choice that others decide takes both of its arms apart, and that
 * multiplies: it is done where the argument counts if all arms do. */
static trace next_value(carried *c, size_t argument) {
  trace all = new_trace(c, argument), apart = new_trace(c, argument);
  MlirValue next = yielded(c->loop, 1, argument);
  c->goes_on = yielded(c->loop, 0, 0);
  visit(c, &all, next, PASSED);
  if (all.to[argument] != COMPUTED || is_undefined(uw_operand(c->loop, argument)))
    return all;
  c->apart = true;
  c->steps = 0;
  visit(c, &apart, next, PASSED);
  c->apart = false;
  return c->steps > MOST_STEPS ? all : apart;
}

/* Sets the edges of the arguments that the first ones lead to; by [from * count + to]. */
static edge *edges_from(carried *c, const edge *first) {
  size_t n = c->count;
  edge *edges = uw_alloc(c->arena, (n * n + 1) * sizeof *edges);
  enum { UNKNOWN, REACHED, DONE } *states = uw_alloc(c->arena, (n + 1) * sizeof *states);
  for (size_t i = 0; i < n * n; i++)
    edges[i] = NONE;
  for (size_t i = 0; i < n; i++)
    states[i] = first[i] == NONE ? UNKNOWN : REACHED;
  for (size_t i = 0; i < n;) {
    if (states[i] != REACHED) {
      i++;
      continue;
    }
    trace t = next_value(c, i);
    states[i] = DONE;
    for (size_t k = 0; k < n; k++) {
      edges[i * n + k] = t.to[k];
      if (t.to[k] != NONE && states[k] == UNKNOWN)
        states[k] = REACHED;
    }
    i = 0;
  }
  return edges;
}

/* Whether an argument that the first ones lead to is computed from itself, from where it has a value: a variable that an
 * iteration sets before it looks at it is carried on some ways only. */
static bool one_counts(carried *c, const edge *first) {
  size_t n = c->count;
  const edge *edges = edges_from(c, first);
  bool *linked = uw_alloc(c->arena, n * n + 1);
  for (size_t i = 0; i < n * n; i++)
    linked[i] = edges[i] >= PASSED;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n && linked[i * n + k]; j++)
        linked[i * n + j] |= linked[k * n + j];
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      if (edges[i * n + k] >= (c->turns || i == k ? COMPUTED : PASSED) && !is_undefined(uw_operand(c->loop, i)) &&
          (i == k || linked[k * n + i]))
        return true;
  return false;
}

static carried start(uw_arena *arena, MlirOperation loop) {
  return (carried){.arena = arena, .loop = loop, .count = (size_t)mlirBlockGetNumArguments(uw_block(loop, 0))};
}

bool uw_may_rest(uw_arena *arena, MlirOperation loop, MlirValue value, uw_decided *decided, void *context, bool turns) {
  carried c = start(arena, loop);
  c.decided = decided;
  c.context = context;
  c.turns = turns;
  if (c.count > MOST_ARGUMENTS)
    return false;
  trace t = new_trace(&c, c.count);
  visit(&c, &t, value, CHOSEN);
  return !one_counts(&c, t.to) && c.steps <= MOST_STEPS;
}

bool uw_depends_on_carried(uw_arena *arena, MlirOperation loop, MlirValue value) {
  carried c = start(arena, loop);
  trace t = new_trace(&c, c.count);
  visit(&c, &t, value, CHOSEN);
  for (size_t i = 0; i < c.count; i++)
    if (t.to[i] != NONE)
      return true;
  return c.steps > MOST_STEPS;
}
