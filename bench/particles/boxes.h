// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles in a cube of boxes, 64 in each, the same in both programs of the pair. Only particles of the same box or
// neighbouring ones can be nearer to each other than a box is wide. Positions and charges in one array for each.
#ifndef BENCH_BOXES_H
#define BENCH_BOXES_H

#include "../common/bench.h"

enum { MEMBERS = 64 };

typedef struct boxes {
  int side, particles;
  float *x, *y, *z, *charge;
} boxes;

static inline boxes make_boxes(int side) {
  boxes b;
  b.side = side;
  b.particles = side * side * side * MEMBERS;
  b.x = bench_random_floats(b.particles, 31, 0, 1);
  b.y = bench_random_floats(b.particles, 32, 0, 1);
  b.z = bench_random_floats(b.particles, 33, 0, 1);
  b.charge = bench_random_floats(b.particles, 34, 0.1f, 1);
  for (int i = 0; i < b.particles; i++) {
    const int box = i / MEMBERS;
    b.x[i] += (float)(box % side);
    b.y[i] += (float)(box / side % side);
    b.z[i] += (float)(box / side / side);
  }
  return b;
}

static inline void free_boxes(boxes b) {
  free(b.x);
  free(b.y);
  free(b.z);
  free(b.charge);
}

#endif
