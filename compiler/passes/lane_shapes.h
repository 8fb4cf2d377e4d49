/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a value differs among neighbouring lanes (iterations of a loop over lanes that are taken together): not at all, by a constant
 * step from each to the next, or in any way. What is the same, or a step apart, needs one scalar; the rest needs vectors. */
#ifndef UW_LANE_SHAPES_H
#define UW_LANE_SHAPES_H

#include "../analysis/uniformity.h"

typedef enum uw_shape_kind { UW_SHAPE_ANY, UW_SHAPE_SAME, UW_SHAPE_STEP } uw_shape_kind;

typedef struct uw_shape {
  uw_shape_kind kind;
  int64_t step; /* of integers, or bytes of addresses; not 0 */
} uw_shape;

/* A number whose extension is a step apart only if it does not wrap around within the lanes: to be asked before they run. */
typedef struct uw_extension {
  MlirValue value;
  int64_t step;
  bool is_signed;
} uw_extension;

typedef struct uw_shapes uw_shapes;

/* Shapes of what is computed in `lanes`, a loop of one dimension; the facts are about it. */
uw_shapes *uw_shapes_of(uw_arena *arena, MlirOperation lanes, const uw_uniformity *facts);
uw_shape uw_shape_of(uw_shapes *shapes, MlirValue value);
bool uw_is_same(uw_shapes *shapes, MlirValue value);
/* Do all lanes that come to the loop make as many rounds? */
bool uw_same_rounds(const uw_shapes *shapes, MlirOperation loop);
/* The extensions that shapes told so far rest on. */
const uw_extension *uw_shape_extensions(const uw_shapes *shapes, size_t *count);

#endif
