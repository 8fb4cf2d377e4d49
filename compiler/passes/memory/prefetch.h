/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parts of software-prefetch, and what they share. Legal because a prefetch has no effect, of whatever address. */
#ifndef UW_PREFETCH_H
#define UW_PREFETCH_H

#include "../../analysis/linear.h"
#include "../passes.h"

/* A plain load or store of threads whose line is fetched ahead, for another address than its own. */
typedef struct uw_fetch {
  MlirValue address;
  uw_address at;
  int64_t bytes; /* of an element */
  bool writes;
} uw_fetch;

uw_fetch uw_fetch_of(MlirOperation access);
/* A loop over the lines of elements `apart` bytes apart, from one index to another; b goes into it. Its index. */
MlirValue uw_for_each_line(uw_builder *b, MlirValue from, MlirValue to, int64_t apart);

/* A loop that is done. */
bool uw_is_prefetched(MlirOperation loop);
void uw_set_prefetched(MlirOperation loop, const char *what);

uw_change uw_prefetch_rows(MlirOperation root, uw_arena *arena); /* prefetch_rows.c */
uw_change uw_prefetch_next(MlirOperation root, uw_arena *arena); /* prefetch_next.c */

#endif
