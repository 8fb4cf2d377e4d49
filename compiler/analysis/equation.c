/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Counts out the solutions of an equation: see equation.h. */
#include "equation.h"

enum { MOST_TRIED = 1 << 12 };

typedef struct search {
  uw_equation *e;
  int64_t low[UW_MOST_VARIABLES + 1], high[UW_MOST_VARIABLES + 1]; /* the sum of all variables from number i on */
  int64_t divisor[UW_MOST_VARIABLES + 1];                          /* of their factors; 0: there are none */
  int64_t chosen[UW_MOST_VARIABLES];
  int64_t tried;
} search;

static int64_t magnitude(int64_t number) { return number < 0 ? -number : number; }

static int64_t greatest_divisor(int64_t a, int64_t b) {
  for (int64_t rest; b; a = b, b = rest)
    rest = a % b;
  return magnitude(a);
}

static int64_t floor_of(int64_t number, int64_t divisor) { /* divisor > 0 */
  return number / divisor - (number % divisor < 0);
}

void uw_equation_add(uw_equation *e, int64_t factor, int64_t least, int64_t most, bool is_distance, size_t number) {
  size_t i = e->count++;
  for (; i > 0 && magnitude(e->at[i - 1].factor) < magnitude(factor); i--)
    e->at[i] = e->at[i - 1];
  e->at[i] = (uw_unknown){factor, least, most, is_distance, number, INT64_MAX, INT64_MIN};
}

static bool is_within(int64_t number, int64_t limit) { return number > -limit && number < limit; }

/* False if the sum may be beyond the limit. */
static bool find_reach(search *s) {
  const uw_equation *e = s->e;
  int64_t limit = e->limit;
  if (!is_within(e->gap, limit) || !is_within(e->least, limit / 2) || !is_within(e->most, limit / 2))
    return false;
  int64_t reach = magnitude(e->gap);
  s->low[e->count] = s->high[e->count] = s->divisor[e->count] = 0;
  for (size_t i = e->count; i-- > 0;) {
    const uw_unknown *own = &e->at[i];
    int64_t ends[2];
    if (__builtin_mul_overflow(own->factor, own->least, &ends[0]) ||
        __builtin_mul_overflow(own->factor, own->most, &ends[1]) || !is_within(ends[0], limit) ||
        !is_within(ends[1], limit))
      return false;
    s->low[i] = s->low[i + 1] + ends[own->factor < 0];
    s->high[i] = s->high[i + 1] + ends[own->factor > 0];
    s->divisor[i] = greatest_divisor(s->divisor[i + 1], own->factor);
    reach += magnitude(ends[0]) > magnitude(ends[1]) ? magnitude(ends[0]) : magnitude(ends[1]);
    if (reach >= limit)
      return false;
  }
  return true;
}

/* Which values of variable i leave something that those after it can make good? */
static bool find_range(const search *s, size_t i, int64_t sum, int64_t *least, int64_t *most) {
  const uw_unknown *own = &s->e->at[i];
  int64_t low = s->e->least - sum - s->high[i + 1], high = s->e->most - sum - s->low[i + 1],
          size = magnitude(own->factor);
  *least = own->factor > 0 ? -floor_of(-low, size) : -floor_of(high, size);
  *most = own->factor > 0 ? floor_of(high, size) : floor_of(-low, size);
  *least = *least < own->least ? own->least : *least;
  *most = *most > own->most ? own->most : *most;
  return *least <= *most;
}

/* May multiples of what divides the factors from i on lead to where the sum has to be? */
static bool divides(const search *s, size_t i, int64_t sum) {
  int64_t least = s->e->least, most = s->e->most, divisor = s->divisor[i];
  if (divisor == 0)
    return sum >= least && sum <= most;
  int64_t over = sum - least - floor_of(sum - least, divisor) * divisor;
  return over <= most - least;
}

/* All variables are chosen; the last one may be anything from least to most. */
static void add_solutions(search *s, int64_t sum, int64_t least, int64_t most) {
  uw_equation *e = s->e;
  bool all_zero = true;
  for (size_t i = 0; i < e->count; i++) {
    uw_unknown *own = &e->at[i];
    bool is_last = i + 1 == e->count;
    int64_t from = is_last ? least : s->chosen[i], to = is_last ? most : s->chosen[i];
    own->first = from < own->first ? from : own->first;
    own->last = to > own->last ? to : own->last;
    e->others = e->others || (own->is_distance && (from != 0 || to != 0));
    all_zero = all_zero && (!own->is_distance || (from <= 0 && to >= 0));
  }
  e->same = e->same || all_zero;
  e->solutions += most - least + 1;
  e->value = sum + (e->count ? e->at[e->count - 1].factor * least : 0);
}

/* False if too much has been tried. */
static bool choose(search *s, size_t i, int64_t sum) {
  int64_t least = 0, most = 0;
  if (!divides(s, i, sum) || (i < s->e->count && !find_range(s, i, sum, &least, &most)))
    return true;
  if (i + 1 >= s->e->count) {
    add_solutions(s, sum, least, most);
    return true;
  }
  for (s->chosen[i] = least; s->chosen[i] <= most; s->chosen[i]++)
    if (++s->tried > MOST_TRIED || !choose(s, i + 1, sum + s->e->at[i].factor * s->chosen[i]))
      return false;
  return true;
}

bool uw_equation_solve(uw_equation *e) {
  search s = {.e = e};
  return find_reach(&s) && choose(&s, 0, e->gap);
}

/* --- one solution ------------------------------------------------------------------------------------------------- */

/* The number of the largest factor after that of number `last`, of equal ones the first; count: there is none. */
static size_t next_factor(const int64_t *factors, size_t count, size_t last) {
  size_t next = count;
  for (size_t i = 0; i < count; i++) {
    bool is_after = last == count || factors[i] < factors[last] || (factors[i] == factors[last] && i > last);
    if (factors[i] > 0 && is_after && (next == count || factors[i] > factors[next]))
      next = i;
  }
  return next;
}

int64_t uw_solve_largest_first(const int64_t *factors, size_t count, int64_t sum, bool nearest, int64_t *x) {
  for (size_t i = 0; i < count; i++)
    x[i] = 0;
  for (size_t i = count; (i = next_factor(factors, count, i)) < count;) {
    int64_t half = nearest ? factors[i] / 2 : 0;
    x[i] = nearest ? (sum >= 0 ? sum + half : sum - half) / factors[i] : floor_of(sum, factors[i]);
    sum -= x[i] * factors[i];
  }
  return sum;
}
