/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes neighbouring blocks abreast through a loop that steps over the whole grid, and several iterations of it at
 * once. A block of a sum that goes by the grid's width reads 1 KiB, leaves out what all other blocks read, and reads
 * the next: the processor's prefetchers start anew each time. Abreast, the blocks read one long piece; several
 * iterations at once load and store a thread's sums once for all of them.
 *
 *   grid (…, %b) to (…, %blocks) {                   grid (…, %b) to (…, %blocks) step (…, %each) {
 *     A(%b)                                            for (%k to %count) { A(%b + %k) }
 *     for (%i = %lo(%b); %i < %hi; %i += %step)        for (%r = 0; %r + 4 <= fewest iterations of the blocks; %r += 4)
 *       parallel (%x) to (256)                           for (%k to %count) { %i = %lo(%b + %k) + %r * %step
 *         %sum[%x] += %in[%i + %x]             ==>         parallel (%x) to (256)
 *     B(%b) }                                                %t = %sum[%k][%x] + %in[%i + %x]; %t += %in[%i + %step + %x] … ; %sum[%k][%x] = %t }
 *                                                      for (%k to %count) { the other iterations; B(%b + %k) } }
 *
 * Done when a) the block has such a loop at its top level, with one thread loop of UW_ABREAST_SHORTEST_ROW threads or
 * more in a row, a straight line of at most UW_ABREAST_MOST_OPS operations; b) that stores to slots only, each at the
 * thread's own position and through one address; c) what else it loads, from at most UW_ABREAST_MOST_LOADS addresses,
 * does not lie in slots; one of them at least goes along the row, and is where the row before ends for the block after;
 * d) all else in the block is control flow, arithmetic, plain accesses and atomic operations, the latter not in a
 * while; what A computes and B or the loop uses can be computed again; e) UW_ABREAST_MOST_BLOCKS blocks, or less, have
 * room for their slots and shared arrays in UW_ABREAST_BYTES.
 *
 * Legal because nothing orders one block before another, and none waits: waiting takes an atomic or volatile access in
 * a while (d). Each block makes its own effects in their order, with memory of its own, but for the loop: there a
 * thread takes iteration after iteration in order too, and may overtake the others of its block, as by b) and c) it
 * reads nothing that another one writes, and by uw_plain_uses nobody else gets at the slots. The iterations of each
 * block are the same ones: none makes more abreast than the block with the fewest has.
 *
 * Requires: barriers lowered; peel-remainders, for thread loops of known length. Preserves: what each thread does.
 * Refuses: all else, silently. */
#include "../../analysis/thresholds.h"
#include "../../analysis/access_map.h"
#include "../../analysis/bases.h"
#include "../../ir/block_numbers.h"
#include "../../ir/remarks.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "grid_row.h"

enum {
  DIMS = 3,
  MOST_SLOTS = 4,
  ALIGNMENT = 64,
};

typedef struct abreast {
  uw_arena *arena;
  uw_grid_row row;
  MlirOperation loop, threads; /* over the iterations; over the threads of one */
  uw_ops objects;              /* slots and shared arrays */
  uw_table *part;              /* of an operation that has to run in its place: before the loop, in it, after it */
  uw_table *varies;            /* values of block level that depend on the block */
  MlirValue slots[MOST_SLOTS]; /* addresses in slots that the thread loop stores to or loads from */
  size_t slot_count, load_count;
  int64_t blocks, iterations; /* at most; at once */
  MlirValue count;            /* of blocks in the strip */
} abreast;

enum { ANYWHERE, BEFORE, WITHIN, AFTER };

static bool is_object(MlirOperation op) { return uw_kind(op) == UW_OP_SHARED || uw_kind(op) == UW_OP_SLOT; }
static bool is_pure(MlirOperation op) {
  return uw_effect_free(op) && uw_region_count(op) == 0 && uw_kind(op) != UW_OP_LLVM_ALLOCA;
}

static int64_t constant(MlirValue value, int64_t otherwise) {
  int64_t number;
  return uw_const_value(value, &number) ? number : otherwise;
}

static int64_t room_of(MlirOperation object) {
  return (constant(uw_operand(object, 0), 0) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static MlirValue thread_of(const abreast *a) { return mlirBlockGetArgument(uw_block(a->threads, 0), DIMS - 1); }
static MlirValue counter_of(const abreast *a) { return mlirBlockGetArgument(uw_block(a->loop, 0), 0); }

/* A row of threads in a for that only computes beside it. */
static MlirOperation row_in(MlirOperation loop) {
  MlirOperation none = {NULL}, found = none;
  if (uw_kind(loop) != UW_OP_SCF_FOR || uw_result_count(loop) ||
      !mlirAttributeIsNull(uw_get_attr(loop, "unsignedCmp")) ||
      !mlirTypeIsAIndex(mlirValueGetType(uw_operand(loop, 0))))
    return none;
  uw_foreach_op (op, uw_block(loop, 0)) {
    if (is_pure(op) || uw_kind(op) == UW_OP_SCF_YIELD)
      continue;
    if (!uw_null(found) || !uw_is_over(op, UW_OVER_THREADS) || uw_dims(op) != DIMS)
      return none;
    found = op;
  }
  for (size_t d = 0; d < DIMS && !uw_null(found); d++) {
    int64_t upper = constant(uw_upper_of(found, d), 0);
    if (constant(uw_lower_of(found, d), 1) != 0 || (d < DIMS - 1 ? upper != 1 : upper < UW_ABREAST_SHORTEST_ROW))
      return none;
  }
  return found;
}

/* Is that the position of the thread, and of no other, in a slot? */
static bool is_own_place(const abreast *a, const uw_address *at, int64_t bytes) {
  return at->offset.count == 1 && at->offset.constant == 0 && uw_goes_along(at, thread_of(a), bytes);
}

/* b) Takes in one more address in a slot: the only one of its slot. */
static bool take_slot(abreast *a, MlirValue address, MlirType type) {
  uw_ops arithmetic = {0}, accesses = {0};
  uw_address at = uw_address_of(address);
  for (size_t i = 0; i < a->slot_count; i++)
    if (uw_same(a->slots[i], address) || uw_same(uw_address_of(a->slots[i]).base, at.base))
      return uw_same(a->slots[i], address);
  if (a->slot_count == MOST_SLOTS || !is_own_place(a, &at, (int64_t)uw_type_bytes(type)) ||
      !uw_plain_uses(a->arena, a->row.grid, at.base, &arithmetic, &accesses))
    return false;
  a->slots[a->slot_count++] = address;
  return true;
}

/* factor of the block's index, or of the other value, in a sum; 0 if that is not one value. */
static int64_t factor_of(const uw_linear *sum, MlirValue value) { return uw_constant_stride(uw_stride_in(sum, value)); }

/* c) Do neighbouring blocks load neighbouring rows, and does the next iteration go on far away? */
static bool is_stream(const abreast *a, MlirOperation load) {
  int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_result(load, 0))),
          row = constant(uw_upper_of(a->threads, DIMS - 1), 0) * bytes;
  uw_address at = uw_address_of(uw_operand(load, 0));
  uw_linear start = uw_linear_of(uw_operand(a->loop, 0));
  if (!at.offset.known || !start.known || factor_of(&at.offset, thread_of(a)) != bytes)
    return false;
  int64_t apart = factor_of(&at.offset, counter_of(a)), step = constant(uw_operand(a->loop, 2), INT32_MAX);
  int64_t of_block = factor_of(&at.offset, a->row.block) + apart * factor_of(&start, a->row.block);
  return apart > 0 && apart < INT32_MAX && step < INT64_MAX / apart && step * apart >= UW_ABREAST_NEAR &&
         of_block == row;
}

/* a) to c) */
static bool is_fit(abreast *a) {
  size_t ops = 0;
  bool stores = false, streams = false;
  uw_foreach_op (op, uw_block(a->threads, 0)) {
    bool load = uw_kind(op) == UW_OP_LLVM_LOAD, store = uw_kind(op) == UW_OP_LLVM_STORE;
    if (uw_kind(op) == UW_OP_SCF_IN_PARALLEL)
      continue;
    if (++ops > UW_ABREAST_MOST_OPS || (load || store ? !uw_plain_access(op) : !is_pure(op)))
      return false;
    if (!load && !store)
      continue;
    MlirValue address = uw_operand(op, store);
    MlirOperation base = uw_def(uw_address_of(address).base);
    if (uw_kind(base) == UW_OP_SLOT) {
      if (!take_slot(a, address, mlirValueGetType(store ? uw_operand(op, 0) : uw_result(op, 0))))
        return false;
      stores = stores || store;
    } else if (store || uw_kind(base) == UW_OP_LLVM_ALLOCA || ++a->load_count > UW_ABREAST_MOST_LOADS) {
      return false;
    } else {
      streams = streams || is_stream(a, op);
    }
  }
  return stores && streams;
}

/* Two types in one slot would be read as what was not stored. */
static bool has_one_type(const abreast *a, MlirValue slot) {
  MlirType type = {NULL};
  uw_foreach_op (op, uw_block(a->threads, 0)) {
    bool store = uw_kind(op) == UW_OP_LLVM_STORE;
    if ((!store && uw_kind(op) != UW_OP_LLVM_LOAD) || !uw_same(uw_operand(op, store), slot))
      continue;
    MlirType own = mlirValueGetType(store ? uw_operand(op, 0) : uw_result(op, 0));
    if (type.ptr && !mlirTypeEqual(type, own))
      return false;
    type = own;
  }
  return true;
}

/* --- the rest of the block ---------------------------------------------------------------------------------------- */

/* d) Nothing that can wait, and nothing unknown. */
static bool is_harmless(const abreast *a, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_FOR:
  case UW_OP_SCF_WHILE:
  case UW_OP_SCF_CONDITION:
  case UW_OP_SCF_YIELD:
  case UW_OP_SCF_INDEX_SWITCH:
  case UW_OP_SCF_FORALL:
  case UW_OP_SCF_IN_PARALLEL: return true;
  case UW_OP_LLVM_LOAD:
  case UW_OP_LLVM_STORE: return uw_plain_access(op);
  case UW_OP_LLVM_ATOMICRMW: {
    MlirOperation around = uw_parent_of_kind(op, UW_OP_SCF_WHILE);
    return uw_null(around) || !uw_inside(around, a->row.grid);
  }
  default: return is_pure(op);
  }
}

/* Is all in the block harmless, and can what crosses from part to part be computed again? */
static bool look_through(abreast *a) {
  intptr_t now = BEFORE;
  uw_table_set(a->varies, a->row.block.ptr, 1);
  uw_ops all = uw_collect(a->arena, a->row.grid);
  for (size_t i = 0; i < all.count; i++)
    if (!uw_same_op(all.at[i], a->row.mark) && !is_object(all.at[i]) && !is_harmless(a, all.at[i]))
      return false;
  uw_foreach_op (op, uw_block(a->row.grid, 0)) {
    bool varies = is_object(op);
    intptr_t of = is_pure(op) || is_object(op) || uw_kind(op) == UW_OP_SCF_IN_PARALLEL || uw_same_op(op, a->row.mark)
                      ? ANYWHERE
                      : now;
    uw_ops inside = uw_collect(a->arena, op);
    uw_ops_push(a->arena, &inside, op);
    if (uw_same_op(op, a->loop)) {
      of = WITHIN;
      now = AFTER;
    }
    for (size_t i = 0; i < inside.count; i++)
      for (size_t k = 0; k < uw_operand_count(inside.at[i]); k++) {
        MlirOperation def = uw_def(uw_operand(inside.at[i], k));
        intptr_t needs = uw_null(def) ? ANYWHERE : uw_table_get(a->part, def.ptr);
        varies = varies || uw_table_get(a->varies, uw_operand(inside.at[i], k).ptr);
        if (needs != ANYWHERE && of == ANYWHERE)
          of = now;
        if (needs != ANYWHERE && needs != of)
          return false;
      }
    uw_table_set(a->part, op.ptr, of);
    for (size_t i = 0; i < uw_result_count(op) && varies; i++)
      uw_table_set(a->varies, uw_result(op, i).ptr, 1);
  }
  return true;
}

/* e) */
static bool has_room(abreast *a) {
  int64_t bytes = 0;
  uw_foreach_op (op, uw_block(a->row.grid, 0)) {
    if (!is_object(op))
      continue;
    if (room_of(op) == 0 || !mlirAttributeIsNull(uw_get_attr(op, "unwarp.window")) ||
        uw_get_int_attr(op, "alignment", 1) > ALIGNMENT)
      return false;
    bytes += room_of(op);
    uw_ops_push(a->arena, &a->objects, op);
  }
  a->blocks = bytes ? UW_ABREAST_BYTES / bytes : 0;
  a->blocks = a->blocks < UW_ABREAST_MOST_BLOCKS ? a->blocks : UW_ABREAST_MOST_BLOCKS;
  uw_ops inner = uw_collect_kind(a->arena, a->row.grid, UW_OP_SLOT);
  size_t all = inner.count + uw_collect_kind(a->arena, a->row.grid, UW_OP_SHARED).count;
  return a->blocks > 1 && all == a->objects.count;
}

static bool match(uw_arena *arena, MlirOperation grid, abreast *a) {
  *a = (abreast){.arena = arena};
  int64_t blocks;
  if (!uw_grid_row_of(grid, &a->row) || (uw_known_blocks(grid, &blocks) && blocks < UW_ABREAST_FEWEST_BLOCKS) ||
      !has_room(a))
    return false;
  uw_foreach_op (op, uw_block(grid, 0)) {
    a->loop = op;
    a->threads = row_in(op);
    a->slot_count = a->load_count = 0;
    if (uw_null(a->threads) || uw_defined_inside(uw_operand(op, 2), grid) || !is_fit(a))
      continue;
    for (size_t i = 0; i < a->slot_count; i++)
      if (!has_one_type(a, a->slots[i]))
        return false;
    a->part = uw_table_create(arena);
    a->varies = uw_table_create(arena);
    a->iterations = a->load_count > 1 ? UW_ABREAST_STREAMS / 2 : UW_ABREAST_STREAMS;
    return look_through(a);
  }
  return false;
}

/* --- doing it ----------------------------------------------------------------------------------------------------- */

static bool is_common(const void *of, MlirValue value) {
  const abreast *a = of;
  return !uw_table_get(a->varies, value.ptr) && !uw_defined_inside(value, a->loop);
}

/* The value as the block of the map has it: copies at b of what depends on the block, or on the iteration. */
static MlirValue own(const abreast *a, uw_builder *b, MlirValue value, uw_map *map) {
  return uw_compute_again(b, &(uw_again){is_common, a, false}, value, map);
}

/* What a block of the strip has for its own: its index, and its addresses in memory. */
static uw_map *map_of(const abreast *a, uw_builder *b, MlirValue k) {
  uw_map *map = uw_map_create(a->arena);
  uw_map_set(map, a->row.block, uw_binary(b, "arith.addi", a->row.block, k));
  for (size_t i = 0; i < a->objects.count; i++) {
    MlirValue memory = uw_result(a->objects.at[i], 0),
              far = uw_binary(b, "arith.muli", k, uw_const_index(b, room_of(a->objects.at[i])));
    MlirValue wide = uw_build1(b, "arith.index_cast", .in = VALS(far), .out = TYPES(uw_int_type(b->context, 64)));
    uw_map_set(map, memory, uw_add_bytes(b, memory, wide));
  }
  return map;
}

/* for (%k to %count), before the builder's position, which goes inside. */
static MlirValue for_each_block(const abreast *a, uw_builder *b) {
  MlirOperation loop = uw_build_for(b, uw_const_index(b, 0), a->count, uw_const_index(b, 1), (uw_value_list){0});
  uw_yield(uw_block(loop, 0), b->location, (uw_value_list){0});
  *b = uw_at_end(uw_block(loop, 0), b->location);
  return mlirBlockGetArgument(uw_block(loop, 0), 0);
}

/* How many iterations all blocks of the strip have at least, down to a multiple of those at once. */
static MlirValue common_iterations(const abreast *a, uw_builder *b) {
  MlirValue all = uw_const_index(b, INT64_MAX), step = uw_operand(a->loop, 2);
  MlirOperation blocks = uw_build_for(b, uw_const_index(b, 0), a->count, uw_const_index(b, 1), VALS(all));
  uw_builder in = uw_at_end(uw_block(blocks, 0), b->location);
  uw_map *map = map_of(a, &in, mlirBlockGetArgument(uw_block(blocks, 0), 0));
  MlirValue low = own(a, &in, uw_operand(a->loop, 0), map), high = own(a, &in, uw_operand(a->loop, 1), map);
  MlirValue iterations = uw_binary(&in, "arith.ceildivsi", uw_binary(&in, "arith.subi", high, low), step);
  iterations = uw_select(&in, uw_compare(&in, UW_SLT, low, high), iterations, uw_const_index(&in, 0));
  iterations = uw_binary(&in, "arith.minsi", mlirBlockGetArgument(uw_block(blocks, 0), 1), iterations);
  uw_yield(uw_block(blocks, 0), b->location, VALS(iterations));
  MlirValue at_once = uw_const_index(b, a->iterations),
            fewest = uw_binary(b, "arith.maxsi", uw_result(blocks, 0), uw_const_index(b, 0));
  return uw_binary(b, "arith.muli", uw_binary(b, "arith.divui", fewest, at_once), at_once);
}

static size_t slot_at(const abreast *a, MlirValue address) {
  size_t i = 0;
  while (i < a->slot_count && !uw_same(a->slots[i], address))
    i++;
  return i;
}

/* One iteration of a thread: what it holds in slots is in `held`, if it is known. */
static void emit_iteration(const abreast *a, uw_builder *b, uw_map *map, MlirValue held[MOST_SLOTS]) {
  uw_foreach_op (op, uw_block(a->threads, 0)) {
    bool load = uw_kind(op) == UW_OP_LLVM_LOAD, store = uw_kind(op) == UW_OP_LLVM_STORE;
    size_t slot = load || store ? slot_at(a, uw_operand(op, store)) : MOST_SLOTS;
    if (uw_kind(op) == UW_OP_SCF_IN_PARALLEL)
      continue;
    if (store)
      held[slot] = uw_map_or_same(map, uw_operand(op, 0));
    else if (load && slot < a->slot_count && held[slot].ptr)
      uw_map_set(map, uw_result(op, 0), held[slot]);
    else
      uw_clone(b, op, map);
    if (load && slot < a->slot_count && !held[slot].ptr)
      held[slot] = uw_map_get(map, uw_result(op, 0));
  }
}

/* Does the thread loop store to the slot? */
static bool is_stored(const abreast *a, MlirValue slot, MlirOperation *by) {
  uw_foreach_op (op, uw_block(a->threads, 0))
    if (uw_kind(op) == UW_OP_LLVM_STORE && uw_same(uw_operand(op, 1), slot)) {
      *by = op;
      return true;
    }
  return false;
}

/* The thread loop with several iterations in it, of the block of the map: what is the same for all threads is computed
 * before it. */
static void emit_iterations(const abreast *a, uw_builder *b, uw_map *const maps[], size_t iterations) {
  MlirOperation threads = uw_parallel_like(b, a->threads);
  MlirValue held[MOST_SLOTS] = {{NULL}};
  uw_builder before = uw_at(threads), in = uw_at_end(uw_block(threads, 0), b->location);
  for (size_t u = 0; u < iterations; u++) {
    for (uw_bound which = UW_LOWER; which < UW_BOUNDS; which++)
      for (size_t d = 0; d < DIMS; d++)
        uw_set_loop_bound(threads, which, d, own(a, &before, uw_loop_bound(a->threads, which, d), maps[u]));
    for (intptr_t d = 0; d < DIMS; d++)
      uw_map_set(maps[u], mlirBlockGetArgument(uw_block(a->threads, 0), d),
                 mlirBlockGetArgument(uw_block(threads, 0), d));
    uw_foreach_op (op, uw_block(a->threads, 0))
      for (size_t i = 0; i < uw_operand_count(op); i++)
        if (!uw_defined_inside(uw_operand(op, i), a->threads))
          own(a, &before, uw_operand(op, i), maps[u]);
    emit_iteration(a, &in, maps[u], held);
  }
  for (size_t i = 0; i < a->slot_count; i++) {
    MlirOperation store;
    if (!is_stored(a, a->slots[i], &store))
      continue;
    uw_map_set(maps[0], uw_operand(store, 0), held[i]);
    uw_clone(&in, store, maps[0]);
  }
}

static void take_iterations(const abreast *a, MlirValue iterations) {
  uw_builder b = uw_at(a->loop);
  MlirOperation together =
      uw_build_for(&b, uw_const_index(&b, 0), iterations, uw_const_index(&b, a->iterations), (uw_value_list){0});
  uw_yield(uw_block(together, 0), b.location, (uw_value_list){0});
  b = uw_at_end(uw_block(together, 0), b.location);
  MlirValue iteration = mlirBlockGetArgument(uw_block(together, 0), 0), k = for_each_block(a, &b),
            step = uw_operand(a->loop, 2);
  uw_map *maps[UW_ABREAST_STREAMS];
  MlirValue low = {NULL};
  for (int64_t u = 0; u < a->iterations; u++) {
    maps[u] = map_of(a, &b, k);
    low = low.ptr ? low : own(a, &b, uw_operand(a->loop, 0), maps[u]);
    MlirValue far = uw_binary(&b, "arith.muli", uw_binary(&b, "arith.addi", iteration, uw_const_index(&b, u)), step);
    uw_map_set(maps[u], counter_of(a), uw_binary(&b, "arith.addi", low, far));
  }
  emit_iterations(a, &b, maps, (size_t)a->iterations);
}

/* Moves the operations of a part into a loop over the blocks. */
static uw_builder take_part(const abreast *a, uw_builder b, uw_ops ops, uw_map **map) {
  MlirValue k = for_each_block(a, &b);
  *map = map_of(a, &b, k);
  for (size_t i = 0; i < ops.count; i++) {
    uw_ops inside = uw_collect(a->arena, ops.at[i]);
    uw_move_to_end(ops.at[i], b.block);
    uw_ops_push(a->arena, &inside, ops.at[i]);
    uw_builder at = uw_at(ops.at[i]);
    for (size_t n = 0; n < inside.count; n++)
      for (size_t j = 0; j < uw_operand_count(inside.at[n]); j++) {
        MlirValue value = uw_operand(inside.at[n], j);
        if (!uw_table_get(a->varies, value.ptr) ||
            (uw_def(value).ptr && uw_table_get(a->part, uw_def(value).ptr) != ANYWHERE))
          continue;
        mlirOperationSetOperand(inside.at[n], (intptr_t)j, own(a, &at, value, *map));
      }
  }
  return b;
}

/* Slots that only the last part uses may stand behind the loop. */
static void move_objects(const abreast *a) {
  for (size_t i = 0; i < a->objects.count; i++) {
    uw_builder b = uw_at(a->row.mark);
    MlirOperation object = a->objects.at[i];
    mlirOperationSetOperand(object, 0, uw_const_int(&b, 64, room_of(object)));
    uw_move_before(object, a->row.mark);
  }
}

static void take_together(abreast *a) {
  uw_ops parts[AFTER + 1] = {{0}};
  uw_foreach_op (op, uw_block(a->row.grid, 0))
    uw_ops_push(a->arena, &parts[uw_table_get(a->part, op.ptr)], op);
  uw_builder b = uw_at(a->row.grid);
  MlirValue each = uw_blocks_together(&b, &a->row, uw_const_index(&b, a->blocks));
  a->count = uw_take_together(a->arena, &a->row, each, a->row.mark);
  uw_map *map;
  move_objects(a);
  take_part(a, uw_at(a->loop), parts[BEFORE], &map);
  b = uw_at(a->loop);
  MlirValue iterations = common_iterations(a, &b),
            far = uw_binary(&b, "arith.muli", iterations, uw_operand(a->loop, 2));
  take_iterations(a, iterations);
  uw_ops rest = {0};
  uw_ops_push(a->arena, &rest, a->loop);
  for (size_t i = 0; i < parts[AFTER].count; i++)
    uw_ops_push(a->arena, &rest, parts[AFTER].at[i]);
  take_part(a, uw_at_end(uw_block(a->row.grid, 0), b.location), rest, &map);
  b = uw_at(a->loop);
  mlirOperationSetOperand(a->loop, 0, uw_binary(&b, "arith.addi", uw_operand(a->loop, 0), far));
  for (size_t i = 0; i < a->objects.count; i++) {
    b = uw_at(a->objects.at[i]);
    mlirOperationSetOperand(a->objects.at[i], 0, uw_const_int(&b, 64, a->blocks * room_of(a->objects.at[i])));
    uw_set_attr(a->objects.at[i], "alignment", uw_int_attr(b.context, 64, ALIGNMENT));
  }
}

static bool take_abreast(uw_arena *arena, MlirOperation grid) {
  abreast a;
  if (!match(arena, grid, &a))
    return false;
  uw_remark(mlirOperationGetLocation(a.loop), "coarsen-blocks", "%d blocks take %d iterations of this loop at once",
            (int)a.blocks, (int)a.iterations);
  take_together(&a);
  return true;
}

uw_change uw_coarsen_grid_stride(uw_arena *arena, MlirOperation root) {
  return uw_change_each(arena, uw_collect_kind(arena, root, UW_OP_SCF_FORALL), take_abreast);
}
