/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * When blocks are too few to keep all workers busy, gives slices of their threads out instead: a launch of one block
 * with a loop in each thread uses all processors, as it would use many lanes of a GPU.
 *
 *   grid (%b) to (%blocks) {                  %slices = blocks enough ? 1 : …
 *     block (%z, %y, %x) to (Z, Y, X) {  ==>  grid (%b, %s) to (%blocks, %slices) {
 *       body(%z, %y, %x) }                      block (%z, %y, %x) to (Z, rows of %s, columns of %s) {
 *   }                                             body(%z, first row of %s + %y, first column of %s + %x) }
 *                                             }
 *
 * Rows are shared out first; where there are fewer rows than slices, columns in groups of GROUP. The runtime decides
 * how many slices (uwrt_slices in runtime/slices.c). The slices of a block are neighbours in the grid loop, in index
 * order, so what waits for a thread with a lower index still finds it started.
 *
 * Legal when the threads of a block share nothing but global memory: no exchange, no shared memory, nothing with an
 * effect between the two loops but the note of which block runs, and no call that may ask for its position in the block
 * or launch a grid. Blocks may run at once, and threads of a block too, so slices may; atomic operations and fences on
 * global memory are real ones whatever their scope.
 *
 * Pays when a thread has a serial loop; a straight line of code is done before another worker wakes up. Does not pay
 * for strided loops, whose threads touch neighbours in the same iteration: two workers would fight for the lines. They
 * hold a barrier by now.
 *
 * Requires: raised launches, coalesce-strided. Preserves: each thread's order. Refuses: all else, silently. */
#include "../../analysis/calls.h"
#include "../../analysis/exchange.h"
#include "../../ir/block_numbers.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../ir/slices.h"
#include "../../transform/loop_ranges.h"
#include "../../raise/raise.h"
#include "../passes.h"

enum { GROUP = 16 /* as in runtime/slices.c */, DIMS = 3 };

/* The loop over threads, if all else in the grid loop's body may be done again for each slice. */
static MlirOperation only_thread_loop(MlirOperation grid) {
  MlirOperation found = {NULL};
  uw_foreach_op (op, uw_block(grid, 0)) {
    if (uw_kind(op) == UW_OP_SCF_FORALL && uw_is_over(op, UW_OVER_THREADS) && uw_null(found))
      found = op;
    else if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL && !uw_is_block_mark(op) && !uw_effect_free(op))
      return (MlirOperation){NULL};
  }
  return found;
}

static bool has_loops(uw_arena *arena, MlirOperation threads) {
  return uw_collect_kind(arena, threads, UW_OP_SCF_FOR).count > 0 ||
         uw_collect_kind(arena, threads, UW_OP_SCF_WHILE).count > 0;
}

static bool is_worth_it(uw_arena *arena, MlirOperation threads) {
  uw_ops ops = uw_collect(arena, threads);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_name_starts(ops.at[i], "unwarp.") ||
        (uw_kind(ops.at[i]) == UW_OP_LLVM_CALL && !uw_is_call_anywhere(ops.at[i])))
      return false;
  return has_loops(arena, threads);
}

static void slice(MlirModule module, MlirOperation grid, MlirOperation threads) {
  uw_builder b = uw_at(grid);
  MlirValue blocks = uw_count_blocks(&b, grid), half = uw_const_index(&b, 32);
  MlirValue rows = uw_upper_of(threads, 1), columns = uw_upper_of(threads, 2);
  uw_declare(module, "uwrt_slices", "!llvm.func<i64 (i64, i64, i64)>");
  MlirOperation call =
      uw_call(&b, "uwrt_slices", VALS(uw_as_i64(&b, blocks), uw_as_i64(&b, rows), uw_as_i64(&b, columns)),
              uw_int_type(b.context, 64));
  MlirValue both = uw_as_index(&b, uw_result(call, 0));
  MlirValue across = uw_binary(&b, "arith.shrui", both, half);
  MlirValue down = uw_binary(&b, "arith.andi", both, uw_const_index(&b, 0xFFFFFFFF));
  MlirValue slices = uw_binary(&b, "arith.muli", down, across);
  uw_add_slices(grid, slices);
  MlirValue own = uw_grid_index(grid, UW_GRID_SLICE);
  b = uw_at(threads);
  int64_t known;
  if (!uw_const_value(rows, &known) || known != 1)
    uw_take_slice(&b, threads, 1, uw_binary(&b, "arith.remui", own, down), down, 1);
  uw_take_slice(&b, threads, 2, uw_binary(&b, "arith.divui", own, down), across, GROUP);
}

uw_change uw_pass_distribute_blocks(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    if (!uw_is_over(loops.at[i], UW_OVER_BLOCKS) || uw_grid_dim_of(loops.at[i], UW_GRID_SLICE) != UW_NO_DIM)
      continue;
    MlirOperation threads = only_thread_loop(loops.at[i]);
    if (uw_null(threads) || uw_dims(threads) != DIMS || !is_worth_it(ctx->arena, threads))
      continue;
    bool known_outside = true;
    for (size_t d = 1; d < DIMS; d++)
      known_outside = known_outside && !uw_defined_inside(uw_upper_of(threads, d), loops.at[i]);
    if (!known_outside)
      continue;
    slice(mlirModuleFromOperation(root), loops.at[i], threads);
    uw_remark(mlirOperationGetLocation(threads), "distribute-blocks",
              "threads of a block are shared out where blocks are few");
    change = UW_CHANGED;
  }
  return change;
}
