/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Taking a thread loop apart into several ones over the same threads, each with a part of what a thread does (loop
 * distribution, or fission). A part is some of the loop's statements, which are all that is not pure, in order; what is
 * pure each part computes for itself. A pass says where parts begin, uw_parts_merge joins those that need each other,
 * and uw_parts_split makes the loops.
 *
 *   parallel { A; B }   ==>   parallel { A }; parallel { B }
 *
 * No part uses the result of a load, a call or an alloca of another one, but for loads of slots that the loop does not
 * write, which each makes anew.
 *
 * Requires: barriers lowered.
 * Refuses: loops with exchanges (uw_parts_collect); more parts, or operations in all of them, than is reasonable
 * (uw_parts_merge).
 * Order: all threads go through a part before the first one goes through the next. Legal as threads between two
 * barriers do not wait for each other and run in any order, and each keeps its own order; only a store to a slot, which
 * nothing between touches, may come earlier: into the part that computes what is stored. */
#ifndef UW_TRANSFORM_DISTRIBUTE_H
#define UW_TRANSFORM_DISTRIBUTE_H

#include "../ir/ir.h"

enum { UW_MOST_PARTS = 8 };

typedef struct uw_statement {
  MlirOperation op, narrow; /* narrow: the outermost branch around that is_narrow takes; null if there is none */
  size_t part;
} uw_statement;

typedef struct uw_parts {
  uw_arena *arena;
  MlirOperation loop;
  bool (*is_narrow)(uw_arena *arena, MlirOperation loop, MlirValue condition, bool negated); /* null: no branch is */
  uw_statement *at;
  size_t count, capacity;
} uw_parts;

/* The statements of the loop, all in part 0. False if the loop holds an exchange. */
bool uw_parts_collect(uw_parts *all);
/* Merges each part with those before it that it needs, and all between. Gives the number of parts that are left: 1, or
 * more than one that are not too many to be copied. */
size_t uw_parts_merge(uw_parts *all);
/* Makes a loop of each part, and gives their number to every loop as `name`, if there is one; the loop is gone then. */
void uw_parts_split(uw_parts *all, size_t parts, const char *name, int64_t number);

#endif
