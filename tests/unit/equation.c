/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Solutions of random equations of up to four variables against all values that these may have. What is left out that is
 * a solution, or found that is none, ends the program. And sums that are taken apart, put together again.
 *
 * Sources: compiler/analysis/equation.c */
#include "../../compiler/analysis/equation.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                                   \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { TRIALS = 20000, MOST = 4 };

static uint64_t state = 1;
static int64_t draw(int64_t least, int64_t most) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return least + (int64_t)((state >> 33) % (uint64_t)(most - least + 1));
}

static uw_equation draw_equation(void) {
  uw_equation e = {.gap = draw(-60, 60), .least = draw(-4, 0), .most = draw(0, 4), .limit = INT64_C(1) << 31};
  size_t count = (size_t)draw(0, MOST);
  for (size_t i = 0; i < count; i++) {
    int64_t factor = draw(1, 20) * (draw(0, 1) ? 4 : 1), least = draw(-5, 3);
    uw_equation_add(&e, draw(0, 1) ? factor : -factor, least, draw(least, 4), draw(0, 2) != 0, i);
  }
  return e;
}

/* Tries all values of the variables from number i on. */
static void try_all(uw_equation *found, size_t i, int64_t sum, int64_t *chosen) {
  if (i < found->count) {
    for (chosen[i] = found->at[i].least; chosen[i] <= found->at[i].most; chosen[i]++)
      try_all(found, i + 1, sum + found->at[i].factor * chosen[i], chosen);
    return;
  }
  if (sum < found->least || sum > found->most)
    return;
  bool zero = true;
  for (size_t k = 0; k < found->count; k++) {
    uw_unknown *own = &found->at[k];
    own->first = chosen[k] < own->first ? chosen[k] : own->first;
    own->last = chosen[k] > own->last ? chosen[k] : own->last;
    zero = zero && (!own->is_distance || chosen[k] == 0);
  }
  found->same = found->same || zero;
  found->others = found->others || !zero;
  found->value = sum;
  found->solutions++;
}

static bool are_equal(const uw_equation *a, const uw_equation *b) {
  bool equal = a->same == b->same && a->others == b->others && a->solutions == b->solutions &&
               (a->solutions != 1 || a->value == b->value);
  for (size_t i = 0; i < a->count; i++)
    equal = equal && a->at[i].first == b->at[i].first && a->at[i].last == b->at[i].last;
  return equal;
}

static void check_random(void) {
  int solved = 0;
  for (int trial = 0; trial < TRIALS; trial++) {
    uw_equation e = draw_equation(), all = e;
    int64_t chosen[MOST];
    CHECK(uw_equation_solve(&e));
    try_all(&all, 0, all.gap, chosen);
    CHECK(are_equal(&e, &all));
    solved += e.solutions > 0;
  }
  CHECK(solved > TRIALS / 10 && solved < TRIALS - TRIALS / 10); /* both answers came */
}

/* Sums beyond their limit, and more than can be counted out, are said to be so. */
static void check_limits(void) {
  uw_equation far = {.limit = INT64_C(1) << 31};
  uw_equation_add(&far, 4, -(INT64_C(1) << 29), INT64_C(1) << 29, true, 0);
  CHECK(!uw_equation_solve(&far));
  uw_equation near = {.limit = INT64_C(1) << 31};
  uw_equation_add(&near, 4, 1 - (INT64_C(1) << 29), (INT64_C(1) << 29) - 1, true, 0);
  CHECK(uw_equation_solve(&near) && near.same && !near.others);
  uw_equation overflowing = {.limit = INT64_C(1) << 62};
  uw_equation_add(&overflowing, INT64_MAX, INT64_MIN, INT64_MAX, true, 0);
  CHECK(!uw_equation_solve(&overflowing));
  uw_equation many = {.limit = INT64_C(1) << 31};
  for (size_t i = 0; i < 4; i++)
    uw_equation_add(&many, i % 2 ? 1 : -1, -1000, 1000, true, i);
  CHECK(!uw_equation_solve(&many));
}

static bool is_largest_left(const int64_t *factors, size_t i, int64_t rest, bool nearest) {
  int64_t twice = 2 * (rest < 0 ? -rest : rest);
  return nearest ? twice <= factors[i] : rest >= 0 && rest < factors[i];
}

static void check_apart(void) {
  for (int trial = 0; trial < TRIALS; trial++) {
    int64_t factors[3], x[3], sum = draw(-500, 500);
    bool nearest = draw(0, 1);
    for (size_t i = 0; i < 3; i++)
      factors[i] = draw(-1, 20) * (draw(0, 1) ? 4 : 1);
    int64_t rest = uw_solve_largest_first(factors, 3, sum, nearest, x), all = rest, least = 0;
    for (size_t i = 0; i < 3; i++) {
      CHECK(factors[i] > 0 || x[i] == 0);
      all += factors[i] * x[i];
      least = factors[i] > 0 && (least == 0 || factors[i] < factors[least - 1]) ? (int64_t)i + 1 : least;
    }
    CHECK(all == sum);
    CHECK(least == 0 ? rest == sum : is_largest_left(factors, (size_t)least - 1, rest, nearest));
  }
  int64_t x[3];
  CHECK(uw_solve_largest_first((int64_t[]){1024, 4, 64}, 3, 2044, true, x) == 0 && x[0] == 2 && x[1] == -1 &&
        x[2] == 0);
  CHECK(uw_solve_largest_first((int64_t[]){1024, 4, 64}, 3, 2046, false, x) == 2 && x[0] == 1 && x[1] == 15 &&
        x[2] == 15);
}

int main(void) {
  check_random();
  check_apart();
  check_limits();
  return 0;
}
