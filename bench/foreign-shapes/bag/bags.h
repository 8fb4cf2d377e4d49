// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a table to add up: each bag has 1 to 32 of them, at random positions. The same in both programs of the pair.
#ifndef BENCH_BAGS_H
#define BENCH_BAGS_H

#include "../../common/bench.h"

enum { TABLE = 1 << 14, WIDTH = 8 };

typedef struct bags {
  int *starts;  // count + 1 positions in members
  int *members; // rows of the table
  float *weights, *table;
} bags;

static inline bags make_bags(int count) {
  bags b;
  uint32_t state = 63;
  b.starts = (int *)bench_allocate((count + 1) * sizeof(int));
  for (int i = 0; i < count; i++)
    b.starts[i + 1] = b.starts[i] + 1 + (int)(bench_random(&state) % 32);
  b.members = (int *)bench_allocate(b.starts[count] * sizeof(int));
  for (int k = 0; k < b.starts[count]; k++)
    b.members[k] = (int)(bench_random(&state) % TABLE);
  b.weights = bench_random_floats(b.starts[count], 64, 0, 1);
  b.table = bench_random_floats(TABLE * WIDTH, 65, 0, 1);
  return b;
}

#endif
