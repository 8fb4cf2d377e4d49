/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Comparisons as bounds of a thread loop: which threads does one let through?
 *
 * A dimension of the thread index, to which values from outside of the loop are added or which is multiplied by a
 * positive constant, stands on one side, a value from outside on the other. The comparison is taken to be one of
 * integers of any size. Where that is not sure, as sums of 32 bits may wrap around (no_wrap_versions.c gives flags to those that
 * surely do not), it is asked before the loop: of its first and its last thread. (An unsigned comparison of what may be
 * below zero, as in (unsigned)(x - 1) < n, becomes two bounds; then it is asked whether n is small enough.)
 *
 * Beside analysis/bounds.h, which says between which constants a value lies, as its bits say it. Here a bound is a value
 * that is made, and a sum is one of integers of any size: block * 256, which may wrap around in 32 bits and so has no
 * least there, is not below zero here, because it is asked. */
#ifndef UW_BOUNDS_H
#define UW_BOUNDS_H

#include "guard.h"

enum { UW_DIMS = 3 };

/* A loop for values that passes do not reckon with, beside one for all others: it stays as it is. */
#define UW_PLAIN "unwarp.plain"
/* A loop for blocks in which not all threads pass a condition, beside one for all others: it is not split again. */
#define UW_EDGE "unwarp.edge"
/* On a row that split-divisions has seen to. Where it is no fall-back, it is a part in which quotients are the same. */
#define UW_SPLIT "unwarp.split"

typedef struct uw_bounds {
  uw_arena *arena;
  MlirOperation loop;
  size_t dims;
  MlirValue lower[UW_DIMS], upper[UW_DIMS]; /* index, made before the loop; null: as the loop has it */
  MlirValue asked; /* the bounds are right where this holds, made before the loop; null: always */
} uw_bounds;

/* A sum of products of indices, sizes of the block or the grid and small constants, or a part of one, as the index of
 * a block's first thread in the grid or of its warps: as an integer of any size it is not below zero. loop: the
 * threads'. */
bool uw_is_block_offset(MlirOperation loop, MlirValue value);
uw_bounds uw_bounds_of(uw_arena *arena, MlirOperation loop); /* none yet; at most UW_DIMS dimensions */
/* Makes a conjunct a bound, or, without `apply`, says whether it can be one. */
bool uw_bound_by(uw_bounds *bounds, const uw_conjunct *c, bool apply);

/* What loop_bounds.c and extremes.c follow alike. Is a value known before the loop? */
bool uw_is_outside(uw_bounds *bounds, MlirValue value);
/* Is it worth to look at the product of an index and this factor? Larger factors mix bits, unless the product is said
 * not to wrap around. */
bool uw_is_plain_product(MlirOperation op, int64_t factor, bool is_signed);
enum { UW_MOST_SHIFT = 20 }; /* bound: 32 bits hold the factor */
/* Index arithmetic is ours; of other it is the flags that say so. */
bool uw_is_of_any_size(MlirOperation op, bool is_signed);

/* extremes.c */
/* Can it be asked before the loop whether a comparison with sign holds for all threads, because it does for the one
 * that is nearest to failing? Each side may be a sum of several dimensions. `holds` is made unless it is null. */
bool uw_asked_of_one(uw_bounds *bounds, const uw_conjunct *c, MlirValue *holds);
/* The least and the largest value that a sum of several dimensions has for a thread of the loop, made before it. Where
 * it is no such sum, or rises and falls along one dimension, false. With `ends` null nothing is made. */
bool uw_extremes(uw_bounds *bounds, MlirValue value, MlirValue ends[2]);
/* How far those two are apart at most, as integers of any size: below UW_LONGEST_SPAN they are out of order where a sum
 * wraps around between them. */
#define UW_LONGEST_SPAN 1e9 /* bound: less than 2^31 */
double uw_span(uw_bounds *bounds, MlirValue value);

#endif
