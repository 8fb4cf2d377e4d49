// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pulls between charges in cells by hand: an array for each coordinate, the sums of 32 charges at once in vectors.
// Arguments: cells, iterations.
#include "cells.h"

enum { GROUP = 32 };

static void attract_group(const charge *mine, const charge *theirs, pull *pulls, float range) {
  float x[GROUP], y[GROUP], z[GROUP], px[GROUP] = {0}, py[GROUP] = {0}, pz[GROUP] = {0}, energy[GROUP] = {0};
  for (int i = 0; i < GROUP; i++)
    x[i] = mine[i].x, y[i] = mine[i].y, z[i] = mine[i].z;
  for (int k = 0; k < IN_CELL; k++) {
#pragma omp simd simdlen(16)
    for (int i = 0; i < GROUP; i++) {
      const float dx = x[i] - theirs[k].x, dy = y[i] - theirs[k].y, dz = z[i] - theirs[k].z;
      const float close = fmaxf(1.0f - range * (dx * dx + dy * dy + dz * dz), 0.0f);
      const float weight = theirs[k].size * close * close, twice = 2 * range * weight;
      energy[i] += weight;
      px[i] += twice * dx;
      py[i] += twice * dy;
      pz[i] += twice * dz;
    }
  }
  for (int i = 0; i < GROUP; i++)
    pulls[i].x += px[i], pulls[i].y += py[i], pulls[i].z += pz[i], pulls[i].energy += energy[i];
}

static void attract(const charge *charges, pull *pulls, int cells, float range) {
#pragma omp parallel for schedule(static)
  for (int cell = 0; cell < cells; cell++)
    for (int near = 0; near < NEAR; near++)
      for (int first = 0; first < IN_CELL; first += GROUP)
        attract_group(charges + cell * IN_CELL + first, charges + (cell + near) % cells * IN_CELL,
                      pulls + cell * IN_CELL + first, range);
}

int main(int argc, char **argv) {
  const int cells = (int)bench_argument(argc, argv, 1, 400, 1, "cells");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const size_t count = (size_t)cells * IN_CELL;
  charge *charges = make_charges(cells);
  pull *pulls = bench_allocate(count * sizeof(pull));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    attract(charges, pulls, cells, 0.5f);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, (float *)pulls, count * sizeof(pull) / sizeof(float), 1e-3);
  return 0;
}
