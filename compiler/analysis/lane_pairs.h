/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses of two lanes of a warp that meet in memory with nothing in between that orders them: no barrier of the
 * block, no operation of the warp. A program that does not race has none. One that has some counts on the lanes of a
 * warp to run in step.
 *
 * Two accesses to the same array, one of them writing, are such a pair unless it is shown that lanes do not meet there:
 *   a) the array is a thread's own, or nothing writes it between the same barriers;
 *   b) in dry runs (dry_run.h) no two lanes came upon the same bytes: with the shapes of blocks that the kernel is
 *      launched with or, where these are not known, may have; and, where addresses and conditions depend on what is
 *      not known, with large values in place of that and with small ones. A condition on data keeps nothing apart.
 * No pair: atomic operations of both; a load before an atomic operation (a look ahead, or the start of a loop of
 * compare-and-swap); one and the same store, whose order among lanes nothing says, and two that store the same; the two
 * arms of a branch. */
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
  bool others; /* and others, which are not known */
} uw_block_shapes;

/* The shape of the blocks, if it is known. */
bool uw_known_shape(MlirOperation loop, int64_t shape[3]);

/* May the rows of a block, of which it has several, end within warps, so that some have lanes in two of them? */
bool uw_rows_end_in_warps(MlirOperation loop);

/* Of a loop over the threads of a block. launched: the shapes with which the kernel is known to be launched; for others
 * those are taken that its indices and arrays suggest. */
void uw_lane_pairs_of(uw_arena *arena, MlirOperation loop, const uw_block_shapes *launched, uw_lane_pairs *pairs);

#endif
