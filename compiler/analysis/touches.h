/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the threads of a block have touched since they last met, kept warp by warp during a dry run, and which accesses
 * of two lanes of a warp came upon the same bytes. */
#ifndef UW_TOUCHES_H
#define UW_TOUCHES_H

#include "dry_run.h"

/* UW_ANYWHERE: it may be anywhere in the object that the pointer leads into. */
enum { UW_READS = 1, UW_WRITES = 2, UW_ATOMIC = 4, UW_ANYWHERE = 8 };

/* One access of an operation (a copy has two, a call one for each pointer that it is handed). */
typedef struct uw_touching {
  MlirOperation op;
  size_t pointer; /* the operand */
  uint64_t bytes;
  unsigned how;
} uw_touching;

typedef struct uw_touches uw_touches;
/* count accesses. first_of: the first access of each operation that the plan looks at, and where the last one's end. */
uw_touches *uw_touches_of(uw_arena *arena, const uw_dry_plan *plan, const uw_touching *accesses, size_t count,
                          const size_t *first_of);
const uw_dry_watcher *uw_touches_watcher(uw_touches *touches);
/* Was a thread seen to write outside of a shared array? surely: at an address that no guess is part of. */
bool uw_touches_stray(const uw_touches *touches, bool surely);

/* Accesses, by their indices, that met: the first before the second. */
typedef struct uw_met_accesses {
  size_t first, second;
} uw_met_accesses;
const uw_met_accesses *uw_touches_met(const uw_touches *touches, size_t *count);

#endif
