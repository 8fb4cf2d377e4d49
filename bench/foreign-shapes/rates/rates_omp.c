// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chemistry in double precision by hand: as many cells at once as a vector has lanes, exp and log by the vector forms of
// glibc. Arguments: cells, iterations.
#include "../../common/vector_math.h"
#include "reactions.h"

typedef double apart __attribute__((vector_size(BENCH_DOUBLES * sizeof(double)), aligned(8)));

// cells: a multiple of the lanes
static void react(const double *temperatures, double *amounts, int cells, double step) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < cells; i += BENCH_DOUBLES) {
    const bench_doubles t = *(const apart *)(temperatures + i), logarithm = bench_log(t);
    bench_doubles amount = *(apart *)(amounts + i);
    for (int r = 0; r < REACTIONS; r++) {
      const bench_doubles low = bench_exp(2.0 + 0.5 * r + (0.25 * r - 1.0) * logarithm - (900.0 + 250.0 * r) / t);
      const bench_doubles falls = low * amount / (1.0 + low);
      *(apart *)(amounts + (size_t)r * cells + i) = amount - step * falls;
      amount = *(apart *)(amounts + (size_t)(r + 1) * cells + i) + step * falls;
    }
    *(apart *)(amounts + (size_t)REACTIONS * cells + i) = amount;
  }
}

int main(int argc, char **argv) {
  const int cells = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "cells");
  const int iterations = (int)bench_argument(argc, argv, 2, 100, 1, "iterations");
  const int padded = (cells + BENCH_DOUBLES - 1) / BENCH_DOUBLES * BENCH_DOUBLES;
  double *temperatures = make_temperatures(padded), *amounts = make_amounts(padded);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    react(temperatures, amounts, padded, 0.01);
  double time_ms = bench_now_ms() - start;

  for (int r = 0; r <= REACTIONS; r++)
    memmove(amounts + (size_t)r * cells, amounts + (size_t)r * padded, cells * sizeof(double));
  report_amounts(time_ms, amounts, (size_t)cells * (REACTIONS + 1));
  return 0;
}
