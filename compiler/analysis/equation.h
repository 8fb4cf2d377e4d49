/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which integers x, each between its bounds, make gap + the sum of factor * x one of the numbers from `least` to `most`?
 * As the distance of two addresses is, where bytes overlap (dependence.h).
 *
 *   -8 x - 4 y from -3 to 3, x and y from -15 to 15      x: -7 to 7, y: -14 to 14, both 0 or not
 *
 * Solutions are counted out, from the largest factor on. Left out is what the bounds of all that come after it cannot
 * make good, and what no multiple of their factors' greatest common divisor does. */
#ifndef UW_EQUATION_H
#define UW_EQUATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UW_MOST_VARIABLES = 24 };

typedef struct uw_unknown {
  int64_t factor, least, most; /* the factor is not 0, and least not above most */
  bool is_distance;            /* what `same` and `others` are about */
  size_t number;               /* the caller's */
  int64_t first, last;         /* found: the hull of the solutions; first above last where there is none */
} uw_unknown;

typedef struct uw_equation {
  int64_t gap, least, most;
  int64_t limit;                    /* of the sum of all, in magnitude; beyond that nothing is known */
  uw_unknown at[UW_MOST_VARIABLES]; /* by uw_equation_add */
  size_t count;
  bool same, others; /* found: a solution of which all distances are 0, one of which some are not */
  int64_t solutions; /* found: how many */
  int64_t value;     /* found: the sum, where there is one solution */
} uw_equation;

void uw_equation_add(uw_equation *equation, int64_t factor, int64_t least, int64_t most, bool is_distance,
                     size_t number);
/* False if the sum may be beyond its limit, which is at most 2^62, or there is too much to count out: then nothing is
 * found. */
bool uw_equation_solve(uw_equation *equation);

/* One solution of sum = rest + the sum of factor * x, each factor above 0 (of others x is 0): from the largest factor
 * on, each x leaves the least that it can, without `nearest` no less than 0. As the index of the thread that wrote what
 * lies so many bytes further. Returns the rest. */
int64_t uw_solve_largest_first(const int64_t *factors, size_t count, int64_t sum, bool nearest, int64_t *x);

#endif
