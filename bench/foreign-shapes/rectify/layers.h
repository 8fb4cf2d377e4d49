// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 16 bits from -2 to 2, by their bits, the same in both programs of the pair.
#ifndef BENCH_LAYERS_H
#define BENCH_LAYERS_H

#include "../../common/bench.h"

static inline uint16_t *make_layer(int count, uint32_t state) {
  uint16_t *layer = (uint16_t *)bench_allocate((count + 1) / 2 * 2 * sizeof(uint16_t));
  for (int i = 0; i < count; i++) {
    const uint32_t bits = bench_random(&state);
    layer[i] = (uint16_t)((bits & 0x8000) | (0x3000 + bits % 0x1000));
  }
  return layer;
}

#endif
