// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random walks whose values belong to one of 16 kinds, the same in both programs of the pair.
#ifndef BENCH_PATHS_H
#define BENCH_PATHS_H

#include "../../common/bench.h"

enum { KINDS = 16 };

static inline uint32_t *make_seeds(int count) {
  uint32_t state = 91, *seeds = (uint32_t *)bench_allocate(count * sizeof(uint32_t));
  for (int i = 0; i < count; i++)
    seeds[i] = bench_random(&state);
  return seeds;
}

#endif
