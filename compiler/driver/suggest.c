/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * "Did you mean ...": the known word nearest to one that is not known, by the number of letters to insert, drop,
 * change or swap with a neighbour. A word is near when that number is at most a third of its length.
 * Names of several words (--use_fast_math) are also found by most of these: --fast-math is far from it by letters. */
#include "options.h"

#include <ctype.h>
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

/* The letters and digits alone, small. */
static const char *letters_of(const char *name) {
  char *letters = uw_copy_text(name, strlen(name)), *to = letters;
  for (; *name; name++)
    if (isalnum((unsigned char)*name))
      *to++ = (char)tolower((unsigned char)*name);
  *to = 0;
  return letters;
}

static bool stand_in(const char *name, const char *letters) {
  static const char *const between = "-_";
  for (name += strspn(name, between); *name; name += strspn(name, between)) {
    size_t length = strcspn(name, between);
    if (!strstr(letters, letters_of(uw_copy_text(name, length))))
      return false;
    name += length;
  }
  return true;
}

/* Of each other's words: `text` may have some more or some less, not more than its other half. */
const char *uw_nearest_by_words(const char *text, const char *const *candidates, size_t count) {
  enum { FEWEST = 4 };
  const char *letters = letters_of(text), *best = NULL;
  size_t best_apart = strlen(letters);
  for (size_t i = 0; i < count; i++) {
    const char *others = letters_of(candidates[i]);
    size_t fewer = smallest(strlen(letters), strlen(others)), more = strlen(letters) + strlen(others) - fewer;
    if (fewer < FEWEST || 2 * fewer < more || more - fewer >= best_apart ||
        (!stand_in(text, others) && !stand_in(candidates[i], letters)))
      continue;
    best = candidates[i];
    best_apart = more - fewer;
  }
  return best;
}

bool uw_is_slip(const char *text, const char *meant) {
  enum { LONG = 12 };
  return distance(text, meant) <= (strlen(text) < LONG ? 1 : 2);
}
