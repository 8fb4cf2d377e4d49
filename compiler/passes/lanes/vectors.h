/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a loop over a few lanes vector code: an element for each lane. */
#ifndef UW_VECTORS_H
#define UW_VECTORS_H

#include "../../analysis/cost.h"
#include "lane_shapes.h"

/* vector_cost.c: bytes of all vector registers of the CPU that op's module is for. */
int64_t uw_register_room(MlirOperation op);
typedef struct uw_vector_price {
  double gain;           /* how many times faster vectors are supposed to be than lane after lane */
  MlirOperation hinders; /* what vectors cannot do, the first that was found; or null */
  MlirOperation walked;  /* a loop of which a thread alone does several iterations at once (own_walks.h); or null */
} uw_vector_price;
/* Is this (an operation with all that is in it) something that vectors can do, with registers of so many bytes? */
bool uw_vectors_fit(uw_arena *arena, uw_shapes *shapes, MlirOperation op, int64_t width, int64_t register_bytes,
                    uw_vector_price *price);
/* The same of lanes, some of which may do in turn what has no form for vectors (in_turn.h): such is marked. */
bool uw_vectors_fit_in_turn(uw_arena *arena, uw_shapes *shapes, MlirOperation lanes, int64_t width,
                            int64_t register_bytes, uw_vector_price *price);
/* What kind of thing hinders, for a remark. */
const char *uw_what_hinders(MlirOperation op);

/* vectors.c: replaces lanes, whose operations all fit, by vector code. */
void uw_make_vectors(uw_arena *arena, MlirOperation lanes, int64_t width);
/* The same of the first lanes alone, an index of at least 1: the others take no part. */
void uw_make_some_vectors(uw_arena *arena, MlirOperation lanes, int64_t width, MlirValue many);
/* May stand in a branch that all lanes take, whether they have to or not: pure, short, no loop. */
bool uw_flat(MlirOperation branch);

#endif
