/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reaching definitions: which writes may have put what a load finds in memory (the SYCL-MLIR paper's analysis, on
 * structured control flow, for one location at a time).
 *
 * Threads are taken in lock step: all of them make an operation before any of them makes the next. Between two barriers
 * any order of the threads is as good as that one, unless they race. So one walk back from the load finds the writes of
 * its own thread and those of the others: what is written after the load, and does not come round in a loop, does not
 * reach it. Whether a write may touch the load's bytes is the caller's to say: for one thread (bases.h) or for all of a
 * block (effects.h).
 *
 * What other blocks write is not here: memory that they may write too holds at the start, and after anything that
 * cannot be named (a call, a fence, a volatile access), what nobody in this block knows. */
#ifndef UW_REACHING_H
#define UW_REACHING_H

#include "dependence.h"

typedef struct uw_definition {
  uw_access write; /* crossed: the loop in an earlier iteration of which it was made; null if it was in this one */
  bool surely; /* it sets exactly the load's bytes whenever it is made, in the load's own thread; otherwise it may */
} uw_definition;

typedef struct uw_definitions {
  uw_definition *at;
  size_t count;
  bool unknown; /* a write that cannot be named is among them */
  bool before;  /* on some way nothing in the loop sets all of the bytes: what was there before the loop over threads */
} uw_definitions;

typedef bool uw_meeting(const void *context, const uw_access *write, const uw_access *load);

/* Writes, all inside of a loop, by where they stand: made once for all the loads that are asked about. It holds until
 * the code changes. */
typedef struct uw_writers uw_writers;
uw_writers *uw_writers_of(uw_arena *arena, MlirOperation loop, const uw_accesses *writes);

/* Of these writes those that reach the load. A way ends at a sure definition and where the memory is made. */
uw_definitions uw_reaching(const uw_writers *among, const uw_access *load, uw_meeting *meets, const void *context);

/* The writes to a private array (an alloca) of the loop; false if somebody else may write there too: the
 * address goes to a call or into memory, is chosen from several, or an access is volatile or atomic. */
bool uw_private_writes(uw_arena *arena, MlirOperation loop, MlirValue memory, uw_accesses *writes);

#endif
