// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image of 16 greys in soft stripes, the same in both programs of the pair.
#ifndef BENCH_GREYS_H
#define BENCH_GREYS_H

#include "../../common/bench.h"

enum { GREYS = 16, REACH = 2, MOST = (2 * REACH + 1) * (2 * REACH + 1) };

static inline unsigned char *make_greys(int n) {
  unsigned char *image = (unsigned char *)bench_allocate((size_t)n * n);
  uint32_t state = 101;
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      image[(size_t)y * n + x] = (unsigned char)((x / 9 + y / 7 + bench_random(&state) % 6) % GREYS);
  return image;
}

// What a grey of that many cells adds to the entropy of a square.
static inline float *make_terms(void) {
  float *terms = (float *)bench_allocate((MOST + 1) * sizeof(float));
  for (int many = 1; many <= MOST; many++)
    terms[many] = -(float)many / MOST * log2f((float)many / MOST);
  return terms;
}

#endif
