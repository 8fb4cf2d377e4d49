// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sorted table and values to look for, the same in both programs of the pair.
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include "../../common/bench.h"

static inline uint32_t *make_keys(int count) {
  uint32_t state = 72, *keys = (uint32_t *)bench_allocate(count * sizeof(uint32_t)), last = 0;
  for (int i = 0; i < count; i++)
    keys[i] = last += bench_random(&state) % 64;
  return keys;
}

static inline uint32_t *make_wanted(int count, uint32_t largest) {
  uint32_t state = 73, *wanted = (uint32_t *)bench_allocate(count * sizeof(uint32_t));
  for (int i = 0; i < count; i++)
    wanted[i] = bench_random(&state) % (largest + 1);
  return wanted;
}

#endif
