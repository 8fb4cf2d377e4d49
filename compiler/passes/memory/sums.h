/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums in memory: locations that a serial loop adds up in, and the loop that has them in registers. scalar_replace.c is
 * the pass; sums_find.c says what fits, sums_write.c writes. */
#ifndef UW_SUMS_H
#define UW_SUMS_H

#include "../../analysis/effects.h"
#include "apart.h"

enum { UW_MOST_SUMS = 8, UW_MOST_SUM_CHECKS = 6 };

/* A location that the loop adds up in. */
typedef struct uw_sum_place {
  uw_access access; /* one of its stores */
  uw_ops all;       /* its loads and stores */
  bool flagged;     /* a thread may make none of the stores: then it must not store after the loop */
} uw_sum_place;

/* Neighbouring bytes, as the fields of one struct: of accesses that lie a constant distance from the first one. */
typedef struct uw_sum_span {
  uw_access first;
  int64_t low, high; /* bytes, from the first one's address */
} uw_sum_span;

/* They must not meet. */
typedef struct uw_sum_check {
  uw_sum_span own, other;
} uw_sum_check;

typedef struct uw_sums {
  uw_arena *arena;
  uw_effects *effects;
  MlirOperation threads, loop;
  uw_accesses accesses;
  uw_sum_place places[UW_MOST_SUMS];
  size_t count;
  uw_sum_check checks[UW_MOST_SUM_CHECKS];
  size_t check_count;
  uw_ops loads;          /* of what the loop does not write, from addresses that do not change */
  uw_question *question; /* of all threads; null: each thread asks */
  bool asks;             /* in front of the loop over blocks too whether there are iterations */
} uw_sums;

static inline MlirValue uw_sum_counter(const uw_sums *sums) { return mlirBlockGetArgument(uw_block(sums->loop, 0), 0); }
static inline MlirValue uw_sum_pointer(MlirOperation access) {
  return uw_operand(access, uw_kind(access) == UW_OP_LLVM_STORE);
}

/* Fills in what the loop, of which arena, effects, threads and loop are given (and the question, where one is asked for all), adds
 * up in. False: nothing that can be kept. */
bool uw_find_sums(uw_sums *sums);
/* Is it one of the place's loads and stores? */
bool uw_is_access_of_sum(const uw_sum_place *place, MlirOperation op);

/* For people, as the end of a remark: what says that nothing else is there. "" where nothing has to. */
const char *uw_why_alone(const uw_sums *sums);

/* Does the loop, an scf.for, run at all? */
MlirValue uw_loop_runs(uw_builder *b, MlirOperation loop);
/* Writes the loop with its locations in registers in the place of the loop, and that as it was for threads whose check
 * fails. Gives the new loop. The old one goes into *unused where nobody needs it: it stays until nobody looks at it. */
MlirOperation uw_write_sums(uw_sums *sums, uw_ops *unused);

/* On a loop that is kept for when the check fails. */
#define UW_SUMS_DONE "unwarp.accumulates"

#endif
