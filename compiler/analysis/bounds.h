/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The least and the most that an extent of a loop or an index can be, with sign: of constants, minima and maxima of
 * both signs, choices, sums and what else value_ranges.h knows of, of the counters of loops and the indices of threads.
 *
 *   %few = minui(%n, 16)                   0 to 16
 *   parallel (%t) to (minsi(%n, 64))       %t: 0 to 63
 *   select %c, %t, %few                    0 to 63
 *
 * What is 2^30 or more counts as unknown, so that what only the width of an integer says (of n: int) is no bound. Nor
 * is anything said of poison, as in value_ranges.h. The index of a loop that has no iteration may be anything. */
#ifndef UW_ANALYSIS_BOUNDS_H
#define UW_ANALYSIS_BOUNDS_H

#include "../ir/ir.h"

#define UW_NO_LEAST INT64_MIN /* unknown */
#define UW_NO_MOST INT64_MAX

/* The value is an integer of at most 64 bits, or an index. */
int64_t uw_least_of(MlirValue value);
int64_t uw_most_of(MlirValue value);
/* Is it known to be at least 0, and at most what is returned? UW_NO_MOST where it is not. */
int64_t uw_most_of_count(MlirValue value);

#endif
