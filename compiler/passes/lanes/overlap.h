/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops from bounds that differ by lane, of which the lanes together make all iterations between the least lower bound
 * and the greatest upper one, each lane its own (overlap.c). The counter is the same for all of them then. */
#ifndef UW_OVERLAP_H
#define UW_OVERLAP_H

#include "vector_values.h"

#define UW_OVERLAP "unwarp.overlap" /* on such an scf.for */
bool uw_overlaps(MlirOperation loop);

/* Marks those loops of the lanes that may be done so; false if there are none. */
bool uw_mark_overlaps(uw_arena *arena, MlirOperation lanes);
void uw_unmark_overlaps(uw_arena *arena, MlirOperation lanes);
/* Are the bounds of all marked loops the same for all lanes or little more from lane to lane? */
bool uw_overlaps_move_little(uw_arena *arena, MlirOperation lanes);

/* Bounds of a marked loop, computed before the lanes; of all lanes: the least and greatest of the lower bounds, of the
 * upper bounds. */
typedef struct uw_overlap {
  MlirValue low, length; /* of each lane */
  MlirValue first_low, last_low, first_high, last_high;
} uw_overlap;

/* Computes it for each marked loop; an i1 that says whether enough lanes are at work in their iterations; null: they
 * surely are. */
MlirValue uw_prepare_overlaps(uw_vectors *v, MlirOperation lanes);
void uw_emit_overlap(uw_vectors *v, MlirOperation loop);

#endif
