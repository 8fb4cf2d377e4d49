/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which accesses of a kernel no barrier of the block parts. */
#ifndef UW_CHECK_PHASES_H
#define UW_CHECK_PHASES_H

#include "../passes/passes.h"

typedef struct uw_phases uw_phases;
/* Of the threads' body. */
uw_phases *uw_find_phases(uw_arena *arena, MlirOperation block_loop);
/* Does no thread write to that shared memory in the phases that the load may be in? Then a race with it is one of
 * another phase, where a barrier stands between. */
bool uw_is_only_read(uw_phases *phases, MlirOperation load, MlirOperation shared);

#endif
