// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each thread of the pair keeps of its samples.
#ifndef BENCH_MOMENTS_H
#define BENCH_MOMENTS_H

#include "../../common/bench.h"

typedef struct moments {
  double sum, squares;
  float least, most;
  int above, seen;
} moments;

#endif
