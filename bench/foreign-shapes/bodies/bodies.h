// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies as structs, the same in both programs of the pair.
#ifndef BENCH_BODIES_H
#define BENCH_BODIES_H

#include "../../common/bench.h"

typedef struct body {
  float x, y, z, mass, vx, vy, vz;
} body;

static inline body *make_bodies(int count) {
  return (body *)bench_random_floats((size_t)count * sizeof(body) / sizeof(float), 55, 0, 1);
}

#endif
