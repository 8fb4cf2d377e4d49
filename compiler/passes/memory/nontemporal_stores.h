/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stores that may go past the caches(UW_STREAM of raise.h): what nontemporal_stores.c and stream_windows.c share. */
#ifndef UW_STREAMS_H
#define UW_STREAMS_H

#include "../../ir/ir.h"

#define UW_STREAMS_DONE "unwarp.streams_done" /* a loop that is one of two versions */

/* What address arithmetic starts from. */
MlirValue uw_streams_base(MlirValue address);
/* Does the address lead to memory that outlives the block, and that the launch, all of whose operations these are, does
 * not load from? */
bool uw_streams_past(const uw_ops *launch, MlirValue address);
/* Is what the loop stores in all its runs, `bytes` in each iteration, as large as the last cache? */
MlirValue uw_streams_large(uw_builder *b, MlirOperation loop, int64_t bytes);
/* The part for loops of vectors. */
bool uw_stream_windows(uw_arena *arena, MlirOperation loop, const uw_ops *launch);

#endif
