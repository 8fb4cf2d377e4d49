/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A whole warp as vectors of 32 elements, and values that are functions of the lane alone: see lane_vectors.c. */
#ifndef UW_LANE_VECTORS_H
#define UW_LANE_VECTORS_H

#include "../../transform/thread_loop.h"

enum { UW_LANES = 32 };

/* Is loop one over the lanes of a warp, always all 32 of them? */
bool uw_has_all_lanes(MlirOperation loop);
/* What value, an integer, is in each lane, if that is known at compile time. */
bool uw_lane_function(MlirOperation loop, MlirValue value, uint64_t out[UW_LANES]);

/* Does the shuffle, at the top level of a loop over lanes, fit? Then from says whose value each lane gets. */
bool uw_has_known_sources(MlirOperation loop, MlirOperation shuffle, int32_t from[UW_LANES]);
/* One of them, and the slot that has what it shuffles: for each lane a value of its own, or what is the same in lanes
 * with the same element. */
typedef struct uw_lane_shuffle {
  MlirOperation op;
  MlirValue memory;
  const int32_t *element; /* of each lane; or null */
  int32_t from[UW_LANES];
} uw_lane_shuffle;
/* Replaces them and what goes along; they are in the order of the loop, and the first operation of it that has to wait
 * is not before the first of them. */
void uw_shuffle_as_vectors(uw_threads *threads, MlirOperation loop, const uw_lane_shuffle *shuffles, size_t count);

/* The slot whose element of this lane value is a load of, null if it is none. The slot keeps it while value has
 * uses. */
MlirValue uw_lanes_slot(MlirOperation loop, MlirValue value);
/* All lanes' elements of a slot, at b. */
MlirValue uw_load_lanes(uw_builder *b, MlirValue memory, MlirType element);

#endif
