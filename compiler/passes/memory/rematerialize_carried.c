/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads again what threads carry around a loop with barriers, where it is what they loaded in an earlier iteration. A
 * march through planes of an array keeps the cells below, here and above in registers; where threads take turns
 * (interchange.c), each of these is an array in memory, which is copied in each iteration. A CPU's caches still hold
 * what was loaded an iteration ago.
 *
 *   %a = load %in[%x]                                      for %z … iter_args(%far = 0) {
 *   for %z … iter_args(%far = 0, %here = %a) {               use(load %in[%x + %far])
 *     %above = load %in[%x + %far + %n]            ==>       barrier
 *     use(%here)                                             use(load %in[%x + %far])
 *     barrier                                                yield %far + %n }
 *     use(%here)
 *     yield %far + %n, %above }
 *
 * A carried value is recalled when
 *   a) the loop holds a barrier of the block, and neighbours in a row of threads load neighbours: they will go along the rows together;
 *   b) what the iteration yields is a plain load, or another value that is recalled; under a condition from before the loop it may be a load,
 *      and otherwise always one value from before the loop;
 *   c) the address is a sum of what is known before the loop and of what the loop steps by such values: its counter, distances. With the
 *      values that these had an iteration before, it is where the value of this iteration was loaded; with those that they start with, it is the
 *      address that the initial value was loaded from, under the same condition;
 *   d) nothing in the kernel writes to the object that is read (analysis/effects.h).
 *
 * By induction over the iterations, it is then what memory holds at the initial address and so many steps: sums hold
 * modulo 2^64 (uw_linear_in_64), so that this is one address and not a similar one. The thread itself has made that
 * very load in an earlier iteration or before the loop, so it does not fault; where the condition does not follow from
 * those around a use, it is asked again. After the loop the distances are those that it ends with. The load of the
 * iteration may wait in the same way, for uses after the barrier.
 *
 * Requires: for loops made (while-to-for), values of threads taken apart (split-induction). Preserves: all values, in programs
 * that do not race. Refuses: all else, silently. */
#include "../../analysis/access_map.h"
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "../passes.h"
#include "../rows/guard.h"

enum { BOUNDS = 3 };

/* What a value of the loop always is: a load, or under a condition that does not hold another value. */
typedef struct recalled {
  bool known;
  MlirValue condition, otherwise; /* null: none */
  bool negated;
  MlirOperation load;  /* the initial one */
  MlirOperation again; /* the iteration's */
  uw_linear place;     /* in bytes from the base, in each iteration */
  MlirValue ends[2];   /* the initial value, and what an iteration yields */
} recalled;

typedef struct march {
  uw_arena *arena;
  uw_effects *effects;
  MlirOperation threads, loop;
  MlirBlock body;
  size_t count; /* of carried values */
  recalled *carried;
} march;

static MlirValue argument(const march *m, size_t i) { return mlirBlockGetArgument(m->body, (intptr_t)i + 1); }
static MlirValue initial(const march *m, size_t i) { return uw_operand(m->loop, i + BOUNDS); }
static MlirValue yielded(const march *m, size_t i) { return uw_operand(uw_last(m->body), i); }

/* Which of the loop's block arguments is it? 0: the counter. -1: none of them. */
static int64_t argument_number(const march *m, MlirValue value) {
  bool own = value.ptr && mlirValueIsABlockArgument(value) && mlirBlockEqual(uw_value_block(value), m->body);
  return own ? (int64_t)mlirBlockArgumentGetArgNumber(value) : -1;
}

static bool is_outside(const march *m, MlirValue value) { return !value.ptr || !uw_defined_inside(value, m->loop); }

/* --- what is it? -------------------------------------------------------------------------------------------------- */

static bool is_plain_load(MlirOperation op) { return uw_kind(op) == UW_OP_LLVM_LOAD && uw_plain_access(op); }

static bool is_constant_like(MlirOperation op) {
  return uw_kind(op) == UW_OP_ARITH_CONSTANT || uw_kind(op) == UW_OP_LLVM_CONSTANT;
}

static bool is_same_value(MlirValue a, MlirValue b) {
  MlirOperation from = uw_def(a), other = uw_def(b);
  if (uw_same(a, b))
    return true;
  return is_constant_like(from) && is_constant_like(other) && mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) &&
         mlirAttributeEqual(uw_get_attr(from, "value"), uw_get_attr(other, "value"));
}

/* A load, or a branch one arm of which yields one. */
static bool read_load(MlirValue value, recalled *r) {
  MlirOperation op = uw_def(value);
  *r = (recalled){.known = true, .load = op};
  if (is_plain_load(op))
    return true;
  if (uw_kind(op) != UW_OP_SCF_IF)
    return false;
  size_t result = 0;
  while (!uw_same(uw_result(op, result), value))
    result++;
  for (unsigned arm = 0; arm < 2; arm++) {
    MlirOperation load = uw_def(uw_operand(uw_last(uw_block(op, arm)), result));
    if (!is_plain_load(load) || !mlirBlockEqual(mlirOperationGetBlock(load), uw_block(op, arm)))
      continue;
    *r = (recalled){.known = true,
                    .load = load,
                    .condition = uw_operand(op, 0),
                    .negated = arm == 1,
                    .otherwise = uw_operand(uw_last(uw_block(op, 1 - arm)), result)};
    return true;
  }
  return false;
}

/* The sum with what its terms have more by `of`, taken factor times: the steps of an iteration, or what the loop starts
 * with. */
static bool change_terms(const march *m, uw_linear *sum, bool start, int64_t factor) {
  uw_linear result = *sum, zero = {.known = true, .exact = true};
  for (size_t i = 0; i < sum->count; i++) {
    uw_term term = sum->terms[i];
    if (argument_number(m, term.symbol) < 0 && argument_number(m, term.scale) >= 0) {
      MlirValue swap = term.symbol;
      term.symbol = term.scale;
      term.scale = swap;
    }
    int64_t number = argument_number(m, term.symbol);
    if (!is_outside(m, term.scale) || (number < 0 && !is_outside(m, term.symbol)))
      return false;
    if (number < 0)
      continue;
    bool unsign = !mlirAttributeIsNull(uw_get_attr(m->loop, "unsignedCmp"));
    if (number == 0 && unsign)
      return false;
    uw_linear change = uw_linear_in_64(number == 0 ? uw_operand(m->loop, start ? 0 : 2)
                                       : start     ? initial(m, (size_t)number - 1)
                                                   : yielded(m, (size_t)number - 1));
    uw_linear own = zero;
    own.count = 1;
    own.terms[0] = (uw_term){term.symbol, {NULL}, 1};
    if (start || number > 0) /* from the value itself to its start, or the next one */
      change = uw_linear_sum(&change, &own, -1);
    for (size_t k = 0; k < change.count && change.known; k++) {
      uw_term *part = &change.terms[k];
      bool is_own = uw_same(part->symbol, term.symbol) && !part->scale.ptr;
      if ((!is_own && (!is_outside(m, part->symbol) || !is_outside(m, part->scale))) ||
          (term.scale.ptr && part->scale.ptr) || (is_own && !start))
        return false;
      part->scale = term.scale.ptr ? term.scale : part->scale;
    }
    if (change.known && change.constant && term.scale.ptr) {
      uw_linear scaled = zero;
      scaled.count = 1;
      scaled.terms[0] = (uw_term){term.scale, {NULL}, change.constant};
      change.constant = 0;
      change = uw_linear_sum(&change, &scaled, 1);
    }
    result = uw_linear_sum(&result, &change, factor * term.factor);
    if (!result.known)
      return false;
  }
  *sum = result;
  return true;
}

/* Neighbours load neighbours. */
static bool is_along_row(const march *m, MlirOperation load) {
  MlirBlock body = uw_block(m->threads, 0);
  MlirValue id = mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - 1);
  uw_address at = uw_address_of(uw_operand(load, 0));
  return uw_goes_along(&at, id, (int64_t)uw_type_bytes(mlirValueGetType(uw_result(load, 0))));
}

/* What the carried value is in each iteration, by what the iteration yields and what the loop starts with. */
static bool recognise(const march *m, size_t i, recalled *r) {
  recalled first, next;
  int64_t other = argument_number(m, yielded(m, i));
  if (!read_load(initial(m, i), &first) || !is_plain_load(first.load) || !uw_inside(first.load, m->threads))
    return false;
  uw_address start = uw_address_in_64(uw_operand(first.load, 0));
  if (other > 0) {
    next = m->carried[other - 1];
    if (!next.known)
      return false;
  } else {
    if (!read_load(yielded(m, i), &next) || !uw_inside(next.load, m->loop))
      return false;
    MlirOperation top = next.condition.ptr ? uw_parent(next.load) : next.load;
    uw_address address = uw_address_in_64(uw_operand(next.load, 0));
    if (!mlirBlockEqual(mlirOperationGetBlock(top), m->body) || !uw_same(address.base, start.base))
      return false;
    next.again = next.load;
    next.place = address.offset;
    if (next.otherwise.ptr && uw_same(next.otherwise, argument(m, i)))
      next.otherwise = first.otherwise;
  }
  bool is_same_case = uw_same(first.condition, next.condition) && first.negated == next.negated &&
                      is_outside(m, first.condition) &&
                      (!first.condition.ptr ||
                       (is_outside(m, first.otherwise) && !uw_defined_inside(first.otherwise, uw_parent(first.load)) &&
                        is_same_value(first.otherwise, next.otherwise)));
  if (!is_same_case || !uw_same(uw_address_in_64(uw_operand(next.load, 0)).base, start.base) ||
      !is_outside(m, start.base) ||
      !mlirTypeEqual(mlirValueGetType(uw_result(first.load, 0)), mlirValueGetType(uw_result(next.load, 0))) ||
      !next.place.known || !start.offset.known || !change_terms(m, &next.place, false, -1))
    return false;
  uw_linear at_start = next.place;
  if (!change_terms(m, &at_start, true, 1) || !uw_linear_equal(&at_start, &start.offset))
    return false;
  *r = next;
  r->load = first.load;
  r->otherwise = first.otherwise;
  r->ends[0] = initial(m, i);
  r->ends[1] = other > 0 ? r->ends[0] : yielded(m, i);
  return is_along_row(m, first.load) && uw_reads_constant(m->effects, m->threads, first.load);
}

/* --- where is the condition known? -------------------------------------------------------------------------------- */

/* A comparison with sign as a sum that is not above 0. */
static bool read_comparison(const uw_conjunct *c, uw_linear *sum) {
  MlirOperation compare = uw_def(c->value);
  if (uw_kind(compare) != UW_OP_ARITH_CMPI || !mlirTypeIsAInteger(mlirValueGetType(uw_operand(compare, 0))) ||
      mlirIntegerTypeGetWidth(mlirValueGetType(uw_operand(compare, 0))) != 32)
    return false;
  uw_linear left = uw_linear_in_64(uw_operand(compare, 0)), right = uw_linear_in_64(uw_operand(compare, 1));
  uw_linear gap = uw_linear_sum(&left, &right, -1), zero = {.known = true, .exact = true};
  int64_t factor;
  switch ((uw_predicate)uw_get_int_attr(compare, "predicate", UW_EQ)) {
  case UW_SLT: zero.constant = !c->negated, factor = c->negated ? -1 : 1; break;
  case UW_SLE: zero.constant = c->negated, factor = c->negated ? -1 : 1; break;
  case UW_SGT: zero.constant = !c->negated, factor = c->negated ? 1 : -1; break;
  case UW_SGE: zero.constant = c->negated, factor = c->negated ? 1 : -1; break;
  default: return false;
  }
  *sum = uw_linear_sum(&zero, &gap, factor);
  return sum->known;
}

static bool follows(const uw_conjunct *goal, const uw_guard *facts) {
  uw_linear wanted, known;
  bool compares = read_comparison(goal, &wanted);
  for (size_t i = 0; i < facts->count; i++) {
    if (uw_same(goal->value, facts->at[i].value) && goal->negated == facts->at[i].negated)
      return true;
    if (!compares || !read_comparison(&facts->at[i], &known))
      continue;
    uw_linear gap = uw_linear_sum(&wanted, &known, -1);
    if (gap.known && gap.count == 0 && gap.constant <= 0)
      return true;
  }
  return false;
}

typedef enum answer { OPEN, HOLDS, FAILS } answer;

/* Does the condition of r hold where op stands? */
static answer ask(const march *m, const recalled *r, MlirOperation op) {
  uw_guard facts = {.count = 0}, goals = {.count = 0};
  if (!r->condition.ptr)
    return HOLDS;
  for (MlirOperation above = uw_parent(op); !uw_same_op(above, m->threads); op = above, above = uw_parent(above))
    if (uw_kind(above) == UW_OP_SCF_IF) {
      uw_guard more = facts;
      bool in_else = !mlirBlockEqual(mlirOperationGetBlock(op), uw_block(above, 0));
      if (uw_same(uw_operand(above, 0), r->condition))
        return in_else == r->negated ? HOLDS : FAILS;
      if (uw_guard_add(&more, uw_operand(above, 0), in_else))
        facts = more;
    }
  if (!uw_guard_add(&goals, r->condition, r->negated))
    return OPEN;
  for (size_t i = 0; i < goals.count; i++)
    if (!follows(&goals.at[i], &facts))
      return OPEN;
  return HOLDS;
}

/* --- loading it again --------------------------------------------------------------------------------------------- */

static bool is_in_sight(const march *m, MlirValue value, MlirOperation op) {
  bool in_sight = !uw_defined_inside(value, m->threads);
  for (; !in_sight && !uw_same_op(op, m->threads); op = uw_parent(op))
    in_sight = mlirBlockEqual(mlirOperationGetBlock(op), uw_value_block(value));
  return in_sight;
}

typedef struct place {
  const march *march;
  MlirOperation at;
} place;

static bool is_in_sight_there(const void *of, MlirValue value) {
  const place *there = of;
  return is_in_sight(there->march, value, there->at);
}

static bool is_clonable(const march *m, MlirValue value, MlirOperation at) {
  return uw_can_compute_again(&(uw_again){.stays = is_in_sight_there, .of = &(place){m, at}}, value);
}

static MlirValue compute_at(const march *m, uw_builder *b, MlirValue value, MlirOperation at, uw_map *map) {
  if (is_in_sight(m, value, at) || uw_map_get(map, value).ptr)
    return uw_map_or_same(map, value);
  MlirOperation op = uw_def(value);
  for (size_t i = 0; i < uw_operand_count(op); i++)
    compute_at(m, b, uw_operand(op, i), at, map);
  uw_clone(b, op, map);
  return uw_map_get(map, value);
}

static MlirValue in_64(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = uw_int_type(b->context, 64);
  if (mlirTypeEqual(type, i64))
    return value;
  return uw_build1(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", .in = VALS(value),
                   .out = TYPES(i64));
}

/* factor * (what the value is now - what it started with) */
static MlirValue distance(const march *m, uw_builder *b, const uw_term *term, bool after) {
  bool is_symbol = argument_number(m, term->symbol) >= 0;
  MlirValue own = is_symbol ? term->symbol : term->scale, scale = is_symbol ? term->scale : term->symbol;
  size_t number = (size_t)argument_number(m, own);
  MlirValue first = number == 0 ? uw_operand(m->loop, 0) : initial(m, number - 1);
  MlirValue end = {NULL};
  if (after) /* a counter of step 1 ends where it has to, or where it starts */
    end = number == 0 ? uw_binary(b, "arith.maxsi", uw_operand(m->loop, 1), first) : uw_result(m->loop, number - 1);
  MlirValue far = in_64(b, after ? end : own);
  int64_t start;
  if (!uw_const_value(first, &start) || start != 0)
    far = uw_binary(b, "arith.subi", far, in_64(b, first));
  if (scale.ptr)
    far = uw_binary(b, "arith.muli", far, in_64(b, scale));
  return uw_binary(b, "arith.muli", far, uw_const_int(b, 64, term->factor));
}

static MlirValue load_at(uw_builder *b, MlirValue pointer, MlirOperation like) {
  MlirType type = mlirValueGetType(uw_result(like, 0));
  int64_t alignment = uw_get_int_attr(like, "alignment", (int64_t)uw_type_align(type));
  MlirValue value = uw_build1(b, "llvm.load", .in = VALS(pointer), .out = TYPES(type),
                              .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, alignment)}));
  MlirAttribute restricted = uw_get_attr(like, "unwarp.restrict");
  if (!mlirAttributeIsNull(restricted))
    uw_set_attr(uw_def(value), "unwarp.restrict", restricted);
  return value;
}

/* The load of the iteration itself, or the one that it was in an earlier iteration. */
static MlirValue load_again(const march *m, uw_builder *b, MlirOperation at, const recalled *r, bool of_iteration,
                            bool after) {
  MlirOperation like = of_iteration ? r->again : r->load;
  MlirValue pointer = compute_at(m, b, uw_operand(like, 0), at, uw_map_create(m->arena)), far = {NULL};
  for (size_t i = 0; i < r->place.count && !of_iteration; i++) {
    if (argument_number(m, r->place.terms[i].symbol) < 0 && argument_number(m, r->place.terms[i].scale) < 0)
      continue;
    MlirValue more = distance(m, b, &r->place.terms[i], after);
    far = far.ptr ? uw_binary(b, "arith.addi", far, more) : more;
  }
  if (far.ptr)
    pointer = uw_add_bytes(b, pointer, far);
  return load_at(b, pointer, like);
}

/* The value in the place of a use. */
static MlirValue recall_at(const march *m, MlirOperation use, const recalled *r, bool of_iteration, bool after) {
  MlirOperation at = use;
  MlirOperation outside = after ? m->threads : m->loop;
  for (MlirOperation above = uw_parent(use); !uw_same_op(above, outside); above = uw_parent(above))
    if (uw_kind(above) != UW_OP_SCF_IF) /* a loop of its own needs it once */
      at = above;
  uw_builder b = uw_at(at);
  answer known = ask(m, r, at);
  if (known == FAILS)
    return r->otherwise;
  if (known == HOLDS)
    return load_again(m, &b, at, r, of_iteration, after);
  MlirType types[] = {mlirValueGetType(r->otherwise)};
  MlirOperation branch = uw_build_if(&b, r->condition, (uw_type_list){types, 1});
  MlirBlock loads = uw_block(branch, r->negated), none = uw_block(branch, !r->negated);
  uw_yield(none, b.location, VALS(r->otherwise));
  uw_builder inner = uw_at_end(loads, b.location);
  uw_yield(loads, b.location, VALS(load_again(m, &inner, branch, r, of_iteration, after)));
  return uw_result(branch, 0);
}

typedef struct use {
  MlirOperation user;
  size_t operand;
} use;

static use *uses_of(uw_arena *arena, MlirValue value, size_t *count) {
  *count = 0;
  for (MlirOpOperand o = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(o); o = mlirOpOperandGetNextUse(o))
    ++*count;
  use *all = uw_alloc(arena, (*count + 1) * sizeof *all), *next = all;
  for (MlirOpOperand o = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(o); o = mlirOpOperandGetNextUse(o))
    *next++ = (use){mlirOpOperandGetOwner(o), mlirOpOperandGetOperandNumber(o)};
  return all;
}

/* Is the operand what the loop yields for a value that is recalled? That goes. */
static bool goes(const march *m, const use *u) {
  return uw_same_op(u->user, uw_last(m->body)) && m->carried[u->operand].known;
}

static void recall_uses(const march *m, MlirValue value, const recalled *r, bool of_iteration, bool after) {
  size_t count;
  use *uses = uses_of(m->arena, value, &count);
  for (size_t i = 0; i < count; i++) {
    bool in_arm = of_iteration && uw_same_op(uw_parent(uses[i].user), uw_parent(r->again)) && r->condition.ptr;
    if (!goes(m, &uses[i]) && !in_arm)
      mlirOperationSetOperand(uses[i].user, (intptr_t)uses[i].operand,
                              recall_at(m, uses[i].user, r, of_iteration, after));
  }
}

/* What a branch yields that is used no more. */
static void drop_yielded(const recalled *r, MlirValue value) {
  MlirOperation branch = uw_def(value);
  if (uw_kind(branch) != UW_OP_SCF_IF || !mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    return;
  for (size_t i = 0; i < uw_result_count(branch); i++)
    if (uw_same(uw_result(branch, i), value))
      mlirOperationSetOperand(uw_last(uw_block(branch, r->negated)), (intptr_t)i, r->otherwise);
}

/* A loop without the values that are recalled. */
static void rebuild(march *m) {
  uw_vals inits = {0}, nexts = {0};
  uw_builder b = uw_at(m->loop);
  for (size_t i = 0; i < m->count; i++)
    if (!m->carried[i].known) {
      uw_vals_push(m->arena, &inits, initial(m, i));
      uw_vals_push(m->arena, &nexts, yielded(m, i));
    }
  MlirOperation copy =
      uw_build_for(&b, uw_operand(m->loop, 0), uw_operand(m->loop, 1), uw_operand(m->loop, 2), VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(m->loop, "unsignedCmp")))
    uw_set_attr(copy, "unsignedCmp", mlirUnitAttrGet(b.context));
  MlirBlock body = uw_block(copy, 0);
  MlirOperation yield = uw_last(m->body);
  uw_foreach_op_safe (op, m->body)
    if (!uw_same_op(op, yield))
      uw_move_to_end(op, body);
  uw_yield(body, b.location, VALS_OF(nexts));
  uw_erase(yield);
  uw_replace_uses(mlirBlockGetArgument(m->body, 0), mlirBlockGetArgument(body, 0));
  for (size_t i = 0, kept = 0; i < m->count; i++) {
    if (m->carried[i].known)
      continue;
    uw_replace_uses(argument(m, i), mlirBlockGetArgument(body, (intptr_t)kept + 1));
    uw_replace_uses(uw_result(m->loop, i), uw_result(copy, kept++));
  }
  uw_erase(m->loop);
  for (size_t i = 0; i < m->count; i++)
    for (size_t k = 0; m->carried[i].known && k < 2; k++)
      drop_yielded(&m->carried[i], m->carried[i].ends[k]);
  uw_drop_unused(m->arena, m->threads);
}

/* After the loop the counter is not at hand: is it known where it ends? */
static bool is_known_after(const march *m, const recalled *r) {
  int64_t step;
  bool by_one = uw_const_value(uw_operand(m->loop, 2), &step) && step == 1;
  for (size_t i = 0; i < r->place.count; i++)
    if (!by_one &&
        (argument_number(m, r->place.terms[i].symbol) == 0 || argument_number(m, r->place.terms[i].scale) == 0))
      return false;
  return true;
}

static bool can_recall(const march *m, size_t i, recalled *r) {
  bool used_after = !mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(m->loop, i)));
  return recognise(m, i, r) && is_clonable(m, uw_operand(r->load, 0), m->loop) &&
         is_clonable(m, uw_operand(r->again, 0), uw_last(m->body)) && (!used_after || is_known_after(m, r));
}

static bool recall(march *m) {
  size_t known = 0;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < m->count; i++) {
      recalled r;
      if (m->carried[i].known || !can_recall(m, i, &r))
        continue;
      m->carried[i] = r;
      known++;
      more = true;
    }
  }
  if (known == 0)
    return false;
  uw_remark(mlirOperationGetLocation(m->loop), "rematerialize-carried",
            "values carried around the loop are loaded again where they are used: %d", (int)known);
  for (size_t i = 0; i < m->count; i++) {
    recalled *r = &m->carried[i];
    if (!r->known)
      continue;
    MlirValue next = yielded(m, i);
    recall_uses(m, argument(m, i), r, false, false);
    recall_uses(m, uw_result(m->loop, i), r, false, true);
    if (argument_number(m, next) < 0)
      recall_uses(m, next, r, true, false);
  }
  rebuild(m);
  return true;
}

uw_change uw_pass_rematerialize_carried(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FOR);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation threads = uw_parent_of_kind(loops.at[i], UW_OP_SCF_FORALL);
    if (uw_result_count(loops.at[i]) == 0 || !uw_has_exchange(loops.at[i], "block") || uw_null(threads) ||
        !uw_is_over(threads, UW_OVER_THREADS))
      continue;
    uw_arena *arena = uw_arena_create();
    march m = {arena,       uw_effects_of(arena, threads), threads,
               loops.at[i], uw_block(loops.at[i], 0),      uw_result_count(loops.at[i]),
               NULL};
    m.carried = uw_alloc(arena, m.count * sizeof *m.carried);
    if (recall(&m))
      change = UW_CHANGED;
    uw_arena_destroy(arena);
  }
  return change;
}
