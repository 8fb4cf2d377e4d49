/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses of two lanes of a warp that meet in memory with nothing in between that orders them: no barrier of the
 * block, no operation of the warp. A program that does not race has none. One that has some counts on the lanes of a
 * warp to run in step.
 *
 * Such a pair is one that a dry run (dry_run.h) has shown two lanes at, on the same bytes, one of them writing:
 *   a) by plain accesses only where it is so in every shape of block that the kernel may have, where these are not known;
 *   b) if one is volatile, in any of these shapes, or, in shared memory, where the address depends on data.
 * No pair: atomic operations of both; a load before an atomic operation (a look ahead, or the start of a loop of
 * compare-and-swap); one and the same store, whose order among lanes nothing says, and two that store the same; the two
 * arms of a branch; plain accesses that stand under different conditions on data. One that data decides about and one
 * that it does not are a pair. */
#ifndef UW_LANE_PAIRS_H
#define UW_LANE_PAIRS_H

#include "../ir/ir.h"

typedef struct uw_lane_pair {
  MlirOperation first, second; /* in the order in which lanes in step make them */
} uw_lane_pair;

typedef struct uw_lane_pairs {
  uw_lane_pair *at;
  size_t count, capacity;
} uw_lane_pairs;

/* Shapes of blocks: z, y, x. */
enum { UW_MOST_SHAPES = 12 };
typedef struct uw_block_shapes {
  int64_t at[UW_MOST_SHAPES][3];
  size_t count;
} uw_block_shapes;

/* The shape of the blocks, if it is known. */
bool uw_known_shape(MlirOperation loop, int64_t shape[3]);

/* Of a loop over the threads of a block. launched: shapes with which the kernel is known to be launched; what is seen
 * in one of them counts. None (null): those that its indices and arrays suggest. */
void uw_lane_pairs_of(uw_arena *arena, MlirOperation loop, const uw_block_shapes *launched, uw_lane_pairs *pairs);

#endif
