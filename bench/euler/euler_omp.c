// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flow of a gas on an unstructured mesh by hand: cells in vectors, whose neighbours are gathered; a wall is a neighbour
// that mirrors the cell, so there is no branch. Arguments: cells along a side, steps.
#include "mesh.h"

static void compute_fluxes(const int *restrict neighbours, const float *restrict normals, const float *restrict fields,
                           float *restrict fluxes, int cells) {
  const float *restrict density = fields + (size_t)DENSITY * cells, *restrict xs = fields + (size_t)MOMENTUM_X * cells;
  const float *restrict ys = fields + (size_t)MOMENTUM_Y * cells, *restrict energy = fields + (size_t)ENERGY * cells;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < cells; i++) {
    const float d = density[i], x = xs[i], y = ys[i], e = energy[i];
    const float square = (x * x + y * y) / d, p = (GAMMA - 1) * (e - 0.5f * square);
    const float speed = sqrtf(square / d) + sqrtf(GAMMA * p / d);
    float flux_d = 0, flux_x = 0, flux_y = 0, flux_e = 0;
    for (int face = 0; face < FACES; face++) {
      const int neighbour = neighbours[(size_t)face * cells + i];
      const float nx = normals[(size_t)(2 * face) * cells + i], ny = normals[(size_t)(2 * face + 1) * cells + i];
      const int wall = neighbour < 0, j = wall ? i : neighbour;
      const float dj = density[j], xj = xs[j], yj = ys[j], ej = energy[j];
      const float square_j = (xj * xj + yj * yj) / dj, pj = (GAMMA - 1) * (ej - 0.5f * square_j);
      const float speed_j = sqrtf(square_j / dj) + sqrtf(GAMMA * pj / dj);
      const float out = wall ? 0 : (x * nx + y * ny) / d, in = wall ? 0 : (xj * nx + yj * ny) / dj;
      const float blur = 0.5f * (speed + speed_j);
      flux_d += 0.5f * (d * out + dj * in + blur * (d - dj));
      flux_x += 0.5f * (x * out + xj * in + (p + pj) * nx + blur * (x - xj));
      flux_y += 0.5f * (y * out + yj * in + (p + pj) * ny + blur * (y - yj));
      flux_e += 0.5f * ((e + p) * out + (ej + pj) * in + blur * (e - ej));
    }
    fluxes[(size_t)DENSITY * cells + i] = flux_d;
    fluxes[(size_t)MOMENTUM_X * cells + i] = flux_x;
    fluxes[(size_t)MOMENTUM_Y * cells + i] = flux_y;
    fluxes[(size_t)ENERGY * cells + i] = flux_e;
  }
}

static void advance(float *restrict fields, const float *restrict fluxes, float time, int cells) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < FIELDS * cells; i++)
    fields[i] -= time * fluxes[i];
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 512, 1, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 80, 1, "steps");
  mesh m = make_mesh(side);
  float *fluxes = bench_allocate((size_t)FIELDS * m.cells * sizeof(float));

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    compute_fluxes(m.neighbours, m.normals, m.fields, fluxes, m.cells);
    advance(m.fields, fluxes, 0.05f, m.cells);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, m.fields, (size_t)FIELDS * m.cells, 1e-4);
  free(fluxes);
  free_mesh(m);
  return 0;
}
