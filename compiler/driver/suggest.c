/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "Did you mean ...": the known word nearest to one that is not known, by the number of letters to insert, drop,
 * change or swap with a neighbour. A word is near when that number is at most a third of its length. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };

static size_t smallest(size_t a, size_t b) { return a < b ? a : b; }

/* Words longer than LONGEST are far from everything. */
static size_t distance(const char *from, const char *to) {
  size_t from_length = strlen(from), to_length = strlen(to);
  if (from_length > LONGEST || to_length > LONGEST)
    return LONGEST;
  size_t steps[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= from_length; i++)
    for (size_t j = 0; j <= to_length; j++) {
      if (i == 0 || j == 0) {
        steps[i][j] = i + j;
        continue;
      }
      size_t changed = steps[i - 1][j - 1] + (from[i - 1] != to[j - 1]);
      steps[i][j] = smallest(changed, 1 + smallest(steps[i - 1][j], steps[i][j - 1]));
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        steps[i][j] = smallest(steps[i][j], steps[i - 2][j - 2] + 1);
    }
  return steps[from_length][to_length];
}

const char *uw_nearest(const char *text, const char *const *candidates, size_t count) {
  const char *best = NULL;
  size_t best_distance = strlen(text) / 3 + 1;
  for (size_t i = 0; i < count; i++) {
    size_t candidate_distance = distance(text, candidates[i]);
    if (candidate_distance < best_distance) {
      best = candidates[i];
      best_distance = candidate_distance;
    }
  }
  return best;
}

bool uw_is_slip(const char *text, const char *meant) {
  enum { LONG = 12 };
  return distance(text, meant) <= (strlen(text) < LONG ? 1 : 2);
}
