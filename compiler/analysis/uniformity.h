/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which values are the same in all iterations of a parallel loop (the paper's section on interchange needs it; real
 * programs put barriers under conditions that only sometimes are).
 *
 * With a level, "uniform" is what the mask pass needs: the value would be the same even if threads that do not take
 * part computed it too. So what is not pure (a load, a division) counts as divergent under a divergent condition.
 * Without a level (null) it means: the same in all threads that compute it. */
#ifndef UW_UNIFORMITY_H
#define UW_UNIFORMITY_H

#include "../ir/ir.h"

typedef struct uw_uniformity uw_uniformity;

/* Facts about the IR as it is now; values made later count as divergent. */
uw_uniformity *uw_uniformity_of(uw_arena *arena, MlirOperation loop, const char *level);
/* The same, sooner: `earlier` (may be null) are facts about a loop of the same kernel, and since then nothing was
 * added that writes the user's memory. */
uw_uniformity *uw_uniformity_again(uw_arena *arena, MlirOperation loop, const char *level,
                                   const uw_uniformity *earlier);
bool uw_uniform(const uw_uniformity *facts, MlirValue value);

/* Divergent: it depends on the thread's index or on control flow that does. Unknown: nothing is said. Passes treat the
 * two alike. */
typedef enum uw_sameness { UW_UNIFORM, UW_UNKNOWN, UW_DIVERGENT } uw_sameness;
uw_sameness uw_sameness_of(const uw_uniformity *facts, MlirValue value);
/* For people: why it is so; null if that follows from its operands. */
const char *uw_why_uniformity(const uw_uniformity *facts, MlirValue value);

/* The same for what the value depends on in the end, and where in the source that is; null if it is not known. */
const char *uw_root_of_difference(const uw_uniformity *facts, MlirValue value, MlirLocation *where);

/* Do all threads come by op, the same number of times? */
bool uw_made_by_all(const uw_uniformity *facts, MlirOperation op);
/* Do all threads that are in `around`, in that region of it, come by op, the same number of times? */
bool uw_made_by_all_in(const uw_uniformity *facts, MlirOperation op, MlirOperation around);

/* Is the position in its array the same in all threads, whatever array each has? */
bool uw_uniform_place(const uw_uniformity *facts, MlirValue address);

/* The operation whose result an address is computed from, through address arithmetic and casts; null if it is a block
 * argument. */
MlirOperation uw_address_root(MlirValue address);

/* Whether a thread of this loop waits for others in a loop of its own; not one whose iterations all threads go through
 * together. */
bool uw_has_waiting_threads(MlirOperation threads, uw_arena *arena);

#endif
