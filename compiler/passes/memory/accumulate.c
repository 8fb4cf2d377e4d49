/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps in a register what a serial loop of a thread adds up in one place of memory.
 *
 *   for (%k = %a to %b) {                          if (%a < %b, and %p lies apart from in[%a] … in[%b - 1]) {
 *     %x = load %p                                   %x0 = load %p
 *     %y = load %in[%k]                   ==>        %s = for (%k = %a to %b) iter(%x = %x0) {
 *     store %x + %y, %p }                              %y = load %in[%k]; yield %x + %y }
 *                                                    store %s, %p
 *                                                  } else the loop as it was
 *
 * What is left is a loop without a store in it. It runs behind packets, which does better with such loops where it takes them, and
 * would not look through the check.
 *
 * Done for a load and a store of a floating-point number (LLVM takes whole numbers, in vectors and with checks of its own; measured,
 * it does better alone) when a) both are plain, stand at the top level of the loop's body, the load first, and surely touch the
 * same bytes, at an address that is the same in all rounds; b) the loop holds no exchange of threads, no call, no fence and no
 * atomic; c) no other access of the loop touches these bytes: because of what effects.h knows, or as a check before the loop shows
 * (MOST_CHECKS of them), where its address is a sum over the counter, so that it lies between those of the first and of the last
 * round. In memory of the block or the thread, where loops are short, nothing is asked.
 *
 * Legal because other threads see memory at barriers only: one that reads the place meanwhile would race. A loop that runs no round
 * touches nothing, so it is asked first whether there is one. Requires: for loops (raise-for), addresses that do not change outside of
 * loops (simplify). Preserves: memory behind the loop. Refuses: all else, in silence. Paper: SYCL-MLIR's detection of array
 * reductions. */
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "../barriers/thread_loop.h"

enum { MOST_PLACES = 4, MOST_CHECKS = 6, MOST_ACCESSES = 64 };

/* A place that the loop adds up in. */
typedef struct place {
  MlirOperation load, store;
  uw_access access;
} place;

typedef struct accumulation {
  uw_arena *arena;
  uw_effects *effects;
  MlirOperation loop;
  uw_accesses accesses;
  place places[MOST_PLACES];
  size_t count;
  struct { size_t place; uw_access other; } checks[MOST_CHECKS];
  size_t check_count;
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

static bool is_invariant(const accumulation *a, MlirValue value) { return uw_computable_outside(a->arena, value, a->loop, NULL); }

/* The term of the address that counts; null if there is none. */
static const uw_term *counter_term(const accumulation *a, const uw_access *access) {
  const uw_linear *offset = &access->address.offset;
  for (size_t i = 0; i < offset->count; i++)
    if (uw_same(offset->terms[i].symbol, counter(a)) || (offset->terms[i].scale.ptr && uw_same(offset->terms[i].scale, counter(a))))
      return &offset->terms[i];
  return NULL;
}

/* Is the address something that does not change in the loop, plus the counter times such a thing? Then it is enough to look at
 * where the access goes in the first round and in the last. */
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

/* Adds the checks that the place needs; false if it cannot be kept. */
static bool lies_apart(accumulation *a, const place *p) {
  uw_kind_t maker = uw_kind(uw_def(p->access.address.base));
  bool is_local = maker == UW_OP_SHARED || maker == UW_OP_SLOT || maker == UW_OP_LLVM_ALLOCA;
  for (size_t i = 0; i < a->accesses.count; i++) {
    const uw_access *other = &a->accesses.at[i];
    if (uw_same_op(other->op, p->load) || uw_same_op(other->op, p->store) ||
        !uw_meets_itself(uw_effects_launch(a->effects), &p->access, other))
      continue;
    if (is_local || uw_same_place(&p->access, other) || !can_check(a, other) || a->check_count == MOST_CHECKS)
      return false;
    bool asked = false;
    for (size_t k = 0; k < a->check_count; k++)
      asked = asked || (a->checks[k].place == a->count && uw_same_place(&a->checks[k].other, other));
    if (!asked) {
      a->checks[a->check_count].place = a->count;
      a->checks[a->check_count++].other = *other;
    }
  }
  return true;
}

static void find_places(accumulation *a) {
  for (size_t s = 0; s < a->accesses.count && a->count < MOST_PLACES; s++) {
    place p = {.store = a->accesses.at[s].op, .access = a->accesses.at[s]};
    if (!p.access.writes || !is_at_top(a, p.store) || !is_invariant(a, pointer_of(p.store)))
      continue;
    MlirType type = mlirValueGetType(uw_operand(p.store, 0));
    if (!mlirTypeIsAFloat(type))
      continue;
    for (size_t l = 0; l < s && uw_null(p.load); l++)
      if (a->accesses.at[l].reads && is_at_top(a, a->accesses.at[l].op) && uw_same_place(&p.access, &a->accesses.at[l]) &&
          mlirTypeEqual(mlirValueGetType(uw_result(a->accesses.at[l].op, 0)), type))
        p.load = a->accesses.at[l].op;
    size_t checks = a->check_count;
    if (!uw_null(p.load) && lies_apart(a, &p))
      a->places[a->count++] = p;
    else
      a->check_count = checks;
  }
}

/* --- the new loop ------------------------------------------------------------------------------------------------- */

static MlirValue as_number(uw_builder *b, MlirValue pointer) {
  return uw_build1(b, "llvm.ptrtoint", .in = VALS(pointer), .out = TYPES(uw_int_type(b->context, 64)));
}

/* Where the access goes when the counter is that. */
static MlirValue address_at(uw_builder *b, const accumulation *a, const uw_access *access, MlirValue round) {
  uw_map *map = uw_map_create(a->arena);
  uw_map_set(map, counter(a), round);
  return as_number(b, uw_compute_outside(b, pointer_of(access->op), a->loop, map));
}

static MlirValue as_i64(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), i64 = uw_int_type(b->context, 64);
  if (mlirTypeEqual(type, i64))
    return value;
  return uw_build1(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", .in = VALS(value), .out = TYPES(i64));
}

/* Arithmetic of 32 bits may wrap around on the way. Then the last place is not where the first one and the rounds say: each wrap takes
 * 2^32 steps off, and none brings them back. */
static MlirValue goes_straight(uw_builder *b, const accumulation *a, const uw_term *term, MlirValue rounds, MlirValue first, MlirValue end) {
  MlirValue scale = uw_same(term->symbol, counter(a)) ? term->scale : term->symbol;
  MlirValue far = uw_binary(b, "arith.muli", as_i64(b, rounds), uw_const_int(b, 64, term->factor));
  if (scale.ptr)
    far = uw_binary(b, "arith.muli", far, as_i64(b, uw_compute_outside(b, scale, a->loop, uw_map_create(a->arena))));
  return uw_compare(b, UW_EQ, uw_binary(b, "arith.subi", end, first), far);
}

/* Is there a round, and does every place lie apart from what may be the same? */
static MlirValue condition(uw_builder *b, const accumulation *a) {
  MlirValue lower = uw_operand(a->loop, 0), upper = uw_operand(a->loop, 1);
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(a->loop, "unsignedCmp"));
  MlirValue all = uw_compare(b, is_unsigned ? UW_ULT : UW_SLT, lower, upper);
  MlirType type = mlirValueGetType(lower);
  MlirValue one = uw_build1(b, "arith.constant", .out = TYPES(type), .attrs = ATTRS({"value", mlirIntegerAttrGet(type, 1)}));
  MlirValue last = uw_binary(b, "arith.subi", upper, one);
  for (size_t i = 0; i < a->check_count; i++) {
    const uw_access *own = &a->places[a->checks[i].place].access, *other = &a->checks[i].other;
    MlirValue place = address_at(b, a, own, lower);
    MlirValue first = address_at(b, a, other, lower), end = address_at(b, a, other, last);
    MlirValue from = uw_binary(b, "arith.minui", first, end), to = uw_binary(b, "arith.maxui", first, end);
    MlirValue before = uw_compare(b, UW_ULE, uw_binary(b, "arith.addi", place, uw_const_int(b, 64, (int64_t)own->bytes)), from);
    MlirValue behind = uw_compare(b, UW_UGE, place, uw_binary(b, "arith.addi", to, uw_const_int(b, 64, (int64_t)other->bytes)));
    all = uw_binary(b, "arith.andi", all, uw_binary(b, "arith.ori", before, behind));
    const uw_term *term = counter_term(a, other);
    if (term && !other->address.offset.exact)
      all = uw_binary(b, "arith.andi", all, goes_straight(b, a, term, uw_binary(b, "arith.subi", last, lower), first, end));
  }
  return all;
}

/* The loop with its places carried from round to round, loads before and stores behind it. Its first results are those of the old. */
static MlirOperation write_loop(uw_builder *b, const accumulation *a) {
  MlirBlock body = uw_block(a->loop, 0);
  size_t results = uw_result_count(a->loop);
  uw_vals inits = {0}, next = {0};
  MlirValue pointers[MOST_PLACES];
  for (size_t i = 0; i < results; i++)
    uw_vals_push(a->arena, &inits, uw_operand(a->loop, i + 3));
  for (size_t i = 0; i < a->count; i++) {
    pointers[i] = uw_compute_outside(b, pointer_of(a->places[i].store), a->loop, uw_map_create(a->arena));
    MlirOperation load = uw_clone(b, a->places[i].load, uw_map_create(a->arena));
    mlirOperationSetOperand(load, 0, pointers[i]);
    uw_vals_push(a->arena, &inits, uw_result(load, 0));
  }
  MlirOperation loop = uw_build_for(b, uw_operand(a->loop, 0), uw_operand(a->loop, 1), uw_operand(a->loop, 2), VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(a->loop, "unsignedCmp")))
    uw_set_attr(loop, "unsignedCmp", uw_get_attr(a->loop, "unsignedCmp"));
  uw_map *map = uw_map_create(a->arena);
  for (size_t i = 0; i <= results; i++)
    uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)i), mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)i));
  for (size_t i = 0; i < a->count; i++)
    uw_map_set(map, uw_result(a->places[i].load, 0), mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)(1 + results + i)));
  uw_builder in = uw_at_end(uw_block(loop, 0), b->location);
  MlirOperation yield = uw_last(body);
  uw_foreach_op(op, body) {
    bool kept = uw_same_op(op, yield);
    for (size_t i = 0; i < a->count; i++)
      kept = kept || uw_same_op(op, a->places[i].load) || uw_same_op(op, a->places[i].store);
    if (!kept)
      uw_clone(&in, op, map);
  }
  for (size_t i = 0; i < results; i++)
    uw_vals_push(a->arena, &next, uw_map_or_same(map, uw_operand(yield, i)));
  for (size_t i = 0; i < a->count; i++)
    uw_vals_push(a->arena, &next, uw_map_or_same(map, uw_operand(a->places[i].store, 0)));
  uw_yield(uw_block(loop, 0), b->location, VALS_OF(next));
  for (size_t i = 0; i < a->count; i++) {
    MlirOperation store = uw_clone(b, a->places[i].store, uw_map_create(a->arena));
    mlirOperationSetOperand(store, 0, uw_result(loop, results + i));
    mlirOperationSetOperand(store, 1, pointers[i]);
  }
  return loop;
}

static void yield_results(const accumulation *a, MlirBlock block, MlirOperation loop) {
  uw_vals values = {0};
  for (size_t i = 0; i < uw_result_count(a->loop); i++)
    uw_vals_push(a->arena, &values, uw_result(loop, i));
  uw_yield(block, mlirOperationGetLocation(loop), VALS_OF(values));
}

#define DONE "unwarp.accumulates" /* on a loop that is kept for when the check fails */

static bool accumulate(uw_arena *arena, uw_effects *effects, MlirOperation loop) {
  accumulation a = {.arena = arena, .effects = effects, .loop = loop};
  if (!mlirAttributeIsNull(uw_get_attr(loop, DONE)) || !holds_nothing_else(&a))
    return false;
  uw_effects_inside(effects, loop, &a.accesses);
  if (a.accesses.count > MOST_ACCESSES)
    return false;
  find_places(&a);
  if (a.count == 0)
    return false;
  size_t results = uw_result_count(loop);
  MlirType types[results + 1];
  for (size_t i = 0; i < results; i++)
    types[i] = mlirValueGetType(uw_result(loop, i));
  uw_remark(mlirOperationGetLocation(a.places[0].store), "accumulate", "kept in a register while the loop runs%s",
            a.check_count ? ", where a check before it shows that nothing else is there" : "");
  uw_builder b = uw_at(loop);
  MlirOperation versions = uw_build_if(&b, condition(&b, &a), (uw_type_list){types, results});
  uw_builder yes = uw_at_end(uw_block(versions, 0), b.location);
  yield_results(&a, uw_block(versions, 0), write_loop(&yes, &a));
  for (size_t i = 0; i < results; i++)
    uw_replace_uses(uw_result(loop, i), uw_result(versions, i));
  uw_set_attr(loop, DONE, mlirUnitAttrGet(b.context));
  uw_move_to_end(loop, uw_block(versions, 1));
  yield_results(&a, uw_block(versions, 1), loop);
  return true;
}

uw_change uw_pass_accumulate(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops threads = uw_collect_kind(ctx->arena, root, UW_OP_SCF_PARALLEL);
  for (size_t i = 0; i < threads.count; i++) {
    if (!uw_attr_is_str(threads.at[i], "unwarp.level", "block"))
      continue;
    uw_ops loops = uw_collect_kind(ctx->arena, threads.at[i], UW_OP_SCF_FOR);
    uw_effects *effects = loops.count ? uw_effects_of(ctx->arena, threads.at[i]) : NULL;
    for (size_t k = loops.count; k-- > 0;)
      if (accumulate(ctx->arena, effects, loops.at[k]))
        change = UW_CHANGED;
  }
  return change;
}
