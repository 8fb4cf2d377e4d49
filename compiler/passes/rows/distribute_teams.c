/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where there are fewer blocks than workers, has a team of workers run one block after the other: each takes a slice of
 * the block's threads, and at the block's barriers the workers wait for each other. distribute_blocks.c does blocks without
 * barriers.
 *
 *   grid (%b) to (%blocks) {                        if (it pays) {
 *     shared …                                        shared …
 *     block (%z, %y, %x) to (Z, Y, X) {               grid (%w) to (%workers) {                 each worker once
 *       A(%x)                                           for (%b) to %blocks {
 *       barrier                                 ==>       block (%z, %y, %x) to (Z, rows of %w, columns of %w) {
 *       B(%x) }                                             A(first column of %w + %x)
 *   }                                                       barrier {team}
 *                                                           B(first column of %w + %x) } } }
 *                                                     } else { as it was }
 *
 * From here on a slice is a block of its own: its thread loop is split at barriers, what its threads keep across them
 * is the worker's, and a condition that is the same for all threads is taken by each slice from a thread of its own.
 * Where a loop is split at a barrier of the block (split.c), a barrier of the team follows. Barriers that stride placed
 * order nothing and need none. Rows are shared out; in blocks of one row, columns in groups of WARP.
 *
 * Legal when a) every barrier of the block is made by all its threads, so each slice comes by it, as no slice is empty;
 * b) nothing else waits for, counts or asks the threads of the block, and what does so within warps has its warps
 * whole: the block has one row then;
 * c) nothing but the note of which block runs has an effect between the loops over blocks and over threads; d) no call
 * may ask for its position in the block. What orders two threads of a block in CUDA is then ordered here: by their
 * worker, or by a barrier of the team. Shared memory is one piece for all workers, and atomic operations on it stay
 * atomic. Barriers of the team also part a block from the next one, which uses the same shared memory.
 *
 * Pays where much work stands between barriers (uwrt_team in runtime/slices.c decides, at the launch): counted are
 * operations, times the iterations of loops as far as they are known there. Tried only if a thread has a loop without a
 * barrier.
 *
 * Requires: while-to-for, coalesce-strided; before barriers are lowered. Preserves: each thread's order. Refuses: all else,
 * silently. */
#include "../../ir/block_numbers.h"
#include "../../analysis/calls.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/budget.h"
#include "../../analysis/effects.h"
#include "../../analysis/exchange.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/version.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "../../ir/slices.h"

enum { WARP = 32, DIMS = 3 };

static bool is_real_barrier(MlirOperation op) {
  return uw_kind(op) == UW_OP_BARRIER && uw_attr_is_str(op, "level", "block") &&
         mlirAttributeIsNull(uw_get_attr(op, UW_SWAP));
}

static bool has_real_barrier(uw_arena *arena, MlirOperation op) {
  uw_ops barriers = uw_collect_kind(arena, op, UW_OP_BARRIER);
  for (size_t i = 0; i < barriers.count; i++)
    if (is_real_barrier(barriers.at[i]))
      return true;
  return false;
}

/* --- may it be done? ---------------------------------------------------------------------------------------------- */

/* The grid loop's only loop over threads, if all else in its body may be done by each worker. */
static MlirOperation only_thread_loop(uw_arena *arena, MlirOperation grid) {
  MlirOperation found = {NULL};
  uw_foreach_op (op, uw_block(grid, 0)) {
    if (uw_is_over(op, UW_OVER_THREADS) && uw_null(found))
      found = op;
    else if (uw_kind(op) == UW_OP_SHARED) {
      /* Memory in a window, and what warps use one after the other, is the worker's. */
      if (!mlirAttributeIsNull(uw_get_attr(op, "unwarp.window")) ||
          !mlirAttributeIsNull(uw_get_attr(op, "unwarp.uncounted")) ||
          !uw_computable_outside(arena, uw_operand(op, 0), grid, NULL))
        return (MlirOperation){NULL};
    } else if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && !uw_is_block_mark(op) && !uw_effect_free(op)) {
      return (MlirOperation){NULL};
    }
  }
  return found;
}

/* Known to have too few threads for two workers? */
static bool is_small(MlirOperation threads) {
  int64_t count = 1, extent;
  for (size_t d = 0; d < DIMS; d++) {
    if (!uw_const_value(uw_upper_of(threads, d), &extent))
      return false;
    count *= extent;
  }
  return count < 2 * WARP;
}

static bool is_long_loop(uw_arena *arena, MlirOperation op) {
  int64_t from, to, step;
  if (uw_kind(op) != UW_OP_SCF_FOR && uw_kind(op) != UW_OP_SCF_WHILE)
    return false;
  if (uw_kind(op) == UW_OP_SCF_FOR && uw_const_value(uw_operand(op, 0), &from) &&
      uw_const_value(uw_operand(op, 1), &to) && uw_const_value(uw_operand(op, 2), &step) && step > 0 &&
      (to - from) / step < UW_SOME_ITERATIONS)
    return false;
  return !has_real_barrier(arena, op);
}

/* Sets *whole_warps if threads of a warp exchange values, or may know that they run in lock step. */
static bool is_possible(uw_arena *arena, MlirOperation threads, bool *whole_warps) {
  uw_ops ops = uw_collect(arena, threads);
  uw_effects *effects = NULL;
  bool barriers = false, worth_it = false;
  *whole_warps = false;
  if (ops.count > UW_MOST_VERSIONED)
    return false;
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    if (uw_kind(op) == UW_OP_BARRIER && uw_attr_is_str(op, "level", "block")) {
      barriers = true;
      effects = effects || !is_real_barrier(op) ? effects : uw_effects_of(arena, threads);
      if (is_real_barrier(op) && !uw_made_by_all(uw_effects_uniformity(effects), op))
        return false;
    } else if (uw_is_exchange(op, "block") || uw_kind(op) == UW_OP_SHARED ||
               (uw_kind(op) == UW_OP_LLVM_CALL && !uw_is_call_anywhere(op))) {
      return false;
    } else {
      *whole_warps = *whole_warps || uw_is_exchange(op, "warp") || !mlirAttributeIsNull(uw_get_attr(op, "volatile_"));
    }
    worth_it = worth_it || is_long_loop(arena, op);
  }
  return barriers && worth_it;
}

/* --- what it is worth --------------------------------------------------------------------------------------------- */

/* Of a thread, from its first to its last operation; index values. */
typedef struct work {
  MlirValue ops, barriers;
} work;

typedef struct estimate {
  uw_arena *arena;
  MlirOperation grid;
  uw_builder b;
  uw_map *known; /* thread and block 0; loops' counters are in the midst */
} estimate;

static MlirValue at_launch(estimate *e, MlirValue value) {
  return uw_computable_outside(e->arena, value, e->grid, e->known) ? uw_compute_outside(&e->b, value, e->grid, e->known)
                                                                   : (MlirValue){NULL};
}

static MlirValue some_iterations(estimate *e, MlirOperation loop) {
  return uw_const_index(&e->b, has_real_barrier(e->arena, loop) ? UW_TREE_ITERATIONS : UW_SOME_ITERATIONS);
}

static MlirValue iterations_of(estimate *e, MlirOperation loop) {
  MlirValue from = at_launch(e, uw_operand(loop, 0)), to = at_launch(e, uw_operand(loop, 1)),
            step = at_launch(e, uw_operand(loop, 2));
  MlirType type = mlirValueGetType(uw_operand(loop, 0));
  if (!from.ptr || !to.ptr || !step.ptr)
    return some_iterations(e, loop);
  unsigned bits = mlirTypeIsAIndex(type) ? 0 : mlirIntegerTypeGetWidth(type);
  MlirValue zero = bits ? uw_const_int(&e->b, bits, 0) : uw_const_index(&e->b, 0);
  MlirValue one = bits ? uw_const_int(&e->b, bits, 1) : uw_const_index(&e->b, 1);
  MlirValue way = uw_binary(&e->b, "arith.maxsi", uw_binary(&e->b, "arith.subi", to, from), zero);
  MlirValue half = uw_binary(&e->b, "arith.shrui", way, one);
  uw_map_set(e->known, mlirBlockGetArgument(uw_block(loop, 0), 0), uw_binary(&e->b, "arith.addi", from, half));
  /* Asked whether or not the loop is ever come to: a step of 0 is none. */
  MlirValue iterations = uw_binary(&e->b, "arith.ceildivui", way, uw_binary(&e->b, "arith.maxsi", step, one));
  return bits
             ? uw_build1(&e->b, "arith.index_castui", .in = VALS(iterations), .out = TYPES(uw_index_type(e->b.context)))
             : iterations;
}

static work work_of(estimate *e, MlirBlock block) {
  int64_t ops = 0, barriers = 0;
  work inner = {uw_const_index(&e->b, 0), uw_const_index(&e->b, 0)};
  uw_foreach_op (op, block) {
    uw_kind_t kind = uw_kind(op);
    barriers += is_real_barrier(op);
    ops += uw_region_count(op) == 0 && kind != UW_OP_ARITH_CONSTANT && kind != UW_OP_SCF_YIELD && kind != UW_OP_BARRIER;
    MlirValue iterations = kind == UW_OP_SCF_FOR     ? iterations_of(e, op)
                           : kind == UW_OP_SCF_WHILE ? some_iterations(e, op)
                                                     : (MlirValue){NULL};
    for (intptr_t r = 0; r < uw_region_count(op); r++) {
      if (mlirBlockIsNull(uw_block(op, (unsigned)r)))
        continue;
      work part = work_of(e, uw_block(op, (unsigned)r));
      if (iterations.ptr)
        part = (work){uw_binary(&e->b, "arith.muli", part.ops, iterations),
                      uw_binary(&e->b, "arith.muli", part.barriers, iterations)};
      inner = (work){uw_binary(&e->b, "arith.addi", inner.ops, part.ops),
                     uw_binary(&e->b, "arith.addi", inner.barriers, part.barriers)};
    }
  }
  return (work){uw_binary(&e->b, "arith.addi", inner.ops, uw_const_index(&e->b, ops)),
                uw_binary(&e->b, "arith.addi", inner.barriers, uw_const_index(&e->b, barriers))};
}

/* --- doing it ----------------------------------------------------------------------------------------------------- */

static MlirValue call_for_index(MlirModule module, uw_builder *b, const char *name, const char *type,
                                uw_value_list arguments) {
  uw_declare(module, name, type);
  MlirOperation call = uw_call(b, name, arguments, uw_int_type(b->context, 64));
  return uw_build1(b, "arith.index_cast", .in = VALS(uw_result(call, 0)), .out = TYPES(uw_index_type(b->context)));
}

/* How many workers take part; 0 where it does not pay. */
static MlirValue workers_at_launch(MlirModule module, uw_arena *arena, MlirOperation grid, MlirOperation threads,
                                   bool whole_warps) {
  estimate e = {arena, grid, uw_at(grid), uw_map_create(arena)};
  uw_builder *b = &e.b;
  MlirValue zero = uw_const_index(b, 0), one = uw_const_index(b, 1);
  for (size_t d = 0; d < uw_dims(grid); d++)
    uw_map_set(e.known, uw_index(grid, d), zero);
  for (intptr_t d = 0; d < DIMS; d++)
    uw_map_set(e.known, mlirBlockGetArgument(uw_block(threads, 0), d), zero);
  work of_thread = work_of(&e, uw_block(threads, 0));
  MlirValue planes = uw_upper_of(threads, 0), rows = uw_upper_of(threads, 1), columns = uw_upper_of(threads, 2);
  MlirValue groups = uw_binary(b, "arith.ceildivui", columns, uw_const_index(b, WARP));
  MlirValue one_row = uw_compare(b, UW_EQ, rows, one), units = uw_select(b, one_row, groups, rows);
  if (whole_warps)
    units = uw_select(b, uw_compare(b, UW_EQ, uw_binary(b, "arith.muli", rows, planes), one), groups, zero);
  MlirValue count = uw_binary(b, "arith.muli", uw_binary(b, "arith.muli", planes, rows), columns);
  return call_for_index(module, b, "uwrt_team", "!llvm.func<i64 (i64, i64, i64, i64, i64)>",
                        VALS(uw_as_i64(b, uw_count_blocks(b, grid)), uw_as_i64(b, units), uw_as_i64(b, count),
                             uw_as_i64(b, of_thread.ops), uw_as_i64(b, of_thread.barriers)));
}

static void wait_for_team(uw_builder *b) {
  uw_build(b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b->context, UW_TEAM)}));
}

/* The worker's slice of the block's threads, of which each has one at least. */
static void take_slice(MlirModule module, uw_builder *region, MlirOperation threads) {
  MlirValue both = call_for_index(module, region, "uwrt_team_place", "!llvm.func<i64 ()>", (uw_value_list){0});
  MlirValue own = uw_binary(region, "arith.andi", both, uw_const_index(region, 0xFFFFFFFF));
  MlirValue all = uw_binary(region, "arith.shrui", both, uw_const_index(region, 32));
  MlirValue rows = uw_upper_of(threads, 1), columns = uw_upper_of(threads, 2);
  MlirValue zero = uw_const_index(region, 0), one = uw_const_index(region, 1);
  MlirValue one_row = uw_compare(region, UW_EQ, rows, one);
  int64_t known;
  if (!uw_const_value(rows, &known) || known != 1)
    uw_take_slice(region, threads, 1, uw_select(region, one_row, zero, own), uw_select(region, one_row, one, all), 1);
  if (!uw_const_value(columns, &known) || known != 1)
    uw_take_slice(region, threads, 2, uw_select(region, one_row, own, zero), uw_select(region, one_row, all, one),
                  WARP);
}

static void mark_barriers(uw_arena *arena, MlirOperation threads) {
  uw_ops barriers = uw_collect_kind(arena, threads, UW_OP_BARRIER);
  for (size_t i = 0; i < barriers.count; i++)
    if (is_real_barrier(barriers.at[i]))
      uw_set_attr(barriers.at[i], UW_TEAM, mlirUnitAttrGet(mlirOperationGetContext(threads)));
}

static void make_team(MlirModule module, uw_arena *arena, MlirOperation grid, MlirOperation threads, bool whole_warps) {
  uw_builder b = uw_at(grid);
  MlirValue workers = workers_at_launch(module, arena, grid, threads, whole_warps);
  MlirValue asked = uw_compare(&b, UW_NE, workers, uw_const_index(&b, 0));
  uw_builder at =
      uw_make_versions(arena, &b, .asked = asked, .first = grid, .own = UW_FAILS, .written = true).in[UW_HOLDS];
  uw_map *map = uw_map_create(arena);
  MlirAttribute unit = mlirUnitAttrGet(b.context);
  bool shared = false;
  uw_foreach_op (op, uw_block(grid, 0)) {
    if (uw_kind(op) != UW_OP_SHARED)
      continue;
    uw_compute_outside(&at, uw_operand(op, 0), grid, map);
    uw_set_attr(uw_clone(&at, op, map), UW_TEAM, unit);
    shared = true;
  }
  MlirValue count = uw_count_blocks(&at, grid);
  MlirOperation region = uw_build_parallel(&at, VALS(workers), UW_OVER_BLOCKS);
  uw_builder in = uw_at_end(uw_block(region, 0), b.location);
  MlirOperation blocks = uw_build_for(&in, uw_const_index(&in, 0), count, uw_const_index(&in, 1), (uw_value_list){0});
  uw_yield(uw_block(blocks, 0), b.location, (uw_value_list){0});
  MlirValue number = mlirBlockGetArgument(uw_block(blocks, 0), 0);
  uw_builder body = uw_at_end(uw_block(blocks, 0), b.location);
  if (shared) {
    MlirOperation later = uw_build_branch(&body, uw_compare(&body, UW_NE, number, uw_const_index(&body, 0)));
    uw_builder wait = uw_at_end(uw_block(later, 0), b.location);
    wait_for_team(&wait);
  }
  uw_foreach_op (op, uw_block(grid, 0)) {
    if (uw_kind(op) == UW_OP_SHARED || uw_kind(op) == UW_OP_SCF_IN_PARALLEL)
      continue;
    MlirOperation copy = uw_clone(&body, op, map);
    if (!uw_same_op(op, threads))
      continue;
    uw_builder before = uw_at(blocks);
    take_slice(module, &before, copy);
    mark_barriers(arena, copy);
  }
  body = uw_at_start(uw_block(blocks, 0), b.location);
  uw_builder outside = uw_at(region);
  uw_index_by_number(arena, &outside, &body, grid, blocks, number);
  uw_expand_block_numbers(arena, blocks);
  uw_note_copied(grid, uw_count_operations(region));
  uw_set_attr(region, UW_TEAM, unit);
  uw_set_attr(grid, UW_TEAM, unit);
}

uw_change uw_pass_distribute_teams(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    MlirOperation grid = loops.at[i];
    int64_t blocks;
    if (!uw_is_over(grid, UW_OVER_BLOCKS) || !mlirAttributeIsNull(uw_get_attr(grid, UW_TEAM)) ||
        !mlirAttributeIsNull(uw_get_attr(grid, "unwarp.band")) || /* what is a row there is a block */
        (uw_known_blocks(grid, &blocks) && blocks > UW_TEAM_MOST_BLOCKS))
      continue;
    MlirOperation threads = only_thread_loop(ctx->arena, grid);
    bool known_outside = !uw_null(threads) && uw_dims(threads) == DIMS, whole_warps;
    for (size_t d = 0; known_outside && d < DIMS; d++)
      known_outside = !uw_defined_inside(uw_upper_of(threads, d), grid);
    if (!known_outside || is_small(threads) || !is_possible(ctx->arena, threads, &whole_warps) ||
        !uw_may_copy(grid, uw_known_blocks(grid, &blocks) ? UW_SOME_GAIN : UW_RARE_GAIN,
                     "distribute-teams") /* few launches have fewer blocks than workers */)
      continue;
    make_team(mlirModuleFromOperation(root), ctx->arena, grid, threads, whole_warps);
    uw_remark(mlirOperationGetLocation(threads), "distribute-teams",
              "where blocks are fewer than workers, several share a block's threads");
    change = UW_CHANGED;
  }
  return change;
}
