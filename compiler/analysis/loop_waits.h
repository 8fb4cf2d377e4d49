/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which loops wait, and for what: for other blocks or the host, for the clock, or for their own block's shared memory.
 * A loop waits that goes on for what it reads anew in each iteration, and gets nowhere by itself.
 */
#ifndef UW_LOOP_WAITS_H
#define UW_LOOP_WAITS_H

#include "../ir/ir.h"

typedef enum uw_wait_source { UW_OTHER_BLOCKS, UW_THE_CLOCK, UW_OWN_BLOCK } uw_wait_source;
/* UW_MAY_END: it may also end by itself (it counts its rounds, it looks at the clock). */
typedef enum uw_wait { UW_NO_WAIT, UW_MAY_END, UW_FOR_OTHERS } uw_wait;

/* Whether a while loop that writes nothing, or only passes on what it polls, waits for that. Of UW_OWN_BLOCK,
 * UW_FOR_OTHERS: it never ends once it goes on. */
uw_wait uw_waits_for(uw_arena *arena, MlirOperation loop, uw_wait_source source);

/* Whether a while loop that writes waits for other blocks or threads. locks: what it takes by exchanges counts. */
bool uw_waits_and_writes(uw_arena *arena, MlirOperation loop, bool locks);

/* Whether a while loop goes on by what it reads by volatile or atomic operations of any kind. */
bool uw_looks_at_others(uw_arena *arena, MlirOperation loop);

/* A call of __nanosleep's. */
bool uw_naps(MlirOperation op);

#endif
