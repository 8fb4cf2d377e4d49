/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An atomic addition whose result is where the thread stores: one append to a queue (privatize_appends.c). */
#ifndef UW_APPEND_SITE_H
#define UW_APPEND_SITE_H

#include "../../../runtime/uwrt.h"
#include "../../ir/ir.h"

enum { UW_APPEND_MOST_PIECES = 16 /* stores of a site */, UW_APPEND_MOST_ARRAYS = UWRT_APPENDS_ARRAYS };

/* How the operation's result becomes an index. */
typedef enum uw_append_index { UW_INDEX_ANY, UW_INDEX_SIGNED, UW_INDEX_UNSIGNED, UW_INDEX_MIXED } uw_append_index;

typedef struct uw_append_array {
  MlirValue to;
  int64_t stride;
  MlirOperation store; /* one of those to it */
} uw_append_array;

typedef struct uw_append_piece { /* of an element, and what is stored there */
  MlirOperation store;
  MlirValue to;
  int64_t stride, at, bytes;
  size_t array;
} uw_append_piece;

typedef struct uw_append_site {
  MlirOperation atomic, compare, branch; /* the latter two null without a bound */
  unsigned arm;                          /* of the branch, the one that stores */
  MlirValue bound;
  bool with_bound; /* the slot that is the bound counts, too */
  uw_append_index index;
  uw_ops addresses; /* what else uses the result, outer before inner: casts and address arithmetic */
  uw_append_piece pieces[UW_APPEND_MOST_PIECES];
  size_t piece_count;
  uw_append_array arrays[UW_APPEND_MOST_ARRAYS];
  size_t array_count;
} uw_append_site;

/* The site of the operation in a launch's grid loop; null if it is no append. */
uw_append_site *uw_append_site_of(uw_arena *arena, MlirOperation grid, MlirOperation atomic);
/* Is the operation one of its stores, or an address or cast on the way to them? */
bool uw_is_of_append(const uw_append_site *site, MlirOperation op);
/* Where the append goes: its last store, or the branch around them. */
MlirOperation uw_append_place(const uw_append_site *site);

#endif
