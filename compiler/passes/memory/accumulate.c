/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two passes, scalar-replace and accumulate. Both keep in a register what a serial loop of a thread adds up in one location of memory.
 *
 *   for (%k = %a to %b) {                          if (%a < %b, and %p lies apart from in[%a] … in[%b - 1]) {
 *     %x = load %p                                   %x0 = load %p
 *     %y = load %in[%k]                   ==>        %s = for (%k = %a to %b) iter(%x = %x0) {
 *     store %x + %y, %p }                              %y = load %in[%k]; yield %x + %y }
 *                                                    store %s, %p
 *                                                  } else the loop as it was
 *
 * What is left is a loop without a store in it. Loads from addresses that stay the same, of what the loop does not
 * write, are then made before it. Fields of one struct have one check, against the fields of another.
 *
 * scalar-replace runs before barriers are lowered, so that all passes that make rows of threads and lanes of them find a
 * sum as a local variable would hold it. What it has to ask it asks once for all threads, in front of the loop over
 * blocks, of which there are two versions then (apart.h):
 *
 *                                                        if (%n is positive, and %out lies apart from %in) {
 *   parallel %block { parallel %t {                        parallel %block { parallel %t {
 *     for (%k = 0 to %n) { add to %out[%t] }       ==>       the sum in a register } }
 *   } }                                                  } else the loop over blocks as it was
 *
 * accumulate is for loops of which that cannot be asked, and those of the other version: its check is each thread's own.
 * It runs before packets (accumulate-lanes), whose lanes would gather and scatter the sum in each iteration, and again
 * after it. Lanes take the version with registers where the check holds for all of them (UW_VERSIONS).
 *
 * Done for loads and stores of a floating-point value (LLVM takes integers, in vectors and with checks of its
 * own; measured, it does better alone, except where all stores are conditional) when a) all are plain, stand in the loop's
 * body or in ifs and fors in it, and surely touch the same bytes, at an address that is the same in all iterations; b)
 * the loop holds no exchange of threads, no call, no fence and no atomic; c) no other access of the loop touches these
 * bytes: because of what effects.h knows, or as a check before the loop shows (MOST_CHECKS of them), where its address
 * is a sum over the counter, so that it lies between those of the first and of the last iteration. In memory of the
 * block or the thread, where loops are short, nothing is asked; d) the thread surely touches the location: in every
 * iteration, or before the loop. Otherwise there may be nothing to load.
 *
 * A thread that would have stored nothing must not store: another one may. Where all stores are conditional, and the
 * thread has not stored there before the loop, or may have told another one since, it is carried along whether one was
 * made.
 *
 * Legal because other threads see memory at barriers only: one that reads the location meanwhile would race. A loop
 * that runs no iteration touches nothing, so it is asked first whether there is one. Requires: for loops (raise-for),
 * addresses that do not change outside of loops (simplify). Preserves: memory after the loop. Refuses: all else,
 * silently. Paper: SYCL-MLIR's detection of array reductions. */
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "../../transform/ranges.h"
#include "../barriers/thread_loop.h"
#include "../../raise/raise.h"
#include "apart.h"
#include "grid_atomics.h"

enum { MOST_PLACES = 8, MOST_CHECKS = 6, MOST_ACCESSES = 64, MOST_LOADS = 16 };

/* A location that the loop adds up in. */
typedef struct place {
  uw_access access; /* one of its stores */
  uw_ops all;       /* its loads and stores */
  bool flagged;     /* a thread may make none of the stores: then it must not store after the loop */
} place;

/* Neighbouring bytes, as the fields of one struct: of accesses that lie a constant distance from the first one. */
typedef struct span {
  uw_access first;
  int64_t low, high; /* bytes, from the first one's address */
} span;

/* They must not meet. */
typedef struct check {
  span own, other;
} check;

typedef struct accumulation {
  uw_arena *arena;
  uw_effects *effects;
  MlirOperation threads, loop;
  uw_accesses accesses;
  place places[MOST_PLACES];
  size_t count;
  check checks[MOST_CHECKS];
  size_t check_count;
  uw_ops loads;          /* of what the loop does not write, from addresses that do not change */
  uw_question *question; /* of scalar-replace; null: each thread asks */
  bool asks;             /* in front of the loop over blocks too whether there are iterations */
} accumulation;

static MlirValue counter(const accumulation *a) { return mlirBlockGetArgument(uw_block(a->loop, 0), 0); }
static MlirValue pointer_of(MlirOperation access) { return uw_operand(access, uw_kind(access) == UW_OP_LLVM_STORE); }

/* --- what fits ---------------------------------------------------------------------------------------------------- */

static bool is_at_top(const accumulation *a, MlirOperation op) { return uw_same_op(uw_parent(op), a->loop); }

/* Only arithmetic, branches, loops, and plain loads and stores. */
static bool holds_nothing_else(const accumulation *a) {
  uw_ops ops = uw_collect(a->arena, a->loop);
  for (size_t i = 0; i < ops.count; i++)
    if (!uw_plain_access(ops.at[i]) && !uw_effect_free(ops.at[i]) && mlirOperationGetNumRegions(ops.at[i]) == 0 &&
        !uw_name_starts(ops.at[i], "scf."))
      return false;
  return !uw_has_exchange(a->loop, "block") && !uw_has_exchange(a->loop, "warp");
}

static bool is_invariant(const accumulation *a, MlirValue value) {
  return uw_computable_outside(a->arena, value, a->loop, NULL);
}

/* The term of the address that counts; null if there is none. */
static const uw_term *counter_term(const accumulation *a, const uw_access *access) {
  const uw_linear *offset = &access->address.offset;
  for (size_t i = 0; i < offset->count; i++)
    if (uw_same(offset->terms[i].symbol, counter(a)) ||
        (offset->terms[i].scale.ptr && uw_same(offset->terms[i].scale, counter(a))))
      return &offset->terms[i];
  return NULL;
}

/* Is the address something that does not change in the loop, plus the counter times such a thing? Then it is enough to
 * look at where the access goes in the first iteration and in the last. */
static bool can_check(const accumulation *a, const uw_access *access) {
  const uw_linear *offset = &access->address.offset;
  size_t counting = 0;
  for (size_t i = 0; offset->known && i < offset->count; i++) {
    MlirValue parts[] = {offset->terms[i].symbol, offset->terms[i].scale};
    bool counts = false;
    for (size_t k = 0; k < 2; k++) {
      bool is_counter = parts[k].ptr && uw_same(parts[k], counter(a));
      if ((is_counter && counts) || (parts[k].ptr && !is_counter && !is_invariant(a, parts[k])))
        return false;
      counts = counts || is_counter;
    }
    counting += counts;
  }
  uw_map *known = uw_map_create(a->arena);
  uw_map_set(known, counter(a), counter(a));
  return access->bytes && offset->known && counting <= 1 && is_invariant(a, access->address.base) &&
         uw_computable_outside(a->arena, pointer_of(access->op), a->loop, known);
}

static bool is_access_of(const place *p, MlirOperation op) {
  for (size_t i = 0; i < p->all.count; i++)
    if (uw_same_op(p->all.at[i], op))
      return true;
  return false;
}

static bool touches(const place *p, MlirOperation op) {
  for (size_t i = 0; i < p->all.count; i++)
    if (uw_inside(p->all.at[i], op))
      return true;
  return false;
}

static span span_of(const uw_access *access) { return (span){*access, 0, (int64_t)access->bytes}; }

/* Makes the span hold the access too, if that lies near. */
static bool widen_span(span *s, const uw_access *access) {
  enum { NEAR = 256 };
  uw_address first = uw_address_in_64(pointer_of(s->first.op)), own = uw_address_in_64(pointer_of(access->op));
  int64_t gap;
  if (!uw_gap_between(&first, &own, &gap) || gap < -NEAR || gap > NEAR)
    return false;
  int64_t end = gap + (int64_t)access->bytes;
  s->low = gap < s->low ? gap : s->low;
  s->high = end > s->high ? end : s->high;
  return true;
}

/* Adds the check that the two lie apart, to one of their neighbours' if there is one. */
static bool add_check(accumulation *a, const uw_access *own, const uw_access *other) {
  for (size_t i = 0; i < a->check_count; i++) {
    check wider = a->checks[i];
    if (widen_span(&wider.own, own) && widen_span(&wider.other, other)) {
      a->checks[i] = wider;
      return true;
    }
  }
  if (a->check_count == MOST_CHECKS)
    return false;
  a->checks[a->check_count++] = (check){span_of(own), span_of(other)};
  return true;
}

/* The same in front of the loop over blocks. */
static bool ask(accumulation *a, const uw_access *own, const uw_access *other) {
  for (size_t i = 0; i < a->check_count; i++)
    if (uw_same_op(a->checks[i].own.first.op, own->op) && uw_same_place(&a->checks[i].other.first, other))
      return true;
  if (a->check_count == MOST_CHECKS || !uw_ask_apart(a->question, own, other))
    return false;
  a->checks[a->check_count++] = (check){span_of(own), span_of(other)};
  return true;
}

/* Adds the checks that the location needs; false if it cannot be kept. */
static bool lies_apart(accumulation *a, const place *p) {
  bool is_local = uw_is_made_inside(uw_def(p->access.address.base));
  for (size_t i = 0; i < a->accesses.count; i++) {
    const uw_access *other = &a->accesses.at[i];
    if (is_access_of(p, other->op) || !uw_meets_itself(uw_effects_launch(a->effects), &p->access, other))
      continue;
    if (is_local || uw_same_place(&p->access, other))
      return false;
    if (a->question ? !ask(a, &p->access, other) : !can_check(a, other) || !add_check(a, &p->access, other))
      return false;
  }
  return true;
}

/* Only ifs and fors between op and the loop: what carries a value through. */
static bool can_carry_to(const accumulation *a, MlirOperation op) {
  for (op = uw_parent(op); !uw_same_op(op, a->loop); op = uw_parent(op))
    if (uw_kind(op) != UW_OP_SCF_IF && uw_kind(op) != UW_OP_SCF_FOR)
      return false;
  return true;
}

/* Has the thread touched the location on the way to the loop, with a store if that is asked for? */
static bool is_touched_before(const accumulation *a, const place *p, bool with_store) {
  for (MlirOperation around = a->loop; !uw_same_op(around, a->threads); around = uw_parent(around)) {
    uw_foreach_op (op, mlirOperationGetBlock(around)) {
      if (uw_same_op(op, around))
        break;
      uw_accesses own = {0};
      if (!uw_plain_access(op) || (with_store && uw_kind(op) != UW_OP_LLVM_STORE))
        continue;
      uw_accesses_of(a->arena, op, &own);
      if (uw_same_place(&own.at[0], &p->access))
        return true;
    }
  }
  return false;
}

/* May the thread tell others, in front of the loop, that the location is theirs now? */
static bool may_tell(const accumulation *a) {
  uw_accesses all = {0};
  uw_effects_inside(a->effects, a->threads, &all);
  for (size_t i = 0; i < all.count; i++)
    if (all.at[i].anywhere || uw_is_atomic(all.at[i].op))
      return true;
  return uw_has_exchange(a->threads, "block") || uw_has_exchange(a->threads, "warp");
}

/* Gathers the loads and stores of the location that the store leads to; false if the value cannot be carried through
 * all of them. */
static bool gather(accumulation *a, place *p) {
  MlirType type = mlirValueGetType(uw_operand(p->access.op, 0));
  bool loads = false, always = false, always_stores = false;
  for (size_t i = 0; i < a->accesses.count; i++) {
    const uw_access *other = &a->accesses.at[i];
    if (!uw_same_place(&p->access, other))
      continue;
    MlirValue value = other->writes ? uw_operand(other->op, 0) : uw_result(other->op, 0);
    if (!mlirTypeEqual(mlirValueGetType(value), type) || !can_carry_to(a, other->op))
      return false;
    uw_ops_push(a->arena, &p->all, other->op);
    loads = loads || other->reads;
    always = always || is_at_top(a, other->op);
    always_stores = always_stores || (other->writes && is_at_top(a, other->op));
  }
  p->flagged = !always_stores && (may_tell(a) || !is_touched_before(a, p, true));
  return loads && (mlirTypeIsAFloat(type) || (mlirTypeIsAInteger(type) && !always_stores)) &&
         (always || is_touched_before(a, p, false));
}

static void take_back(accumulation *a, const accumulation *before, MlirValue asked) {
  *a = *before;
  if (a->question)
    a->question->asked = asked;
}

static void find_places(accumulation *a) {
  for (size_t s = 0; s < a->accesses.count && a->count < MOST_PLACES; s++) {
    place p = {.access = a->accesses.at[s]};
    bool known = !p.access.writes || !is_invariant(a, pointer_of(p.access.op));
    for (size_t i = 0; i < a->count; i++)
      known = known || is_access_of(&a->places[i], p.access.op);
    const accumulation before = *a;
    const MlirValue asked = a->question ? a->question->asked : (MlirValue){NULL};
    if (!known && uw_kind(p.access.op) == UW_OP_LLVM_STORE && gather(a, &p) && lies_apart(a, &p))
      a->places[a->count++] = p;
    else
      take_back(a, &before, asked);
  }
}

/* Loads that run in each iteration and lead to the same bytes, which nobody writes: they are made before the loop. Once
 * its sums are in registers, nothing else may be between lanes and whole registers. */
static void find_loads(accumulation *a) {
  for (size_t i = 0; i < a->accesses.count && a->loads.count < MOST_LOADS; i++) {
    const uw_access *own = &a->accesses.at[i];
    bool fits = uw_kind(own->op) == UW_OP_LLVM_LOAD && is_at_top(a, own->op) && is_invariant(a, pointer_of(own->op));
    for (size_t k = 0; fits && k < a->count; k++)
      fits = !is_access_of(&a->places[k], own->op);
    for (size_t k = 0; fits && k < a->accesses.count; k++)
      fits = !a->accesses.at[k].writes || !uw_meets_itself(uw_effects_launch(a->effects), own, &a->accesses.at[k]);
    if (fits)
      uw_ops_push(a->arena, &a->loads, own->op);
  }
}

/* --- the new loop ------------------------------------------------------------------------------------------------- */

static MlirValue as_number(uw_builder *b, MlirValue pointer) {
  return uw_build1(b, "llvm.ptrtoint", .in = VALS(pointer), .out = TYPES(uw_int_type(b->context, 64)));
}

/* Where the access goes when the counter is that. */
static MlirValue address_at(uw_builder *b, const accumulation *a, const uw_access *access, MlirValue iteration) {
  uw_map *map = uw_map_create(a->arena);
  uw_map_set(map, counter(a), iteration);
  return as_number(b, uw_compute_outside(b, pointer_of(access->op), a->loop, map));
}

static MlirValue as_i64(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = uw_int_type(b->context, 64);
  if (mlirTypeEqual(type, i64))
    return value;
  return uw_build1(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", .in = VALS(value),
                   .out = TYPES(i64));
}

/* Arithmetic of 32 bits may wrap around on the way. Then the last address is not where the first one and the iterations
 * say: each wrap takes 2^32 steps off, and none brings them back. */
static MlirValue goes_straight(uw_builder *b, const accumulation *a, const uw_term *term, MlirValue iterations,
                               MlirValue first, MlirValue end) {
  MlirValue scale = uw_same(term->symbol, counter(a)) ? term->scale : term->symbol;
  MlirValue far = uw_binary(b, "arith.muli", as_i64(b, iterations), uw_const_int(b, 64, term->factor));
  if (scale.ptr)
    far = uw_binary(b, "arith.muli", far, as_i64(b, uw_compute_outside(b, scale, a->loop, uw_map_create(a->arena))));
  return uw_compare(b, UW_EQ, uw_binary(b, "arith.subi", end, first), far);
}

static MlirValue has_iterations(uw_builder *b, MlirOperation loop) {
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  return uw_compare(b, is_unsigned ? UW_ULT : UW_SLT, uw_operand(loop, 0), uw_operand(loop, 1));
}

static MlirValue beyond(uw_builder *b, MlirValue address, int64_t bytes) {
  return uw_binary(b, "arith.addi", address, uw_const_int(b, 64, bytes));
}

static MlirValue spans_lie_apart(uw_builder *b, const accumulation *a, const check *c, MlirValue lower,
                                 MlirValue last) {
  MlirValue own = address_at(b, a, &c->own.first, lower);
  MlirValue first = address_at(b, a, &c->other.first, lower), end = address_at(b, a, &c->other.first, last);
  MlirValue from = uw_binary(b, "arith.minui", first, end), to = uw_binary(b, "arith.maxui", first, end);
  MlirValue before = uw_compare(b, UW_ULE, beyond(b, own, c->own.high), beyond(b, from, c->other.low));
  MlirValue after = uw_compare(b, UW_UGE, beyond(b, own, c->own.low), beyond(b, to, c->other.high));
  MlirValue apart = uw_binary(b, "arith.ori", before, after);
  const uw_term *term = counter_term(a, &c->other.first);
  if (!term || c->other.first.address.offset.exact)
    return apart;
  return uw_binary(b, "arith.andi", apart,
                   goes_straight(b, a, term, uw_binary(b, "arith.subi", last, lower), first, end));
}

static bool asks_each_thread(const accumulation *a) { return a->check_count > 0 && !a->question; }

/* Does every location lie apart from what may be the same? Asked where there is an iteration. */
static MlirValue all_lie_apart(uw_builder *b, const accumulation *a) {
  MlirValue lower = uw_operand(a->loop, 0), all = {NULL};
  MlirType type = mlirValueGetType(lower);
  MlirValue one =
      uw_build1(b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", mlirIntegerAttrGet(type, 1)}));
  MlirValue last = uw_binary(b, "arith.subi", uw_operand(a->loop, 1), one);
  for (size_t i = 0; i < a->check_count; i++) {
    MlirValue apart = spans_lie_apart(b, a, &a->checks[i], lower, last);
    all = all.ptr ? uw_binary(b, "arith.andi", all, apart) : apart;
  }
  return all;
}

/* What the locations hold, and whether they are stored to yet (i1; null where that is not asked). */
typedef struct contents {
  MlirValue value[MOST_PLACES], stored[MOST_PLACES];
} contents;

/* Pushes the values of the locations that op touches, */
static void push_contents(const accumulation *a, MlirOperation op, const contents *now, uw_vals *list) {
  for (size_t i = 0; i < a->count; i++)
    if (touches(&a->places[i], op)) {
      uw_vals_push(a->arena, list, now->value[i]);
      if (now->stored[i].ptr)
        uw_vals_push(a->arena, list, now->stored[i]);
    }
}

/* and takes them from results (or arguments of a block) of another operation, from `first` on. */
static void take_contents(const accumulation *a, MlirOperation op, contents *now, MlirOperation from, MlirBlock block,
                          size_t first) {
  for (size_t i = 0; i < a->count; i++) {
    if (!touches(&a->places[i], op))
      continue;
    MlirValue *parts[] = {&now->value[i], &now->stored[i]};
    for (size_t k = 0; k < 2; k++)
      if (parts[k]->ptr)
        *parts[k] = mlirBlockIsNull(block) ? uw_result(from, first++) : mlirBlockGetArgument(block, (intptr_t)first++);
  }
}

static void write_block(uw_builder *b, const accumulation *a, MlirBlock block, uw_map *map, contents *now);

static MlirOperation write_for(uw_builder *b, const accumulation *a, MlirOperation op, uw_map *map, contents *now) {
  MlirBlock body = uw_block(op, 0), none = {NULL};
  size_t results = uw_result_count(op);
  uw_vals inits = {0}, next = {0};
  for (size_t i = 0; i < results; i++)
    uw_vals_push(a->arena, &inits, uw_map_or_same(map, uw_operand(op, i + 3)));
  push_contents(a, op, now, &inits);
  MlirOperation loop = uw_build_for(b, uw_map_or_same(map, uw_operand(op, 0)), uw_map_or_same(map, uw_operand(op, 1)),
                                    uw_map_or_same(map, uw_operand(op, 2)), VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(op, "unsignedCmp")))
    uw_set_attr(loop, "unsignedCmp", uw_get_attr(op, "unsignedCmp"));
  for (size_t i = 0; i <= results; i++)
    uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)i), mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)i));
  contents inside = *now;
  take_contents(a, op, &inside, loop, uw_block(loop, 0), results + 1);
  uw_builder in = uw_at_end(uw_block(loop, 0), b->location);
  write_block(&in, a, body, map, &inside);
  for (size_t i = 0; i < results; i++)
    uw_vals_push(a->arena, &next, uw_map_or_same(map, uw_operand(uw_last(body), i)));
  push_contents(a, op, &inside, &next);
  uw_yield(uw_block(loop, 0), b->location, VALS_OF(next));
  for (size_t i = 0; i < results; i++)
    uw_map_set(map, uw_result(op, i), uw_result(loop, i));
  take_contents(a, op, now, loop, none, results);
  return loop;
}

static void write_if(uw_builder *b, const accumulation *a, MlirOperation op, uw_map *map, contents *now) {
  size_t results = uw_result_count(op);
  MlirBlock none = {NULL};
  uw_vals types_of = {0};
  for (size_t i = 0; i < results; i++)
    uw_vals_push(a->arena, &types_of, uw_result(op, i));
  push_contents(a, op, now, &types_of);
  MlirType types[types_of.count];
  for (size_t i = 0; i < types_of.count; i++)
    types[i] = mlirValueGetType(types_of.at[i]);
  MlirOperation choice = uw_build_if(b, uw_map_or_same(map, uw_operand(op, 0)), (uw_type_list){types, types_of.count});
  for (unsigned arm = 0; arm < 2; arm++) {
    MlirBlock block = uw_block(op, arm);
    contents inside = *now;
    uw_vals next = {0};
    uw_builder in = uw_at_end(uw_block(choice, arm), b->location);
    if (!mlirBlockIsNull(block))
      write_block(&in, a, block, map, &inside);
    for (size_t i = 0; i < results; i++)
      uw_vals_push(a->arena, &next, uw_map_or_same(map, uw_operand(uw_last(block), i)));
    push_contents(a, op, &inside, &next);
    uw_yield(uw_block(choice, arm), b->location, VALS_OF(next));
  }
  for (size_t i = 0; i < results; i++)
    uw_map_set(map, uw_result(op, i), uw_result(choice, i));
  take_contents(a, op, now, choice, none, results);
}

/* A copy of the block, but for its terminator, that has its locations in values. */
static void write_block(uw_builder *b, const accumulation *a, MlirBlock block, uw_map *map, contents *now) {
  MlirOperation end = uw_last(block);
  uw_foreach_op (op, block) {
    size_t own = 0;
    bool touched = false;
    if (uw_same_op(op, end))
      break;
    while (own < a->count && !is_access_of(&a->places[own], op))
      touched = touches(&a->places[own++], op) || touched;
    if (own < a->count && uw_kind(op) == UW_OP_LLVM_LOAD) {
      uw_map_set(map, uw_result(op, 0), now->value[own]);
    } else if (own < a->count) {
      now->value[own] = uw_map_or_same(map, uw_operand(op, 0));
      if (now->stored[own].ptr)
        now->stored[own] = uw_const_int(b, 1, 1);
    } else if (touched && uw_kind(op) == UW_OP_SCF_FOR) {
      write_for(b, a, op, map, now);
    } else if (touched) {
      write_if(b, a, op, map, now);
    } else if (uw_result_count(op) != 1 || !uw_map_get(map, uw_result(op, 0)).ptr) { /* not made before the loop */
      uw_clone(b, op, map);
    }
  }
}

/* The loop with its locations carried from iteration to iteration, loads before and stores after it. Its first results
 * are those of the old. */
static MlirOperation write_loop(uw_builder *b, const accumulation *a) {
  MlirValue pointers[MOST_PLACES];
  contents now = {0};
  for (size_t i = 0; i < a->count; i++) {
    const place *p = &a->places[i];
    MlirOperation load = p->all.at[0];
    for (size_t k = 0; uw_kind(load) != UW_OP_LLVM_LOAD; k++)
      load = p->all.at[k];
    pointers[i] = uw_compute_outside(b, pointer_of(p->access.op), a->loop, uw_map_create(a->arena));
    MlirOperation first = uw_clone(b, load, uw_map_create(a->arena));
    mlirOperationSetOperand(first, 0, pointers[i]);
    now.value[i] = uw_result(first, 0);
    if (p->flagged)
      now.stored[i] = uw_const_int(b, 1, 0);
  }
  uw_map *map = uw_map_create(a->arena);
  for (size_t i = 0; i < a->loads.count; i++) {
    MlirOperation load = a->loads.at[i], first = uw_clone(b, load, uw_map_create(a->arena));
    mlirOperationSetOperand(first, 0, uw_compute_outside(b, uw_operand(load, 0), a->loop, uw_map_create(a->arena)));
    uw_map_set(map, uw_result(load, 0), uw_result(first, 0));
  }
  MlirOperation loop = write_for(b, a, a->loop, map, &now);
  for (size_t i = 0; i < a->count; i++) {
    uw_builder at = *b;
    if (now.stored[i].ptr) {
      MlirOperation choice = uw_build_branch(b, now.stored[i]);
      at = uw_at_end(uw_block(choice, 0), b->location);
    }
    MlirOperation store = uw_clone(&at, a->places[i].access.op, uw_map_create(a->arena));
    mlirOperationSetOperand(store, 0, now.value[i]);
    mlirOperationSetOperand(store, 1, pointers[i]);
  }
  return loop;
}

static void yield_results(const accumulation *a, MlirBlock block, MlirOperation of) {
  uw_vals values = {0};
  for (size_t i = 0; i < uw_result_count(a->loop); i++)
    uw_vals_push(a->arena, &values, uw_result(of, i));
  uw_yield(block, mlirOperationGetLocation(of), VALS_OF(values));
}

#define DONE "unwarp.accumulates" /* on a loop that is kept for when the check fails */

/* Is it the loop that is kept, or in that? */
static bool is_done(MlirOperation op, MlirOperation threads) {
  while (!uw_same_op(op, threads) && mlirAttributeIsNull(uw_get_attr(op, DONE)))
    op = uw_parent(op);
  return !uw_same_op(op, threads);
}

/* Finds what the loop adds up in. */
static bool find(accumulation *a) {
  if (is_done(a->loop, a->threads) || !holds_nothing_else(a))
    return false;
  uw_effects_inside(a->effects, a->loop, &a->accesses);
  if (a->accesses.count > MOST_ACCESSES)
    return false;
  find_places(a);
  if (a->count > 0)
    find_loads(a);
  return a->count > 0;
}

/* Chooses the new loop where all lie apart, the loop as it was else. The old loop goes into *unused where that is
 * never, and stays in the code until nobody looks at it. */
static MlirOperation choose(uw_builder *b, accumulation *a, uw_type_list types, MlirOperation *kept, uw_ops *unused) {
  if (!asks_each_thread(a)) {
    uw_ops_push(a->arena, unused, a->loop);
    return *kept = write_loop(b, a);
  }
  MlirOperation versions = uw_build_if(b, all_lie_apart(b, a), types);
  uw_set_attr(versions, UW_VERSIONS, mlirUnitAttrGet(b->context));
  uw_builder yes = uw_at_end(uw_block(versions, 0), b->location);
  *kept = write_loop(&yes, a);
  yield_results(a, uw_block(versions, 0), *kept);
  return versions;
}

/* The loop where it runs at all, else what it starts with. Gives the new loop. */
static MlirOperation write_versions(accumulation *a, uw_ops *unused) {
  size_t results = uw_result_count(a->loop);
  MlirType types[results + 1];
  uw_vals inits = {0};
  for (size_t i = 0; i < results; i++) {
    types[i] = mlirValueGetType(uw_result(a->loop, i));
    uw_vals_push(a->arena, &inits, uw_operand(a->loop, i + 3));
  }
  uw_builder b = uw_at(a->loop);
  MlirValue is_run = a->asks ? uw_const_int(&b, 1, 1) : has_iterations(&b, a->loop);
  MlirOperation kept, runs = uw_build_if(&b, is_run, (uw_type_list){types, results});
  uw_builder in = uw_at_end(uw_block(runs, 0), b.location);
  MlirOperation chosen = choose(&in, a, (uw_type_list){types, results}, &kept, unused);
  yield_results(a, uw_block(runs, 0), chosen);
  uw_yield(uw_block(runs, 1), b.location, VALS_OF(inits));
  for (size_t i = 0; i < results; i++)
    uw_replace_uses(uw_result(a->loop, i), uw_result(runs, i));
  uw_set_attr(a->loop, DONE, mlirUnitAttrGet(b.context));
  if (asks_each_thread(a)) {
    uw_move_to_end(a->loop, uw_block(chosen, 1));
    yield_results(a, uw_block(chosen, 1), a->loop);
  }
  return kept;
}

static void erase_all(const uw_ops *ops) {
  for (size_t i = 0; i < ops->count; i++)
    uw_erase(ops->at[i]);
}

/* Pushes the fors of the new loop, that they may be looked at, too. */
static bool accumulate(uw_arena *arena, uw_effects *effects, MlirOperation threads, MlirOperation loop, uw_ops *loops,
                       uw_ops *unused) {
  accumulation a = {.arena = arena, .effects = effects, .threads = threads, .loop = loop};
  if (!find(&a))
    return false;
  uw_remark(mlirOperationGetLocation(a.places[0].access.op), "accumulate", "kept in a register while the loop runs%s",
            a.check_count ? ", where a check before it shows that nothing else is there" : "");
  uw_ops inner = uw_collect_kind(arena, write_versions(&a, unused), UW_OP_SCF_FOR);
  for (size_t i = 0; i < inner.count; i++)
    uw_ops_push(arena, loops, inner.at[i]);
  return true;
}

uw_change uw_pass_accumulate(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops threads = uw_collect_level(ctx->arena, root, "block");
  for (size_t i = 0; i < threads.count; i++) {
    uw_ops loops = uw_collect_kind(ctx->arena, threads.at[i], UW_OP_SCF_FOR), unused = {0};
    uw_effects *effects = loops.count ? uw_effects_of(ctx->arena, threads.at[i]) : NULL;
    for (size_t k = 0; k < loops.count; k++) /* outer before inner */
      if (accumulate(ctx->arena, effects, threads.at[i], loops.at[k], &loops, &unused))
        change = UW_CHANGED;
    erase_all(&unused);
  }
  return change;
}

uw_change uw_pass_accumulate_lanes(MlirOperation root, uw_pass_ctx *ctx) { return uw_pass_accumulate(root, ctx); }

/* --- for all threads ---------------------------------------------------------------------------------------------- */

#define ASKED "unwarp.asked" /* on a loop over blocks that has versions */

enum { MOST_LOOPS = 8 };

/* With iterations for all threads, or for none. */
static bool asks_for_all(const accumulation *a, MlirOperation grid) {
  return !uw_defined_inside(uw_operand(a->loop, 0), grid) && !uw_defined_inside(uw_operand(a->loop, 1), grid);
}

static bool lies_in_one(const accumulation *found, size_t count, MlirOperation loop) {
  for (size_t i = 0; i < count; i++)
    if (uw_inside(loop, found[i].loop))
      return true;
  return false;
}

/* Outer loops before inner ones, which are left alone where the outer is replaced. */
static size_t find_all(uw_arena *arena, MlirOperation threads, uw_question *question, accumulation *found) {
  uw_ops loops = uw_collect_kind(arena, threads, UW_OP_SCF_FOR);
  uw_effects *effects = loops.count ? uw_effects_of(arena, threads) : NULL;
  size_t count = 0;
  for (size_t i = 0; i < loops.count && count < MOST_LOOPS; i++) {
    found[count] = (accumulation){
        .arena = arena, .effects = effects, .threads = threads, .loop = loops.at[i], .question = question};
    count += !lies_in_one(found, count, loops.at[i]) && find(&found[count]);
  }
  return count;
}

static void version_blocks(uw_arena *arena, uw_question *question, MlirOperation grid) {
  MlirOperation versions = uw_build_if(&question->b, question->asked, (uw_type_list){0});
  for (unsigned arm = 0; arm < 2; arm++)
    uw_yield(uw_block(versions, arm), question->b.location, (uw_value_list){0});
  uw_set_attr(grid, ASKED, mlirUnitAttrGet(question->b.context));
  uw_builder as_it_was = uw_at_end(uw_block(versions, 1), question->b.location);
  uw_clone(&as_it_was, grid, uw_map_create(arena));
  uw_move_to_end(grid, uw_block(versions, 0));
}

static bool replace_in(uw_arena *arena, MlirOperation threads) {
  MlirOperation grid = uw_parent(threads);
  if (!uw_attr_is_str(grid, "unwarp.level", "grid") || !mlirAttributeIsNull(uw_get_attr(grid, ASKED)) ||
      !mlirAttributeIsNull(uw_get_attr(grid, UW_TEAM)))
    return false;
  uw_question question = uw_question_before(arena, grid);
  accumulation found[MOST_LOOPS];
  uw_ops unused = {0};
  size_t count = find_all(arena, threads, &question, found);
  for (size_t i = 0; i < count; i++)
    if (found[i].check_count && asks_for_all(&found[i], grid)) {
      found[i].asks = true;
      uw_add_condition(&question, has_iterations(&question.b, found[i].loop));
    }
  if (question.asked.ptr)
    version_blocks(arena, &question, grid);
  for (size_t i = 0; i < count; i++) {
    uw_remark(mlirOperationGetLocation(found[i].places[0].access.op), "scalar-replace",
              "kept in a register while the loop runs%s",
              found[i].check_count ? ", where a check at the launch shows that nothing else is there" : "");
    write_versions(&found[i], &unused);
  }
  erase_all(&unused);
  return count > 0;
}

uw_change uw_pass_scalar_replace(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_level(ctx->arena, root, "block"), replace_in);
}
