/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first part of vectorize-interleaved, and what its two forms share: a loop and the gathers in it that walk along rows. */
#ifndef UW_TRANSPOSE_LOADS_H
#define UW_TRANSPOSE_LOADS_H

#include "../../analysis/cost.h"
#include "../passes.h"
#include "address_growth.h"
#include "squares.h"

typedef struct uw_turn {
  uw_arena *arena;
  uw_iterations within;
  MlirValue live; /* the mask of those lanes that are in the loop; null: all are */
  MlirOperation gathers[UW_MOST_GATHERS];
  size_t count;
  int64_t iterations; /* taken at a time */
} uw_turn;

/* The gathers of a body whose lanes, all that are in the loop, walk along rows; false: none. */
bool uw_find_walking(uw_turn *turn, MlirBlock body);
int64_t uw_lanes_of(MlirOperation gather);
/* A loop that is done, or what is left of it. */
void uw_mark_transposed(MlirOperation loop);

/* transpose_masked.c: changes a while that lanes leave after iterations of their own; false: it does not fit. */
bool uw_transpose_in_while(uw_turn *turn);

uw_change uw_transpose_loads(uw_arena *arena, MlirOperation root);

#endif
