// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small molecule in many poses at a large one, the same in both programs of the pair. The atoms are of a few kinds.
#ifndef BENCH_DOCKING_H
#define BENCH_DOCKING_H

#include "../../common/bench.h"

enum { KINDS = 8, LARGE = 512, SMALL = 16, FREEDOMS = 6 };

typedef struct atom {
  float x, y, z;
  int kind;
} atom;

typedef struct kind {
  float radius, depth, charge;
} kind;

static inline atom *make_atoms(int count, uint32_t seed, float size) {
  atom *atoms = (atom *)bench_allocate(count * sizeof(atom));
  for (int i = 0; i < count; i++) {
    atoms[i].x = size * (bench_random_float(&seed) - 0.5f);
    atoms[i].y = size * (bench_random_float(&seed) - 0.5f);
    atoms[i].z = size * (bench_random_float(&seed) - 0.5f);
    atoms[i].kind = (int)(bench_random(&seed) % KINDS);
  }
  return atoms;
}

static inline kind *make_kinds(void) {
  kind *kinds = (kind *)bench_allocate(KINDS * sizeof(kind));
  uint32_t state = 51;
  for (int i = 0; i < KINDS; i++) {
    kinds[i].radius = 1.0f + bench_random_float(&state);
    kinds[i].depth = 0.5f + bench_random_float(&state);
    kinds[i].charge = bench_random_float(&state);
  }
  return kinds;
}

#endif
