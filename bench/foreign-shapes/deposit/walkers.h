// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walkers that leave a weight in a cell of a plane at each step, the same in both programs of the pair. Weights are
// multiples of 1/64, so that sums are the same in any order.
#ifndef BENCH_WALKERS_H
#define BENCH_WALKERS_H

#include "../../common/bench.h"

enum { SIDE = 192, CELLS = SIDE * SIDE };

static inline uint32_t *make_walkers(int count) {
  uint32_t state = 17, *walkers = (uint32_t *)bench_allocate(count * sizeof(uint32_t));
  for (int i = 0; i < count; i++)
    walkers[i] = bench_random(&state);
  return walkers;
}

#endif
