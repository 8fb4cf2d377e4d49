/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much code versions of a kernel may add to it.
 *
 * A pass that makes a second version of a loop asks first. What the versions of a kernel's code multiply its operations by
 * is kept at the code itself: at the branch of a launch in place, or at an entry. It is at most UW_MOST_GROWTH, but for
 * kernels whose versions stay below UW_SMALL_CODE operations together. Code that seldom runs gets a version for a large gain
 * only.
 * What the code grows by where every loop grows, as by splitting at barriers, does not count: it is the same for all
 * versions, and in the operations that are there when a pass asks.
 *
 * All of it goes by operations alone, so decisions are the same on every machine. */
#ifndef UW_BUDGET_H
#define UW_BUDGET_H

#include "../ir/ir.h"

/* On an scf.if: its first arm holds the loops of a launch, its second one launches without them. */
#define UW_LAUNCH "unwarp.launch"
/* On a function: it seldom runs, as the entry of a kernel that its file launches in place. On a loop over threads: it is
 * there for what hardly ever is, an overflow or a row of few threads, and has no lanes. */
#define UW_RUNS_SELDOM "unwarp.runs_seldom"
/* A loop over threads that go along memory of their own, each in SIMD lanes of its own: threads are not to be lanes. */
#define UW_ONE_BY_ONE "unwarp.one_by_one"
bool uw_runs_seldom(MlirOperation op);   /* the function around it */
bool uw_stays_small(MlirOperation loop); /* such a loop, or one inside of it */

/* What a version is expected to gain: some of the time in few launches; some of it; or several times of it, as where only
 * it has lanes. */
typedef enum uw_gain { UW_RARE_GAIN, UW_SOME_GAIN, UW_LARGE_GAIN } uw_gain;

/* May the operation be there once more? If not, a remark of that pass says so. Where no launch and no entry is around,
 * it may. */
bool uw_may_copy(MlirOperation op, uw_gain gain, const char *pass);
/* Operations that are there once more now, or were written anew for a version, are counted. */
void uw_note_copied(MlirOperation within, size_t operations);
size_t uw_count_operations(MlirOperation op); /* with all inside of it */

#endif
