/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocks a serial loop in which all rows of threads read the same, so that this stays in the caches: the iterations are
 * taken some at a time, what the rows have in common is copied from its distant rows into one tile, and the sums of all
 * threads wait in memory meanwhile.
 *
 *   parallel (%y, %x) {                          parallel (%y, %x) { %sums[%y][%x] = %a }
 *     %s = for (%k) iter(%a) {                   for (%first = 0 to %count step %some) {
 *       %v = load %b[%k * %n + %x]                 parallel (%k, %x) { %tile[%k][%x] = load %b[(%first + %k) * %n + %x] }
 *       yield %a + %m * %v }             ==>       parallel (%y, %x) {
 *     store %s, %c[%y][%x] }                         %t = for (%k = %first to %first + %some) iter(%sums[%y][%x]) {
 *                                                      %v = load %tile[%k - %first][%x]; yield … }
 *                                                    %sums[%y][%x] = %t } }
 *                                                parallel (%y, %x) { store %sums[%y][%x], %c[%y][%x] }
 *
 * Without, each group of rows that jam takes together walks through all of the common array: its rows lie pages apart,
 * so that few sets of a cache hold them, and all of them miss.
 *
 * What each thread of a row reads from a row of its own, %b[%x * %n + %k], is copied the same way: in the tile, threads
 * have neighbours.
 *
 * Done when a) the block's threads have one serial loop, without stores and loops inside, whose bounds and whose
 * conditions around it are the same for all of them; b) it loads something at neighbouring addresses for the threads of
 * a row, far from one iteration to the next, or at neighbouring addresses from one iteration to the next, that depends
 * on nothing else of the thread, and something else that does;
 * c) nothing is stored before it. Asked before the loop: that there are rows and iterations enough, that a row is not
 * too long, that iterations are far apart and reach over more than the caches hold, and that threads begin with the first one, so that loops over them begin at
 * constants. Another version is the loop as it was.
 *
 * Legal because threads between two barriers run in any order, also part by part, and each keeps its order: k still
 * ascends, so sums are the same to the last bit. What is copied is what all threads load, which there are if the loop
 * runs; who writes there meanwhile races with them.
 *
 * Paper: loop internalisation, "Experiences Building an MLIR-Based SYCL Compiler", section VI-C, without its barriers.
 * Requires: barriers lowered, guards-to-bounds. Preserves: each thread's order. Refuses: all else, silently. */
#include "../../analysis/access_map.h"
#include "../../analysis/budget.h"
#include "../../analysis/bases.h"
#include "../../analysis/cpu.h"
#include "../../analysis/thresholds.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

#define DONE "unwarp.internalised" /* on loops that are made, and on the other version */

enum { DIMS = 3, MOST_SUMS = 4, MOST_TILES = 2 };

typedef struct product {
  uw_arena *arena;
  uw_access_maps *maps;
  MlirOperation threads, loop;
  uw_ops loads; /* of the loop, that become tiles */
  MlirValue width, count, some;
  uw_slot sums[MOST_SUMS];
  MlirValue tiles[MOST_TILES];
} product;

static MlirValue argument(MlirOperation loop, intptr_t number) {
  return mlirBlockGetArgument(uw_block(loop, 0), number);
}
static MlirValue upper(const product *p, size_t d) { return uw_upper_of(p->threads, d); }
static bool is_unsigned(const product *p) { return !mlirAttributeIsNull(uw_get_attr(p->loop, "unsignedCmp")); }

/* --- what it looks for -------------------------------------------------------------------------------------------- */

static bool is_counter_or_outside(const void *of, MlirValue value) {
  const product *p = of;
  return !uw_defined_inside(value, p->threads) || uw_same(value, argument(p->threads, DIMS - 1)) ||
         uw_same(value, argument(p->loop, 0));
}

/* Is the value computed from the loop's counter and the thread's index in its row alone? */
static bool is_common(const product *p, MlirValue value) {
  return uw_can_compute_again(&(uw_again){.stays = is_counter_or_outside, .of = p}, value);
}

/* Is the stride the same for all threads? */
static bool is_uniform_stride(const product *p, uw_stride stride) {
  return !stride.symbol.ptr || !uw_defined_inside(stride.symbol, p->threads);
}

/* Does each thread of a row go through neighbouring elements, of another row of them? The tile has them the other way
 * round. */
static bool is_across(const product *p, MlirOperation load) {
  const uw_access_map *map = uw_access_map_at(p->maps, load);
  MlirValue thread = argument(p->threads, DIMS - 1);
  return uw_goes_across(map, thread, argument(p->loop, 0)) &&
         is_uniform_stride(p, uw_map_index_of(map, thread)->stride);
}

/* By how much the load goes on from one iteration to the next, if it is one of neighbours. */
static bool find_stride(const product *p, MlirOperation load, uw_stride *stride) {
  const uw_access_map *map = uw_access_map_at(p->maps, load);
  const uw_map_index *along = uw_map_index_of(map, argument(p->threads, DIMS - 1)),
                     *on = uw_map_index_of(map, argument(p->loop, 0));
  if (map->access.anywhere || !along || !on || !on->stride.known ||
      !uw_is_stride(along->stride, (int64_t)map->access.bytes) || !is_uniform_stride(p, on->stride))
    return false;
  *stride = on->stride;
  return stride->symbol.ptr || stride->bytes >= UW_FAR_APART || stride->bytes <= -UW_FAR_APART;
}

static bool is_candidate(const product *p, MlirOperation load) {
  uw_stride stride;
  return uw_kind(load) == UW_OP_LLVM_LOAD && is_common(p, uw_operand(load, 0)) &&
         uw_leads_to_array(uw_operand(load, 0)) && (is_across(p, load) || find_stride(p, load, &stride));
}

/* Is the serial loop one of sums, of a straight line? */
static bool read_loop(product *p) {
  int64_t step;
  size_t sums = uw_result_count(p->loop);
  if (sums == 0 || sums > MOST_SUMS || !uw_const_value(uw_operand(p->loop, 2), &step) || step != 1 ||
      uw_defined_inside(uw_operand(p->loop, 0), p->threads) || uw_defined_inside(uw_operand(p->loop, 1), p->threads))
    return false;
  for (size_t i = 0; i < sums; i++)
    if (!mlirTypeIsAFloat(mlirValueGetType(uw_result(p->loop, i))))
      return false;
  bool differ = false; /* do rows of threads load anything else each? */
  uw_foreach_op (op, uw_block(p->loop, 0)) {
    bool fits =
        uw_kind(op) == UW_OP_SCF_YIELD || (uw_kind(op) == UW_OP_LLVM_LOAD ? uw_plain_access(op) : uw_speculatable(op));
    if (!fits || uw_region_count(op))
      return false;
    if (is_candidate(p, op))
      uw_ops_push(p->arena, &p->loads, op);
    else
      differ = differ || (uw_kind(op) == UW_OP_LLVM_LOAD && !is_common(p, uw_operand(op, 0)));
  }
  return differ && p->loads.count > 0 && p->loads.count <= MOST_TILES;
}

/* The conditions around the loop are the same for all threads. */
static bool is_uniform(const product *p) {
  for (MlirOperation op = uw_parent(p->loop); !uw_same_op(op, p->threads); op = uw_parent(op))
    if (uw_kind(op) != UW_OP_SCF_IF || uw_defined_inside(uw_operand(op, 0), p->threads))
      return false;
  return true;
}

/* Finds the only loop of the threads, before all stores. */
static bool match(product *p) {
  uw_ops ops = uw_collect(p->arena, p->threads);
  if (ops.count > UW_MOST_COPIED)
    return false;
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    uw_kind_t kind = uw_kind(op);
    if (kind == UW_OP_SCF_FOR && uw_null(p->loop))
      p->loop = op;
    else if (kind == UW_OP_LLVM_STORE
                 ? !uw_plain_access(op) || uw_null(p->loop)
                 : kind != UW_OP_SCF_IF && kind != UW_OP_SCF_YIELD && kind != UW_OP_SCF_IN_PARALLEL &&
                       !(kind == UW_OP_LLVM_LOAD && uw_plain_access(op)) &&
                       (!uw_effect_free(op) || uw_region_count(op)))
      return false;
  }
  return !uw_null(p->loop) && is_uniform(p) && read_loop(p);
}

static bool is_thread_loop(MlirOperation loop) {
  MlirOperation around = uw_parent_of_kind(loop, UW_OP_SCF_FORALL);
  return uw_is_over(loop, UW_OVER_THREADS) && uw_dims(loop) == DIMS && mlirAttributeIsNull(uw_get_attr(loop, DONE)) &&
         uw_is_zero(uw_lower_of(loop, 0)) && !uw_null(around) && uw_is_over(around, UW_OVER_BLOCKS);
}

/* --- the question ------------------------------------------------------------------------------------------------- */

static void also(uw_builder *b, MlirValue *all, MlirValue condition) {
  *all = all->ptr ? uw_binary(b, "arith.andi", *all, condition) : condition;
}

static void ask_between(uw_builder *b, MlirValue *all, MlirValue value, int64_t least, int64_t most) {
  also(b, all, uw_compare(b, UW_SGE, value, uw_const_index(b, least)));
  if (most)
    also(b, all, uw_compare(b, UW_SLE, value, uw_const_index(b, most)));
}

/* Do iterations lie far apart, and all of them reach over more than the caches hold? In either direction. */
static void ask_far(const product *p, uw_builder *b, MlirValue *all, const uw_stride *stride) {
  MlirValue bytes = uw_const_index(b, stride->bytes);
  if (stride->symbol.ptr)
    bytes = uw_binary(b, "arith.addi", bytes, uw_with(b, "arith.muli", uw_as_index(b, stride->symbol), stride->factor));
  bytes = uw_binary(b, "arith.maxsi", bytes, uw_binary(b, "arith.subi", uw_const_index(b, 0), bytes));
  MlirValue least =
      uw_binary(b, "arith.divui", uw_const_index(b, UW_LEAST_TILED_REACH), uw_with(b, "arith.maxui", p->count, 1));
  also(b, all, uw_compare(b, UW_UGE, bytes, uw_with(b, "arith.maxui", least, UW_FAR_APART)));
}

static MlirValue ask(product *p, uw_builder *b) {
  MlirValue all = {NULL}, from = uw_operand(p->loop, 0), to = uw_operand(p->loop, 1);
  for (MlirOperation op = p->loop; !uw_same_op(uw_parent(op), p->threads); op = uw_parent(op)) {
    MlirOperation branch = uw_parent(op);
    MlirValue condition = uw_operand(branch, 0);
    if (!mlirBlockEqual(mlirOperationGetBlock(op), uw_block(branch, 0)))
      condition = uw_binary(b, "arith.xori", condition, uw_const_int(b, 1, 1));
    also(b, &all, condition);
  }
  p->width = upper(p, DIMS - 1);
  p->count = uw_to_index(b, uw_binary(b, "arith.subi", to, from), false);
  also(b, &all, uw_compare(b, is_unsigned(p) ? UW_ULT : UW_SLT, from, to));
  also(b, &all, uw_compare(b, UW_UGE, p->count, uw_const_index(b, UW_LEAST_TILED)));
  for (size_t d = 1; d < DIMS; d++)
    if (!uw_is_zero(uw_lower_of(p->threads, d)))
      also(b, &all, uw_compare(b, UW_EQ, uw_lower_of(p->threads, d), uw_const_index(b, 0)));
  ask_between(b, &all, upper(p, 0), 1, 0);
  ask_between(b, &all, upper(p, 1), UW_LEAST_TILED_ROWS, 0);
  ask_between(b, &all, p->width, UW_LEAST_PART, UW_MOST_TILED_ROW);
  for (size_t i = 0; i < p->loads.count; i++) {
    uw_stride stride;
    if (!is_across(p, p->loads.at[i]) && find_stride(p, p->loads.at[i], &stride))
      ask_far(p, b, &all, &stride);
  }
  return all;
}

/* --- the change --------------------------------------------------------------------------------------------------- */

static void make_room(product *p, uw_builder *b) {
  int64_t most = 0;
  for (size_t i = 0; i < p->loads.count; i++) {
    int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(uw_result(p->loads.at[i], 0)));
    most = bytes > most ? bytes : most;
  }
  MlirValue threads = uw_binary(b, "arith.muli", uw_binary(b, "arith.muli", upper(p, 0), upper(p, 1)), p->width);
  p->some = uw_binary(b, "arith.divui", uw_const_index(b, UW_TILE_BYTES / (most * (int64_t)p->loads.count)), p->width);
  uw_threads room = {.arena = p->arena, .context = b->context, .count = threads, .room = threads};
  room.anchor = uw_def(p->some);
  for (size_t i = 0; i < uw_result_count(p->loop); i++)
    p->sums[i] = uw_slot_create(&room, mlirValueGetType(uw_result(p->loop, i)), false);
  for (size_t i = 0; i < p->loads.count; i++)
    p->tiles[i] = uw_build1(b, "unwarp.slot", .in = VALS(uw_const_int(b, 64, UW_TILE_BYTES / (int64_t)p->loads.count)),
                            .out = TYPES(uw_ptr_type(b->context)),
                            .attrs = ATTRS({"alignment", uw_int_attr(b->context, 64, UW_CACHE_LINE)}));
}

static MlirValue tile_address(product *p, uw_builder *b, size_t number, MlirValue row, MlirValue along) {
  MlirValue at = uw_build1(b, "arith.index_cast", .in = VALS(uw_binary(b, "arith.addi", row, along)),
                           .out = TYPES(uw_int_type(b->context, 64)));
  return uw_add_elements(b, p->tiles[number], mlirValueGetType(uw_result(p->loads.at[number], 0)), at);
}

/* The counter of the loop in this iteration of all. */
static MlirValue counter_at(const product *p, uw_builder *b, MlirValue iteration) {
  MlirValue from = uw_operand(p->loop, 0);
  MlirType type = mlirValueGetType(from);
  if (!mlirTypeIsAIndex(type))
    iteration = uw_build1(b, "arith.index_cast", .in = VALS(iteration), .out = TYPES(type));
  return uw_is_zero(from) ? iteration : uw_binary(b, "arith.addi", from, iteration);
}

static bool stays(const void *threads, MlirValue value) {
  return !uw_defined_inside(value, *(const MlirOperation *)threads);
}

/* A loop over the threads of a row, in which each copies its elements of so many rows of the tile one after the other:
 * lanes that walk along rows of their own (transpose_loads.c). */
static void fill_across(product *p, uw_builder *b, size_t number, MlirValue first, MlirValue count) {
  MlirValue zero = uw_const_index(b, 0), one = uw_const_index(b, 1);
  MlirOperation threads = uw_parallel_like(b, p->threads), load = p->loads.at[number];
  uw_set_attr(threads, DONE, mlirUnitAttrGet(b->context));
  uw_set_range(threads, 0, (uw_range){.upper = one});
  uw_set_range(threads, 1, (uw_range){.upper = one});
  uw_builder of_thread = uw_at_end(uw_block(threads, 0), b->location);
  MlirValue along = argument(threads, DIMS - 1);
  MlirOperation rows = uw_build_for(&of_thread, zero, count, one, (uw_value_list){0});
  uw_yield(uw_block(rows, 0), b->location, (uw_value_list){0});
  uw_builder in = uw_at(uw_last(uw_block(rows, 0)));
  MlirValue row = argument(rows, 0);
  uw_map *map = uw_map_create(p->arena);
  uw_map_set(map, argument(p->threads, DIMS - 1), along);
  uw_map_set(map, argument(p->loop, 0), counter_at(p, &in, uw_binary(&in, "arith.addi", first, row)));
  uw_compute_again(&in, &(uw_again){stays, &p->threads, false}, uw_operand(load, 0), map);
  MlirValue value = uw_result(uw_clone(&in, load, map), 0), start = uw_binary(&in, "arith.muli", row, p->width);
  uw_build(&in, "llvm.store", .in = VALS(value, tile_address(p, &in, number, start, along)));
}

/* A loop over rows and threads of a row, in which each copies one element. */
static void fill_rows(product *p, uw_builder *b, MlirValue first, MlirValue count) {
  MlirValue one = uw_const_index(b, 1);
  MlirOperation rows = uw_parallel_like(b, p->threads);
  uw_set_attr(rows, DONE, mlirUnitAttrGet(b->context));
  uw_set_range(rows, 0, (uw_range){.upper = one});
  uw_set_range(rows, 1, (uw_range){.upper = count});
  uw_builder in = uw_at_end(uw_block(rows, 0), b->location);
  MlirValue row = argument(rows, 1), along = argument(rows, DIMS - 1);
  uw_map *map = uw_map_create(p->arena);
  uw_map_set(map, argument(p->threads, DIMS - 1), along);
  uw_map_set(map, argument(p->loop, 0), counter_at(p, &in, uw_binary(&in, "arith.addi", first, row)));
  MlirValue start = uw_binary(&in, "arith.muli", row, p->width);
  for (size_t i = 0; i < p->loads.count; i++) {
    if (is_across(p, p->loads.at[i]))
      continue;
    uw_compute_again(&in, &(uw_again){stays, &p->threads, false}, uw_operand(p->loads.at[i], 0), map);
    MlirOperation load = uw_clone(&in, p->loads.at[i], map);
    uw_build(&in, "llvm.store", .in = VALS(uw_result(load, 0), tile_address(p, &in, i, start, along)));
  }
}

/* Copies what iterations from `first` on load into the tiles, one row for each. */
static void fill(product *p, uw_builder *b, MlirValue first, MlirValue count) {
  bool rows = false;
  for (size_t i = 0; i < p->loads.count; i++) {
    if (is_across(p, p->loads.at[i]))
      fill_across(p, b, i, first, count);
    else
      rows = true;
  }
  if (rows)
    fill_rows(p, b, first, count);
}

/* A copy of the loop over threads without what it stores; *loop: the serial one in it. */
static MlirOperation copy_of(product *p, uw_builder *b, MlirOperation *loop) {
  uw_ops wanted = {0};
  uw_ops_push(p->arena, &wanted, p->loop);
  MlirOperation copy = uw_clone(b, p->threads, uw_map_create(p->arena));
  uw_ops all = uw_collect_kind(p->arena, copy, UW_OP_LLVM_STORE);
  *loop = uw_counterparts(p->arena, p->threads, copy, &wanted).at[0];
  for (size_t i = 0; i < all.count; i++)
    uw_erase(all.at[i]);
  return copy;
}

/* Takes the loop away, after which `results` stand for what it gives; then what nobody uses. */
static void finish(product *p, MlirOperation threads, MlirOperation loop, const MlirValue *results) {
  for (size_t i = 0; i < uw_result_count(loop); i++)
    uw_replace_uses(uw_result(loop, i), results[i]);
  uw_erase(loop);
  uw_drop_unused(p->arena, threads);
}

static void start_sums(product *p, uw_builder *b) {
  MlirOperation loop, threads = copy_of(p, b, &loop);
  MlirValue inits[MOST_SUMS];
  uw_builder at = uw_at(loop);
  for (size_t i = 0; i < uw_result_count(loop); i++) {
    inits[i] = uw_operand(loop, i + 3);
    uw_slot_keep(&at, &p->sums[i], threads, inits[i]);
  }
  finish(p, threads, loop, inits);
}

static void read_sums(product *p, uw_builder *b, MlirOperation threads, MlirValue *sums) {
  MlirValue thread = uw_linear_thread(b, threads);
  for (size_t i = 0; i < uw_result_count(p->loop); i++)
    sums[i] = uw_slot_read(b, &p->sums[i], thread, false);
}

/* The loop's body, with the tiles for its loads: its last argument is where the iteration's row of them begins. */
static void fill_body(product *p, MlirOperation old, MlirOperation new, MlirValue along, const uw_ops *loads) {
  size_t sums = uw_result_count(old);
  uw_builder b = uw_at_end(uw_block(new, 0), mlirOperationGetLocation(old));
  MlirValue row = argument(new, (intptr_t)sums + 1);
  uw_map *map = uw_map_create(p->arena);
  uw_vals yields = {0};
  for (size_t i = 0; i <= sums; i++)
    uw_map_set(map, argument(old, (intptr_t)i), argument(new, (intptr_t)i));
  uw_foreach_op (op, uw_block(old, 0)) {
    size_t number = 0;
    while (number < loads->count && !uw_same_op(op, loads->at[number]))
      number++;
    if (uw_kind(op) == UW_OP_SCF_YIELD)
      continue;
    b.location = mlirOperationGetLocation(op);
    if (number == loads->count)
      uw_clone(&b, op, map);
    else
      uw_map_set(map, uw_result(op, 0),
                 uw_build1(&b, "llvm.load", .in = VALS(tile_address(p, &b, number, row, along)),
                           .out = TYPES(mlirValueGetType(uw_result(op, 0)))));
  }
  for (size_t i = 0; i < sums; i++)
    uw_vals_push(p->arena, &yields, uw_map_or_same(map, uw_operand(uw_last(uw_block(old, 0)), i)));
  uw_vals_push(p->arena, &yields, uw_binary(&b, "arith.addi", row, p->width));
  uw_build(&b, "scf.yield", .in = VALS_OF(yields));
}

/* The iterations from `first` on, up to `end`, for all threads. */
static void go_on(product *p, uw_builder *b, MlirValue first, MlirValue end) {
  MlirValue from = counter_at(p, b, first), to = counter_at(p, b, end), sums[MOST_SUMS];
  MlirOperation loop, threads = copy_of(p, b, &loop);
  uw_ops loads = uw_counterparts(p->arena, p->threads, threads, &p->loads);
  size_t count = uw_result_count(loop);
  uw_builder at = uw_at(loop);
  uw_vals inits = {0};
  read_sums(p, &at, threads, sums);
  for (size_t i = 0; i < count; i++)
    uw_vals_push(p->arena, &inits, sums[i]);
  uw_vals_push(p->arena, &inits, uw_const_index(&at, 0));
  MlirOperation some = uw_build_for(&at, from, to, uw_operand(loop, 2), VALS_OF(inits));
  if (is_unsigned(p))
    uw_set_attr(some, "unsignedCmp", mlirUnitAttrGet(b->context));
  fill_body(p, loop, some, argument(threads, DIMS - 1), &loads);
  for (size_t i = 0; i < count; i++)
    uw_slot_keep(&at, &p->sums[i], threads, uw_result(some, i));
  finish(p, threads, loop, sums);
}

static void change(product *p, MlirValue question) {
  uw_builder b = uw_at(p->threads);
  uw_set_attr(p->threads, DONE, mlirUnitAttrGet(b.context));
  uw_make_versions(p->arena, &b, .asked = question, .first = p->threads, .own = UW_HOLDS);
  b = uw_at(p->threads);
  for (size_t d = 1; d < DIMS; d++)
    uw_set_range(p->threads, d, (uw_range){.lower = uw_const_index(&b, 0)});
  make_room(p, &b);
  start_sums(p, &b);
  MlirOperation tiles = uw_build_for(&b, uw_const_index(&b, 0), p->count, p->some, (uw_value_list){0});
  MlirValue first = argument(tiles, 0), sums[MOST_SUMS];
  uw_yield(uw_block(tiles, 0), b.location, (uw_value_list){0});
  uw_builder in = uw_at_end(uw_block(tiles, 0), b.location);
  MlirValue count = uw_binary(&in, "arith.minui", p->some, uw_binary(&in, "arith.subi", p->count, first));
  MlirValue end = uw_binary(&in, "arith.addi", first, count);
  fill(p, &in, first, count);
  go_on(p, &in, first, end);
  uw_builder at = uw_at(p->loop);
  read_sums(p, &at, p->threads, sums);
  finish(p, p->threads, p->loop, sums);
}

static bool internalise(uw_arena *arena, MlirOperation threads) {
  product p = {.arena = arena, .maps = uw_access_maps_create(arena), .threads = threads};
  if (!is_thread_loop(threads) || uw_has_exchange(threads, "block") || uw_has_exchange(threads, "warp") || !match(&p) ||
      !uw_may_copy(threads, UW_LARGE_GAIN, "tile-and-pack"))
    return false;
  uw_builder b = uw_at(threads);
  MlirLocation location = mlirOperationGetLocation(p.loop);
  change(&p, ask(&p, &b));
  uw_remark(
      location, "tile-and-pack",
      "what all rows of threads read is copied into a tile of %d KiB, some iterations at a time: nothing is stored "
      "before the loop ends",
      UW_TILE_BYTES >> 10);
  return true;
}

uw_change uw_pass_tile_and_pack(MlirOperation root, uw_pass_ctx *ctx) {
  return uw_change_each(ctx->arena, uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL), internalise);
}
