/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Swaps a thread loop with the uniform if, for or while in it that holds an exchange, so that the exchange comes to
 * the top level of a thread loop, where it can be split.
 *
 *   parallel %i in n {                            store %x0, %slot[%i]  in a loop over threads
 *     A                                           for %j = … {
 *     %r = for %j = … iter(%x = %x0) {              parallel %i in n {
 *       B; barrier; C; yield %y         ==>           %x = load %slot[%i]
 *     }                                               B; barrier; C; store %y, %slot[%i] } }
 *     D(%r)                                       parallel %i in n { %r = load %slot[%i]; D(%r) }
 *   }
 *
 * Steps: 1. carried values and results become slots, except those that pure operations compute at block level (loop
 * counters, flags): these stay values of the serial construct; 2. bounds and conditions are made known at block
 * level, by copies of pure operations or through a slot with one element that all threads write; 3. the loop is
 * split before and after the construct; 4. they swap. A while's condition is taken from its slot after the loop
 * that computes it; each region of if and while gets a loop of its own.
 *
 * Why one slot for a carried value is enough: a thread reads it at the start of the body and writes it at the end.
 * Where it has one element for all threads, it is read at block level before the threads run, so no thread sees
 * another's write.
 * Requires: the construct is uniform (mask.c). Preserves: program order in each thread. Refuses: nothing.
 * Paper: parallel loop interchange, Figures 7 and 8. */
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../passes.h"
#include "interchange.h"

void uw_swap_create_slot(swap *s, carried *c, MlirValue value, bool shared) {
  c->slot = uw_slot_create(s->threads, mlirValueGetType(value), shared);
  *(shared ? &s->common : &s->own) += uw_type_bytes(mlirValueGetType(value));
}

/* Writes value to the slot at the end of a block of the construct. */
void uw_swap_keep_at_end(swap *s, MlirBlock block, const carried *c, MlirValue value) {
  uw_builder b = uw_at(uw_last(block));
  uw_slot_keep(&b, &c->slot, s->loop, value);
}

/* At the start of a block of the construct, reads the slot in the place of the block's argument. */
void uw_swap_read_at_start(swap *s, MlirBlock block, const carried *c, MlirValue value) {
  if (!used(value))
    return;
  uw_builder b = uw_at_start(block, mlirOperationGetLocation(s->construct));
  uw_replace_uses(value, uw_slot_get(&b, &c->slot, s->loop));
}

/* Do all uses of value in block and the operation that makes next stand in one stretch without exchange? Then
 * *first is the first of these operations. */
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
    MlirOperation top = uw_ancestor_in(block, mlirOpOperandGetOwner(use));
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

/* The block gets its value from the slot, as `value` (null: not at all), and leaves next in it. Where both happen
 * between two exchanges, the slot is written right there and not carried to the end of the block; then the value
 * can no longer be read again later, so that read is not marked as a reload. */
void uw_swap_keep_carried(swap *s, MlirBlock block, const carried *c, MlirValue value, MlirValue next) {
  MlirOperation first;
  if (c->slot.shared || !in_one_stretch(s, block, value, next, &first)) {
    uw_swap_keep_at_end(s, block, c, next);
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
void uw_swap_read_results(swap *s, const carried *list) {
  uw_builder b = uw_after(s->construct);
  for (size_t i = 0; i < uw_result_count(s->construct); i++)
    if (!list[i].kept && used(uw_result(s->construct, i)))
      uw_replace_uses(uw_result(s->construct, i), uw_slot_get(&b, &list[i].slot, s->loop));
}

/* Operand i of the construct is a start value: goes to its slot before the construct, or to block level. */
void uw_swap_place_init(swap *s, const carried *c, size_t i) {
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

/* Makes the first `count` operands of the construct, the same for all threads, known at block level. Those that
 * only threads can compute are written to slots; read_exports gets them when the loop is split before the
 * construct. */
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

/* Splits the loop after the construct; what is before it there can be computed again, so nothing has to be kept. */
MlirOperation uw_swap_split_after(swap *s) {
  MlirOperation own = uw_split_off(s->threads, s->loop, uw_next(s->construct));
  uw_assert(s->construct, !uw_null(own) && uw_same_op(uw_next(s->construct), uw_last(uw_block(own, 0))));
  return own;
}

static uw_ops operations_before(swap *s, MlirOperation own) {
  uw_ops before = {0};
  uw_foreach_op (op, uw_block(own, 0)) {
    if (uw_same_op(op, s->construct))
      break;
    uw_ops_push(s->arena, &before, op);
  }
  return before;
}

/* Moves all but the terminator of a block of the construct to the end of a thread loop's body. */
void uw_swap_move_body(MlirBlock from, MlirOperation loop) {
  MlirOperation last = uw_last(from);
  uw_foreach_op_safe (op, from)
    if (!uw_same_op(op, last))
      uw_move_to_end(op, uw_block(loop, 0));
}

/* A second loop for a block of the construct: the operations before the construct are done again in it. */
MlirOperation uw_swap_second_loop(swap *s, MlirOperation own, uw_builder *b, MlirBlock from) {
  MlirOperation loop = uw_parallel_like(b, own);
  MlirBlock body = uw_block(loop, 0), own_body = uw_block(own, 0);
  uw_map *map = uw_map_create(s->arena);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    uw_map_set(map, mlirBlockGetArgument(own_body, i), mlirBlockGetArgument(body, i));
  uw_ops before = operations_before(s, own);
  uw_builder end = uw_at_end(body, b->location);
  for (size_t i = 0; i < before.count; i++)
    uw_clone(&end, before.at[i], map);
  uw_swap_move_body(from, loop);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    uw_replace_uses_inside(mlirBlockGetArgument(own_body, i), mlirBlockGetArgument(body, i), loop);
  for (size_t i = 0; i < before.count; i++)
    for (size_t k = 0; k < uw_result_count(before.at[i]); k++) {
      MlirValue value = uw_result(before.at[i], k);
      uw_replace_uses_inside(value, uw_map_get(map, value), loop);
    }
  return loop;
}

bool uw_swap_has_operations(MlirBlock block) {
  return !mlirBlockIsNull(block) && !uw_same_op(uw_first(block), uw_last(block));
}

/* The loops are in place: the construct goes. */
void uw_swap_finish(swap *s, MlirOperation first, MlirOperation second, uw_ops *inner) {
  mlirOperationDestroy(s->construct);
  uw_tidy_top(s->threads, first);
  uw_ops_push(s->arena, inner, first);
  if (!uw_null(second)) {
    uw_tidy_top(s->threads, second);
    uw_ops_push(s->arena, inner, second);
  }
}

/* Types of what is kept. */
uw_type_list uw_swap_kept_types(swap *s, const carried *list, size_t count) {
  MlirType *types = uw_alloc(s->arena, (count + 1) * sizeof *types);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (list[i].kept)
      types[kept++] = mlirValueGetType(uw_result(s->construct, i));
  return (uw_type_list){types, kept};
}

void uw_swap_replace_kept_results(swap *s, const carried *list, MlirOperation copy) {
  for (size_t i = 0, k = 0; i < uw_result_count(s->construct); i++)
    if (list[i].kept)
      uw_replace_uses(uw_result(s->construct, i), uw_result(copy, k++));
}

/* --- if ----------------------------------------------------------------------------------------------------------- */

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
    uw_swap_create_slot(s, &results[i], uw_result(op, i), uw_uniform(s->facts, uw_result(op, i)));
    for (size_t arm = 0; arm < 2; arm++)
      uw_swap_keep_at_end(s, arms[arm], &results[i], uw_operand(uw_last(arms[arm]), i));
  }
  uw_swap_read_results(s, results);
  uw_slot *exports = export_operands(s, 1);
  uw_split_before(s->threads, s->loop, op);
  read_exports(s, exports, 1);

  uw_builder b = uw_at(s->loop);
  b.location = mlirOperationGetLocation(op);
  MlirOperation copy = uw_build_if(&b, uw_operand(op, 0), uw_swap_kept_types(s, results, count));
  uw_swap_replace_kept_results(s, results, copy);
  MlirOperation own = uw_swap_split_after(s), second = {NULL};
  uw_vals yields[2] = {{0}, {0}};
  for (unsigned arm = 0; arm < 2; arm++) {
    uw_builder start = uw_at_start(uw_block(copy, arm), b.location);
    uw_map *map = uw_map_create(s->arena);
    for (size_t i = 0; i < count; i++)
      if (results[i].kept)
        uw_vals_push(s->arena, &yields[arm], uw_compute_outside(&start, uw_operand(uw_last(arms[arm]), i), own, map));
  }
  if (uw_swap_has_operations(arms[1])) {
    uw_builder end = uw_at_end(uw_block(copy, 1), b.location);
    second = uw_swap_second_loop(s, own, &end, arms[1]);
  }
  uw_move_to_end(own, uw_block(copy, 0));
  uw_swap_move_body(arms[0], own);
  uw_yield(uw_block(copy, 0), b.location, VALS_OF(yields[0]));
  uw_yield(uw_block(copy, 1), b.location, VALS_OF(yields[1]));
  uw_swap_finish(s, own, second, inner);
}

/* --- for ---------------------------------------------------------------------------------------------------------- */

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
      uw_swap_create_slot(s, &list[i], value, uw_uniform(s->facts, value));
      if (!uw_same(next, value))
        uw_swap_keep_carried(s, body, &list[i], value, next);
    }
    uw_swap_place_init(s, &list[i], i + 3);
  }
  for (size_t i = 0; i < count; i++)
    if (!list[i].kept)
      uw_swap_read_at_start(s, body, &list[i], argument(body, i + 1));
  uw_swap_read_results(s, list);
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
  uw_swap_replace_kept_results(s, list, copy);
  MlirOperation own = uw_swap_split_after(s), none = {NULL};
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
  uw_swap_move_body(body, own);
  uw_swap_finish(s, own, none, inner);
}

static bool swap_construct(swap *s, uw_ops *inner) {
  switch (uw_kind(s->construct)) {
  case UW_OP_SCF_IF: swap_if(s, inner); return true;
  case UW_OP_SCF_FOR: swap_for(s, inner); return true;
  case UW_OP_SCF_WHILE: uw_swap_while(s, inner); return true;
  default: return false;
  }
}

bool uw_interchange(uw_threads *threads, MlirOperation loop, MlirOperation construct, uw_ops *inner) {
  swap s = {.threads = threads, .arena = threads->arena, .loop = loop, .construct = construct};
  s.facts = uw_thread_facts(threads, threads->arena, loop);
  s.outside = uw_map_create(threads->arena);
  MlirLocation location = mlirOperationGetLocation(construct);
  const char *kind = uw_kind(construct) == UW_OP_SCF_IF ? "branch" : "loop";
  if (swap_construct(&s, inner)) {
    const char *carried = "nothing";
    if (s.own + s.common)
      carried = uw_arena_format(s.arena, "%llu bytes a thread, %llu bytes a block", (unsigned long long)s.own,
                                (unsigned long long)s.common);
    uw_remark(location, "lower-barriers",
              "%s around a barrier: the loop over threads goes inside of it; carried in memory: %s", kind, carried);
    return true;
  }
  uw_error(location, "a barrier stands in control flow that cannot be split; write it with if, for "
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
