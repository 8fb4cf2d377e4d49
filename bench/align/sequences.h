// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two random sequences of 20 letters and a table of how well letters fit, the same in both programs of the pair. Scores
// are a square of length + 1, whose first row and column are gaps.
#ifndef BENCH_SEQUENCES_H
#define BENCH_SEQUENCES_H

#include "../common/bench.h"

enum { LETTERS = 20, PENALTY = 10, TILE = 16 };

static inline int *make_sequence(int length, uint32_t seed) {
  int *letters = (int *)bench_allocate((length + 1) * sizeof(int));
  for (int i = 1; i <= length; i++)
    letters[i] = (int)(bench_random(&seed) % LETTERS);
  return letters;
}

static inline void make_fits(int fits[LETTERS * LETTERS]) {
  uint32_t state = 24;
  for (int i = 0; i < LETTERS * LETTERS; i++)
    fits[i] = i % (LETTERS + 1) == 0 ? 6 : (int)(bench_random(&state) % 8) - 4;
}

static inline int *make_scores(int length) {
  const size_t width = length + 1;
  int *scores = (int *)bench_allocate(width * width * sizeof(int));
  for (size_t i = 0; i < width; i++)
    scores[i] = scores[i * width] = -PENALTY * (int)i;
  return scores;
}

#endif
