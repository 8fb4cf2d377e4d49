/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which lanes of a warp surely hold the same value: see lane_classes.c. */
#ifndef UW_LANE_CLASSES_H
#define UW_LANE_CLASSES_H

#include "lane_vectors.h"

/* What each lane holds: an element of the values of `root`. Lanes with the same element hold the same, and so do those
 * of two vectors with one root. */
typedef struct uw_lane_classes {
  const void *root;
  int32_t element[UW_LANES];
} uw_lane_classes;

/* Each lane holds a value of its own, or element[l] of what has the name root. */
uw_lane_classes uw_classes_of_elements(const void *root, const int32_t *element);
/* Lane l gets what lane from[l] has. */
uw_lane_classes uw_classes_shuffled(const uw_lane_classes *of, const int32_t from[UW_LANES]);
/* Of an operation element by element on `count` operands. */
uw_lane_classes uw_classes_computed(const void *root, MlirOperation op, const uw_lane_classes *operands, size_t count);
bool uw_are_all_alike(const uw_lane_classes *classes);

#endif
