/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In what range an integer of 32 bits stays in all iterations of the loops around it, asked before the lanes run. */
#ifndef UW_ROUND_RANGES_H
#define UW_ROUND_RANGES_H

#include "lane_shapes.h"

/* Can that be computed outside of lanes (a loop), with what `known` maps (the lane: to lane 0) for what is defined
 * there? */
bool uw_has_iteration_range(uw_arena *arena, uw_shapes *shapes, MlirValue value, MlirOperation lanes,
                            const uw_map *known);

/* The least and the most, as integers of 64 bits: where `holds` (null: always), value is, in each iteration, an integer
 * between the two modulo 2^32. As in uw_compute_outside, `map` gets the copies. */
typedef struct uw_iteration_range {
  MlirValue least, most, holds;
} uw_iteration_range;
uw_iteration_range uw_emit_iteration_range(uw_builder *b, uw_arena *arena, MlirValue value, MlirOperation lanes,
                                           uw_map *map, const uw_table *overlaps);

#endif
