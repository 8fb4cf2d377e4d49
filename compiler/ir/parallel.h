/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parallel loops: what each runs over, its bounds and indices. They are scf.forall with the mappings of the gpu dialect:
 *
 *   scf.forall (%z, %y, %x) in (%nz, %ny, %nx) {
 *     …
 *   } {mapping = [#gpu.thread<z>, #gpu.thread<y>, #gpu.thread<x>]}
 *
 * A loop has a lower and an upper bound and a step for each of its dimensions, the innermost last. The same questions
 * may be asked about an scf.for, which has one.
 *
 * A bound of an scf.forall is an operand or a number, as MLIR's canonicalisation wants it. Who asks gets a value: for a
 * number a constant at the function's start, which is taken back after the pass unless it is used. */
#ifndef UW_PARALLEL_H
#define UW_PARALLEL_H

#include "ir.h"

/* What the iterations of a loop are. */
typedef enum uw_over {
  UW_OVER_NOTHING, /* no parallel loop, or one that is none of these */
  UW_OVER_BLOCKS,  /* of the grid */
  UW_OVER_THREADS, /* of a block */
  UW_OVER_WARPS,   /* of a block */
  UW_OVER_LANES,   /* of a warp */
  UW_OVER_FIBERS /* threads of a block, each on a stack of its own, as they wait for each other (lower/concurrent.c) */
} uw_over;
uw_over uw_loop_over(MlirOperation op);
bool uw_is_over(MlirOperation op, uw_over over); /* false for null */
/* Threads or lanes become fibers, and warps one fiber each. */
void uw_set_concurrent(MlirOperation loop);
bool uw_is_concurrent(MlirOperation loop);
const char *uw_over_name(uw_over over); /* "grid", "block", "warp", "lane", "concurrent", "parallel" */
/* Every parallel loop over that below root, outer before inner. */
uw_ops uw_collect_over(uw_arena *arena, MlirOperation root, uw_over over);

enum { UW_MOST_DIMS = 4 };
size_t uw_dims(MlirOperation loop);
MlirValue uw_index(MlirOperation loop, size_t d);

/* What a dimension of a loop over blocks counts. A loop has z, y and x, and slices after them where workers share a
 * block's threads (passes/rows/distribute_blocks.c); one of the runtime's parts of work, or of a test, has x alone. The
 * blocks of a grid begin in the order of its indices, the last dimension fastest. */
typedef enum uw_grid_dim { UW_GRID_X, UW_GRID_Y, UW_GRID_Z, UW_GRID_SLICE } uw_grid_dim;
enum { UW_NO_DIM = -1 };
/* Which one of the loop's dimensions that is, or UW_NO_DIM. */
int uw_grid_dim_of(MlirOperation grid, uw_grid_dim which);
/* Null where the loop does not have the dimension. */
MlirValue uw_grid_index(MlirOperation grid, uw_grid_dim which);
MlirValue uw_grid_extent(MlirOperation grid, uw_grid_dim which);
/* Blocks that run together along a dimension are a step of it. Is one block a step? */
bool uw_are_blocks_single(MlirOperation grid, uw_grid_dim which);

/* The runner does that after each pass: of what uw_loop_bound made. */
void uw_take_back_numbers(MlirModule module);
typedef enum uw_bound { UW_LOWER, UW_UPPER, UW_STEP, UW_BOUNDS } uw_bound;
MlirValue uw_loop_bound(MlirOperation loop, uw_bound which, size_t d);
void uw_set_loop_bound(MlirOperation loop, uw_bound which, size_t d, MlirValue value);
static inline MlirValue uw_lower_of(MlirOperation loop, size_t d) { return uw_loop_bound(loop, UW_LOWER, d); }
static inline MlirValue uw_upper_of(MlirOperation loop, size_t d) { return uw_loop_bound(loop, UW_UPPER, d); }
static inline MlirValue uw_step_of(MlirOperation loop, size_t d) { return uw_loop_bound(loop, UW_STEP, d); }
static inline void uw_set_upper(MlirOperation loop, size_t d, MlirValue value) {
  uw_set_loop_bound(loop, UW_UPPER, d, value);
}

/* From 0 to each of at most three uppers by 1, with an empty body. */
MlirOperation uw_build_parallel(uw_builder *b, uw_value_list uppers, uw_over over);
/* Gives a loop over whole blocks slices, as its innermost dimension. */
void uw_add_slices(MlirOperation grid, MlirValue slices);
/* An empty copy: the same bounds, over the same, without other attributes. */
MlirOperation uw_parallel_like(uw_builder *b, MlirOperation loop);

#endif
