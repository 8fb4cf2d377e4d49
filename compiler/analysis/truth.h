/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What conditions say, as truth tables over the comparisons that they are made of:
 *
 *   %a = cmpi eq, %x, 0     %b = cmpi eq, %x, 15     %c = cmpi eq, (ori %x, %y), 0
 *   comparisons: %x == 0, %x == 15, %y == 0          %c: the first and the third
 *
 * A chain of conditions becomes one table, of which the shortest text is looked for again. Rows of the table that cannot
 * be count as either: a value equals one number at most. */
#ifndef UW_TRUTH_H
#define UW_TRUTH_H

#include "../ir/ir.h"

enum { UW_MOST_COMPARISONS = 6 }; /* bound of a search: a table has as many bits as uint64_t */

/* Which rows of the table it holds in. */
typedef uint64_t uw_truth;

typedef struct uw_comparison {
  MlirValue condition; /* null: left == number is written nowhere */
  MlirValue left;      /* null: another condition than left == number */
  int64_t number;
} uw_comparison;

typedef struct uw_comparisons {
  size_t count;
  uw_comparison at[UW_MOST_COMPARISONS];
  uw_truth possible;
} uw_comparisons;

void uw_comparisons_start(uw_comparisons *all);
/* The table of the i1, whose comparisons are added; false if there are too many. */
bool uw_truth_of(uw_comparisons *all, MlirValue condition, uw_truth *truth);
uw_truth uw_truth_of_comparison(size_t number);
/* Wherever the one holds, so does the other. */
bool uw_implies(const uw_comparisons *all, uw_truth left, uw_truth right);

/* At most two comparisons, each perhaps negated, joined by "and", or by "or". */
typedef struct uw_short_condition {
  size_t count;
  size_t numbers[2];
  bool negated[2], either;
  bool always; /* count == 0: what it comes out as */
} uw_short_condition;
/* The shortest that comes out as the table says; false if it takes more than that. */
bool uw_shorten(const uw_comparisons *all, uw_truth truth, uw_short_condition *found);

#endif
