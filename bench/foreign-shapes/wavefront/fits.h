// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How well the positions of two sequences fit each other: a table of small integers, the same in both programs of the
// pair.
#ifndef BENCH_FITS_H
#define BENCH_FITS_H

#include "../../common/bench.h"

enum { PENALTY = 10 };

static inline int *make_fits(int length) {
  const size_t width = length + 1;
  int *fits = (int *)bench_allocate(width * width * sizeof(int));
  uint32_t state = 67;
  for (size_t i = 0; i < width * width; i++)
    fits[i] = (int)(bench_random(&state) % 21) - 10;
  return fits;
}

#endif
