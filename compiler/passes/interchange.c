/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Swaps a thread loop with the uniform if, for or while in it that holds an exchange, so that the exchange comes to the top level of
 * a thread loop, where it can be split.
 *
 *   parallel %i in n {                            store %x0, %slot[%i]  in a loop over threads
 *     A                                           for %j = … {
 *     %r = for %j = … iter(%x = %x0) {              parallel %i in n {
 *       B; barrier; C; yield %y         ==>           %x = load %slot[%i]
 *     }                                               B; barrier; C; store %y, %slot[%i] } }
 *     D(%r)                                       parallel %i in n { %r = load %slot[%i]; D(%r) }
 *   }
 *
 * Steps: 1. carried values and results become slots, except those that pure operations compute at block level (loop counters, flags):
 * these stay values of the serial construct; 2. bounds and conditions are made known at block level, by copies of pure operations or
 * through a slot with one element that all threads write; 3. the loop is split before and behind the construct; 4. they swap.
 * A while's condition is taken from its slot after the loop that computes it; each region of if and while gets a loop of its own.
 *
 * Why one slot for a carried value is enough: a thread reads it at the start of the body and writes it at the end. Where it has one
 * element for all threads, it is read at block level before the threads run, so no thread sees another's write.
 * Requires: the construct is uniform (mask.c). Preserves: program order in each thread. Refuses: nothing.
 * Paper: parallel loop interchange, Figures 7 and 8. */
#include "thread_loop.h"

/* One value that a construct carries or results in. */
typedef struct carried {
  bool kept; /* stays a value of the block-level construct; otherwise lives in slot */
  uw_slot slot;
} carried;

typedef struct swap {
  uw_threads *threads;
  uw_arena *arena;
  uw_uniformity *facts;
  MlirOperation loop, construct;
  uw_map *outside; /* copies of pure operations made before the loop */
} swap;

static MlirValue argument(MlirBlock block, size_t index) { return mlirBlockGetArgument(block, (intptr_t)index); }
static bool used(MlirValue value) { return !mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

static void create_slot(swap *s, carried *c, MlirValue value, bool shared) {
  c->slot = uw_slot_create(s->threads, mlirValueGetType(value), shared);
}

/* Writes value to the slot at the end of a block of the construct. */
static void keep_at_end(swap *s, MlirBlock block, const carried *c, MlirValue value) {
  uw_builder b = uw_at(uw_last(block));
  uw_slot_keep(&b, &c->slot, s->loop, value);
}

/* At the start of a block of the construct, reads the slot in the place of the block's argument. */
static void read_at_start(swap *s, MlirBlock block, const carried *c, MlirValue value) {
  if (!used(value))
    return;
  uw_builder b = uw_at_start(block, mlirOperationGetLocation(s->construct));
  uw_replace_uses(value, uw_slot_get(&b, &c->slot, s->loop));
}

static MlirOperation ancestor_in(MlirBlock block, MlirOperation op) {
  while (!uw_null(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = uw_parent(op);
  return op;
}

/* Do all uses of value in block and the operation that makes next stand in one stretch without exchange? Then *first is the first of
 * these operations. */
static bool in_one_stretch(swap *s, MlirBlock block, MlirValue value, MlirValue next, MlirOperation *first) {
  MlirOperation def = uw_def(next);
  *first = (MlirOperation){NULL};
  if (uw_null(def) || !mlirBlockEqual(mlirOperationGetBlock(def), block))
    return false;
  uw_table *marks = uw_table_create(s->arena);
  size_t left = 1;
  uw_table_set(marks, def.ptr, 1);
  for (MlirOpOperand use = value.ptr ? mlirValueGetFirstUse(value) : (MlirOpOperand){NULL}; !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation top = ancestor_in(block, mlirOpOperandGetOwner(use));
    if (uw_null(top) || uw_same_op(top, uw_last(block)))
      return false;
    left += uw_table_get(marks, top.ptr) == 0;
    uw_table_set(marks, top.ptr, 1);
  }
  bool inside = false;
  for (MlirOperation op = uw_first(block); left > 0; op = uw_next(op)) {
    intptr_t mark = uw_table_get(marks, op.ptr);
    inside = inside || mark;
    left -= mark != 0;
    if (mark && uw_null(*first))
      *first = op;
    if (inside && uw_has_exchange(op, s->threads->level))
      return false;
  }
  return true;
}

/* The block gets its value from the slot, as `value` (null: not at all), and leaves next in it. Where both happen between two exchanges, the
 * slot is written right there and not carried to the end of the block; then the value can no longer be read again later, so
 * that read is not marked as a reload. */
static void keep_carried(swap *s, MlirBlock block, const carried *c, MlirValue value, MlirValue next) {
  MlirOperation first;
  if (c->slot.shared || !in_one_stretch(s, block, value, next, &first)) {
    keep_at_end(s, block, c, next);
    return;
  }
  if (value.ptr && used(value)) { /* before the write, which may come before the first use */
    uw_builder b = uw_at(first);
    uw_replace_uses(value, uw_slot_read(&b, &c->slot, uw_linear_thread(&b, s->loop), false));
  }
  uw_builder b = uw_after(uw_def(next));
  uw_slot_keep(&b, &c->slot, s->loop, next);
}

/* The slots' contents take the place of the construct's results. */
static void read_results(swap *s, const carried *list) {
  uw_builder b = uw_after(s->construct);
  for (size_t i = 0; i < uw_result_count(s->construct); i++)
    if (!list[i].kept && used(uw_result(s->construct, i)))
      uw_replace_uses(uw_result(s->construct, i), uw_slot_get(&b, &list[i].slot, s->loop));
}

/* Operand number i of the construct is a start value: goes to its slot before the construct, or to block level. */
static void place_init(swap *s, const carried *c, size_t i) {
  MlirValue init = uw_operand(s->construct, i);
  if (c->kept) {
    uw_builder outside = uw_at(s->loop);
    mlirOperationSetOperand(s->construct, (intptr_t)i, uw_compute_outside(&outside, init, s->loop, s->outside));
  } else {
    uw_builder b = uw_at(s->construct);
    uw_slot_keep(&b, &c->slot, s->loop, init);
    mlirOperationSetOperand(s->construct, (intptr_t)i, uw_poison(&b, mlirValueGetType(init)));
  }
}

/* Makes the first `count` operands of the construct, the same for all threads, known at block level. Those that only threads can
 * compute are written to slots; read_exports gets them when the loop is split before the construct. */
static uw_slot *export_operands(swap *s, size_t count) {
  uw_slot *slots = uw_alloc(s->arena, (count + 1) * sizeof *slots);
  for (size_t i = 0; i < count; i++) {
    MlirValue value = uw_operand(s->construct, i), outside;
    if (uw_computable_outside(s->arena, value, s->loop, NULL)) {
      uw_builder b = uw_at(s->loop);
      outside = uw_compute_outside(&b, value, s->loop, s->outside);
    } else {
      uw_assert(s->construct, uw_uniform(s->facts, value));
      slots[i] = uw_slot_create(s->threads, mlirValueGetType(value), true);
      uw_builder b = uw_at(s->construct);
      uw_slot_keep(&b, &slots[i], s->loop, value);
      outside = uw_poison(&b, mlirValueGetType(value));
    }
    mlirOperationSetOperand(s->construct, (intptr_t)i, outside);
  }
  return slots;
}

static void read_exports(swap *s, const uw_slot *slots, size_t count) {
  uw_builder b = uw_at(s->loop);
  for (size_t i = 0; i < count; i++)
    if (slots[i].memory.ptr)
      mlirOperationSetOperand(s->construct, (intptr_t)i, uw_slot_read(&b, &slots[i], slots[i].memory, false));
}

/* Splits the loop behind the construct; what is before it there can be computed again, so nothing has to be kept. */
static MlirOperation split_behind(swap *s) {
  MlirOperation own = uw_split_off(s->threads, s->loop, uw_next(s->construct));
  uw_assert(s->construct, !uw_null(own) && uw_same_op(uw_next(s->construct), uw_last(uw_block(own, 0))));
  return own;
}

static uw_ops operations_before(swap *s, MlirOperation own) {
  uw_ops before = {0};
  uw_foreach_op(op, uw_block(own, 0)) {
    if (uw_same_op(op, s->construct))
      break;
    uw_ops_push(s->arena, &before, op);
  }
  return before;
}

/* Moves all but the terminator of a block of the construct to the end of a thread loop's body. */
static void move_body(MlirBlock from, MlirOperation loop) {
  MlirOperation last = uw_last(from);
  uw_foreach_op_safe(op, from)
    if (!uw_same_op(op, last))
      uw_move_to_end(op, uw_block(loop, 0));
}

/* A second loop for a block of the construct: the operations before the construct are done again in it. */
static MlirOperation second_loop(swap *s, MlirOperation own, uw_builder *b, MlirBlock from) {
  MlirOperation loop = uw_loop_like(b, own);
  MlirBlock body = uw_block(loop, 0), own_body = uw_block(own, 0);
  uw_map *map = uw_map_create(s->arena);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    uw_map_set(map, mlirBlockGetArgument(own_body, i), mlirBlockGetArgument(body, i));
  uw_ops before = operations_before(s, own);
  uw_builder end = uw_at_end(body, b->location);
  for (size_t i = 0; i < before.count; i++)
    uw_clone(&end, before.at[i], map);
  move_body(from, loop);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    uw_replace_uses_inside(mlirBlockGetArgument(own_body, i), mlirBlockGetArgument(body, i), loop);
  for (size_t i = 0; i < before.count; i++)
    for (size_t k = 0; k < uw_result_count(before.at[i]); k++) {
      MlirValue value = uw_result(before.at[i], k);
      uw_replace_uses_inside(value, uw_map_get(map, value), loop);
    }
  return loop;
}

static bool has_operations(MlirBlock block) { return !mlirBlockIsNull(block) && !uw_same_op(uw_first(block), uw_last(block)); }

/* The loops are in place: the construct goes. */
static void finish(swap *s, MlirOperation first, MlirOperation second, uw_ops *inner) {
  mlirOperationDestroy(s->construct);
  uw_tidy_top(s->threads, first);
  uw_ops_push(s->arena, inner, first);
  if (!uw_null(second)) {
    uw_tidy_top(s->threads, second);
    uw_ops_push(s->arena, inner, second);
  }
}

/* Types of what is kept. */
static uw_type_list kept_types(swap *s, const carried *list, size_t count) {
  MlirType *types = uw_alloc(s->arena, (count + 1) * sizeof *types);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (list[i].kept)
      types[kept++] = mlirValueGetType(uw_result(s->construct, i));
  return (uw_type_list){types, kept};
}

static void replace_kept_results(swap *s, const carried *list, MlirOperation copy) {
  for (size_t i = 0, k = 0; i < uw_result_count(s->construct); i++)
    if (list[i].kept)
      uw_replace_uses(uw_result(s->construct, i), uw_result(copy, k++));
}

/* --- if ------------------------------------------------------------------------------------------------------------------------ */

static void swap_if(swap *s, uw_ops *inner) {
  MlirOperation op = s->construct;
  MlirBlock arms[2] = {uw_block(op, 0), uw_block(op, 1)};
  size_t count = uw_result_count(op);
  carried *results = uw_alloc(s->arena, (count + 1) * sizeof *results);
  for (size_t i = 0; i < count; i++) {
    results[i].kept = uw_computable_outside(s->arena, uw_operand(uw_last(arms[0]), i), s->loop, NULL) &&
                      uw_computable_outside(s->arena, uw_operand(uw_last(arms[1]), i), s->loop, NULL);
    if (results[i].kept || !used(uw_result(op, i)))
      continue;
    create_slot(s, &results[i], uw_result(op, i), uw_uniform(s->facts, uw_result(op, i)));
    for (size_t arm = 0; arm < 2; arm++)
      keep_at_end(s, arms[arm], &results[i], uw_operand(uw_last(arms[arm]), i));
  }
  read_results(s, results);
  uw_slot *exports = export_operands(s, 1);
  uw_split_before(s->threads, s->loop, op);
  read_exports(s, exports, 1);

  uw_builder b = uw_at(s->loop);
  b.location = mlirOperationGetLocation(op);
  MlirOperation copy = uw_build_if(&b, uw_operand(op, 0), kept_types(s, results, count));
  replace_kept_results(s, results, copy);
  MlirOperation own = split_behind(s), second = {NULL};
  uw_vals yields[2] = {{0}, {0}};
  for (unsigned arm = 0; arm < 2; arm++) {
    uw_builder start = uw_at_start(uw_block(copy, arm), b.location);
    uw_map *map = uw_map_create(s->arena);
    for (size_t i = 0; i < count; i++)
      if (results[i].kept)
        uw_vals_push(s->arena, &yields[arm], uw_compute_outside(&start, uw_operand(uw_last(arms[arm]), i), own, map));
  }
  if (has_operations(arms[1])) {
    uw_builder end = uw_at_end(uw_block(copy, 1), b.location);
    second = second_loop(s, own, &end, arms[1]);
  }
  uw_move_to_end(own, uw_block(copy, 0));
  move_body(arms[0], own);
  uw_yield(uw_block(copy, 0), b.location, VALS_OF(yields[0]));
  uw_yield(uw_block(copy, 1), b.location, VALS_OF(yields[1]));
  finish(s, own, second, inner);
}

/* --- for ----------------------------------------------------------------------------------------------------------------------- */

/* Finds the largest set of carried values that can be computed at block level from each other and the counter. */
static void choose_kept(swap *s, MlirOperation op, carried *list) {
  MlirBlock body = uw_block(op, 0);
  size_t count = uw_result_count(op);
  for (size_t i = 0; i < count; i++)
    list[i].kept = uw_computable_outside(s->arena, uw_operand(op, i + 3), s->loop, NULL);
  for (bool changed = true; changed;) {
    changed = false;
    uw_map *known = uw_map_create(s->arena);
    uw_map_set(known, argument(body, 0), argument(body, 0));
    for (size_t i = 0; i < count; i++)
      if (list[i].kept)
        uw_map_set(known, argument(body, i + 1), argument(body, i + 1));
    for (size_t i = 0; i < count; i++)
      if (list[i].kept && !uw_computable_outside(s->arena, uw_operand(uw_last(body), i), s->loop, known)) {
        list[i].kept = false;
        changed = true;
      }
  }
}

static void swap_for(swap *s, uw_ops *inner) {
  MlirOperation op = s->construct;
  MlirBlock body = uw_block(op, 0);
  size_t count = uw_result_count(op);
  carried *list = uw_alloc(s->arena, (count + 1) * sizeof *list);
  choose_kept(s, op, list);
  for (size_t i = 0; i < count; i++) {
    MlirValue next = uw_operand(uw_last(body), i), value = argument(body, i + 1);
    if (!list[i].kept) {
      create_slot(s, &list[i], value, uw_uniform(s->facts, value));
      if (!uw_same(next, value))
        keep_carried(s, body, &list[i], value, next);
    }
    place_init(s, &list[i], i + 3);
  }
  for (size_t i = 0; i < count; i++)
    if (!list[i].kept)
      read_at_start(s, body, &list[i], argument(body, i + 1));
  read_results(s, list);
  uw_slot *exports = export_operands(s, 3);
  uw_split_before(s->threads, s->loop, op);
  read_exports(s, exports, 3);

  uw_builder b = uw_at(s->loop);
  b.location = mlirOperationGetLocation(op);
  uw_vals inits = {0}, yields = {0};
  for (size_t i = 0; i < count; i++)
    if (list[i].kept)
      uw_vals_push(s->arena, &inits, uw_operand(op, i + 3));
  MlirOperation copy = uw_build_for(&b, uw_operand(op, 0), uw_operand(op, 1), uw_operand(op, 2), VALS_OF(inits));
  if (!mlirAttributeIsNull(uw_get_attr(op, "unsignedCmp")))
    uw_set_attr(copy, "unsignedCmp", mlirUnitAttrGet(b.context));
  replace_kept_results(s, list, copy);
  MlirOperation own = split_behind(s), none = {NULL};
  MlirBlock copy_body = uw_block(copy, 0);
  uw_map *map = uw_map_create(s->arena);
  uw_map_set(map, argument(body, 0), argument(copy_body, 0));
  for (size_t i = 0, k = 1; i < count; i++)
    if (list[i].kept)
      uw_map_set(map, argument(body, i + 1), argument(copy_body, k++));
  uw_builder start = uw_at_start(copy_body, b.location);
  for (size_t i = 0; i < count; i++)
    if (list[i].kept)
      uw_vals_push(s->arena, &yields, uw_compute_outside(&start, uw_operand(uw_last(body), i), own, map));
  uw_move_to_end(own, copy_body);
  uw_yield(copy_body, b.location, VALS_OF(yields));
  uw_replace_uses(argument(body, 0), argument(copy_body, 0));
  for (size_t i = 0; i < count; i++)
    if (list[i].kept)
      uw_replace_uses(argument(body, i + 1), uw_map_get(map, argument(body, i + 1)));
  move_body(body, own);
  finish(s, own, none, inner);
}

/* --- while --------------------------------------------------------------------------------------------------------------------- */

/* The same for a while: what comes into the condition's region (in), and what it hands on (out). */
static void choose_kept_while(swap *s, MlirOperation op, carried *in, carried *out) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  size_t ins = uw_operand_count(op), outs = uw_result_count(op);
  for (size_t i = 0; i < ins; i++)
    in[i].kept = uw_computable_outside(s->arena, uw_operand(op, i), s->loop, NULL);
  for (size_t j = 0; j < outs; j++)
    out[j].kept = true;
  for (bool changed = true; changed;) {
    changed = false;
    uw_map *known = uw_map_create(s->arena);
    for (size_t i = 0; i < ins; i++)
      if (in[i].kept)
        uw_map_set(known, argument(before, i), argument(before, i));
    for (size_t j = 0; j < outs; j++)
      if (out[j].kept)
        uw_map_set(known, argument(after, j), argument(after, j));
    for (size_t i = 0; i < ins; i++)
      if (in[i].kept && !uw_computable_outside(s->arena, uw_operand(uw_last(after), i), s->loop, known)) {
        in[i].kept = false;
        changed = true;
      }
    for (size_t j = 0; j < outs; j++)
      if (out[j].kept && !uw_computable_outside(s->arena, uw_operand(uw_last(before), j + 1), s->loop, known)) {
        out[j].kept = false;
        changed = true;
      }
  }
}

/* Slots for what is not kept, and the writes of them at the ends of the regions. Two cases save a slot and a copy in each iteration:
 *   through   the condition's region hands on a value as it came in: the slot that it came in has it;
 *   back      the body hands a value back as it got it: the condition's region writes it where the next iteration expects it.
 * A slot that something reads through is not overwritten at the end of the condition's region, so the two exclude each other. */
static void create_while_slots(swap *s, MlirOperation op, carried *in, carried *out) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  size_t ins = uw_operand_count(op), outs = uw_result_count(op);
  intptr_t *same = uw_alloc(s->arena, (outs + 1) * sizeof *same); /* number of the carried value with the same slot, or -1 */
  bool *through = uw_alloc(s->arena, (outs + 1) * sizeof *through);
  bool *shares = uw_alloc(s->arena, (ins + 1) * sizeof *shares);
  for (size_t i = 0; i < ins; i++)
    if (!in[i].kept)
      create_slot(s, &in[i], argument(before, i), uw_uniform(s->facts, argument(before, i)));
  for (int round = 0; round < 2; round++) /* through, then back */
    for (size_t j = 0; j < outs; j++) {
      MlirValue handed = argument(after, j);
      bool shared = uw_uniform(s->facts, handed) && uw_uniform(s->facts, uw_result(op, j));
      if (round == 0)
        same[j] = -1;
      for (size_t i = 0; i < ins && !out[j].kept && same[j] < 0; i++) {
        bool fits = round == 0 ? uw_same(uw_operand(uw_last(before), j + 1), argument(before, i))
                               : uw_same(uw_operand(uw_last(after), i), handed) && !shares[i];
        if (in[i].kept || !fits || in[i].slot.shared != shared)
          continue;
        same[j] = (intptr_t)i;
        through[j] = round == 0;
        shares[i] = true;
        out[j].slot = in[i].slot;
      }
    }
  for (size_t i = 0; i < ins; i++) {
    MlirValue next = uw_operand(uw_last(after), i);
    bool there = in[i].kept;
    MlirValue reads = {NULL}; /* what comes from the slot in the body, if that is one value */
    size_t readers = 0;
    for (size_t j = 0; j < outs; j++) {
      there = there || (same[j] == (intptr_t)i && uw_same(next, argument(after, j)));
      if (same[j] == (intptr_t)i && used(argument(after, j))) {
        reads = argument(after, j);
        readers++;
      }
    }
    if (!there && readers <= 1)
      keep_carried(s, after, &in[i], reads, next);
    else if (!there)
      keep_at_end(s, after, &in[i], next);
  }
  for (size_t j = 0; j < outs; j++) {
    MlirValue value = uw_operand(uw_last(before), j + 1);
    bool wanted = same[j] >= 0 || used(uw_result(op, j)) || used(argument(after, j));
    if (out[j].kept || through[j] || !wanted)
      continue;
    if (same[j] < 0)
      create_slot(s, &out[j], value, uw_uniform(s->facts, argument(after, j)) && uw_uniform(s->facts, uw_result(op, j)));
    MlirValue reads = same[j] < 0 ? (MlirValue){NULL} : argument(before, same[j]);
    keep_carried(s, before, &out[j], reads, value);
  }
}

static void swap_while(swap *s, uw_ops *inner) {
  MlirOperation op = s->construct;
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  MlirOperation condition = uw_last(before);
  size_t ins = uw_operand_count(op), outs = uw_result_count(op);
  carried *in = uw_alloc(s->arena, (ins + 1) * sizeof *in), *out = uw_alloc(s->arena, (outs + 1) * sizeof *out);
  choose_kept_while(s, op, in, out);
  create_while_slots(s, op, in, out);
  uw_map *known = uw_map_create(s->arena);
  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_map_set(known, argument(before, i), argument(before, i));
  MlirValue goes_on = uw_operand(condition, 0);
  bool condition_known = uw_computable_outside(s->arena, goes_on, s->loop, known);
  uw_slot condition_slot = {0};
  if (!condition_known) {
    uw_assert(op, uw_uniform(s->facts, goes_on));
    condition_slot = uw_slot_create(s->threads, mlirValueGetType(goes_on), true);
    uw_builder b = uw_at(condition);
    uw_slot_keep(&b, &condition_slot, s->loop, goes_on);
  }
  for (size_t i = 0; i < ins; i++) {
    if (!in[i].kept)
      read_at_start(s, before, &in[i], argument(before, i));
    place_init(s, &in[i], i);
  }
  for (size_t j = 0; j < outs; j++)
    if (!out[j].kept)
      read_at_start(s, after, &out[j], argument(after, j));
  read_results(s, out);
  uw_split_before(s->threads, s->loop, op);

  uw_builder b = uw_at(s->loop);
  b.location = mlirOperationGetLocation(op);
  uw_vals inits = {0}, handed = {0}, yields = {0};
  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_vals_push(s->arena, &inits, uw_operand(op, i));
  MlirOperation copy = uw_build_while(&b, VALS_OF(inits), kept_types(s, out, outs));
  replace_kept_results(s, out, copy);
  MlirOperation own = split_behind(s), second = {NULL};
  MlirBlock copy_before = uw_block(copy, 0), copy_after = uw_block(copy, 1);

  uw_map *map = uw_map_create(s->arena);
  for (size_t i = 0, k = 0; i < ins; i++)
    if (in[i].kept)
      uw_map_set(map, argument(before, i), argument(copy_before, k++));
  for (size_t j = 0, k = 0; j < outs; j++)
    if (out[j].kept)
      uw_map_set(map, argument(after, j), argument(copy_after, k++));
  uw_builder start = uw_at_start(copy_before, b.location);
  MlirValue block_condition = {NULL};
  if (condition_known)
    block_condition = uw_compute_outside(&start, uw_operand(condition, 0), own, map);
  uw_vals_push(s->arena, &handed, block_condition);
  for (size_t j = 0; j < outs; j++)
    if (out[j].kept)
      uw_vals_push(s->arena, &handed, uw_compute_outside(&start, uw_operand(condition, j + 1), own, map));
  /* Copies made for one region are of no use in the other. */
  uw_map *after_map = uw_map_create(s->arena);
  for (size_t j = 0; j < outs; j++)
    if (out[j].kept)
      uw_map_set(after_map, argument(after, j), uw_map_get(map, argument(after, j)));
  start = uw_at_start(copy_after, b.location);
  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_vals_push(s->arena, &yields, uw_compute_outside(&start, uw_operand(uw_last(after), i), own, after_map));

  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_replace_uses(argument(before, i), uw_map_get(map, argument(before, i)));
  for (size_t j = 0; j < outs; j++)
    if (out[j].kept)
      uw_replace_uses(argument(after, j), uw_map_get(map, argument(after, j)));
  if (has_operations(after)) {
    uw_builder end = uw_at_end(copy_after, b.location);
    second = second_loop(s, own, &end, after);
  }
  uw_yield(copy_after, b.location, VALS_OF(yields));
  uw_move_to_end(own, copy_before);
  move_body(before, own);
  uw_builder end = uw_at_end(copy_before, b.location);
  if (!condition_known)
    handed.at[0] = uw_slot_read(&end, &condition_slot, condition_slot.memory, false);
  uw_build(&end, "scf.condition", .in = VALS_OF(handed));
  finish(s, own, second, inner);
}

bool uw_interchange(uw_threads *threads, MlirOperation loop, MlirOperation construct, uw_ops *inner) {
  swap s = {.threads = threads, .arena = threads->arena, .loop = loop, .construct = construct};
  s.facts = uw_thread_facts(threads, threads->arena, loop);
  s.outside = uw_map_create(threads->arena);
  switch (uw_kind(construct)) {
  case UW_OP_SCF_IF: swap_if(&s, inner); return true;
  case UW_OP_SCF_FOR: swap_for(&s, inner); return true;
  case UW_OP_SCF_WHILE: swap_while(&s, inner); return true;
  default: break;
  }
  uw_error(mlirOperationGetLocation(construct), "a barrier stands in control flow that cannot be split; write it with if, for "
                                                "or while");
  return false;
}

uw_change uw_pass_interchange(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  static const char *const levels[] = {"block", "warp"};
  for (size_t l = 0; l < 2; l++) {
    uw_ops loops = uw_thread_loops(ctx->arena, root, levels[l]);
    for (size_t i = 0; i < loops.count; i++) {
      MlirOperation loop = loops.at[i];
      uw_threads *threads = uw_threads_of(ctx->arena, loop);
      if (!uw_keep_private_memory(threads, loop) || !uw_mask_loop(ctx->arena, loop, threads->level))
        return UW_FAILED;
      uw_ops inner = {0}, ops = uw_block_ops(ctx->arena, uw_block(loop, 0));
      for (size_t k = 0; k < ops.count; k++)
        if (!uw_is_exchange(ops.at[k], levels[l]) && uw_has_exchange(ops.at[k], levels[l])) {
          if (!uw_interchange(threads, loop, ops.at[k], &inner))
            return UW_FAILED;
          uw_finish_loop(threads, loop);
          change = UW_CHANGED;
          break;
        }
    }
  }
  return change;
}
