/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads whose element is a function of the lane: see lane_loads.c. */
#ifndef UW_LANE_LOADS_H
#define UW_LANE_LOADS_H

#include "lane_vectors.h"

typedef struct uw_lane_load {
  MlirValue base;         /* the address, without what is below */
  int64_t offset;         /* of the first element, in bytes */
  int64_t count;          /* of elements, all of which some lane loads */
  int32_t from[UW_LANES]; /* which of them each lane has */
  MlirType element;
} uw_lane_load;

/* Is value, at the top level of a loop over all lanes, such a load, after which nothing is written before `before`? */
bool uw_find_lane_load(MlirOperation loop, MlirValue value, MlirOperation before, uw_lane_load *load);
/* The values of all lanes, at b, outside of the loop. */
MlirValue uw_load_for_lanes(uw_builder *b, const uw_lane_load *load);

#endif
