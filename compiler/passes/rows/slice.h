/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Slices of a block: its threads shared out to workers. distribute_blocks.c has what both passes that make slices share;
 * distribute_teams.c is the other. */
#ifndef UW_SLICE_H
#define UW_SLICE_H

#include "../../ir/ir.h"

/* Not one of the runtime's and the API's functions, which may depend on the thread that calls, or on its block. */
bool uw_is_free_call(MlirOperation call);

/* What a slice has of `extent` units: from first = extent * slice / slices on, count of them. */
void uw_slice_part(uw_builder *b, MlirValue extent, MlirValue slice, MlirValue slices, MlirValue *first,
                   MlirValue *count);
/* On the sum of a slice's first thread and the loop's index: it is the index of a thread in its block. */
#define UW_SLICED "unwarp.sliced"
/* Runs the loop's dimension over `count` threads from `first` on. */
void uw_slice_restrict(MlirOperation loop, size_t dimension, MlirValue first, MlirValue count);

#endif
