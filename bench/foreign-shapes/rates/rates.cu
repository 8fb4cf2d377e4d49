// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chemistry in double precision: a thread for each cell makes the rates of eight reactions from its temperature (exp and
// log) and steps its concentrations. Arguments: cells, iterations.
#include "reactions.h"

__global__ void react(const double *temperatures, double *amounts, int cells, double step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  const double t = temperatures[i], logarithm = log(t);
  for (int r = 0; r < REACTIONS; r++) {
    const double low = exp(2.0 + 0.5 * r + (0.25 * r - 1.0) * logarithm - (900.0 + 250.0 * r) / t);
    const double amount = amounts[(size_t)r * cells + i], falls = low * amount / (1.0 + low);
    amounts[(size_t)r * cells + i] = amount - step * falls;
    amounts[(size_t)(r + 1) * cells + i] += step * falls;
  }
}

int main(int argc, char **argv) {
  const int cells = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "cells");
  const int iterations = (int)bench_argument(argc, argv, 2, 100, 1, "iterations");
  const size_t count = (size_t)cells * (REACTIONS + 1);
  double *temperatures = bench_to_device(make_temperatures(cells), cells);
  double *amounts = make_amounts(cells), *amounts_device = bench_to_device(amounts, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    react<<<(cells + 127) / 128, 128>>>(temperatures, amounts_device, cells, 0.01);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(amounts, amounts_device, count);
  report_amounts(time_ms, amounts, count);
  return 0;
}
