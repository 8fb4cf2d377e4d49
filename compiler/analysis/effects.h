/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the threads of a block read and write, and which of it needs a barrier (the paper's section on barrier
 * semantics).
 *
 * A barrier orders what any thread did before it with what another thread does after it. It is needed where two such
 * accesses may touch the same bytes and one of them writes. What a thread does to memory that no other thread touches
 * between the same two barriers needs none: the addresses are sums over the thread index (linear.h) that differ from
 * thread to thread. */
#ifndef UW_EFFECTS_H
#define UW_EFFECTS_H

#include "dependence.h"
#include "uniformity.h"

typedef struct uw_effects uw_effects;

/* Facts about one loop over the threads of a block, as it is now. */
uw_effects *uw_effects_of(uw_arena *arena, MlirOperation loop);
const uw_uniformity *uw_effects_uniformity(const uw_effects *effects);
MlirOperation uw_effects_launch(const uw_effects *effects); /* the outermost parallel loop around */

/* Adds what op itself and everything inside of it may touch. */
void uw_effects_inside(uw_effects *effects, MlirOperation op, uw_accesses *list);

/* Adds what a thread may touch from its last barrier, on every way, to the position before op (forward: from op to its
 * next). */
void uw_effects_before(uw_effects *effects, MlirOperation op, uw_accesses *list);
void uw_effects_after(uw_effects *effects, MlirOperation op, uw_accesses *list);

/* May a thread's access touch bytes that another thread's access touches, with a write among the two? */
bool uw_conflict(const uw_effects *effects, const uw_access *a, const uw_access *b);
/* May the two touch the same bytes, whichever threads make them? */
bool uw_may_overlap(const uw_effects *effects, const uw_access *a, const uw_access *b);
/* May one of the accesses write, in whichever thread, where the other one reads? */
bool uw_is_overwritten(const uw_effects *effects, const uw_accesses *by, const uw_access *read);
/* For people: the facts that keep `own` apart from others, of which one writes, known that they never meet ("__restrict__,
 * different objects"). Accesses at the very same place are taken for its own. Null: none is needed, or nobody wants
 * remarks. */
const char *uw_why_apart(const uw_effects *effects, const uw_accesses *others, const uw_accesses *own);
/* The same of reads, as the end of a remark; where: "before it". */
const char *uw_why_unwritten(const uw_effects *effects, const uw_accesses *by, const uw_accesses *reads,
                             const char *where);
/* Does nothing in the loop, in any thread of any block, write to where the load reads, anywhere in that object? */
bool uw_reads_constant(uw_effects *effects, MlirOperation loop, MlirOperation load);
/* The names of the analyses that print, null-terminated, and one of them, on stdout; false if there is none of that
 * name. */
const char *const *uw_analysis_names(void);
bool uw_print_analysis(MlirOperation root, const char *name);

#endif
