/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over threads and slots: see thread_loop.h. */
#include "thread_loop.h"

#include "../analysis/thresholds.h"
#include "../analysis/bounds.h"
#include "../ir/parallel.h"

/* For so many threads a slot has room without knowing how many there are; 0 if that is not known, or too many. */
static int64_t most_threads(MlirOperation loop) {
  int64_t room = 1;
  for (size_t i = 0; i < uw_dims(loop) && room; i++) {
    int64_t most = uw_most_of(uw_upper_of(loop, i));
    room = most > 0 && most <= UW_MOST_ROOM / room ? room * most : 0;
  }
  return room;
}

uw_threads *uw_threads_of(uw_arena *arena, MlirOperation loop) {
  uw_threads *threads = uw_alloc(arena, sizeof *threads);
  threads->arena = arena;
  threads->context = mlirOperationGetContext(loop);
  threads->level = uw_exchange_level(loop);
  MlirOperation module = uw_parent_of_kind(loop, UW_OP_MODULE);
  threads->smallest = uw_null(module) || mlirAttributeIsNull(uw_get_attr(module, UW_KEEP_ALL));
  MlirOperation place = loop;
  for (;;) {
    MlirOperation around = uw_parent(place);
    bool movable = uw_kind(around) == UW_OP_SCF_FOR || uw_kind(around) == UW_OP_SCF_WHILE ||
                   uw_kind(around) == UW_OP_SCF_IF || uw_kind(around) == UW_OP_SCF_INDEX_SWITCH;
    for (size_t i = 0; i < uw_dims(loop); i++)
      movable = movable && !uw_defined_inside(uw_upper_of(loop, i), around);
    if (!movable)
      break;
    place = around;
  }
  uw_builder b = uw_at(place);
  int64_t known = 1, room = most_threads(loop), bound;
  MlirValue count = {NULL};
  for (size_t i = 0; i < uw_dims(loop); i++) {
    if (uw_const_value(uw_upper_of(loop, i), &bound)) {
      known *= bound;
      continue;
    }
    MlirValue extent = uw_upper_of(loop, i);
    if (uw_least_of(extent) < 0) /* rows that tighten cut end before they begin where none of their threads runs */
      extent = uw_binary(&b, "arith.maxsi", extent, uw_const_index(&b, 0));
    count = count.ptr ? uw_binary(&b, "arith.muli", count, extent) : extent;
  }
  MlirValue factor = uw_const_index(&b, known);
  threads->count = count.ptr
                       ? uw_build1(&b, "arith.muli", .in = VALS(count, factor), .out = TYPES(uw_index_type(b.context)))
                       : factor;
  threads->room = count.ptr && room > 0 ? uw_const_index(&b, room) : threads->count;
  enum { LANES = 32 };
  if (uw_string_is(uw_str(threads->level), "warp") && !uw_const_value(threads->count, &known))
    threads->room = uw_const_index(&b, LANES);
  threads->anchor = uw_def(threads->room);
  return threads;
}

uw_uniformity *uw_thread_facts(uw_threads *threads, uw_arena *arena, MlirOperation loop) {
  if (!threads->facts)
    threads->facts = uw_uniformity_of(threads->arena, loop, threads->level);
  return uw_uniformity_again(arena, loop, threads->level, threads->facts);
}

uw_ops uw_thread_loops(uw_arena *arena, MlirOperation root, const char *level) {
  uw_ops loops = {0}, all = uw_collect_kind(arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < all.count; i++) {
    const char *own = uw_exchange_level(all.at[i]);
    if (own && uw_string_is(uw_str(own), level) && uw_has_exchange(all.at[i], level))
      uw_ops_push(arena, &loops, all.at[i]);
  }
  return loops;
}

MlirValue uw_linear_thread(uw_builder *b, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  MlirType index = uw_index_type(b->context);
  MlirValue linear = {NULL};
  for (size_t i = 0; i < uw_dims(loop); i++) {
    int64_t bound;
    bool one = uw_const_value(uw_upper_of(loop, i), &bound) && bound == 1;
    if (linear.ptr && !one)
      linear = uw_build1(b, "arith.muli", .in = VALS(linear, uw_upper_of(loop, i)), .out = TYPES(index));
    MlirValue id = mlirBlockGetArgument(body, (intptr_t)i);
    if (!one)
      linear = linear.ptr ? uw_build1(b, "arith.addi", .in = VALS(linear, id), .out = TYPES(index)) : id;
  }
  return linear.ptr ? linear : uw_const_index(b, 0);
}

/* --- slots -------------------------------------------------------------------------------------------------------- */

/* What a value is in memory: a bit is a byte, an index 64 bits. */
static MlirType stored_type(MlirContext context, MlirType type) {
  if (mlirTypeIsAIndex(type))
    return uw_int_type(context, 64);
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1)
    return uw_int_type(context, 8);
  return type;
}

uw_slot uw_slot_create(uw_threads *threads, MlirType type, bool shared) {
  uw_builder b = uw_after(threads->anchor);
  MlirType stored = stored_type(threads->context, type), i64 = uw_int_type(b.context, 64);
  MlirValue bytes = uw_const_int(&b, 64, (int64_t)uw_type_bytes(stored));
  int64_t known;
  if (!shared && uw_const_value(threads->room, &known)) {
    bytes = uw_const_int(&b, 64, known * (int64_t)uw_type_bytes(stored));
  } else if (!shared) {
    MlirValue count = uw_build1(&b, "arith.index_cast", .in = VALS(threads->room), .out = TYPES(i64));
    bytes = uw_build1(&b, "arith.muli", .in = VALS(count, bytes), .out = TYPES(i64));
  }
  MlirValue memory =
      uw_build1(&b, "unwarp.slot", .in = VALS(bytes), .out = TYPES(uw_ptr_type(b.context)),
                .attrs = ATTRS({"alignment", uw_int_attr(b.context, 64, (int64_t)uw_type_align(stored))}));
  return (uw_slot){memory, type, shared};
}

MlirValue uw_slot_address(uw_builder *b, const uw_slot *slot, MlirValue index) {
  if (slot->shared)
    return slot->memory;
  MlirValue element = uw_build1(b, "arith.index_cast", .in = VALS(index), .out = TYPES(uw_int_type(b->context, 64)));
  return uw_add_elements(b, slot->memory, stored_type(b->context, slot->type), element);
}

void uw_slot_write(uw_builder *b, const uw_slot *slot, MlirValue index, MlirValue value) {
  MlirType stored = stored_type(b->context, slot->type);
  MlirValue address = uw_slot_address(b, slot, index);
  if (!mlirTypeEqual(stored, slot->type))
    value = uw_build1(b, mlirTypeIsAIndex(slot->type) ? "arith.index_cast" : "arith.extui", .in = VALS(value),
                      .out = TYPES(stored));
  uw_build(b, "llvm.store", .in = VALS(value, address));
}

MlirValue uw_slot_read(uw_builder *b, const uw_slot *slot, MlirValue index, bool reload) {
  MlirType stored = stored_type(b->context, slot->type);
  MlirValue address = uw_slot_address(b, slot, index);
  MlirOperation load = uw_build(b, "llvm.load", .in = VALS(address), .out = TYPES(stored));
  if (reload)
    uw_set_attr(load, UW_RELOAD, uw_str_attr(b->context, slot->shared ? "shared" : "own"));
  MlirValue value = uw_result(load, 0);
  if (!mlirTypeEqual(stored, slot->type))
    value = uw_build1(b, mlirTypeIsAIndex(slot->type) ? "arith.index_cast" : "arith.trunci", .in = VALS(value),
                      .out = TYPES(slot->type));
  return value;
}

void uw_slot_keep(uw_builder *b, const uw_slot *slot, MlirOperation loop, MlirValue value) {
  uw_slot_write(b, slot, slot->shared ? value : uw_linear_thread(b, loop), value);
}

MlirValue uw_slot_get(uw_builder *b, const uw_slot *slot, MlirOperation loop) {
  return uw_slot_read(b, slot, slot->shared ? slot->memory : uw_linear_thread(b, loop), true);
}

/* --- block level -------------------------------------------------------------------------------------------------- */

typedef struct search {
  MlirOperation loop;
  const uw_map *known;
  uw_table *answers; /* value -> YES or NO */
} search;
enum { YES = 1, NO };

static bool computable(search *s, MlirValue value) {
  if (!uw_defined_inside(value, s->loop) || (s->known && uw_map_get(s->known, value).ptr))
    return true;
  MlirOperation op = uw_def(value);
  if (uw_null(op) || uw_kind(op) == UW_OP_LLVM_LOAD || !uw_clonable(op))
    return false;
  intptr_t answer = uw_table_get(s->answers, value.ptr);
  if (answer)
    return answer == YES;
  bool all = true;
  for (size_t i = 0; i < uw_operand_count(op) && all; i++)
    all = computable(s, uw_operand(op, i));
  uw_table_set(s->answers, value.ptr, all ? YES : NO);
  return all;
}

bool uw_computable_outside(uw_arena *arena, MlirValue value, MlirOperation loop, const uw_map *known) {
  search s = {loop, known, uw_table_create(arena)};
  return computable(&s, value);
}

MlirValue uw_compute_outside(uw_builder *b, MlirValue value, MlirOperation loop, uw_map *map) {
  MlirValue done = uw_map_get(map, value);
  if (done.ptr)
    return done;
  if (!uw_defined_inside(value, loop))
    return value;
  MlirOperation op = uw_def(value);
  uw_assert(op, uw_clonable(op));
  for (size_t i = 0; i < uw_operand_count(op); i++)
    uw_compute_outside(b, uw_operand(op, i), loop, map);
  uw_clone(b, op, map);
  return uw_map_get(map, value);
}

static bool is_reload(MlirOperation op, const char *of) {
  return uw_kind(op) == UW_OP_LLVM_LOAD && uw_attr_is_str(op, UW_RELOAD, of);
}

void uw_drop_dead(uw_arena *arena, MlirBlock block) {
  uw_ops ops = uw_block_ops(arena, block);
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.at[i];
    bool droppable =
        uw_speculatable(op) || is_reload(op, "own") || is_reload(op, "shared") || is_reload(op, "original");
    if (droppable && uw_unused(op) && !uw_same_op(op, uw_last(block)))
      uw_erase(op);
  }
}

void uw_tidy_top(uw_threads *threads, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  uw_drop_dead(threads->arena, body);
  uw_foreach_op_safe (op, body) {
    if (is_reload(op, "shared")) {
      uw_move_before(op, loop);
      uw_remove_attr(op, UW_RELOAD);
    } else if (!uw_clonable(op)) {
      break;
    }
  }
}

/* A write of a shared slot whose value is the same for all threads: a block-level operation. */
static bool is_block_write(uw_threads *threads, MlirOperation op, MlirOperation loop) {
  return uw_kind(op) == UW_OP_LLVM_STORE && uw_kind(uw_def(uw_operand(op, 1))) == UW_OP_SLOT &&
         uw_computable_outside(threads->arena, uw_operand(op, 0), loop, NULL);
}

void uw_finish_loop(uw_threads *threads, MlirOperation loop) {
  MlirBlock body = uw_block(loop, 0);
  uw_tidy_top(threads, loop);
  bool effects = false;
  uw_map *copies = uw_map_create(threads->arena);
  uw_foreach_op_safe (op, body) {
    if (is_block_write(threads, op, loop)) {
      uw_builder b = uw_at(loop);
      mlirOperationSetOperand(op, 0, uw_compute_outside(&b, uw_operand(op, 0), loop, copies));
      uw_move_before(op, loop);
    } else if (!uw_clonable(op) && uw_kind(op) != UW_OP_SCF_IN_PARALLEL) {
      effects = true;
    }
  }
  if (!effects)
    mlirOperationDestroy(loop);
}
