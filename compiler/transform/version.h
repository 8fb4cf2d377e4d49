/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two versions of code, one of which a question picks each time that it runs.
 *
 *   %r = for …        if (%asked) { %r = for … }   version UW_HOLDS
 *                ==>  else        { %r = for … }   version UW_FAILS
 *
 * Requires: the question is an i1 that stands before the operations, or null, which always holds: then there is one
 * version, and nothing is built. The operations stand one after the other in a block, with no terminator among them.
 * Refuses: nothing. That the versions differ only in what the question says is the caller's duty, and so is what a
 * version costs.
 * Order: none changes. Each version runs all iterations of its loops, as they were.
 *
 * What a version is good for is said by the pass, at the access or the branch that it is about (remarks.h). */
#ifndef UW_TRANSFORM_VERSION_H
#define UW_TRANSFORM_VERSION_H

#include "../ir/ir.h"

typedef enum uw_version { UW_HOLDS, UW_FAILS } uw_version; /* regions of the scf.if */

typedef struct uw_version_spec {
  MlirValue asked;
  MlirOperation first, last; /* no last: the first alone */
  uw_version own;            /* the version that they go into themselves; the other one gets a copy */
  MlirOperation other;       /* goes into the other version in place of a copy. It gives no results. */
  bool written;              /* no copy: the caller writes the other version */
  bool fallback;             /* their scf.forall where the question fails are marked as fall-backs (loop_ranges.h) */
  bool seldom;               /* that too, and they hardly ever run: they are small (analysis/budget.h) */
  bool of_launch;            /* the whole launch: UW_STRESS=masks leaves it alone, for what is in it */
} uw_version_spec;

typedef struct uw_versions {
  MlirOperation choice; /* the scf.if, with a result for each of theirs that is used after them; null: nothing built */
  MlirOperation first[2]; /* of each version; null where the caller writes it */
  uw_builder in[2];       /* at the end of each version; of UW_HOLDS before them if nothing was built */
  size_t results;         /* of the operations, in order */
  bool *used;             /* each of these */
} uw_versions;

/* The choice stands where the builder is, which has to be right before the operations or something that stays with
 * them, and has the builder's location; the builder is before the choice after that. Without a question and without a
 * copy (written, own is UW_FAILS) the operations are left to the caller, as what nobody runs. */
uw_versions uw_build_versions(uw_arena *arena, uw_builder *b, uw_version_spec spec);
#define uw_make_versions(arena, b, ...) uw_build_versions((arena), (b), (uw_version_spec){__VA_ARGS__})

/* The version that the caller has written gives these in the place of the operations' results. Needed if the choice has
 * results. */
void uw_end_version(const uw_versions *versions, uw_version version, uw_value_list results);

/* In the copy, which is still as the original is, the operations that stand for the wanted ones, which are in the
 * original in this order. */
uw_ops uw_counterparts(uw_arena *arena, MlirOperation original, MlirOperation copy, const uw_ops *wanted);

/* %r = if (%where) { what the caller writes at *in, to the end } else { false }: a question that may be asked only
 * there. uw_end_question gives it. */
MlirOperation uw_begin_question(uw_builder *b, MlirValue where, uw_builder *in);
MlirValue uw_end_question(MlirOperation question, uw_builder *in, MlirValue answer);

#endif
