/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loop with its locations in registers: see scalar_replace.c. */
#include "../../transform/loop_ranges.h"
#include "../../transform/thread_loop.h"
#include "sums.h"

/* The term of the address that counts; null if there is none. */
static const uw_term *counter_term(const uw_sums *a, const uw_access *access) {
  const uw_linear *offset = &access->address.offset;
  for (size_t i = 0; i < offset->count; i++)
    if (uw_same(offset->terms[i].symbol, uw_sum_counter(a)) ||
        (offset->terms[i].scale.ptr && uw_same(offset->terms[i].scale, uw_sum_counter(a))))
      return &offset->terms[i];
  return NULL;
}

static bool touches(const uw_sum_place *p, MlirOperation op) {
  for (size_t i = 0; i < p->all.count; i++)
    if (uw_inside(p->all.at[i], op))
      return true;
  return false;
}

static MlirValue as_number(uw_builder *b, MlirValue pointer) {
  return uw_build1(b, "llvm.ptrtoint", .in = VALS(pointer), .out = TYPES(uw_int_type(b->context, 64)));
}

/* Where the access goes when the counter is that. */
static MlirValue address_at(uw_builder *b, const uw_sums *a, const uw_access *access, MlirValue iteration) {
  uw_map *map = uw_map_create(a->arena);
  uw_map_set(map, uw_sum_counter(a), iteration);
  return as_number(b, uw_compute_outside(b, uw_sum_pointer(access->op), a->loop, map));
}

/* Arithmetic of 32 bits may wrap around on the way. Then the last address is not where the first one and the iterations
 * say: each wrap takes 2^32 steps off, and none brings them back. */
static MlirValue goes_straight(uw_builder *b, const uw_sums *a, const uw_term *term, MlirValue iterations,
                               MlirValue first, MlirValue end) {
  MlirValue scale = uw_same(term->symbol, uw_sum_counter(a)) ? term->scale : term->symbol;
  MlirValue far = uw_binary(b, "arith.muli", uw_as_i64(b, iterations), uw_const_int(b, 64, term->factor));
  if (scale.ptr)
    far = uw_binary(b, "arith.muli", far, uw_as_i64(b, uw_compute_outside(b, scale, a->loop, uw_map_create(a->arena))));
  return uw_compare(b, UW_EQ, uw_binary(b, "arith.subi", end, first), far);
}

MlirValue uw_loop_runs(uw_builder *b, MlirOperation loop) {
  bool is_unsigned = !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp"));
  return uw_compare(b, is_unsigned ? UW_ULT : UW_SLT, uw_operand(loop, 0), uw_operand(loop, 1));
}

static MlirValue beyond(uw_builder *b, MlirValue address, int64_t bytes) {
  return uw_binary(b, "arith.addi", address, uw_const_int(b, 64, bytes));
}

static MlirValue spans_lie_apart(uw_builder *b, const uw_sums *a, const uw_sum_check *c, MlirValue lower,
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

static bool asks_each_thread(const uw_sums *a) { return a->check_count > 0 && !a->question; }

/* Does every location lie apart from what may be the same? Asked where there is an iteration. */
static MlirValue all_lie_apart(uw_builder *b, const uw_sums *a) {
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
  MlirValue value[UW_MOST_SUMS], stored[UW_MOST_SUMS];
} contents;

/* Pushes the values of the locations that op touches, */
static void push_contents(const uw_sums *a, MlirOperation op, const contents *now, uw_vals *list) {
  for (size_t i = 0; i < a->count; i++)
    if (touches(&a->places[i], op)) {
      uw_vals_push(a->arena, list, now->value[i]);
      if (now->stored[i].ptr)
        uw_vals_push(a->arena, list, now->stored[i]);
    }
}

/* and takes them from results (or arguments of a block) of another operation, from `first` on. */
static void take_contents(const uw_sums *a, MlirOperation op, contents *now, MlirOperation from, MlirBlock block,
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

static void write_block(uw_builder *b, const uw_sums *a, MlirBlock block, uw_map *map, contents *now);

static MlirOperation write_for(uw_builder *b, const uw_sums *a, MlirOperation op, uw_map *map, contents *now) {
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

static void write_if(uw_builder *b, const uw_sums *a, MlirOperation op, uw_map *map, contents *now) {
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
static void write_block(uw_builder *b, const uw_sums *a, MlirBlock block, uw_map *map, contents *now) {
  MlirOperation end = uw_last(block);
  uw_foreach_op (op, block) {
    size_t own = 0;
    bool touched = false;
    if (uw_same_op(op, end))
      break;
    while (own < a->count && !uw_is_access_of_sum(&a->places[own], op))
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
static MlirOperation write_loop(uw_builder *b, const uw_sums *a) {
  MlirValue pointers[UW_MOST_SUMS];
  contents now = {0};
  for (size_t i = 0; i < a->count; i++) {
    const uw_sum_place *p = &a->places[i];
    MlirOperation load = p->all.at[0];
    for (size_t k = 0; uw_kind(load) != UW_OP_LLVM_LOAD; k++)
      load = p->all.at[k];
    pointers[i] = uw_compute_outside(b, uw_sum_pointer(p->access.op), a->loop, uw_map_create(a->arena));
    MlirOperation first = uw_clone(b, load, uw_map_create(a->arena));
    mlirOperationSetOperand(first, 0, pointers[i]);
    now.value[i] = uw_result(first, 0);
    if (p->flagged)
      now.stored[i] = uw_const_int(b, 1, 0);
  }
  uw_map *map = uw_map_create(a->arena);
  for (size_t i = 0; i < a->loads.count; i++) {
    MlirOperation load = a->loads.at[i];
    MlirValue address = uw_compute_outside(b, uw_operand(load, 0), a->loop, uw_map_create(a->arena));
    MlirOperation first = uw_clone(b, load, uw_map_create(a->arena));
    mlirOperationSetOperand(first, 0, address);
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

static void yield_results(const uw_sums *a, MlirBlock block, MlirOperation of) {
  uw_vals values = {0};
  for (size_t i = 0; i < uw_result_count(a->loop); i++)
    uw_vals_push(a->arena, &values, uw_result(of, i));
  uw_yield(block, mlirOperationGetLocation(of), VALS_OF(values));
}

/* Chooses the new loop where all lie apart, the loop as it was else. The old loop goes into *unused where that is
 * never, and stays in the code until nobody looks at it. */
static MlirOperation choose(uw_builder *b, uw_sums *a, uw_type_list types, MlirOperation *kept, uw_ops *unused) {
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

/* The loop where it runs at all, else what it starts with. */
MlirOperation uw_write_sums(uw_sums *a, uw_ops *unused) {
  size_t results = uw_result_count(a->loop);
  MlirType types[results + 1];
  uw_vals inits = {0};
  for (size_t i = 0; i < results; i++) {
    types[i] = mlirValueGetType(uw_result(a->loop, i));
    uw_vals_push(a->arena, &inits, uw_operand(a->loop, i + 3));
  }
  uw_builder b = uw_at(a->loop);
  MlirValue is_run = a->asks ? uw_const_int(&b, 1, 1) : uw_loop_runs(&b, a->loop);
  MlirOperation kept, runs = uw_build_if(&b, is_run, (uw_type_list){types, results});
  uw_builder in = uw_at_end(uw_block(runs, 0), b.location);
  MlirOperation chosen = choose(&in, a, (uw_type_list){types, results}, &kept, unused);
  yield_results(a, uw_block(runs, 0), chosen);
  uw_yield(uw_block(runs, 1), b.location, VALS_OF(inits));
  for (size_t i = 0; i < results; i++)
    uw_replace_uses(uw_result(a->loop, i), uw_result(runs, i));
  uw_set_attr(a->loop, UW_SUMS_DONE, mlirUnitAttrGet(b.context));
  if (asks_each_thread(a)) {
    uw_move_to_end(a->loop, uw_block(chosen, 1));
    yield_results(a, uw_block(chosen, 1), a->loop);
  }
  return kept;
}
