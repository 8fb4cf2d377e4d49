/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a value differs among neighbouring lanes (iterations of a loop over lanes that are taken together): not at all,
 * by a constant step from each to the next, or in any way. What is the same, or a step apart, needs one scalar; the
 * rest needs vectors.
 *
 * That is said of the lanes that come to where the value is computed: of the others nobody asks. */
#ifndef UW_LANE_SHAPES_H
#define UW_LANE_SHAPES_H

#include "../../ir/ir.h"

typedef enum uw_shape_kind { UW_SHAPE_ANY, UW_SHAPE_SAME, UW_SHAPE_STEP } uw_shape_kind;

typedef struct uw_shape {
  uw_shape_kind kind;
  int64_t step; /* of integers, or bytes of addresses; not 0 */
} uw_shape;

/* A value whose extension is a step apart only if it does not wrap around within the lanes: to be asked before they
 * run. */
typedef struct uw_extension {
  MlirValue value;
  int64_t step;
  bool is_signed, in_iterations; /* in_iterations: it is another one in each iteration of a loop (iteration_ranges.h) */
} uw_extension;

typedef struct uw_shapes uw_shapes;

/* Shapes of what is computed in `lanes`, a loop of one dimension. */
uw_shapes *uw_shapes_of(uw_arena *arena, MlirOperation lanes);
uw_shape uw_shape_of(uw_shapes *shapes, MlirValue value);
bool uw_is_same(uw_shapes *shapes, MlirValue value);
/* The same or a step apart. */
bool uw_is_scalar(uw_shapes *shapes, MlirValue value);
/* Do all lanes that come to the loop make as many iterations? */
bool uw_same_iterations(uw_shapes *shapes, MlirOperation loop);
/* Of an if on which lanes part: which side's value the result may be for all of them (0 or 1), -1 if it takes both. */
int uw_deciding_arm(MlirOperation branch, size_t result);
/* The extensions that shapes told so far rest on. */
const uw_extension *uw_shape_extensions(const uw_shapes *shapes, size_t *count);

#endif
