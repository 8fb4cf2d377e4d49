// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lattice Boltzmann by hand: an array for each direction, rows over the threads; a row's neighbours are copied with its
// ends wrapped around, then it is one loop in vectors. Arguments: size, steps.
#include "directions.h"

static const int across[DIRECTIONS] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, down[DIRECTIONS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const float weights[DIRECTIONS] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                                          1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};

// One cell: what came in, in f[direction][x], collides and goes to out.
static inline void collide(const float *const f[DIRECTIONS], float *const out[DIRECTIONS], int from, int x) {
  float mine[DIRECTIONS], density = 0, speed_x = 0, speed_y = 0;
  for (int d = 0; d < DIRECTIONS; d++) {
    mine[d] = f[d][from - across[d]];
    density += mine[d];
    speed_x += mine[d] * across[d];
    speed_y += mine[d] * down[d];
  }
  speed_x /= density;
  speed_y /= density;
  for (int d = 0; d < DIRECTIONS; d++) {
    const float along = 3.0f * (across[d] * speed_x + down[d] * speed_y);
    const float rest =
        weights[d] * density * (1.0f + along + 0.5f * along * along - 1.5f * (speed_x * speed_x + speed_y * speed_y));
    out[d][x] = mine[d] + 0.6f * (rest - mine[d]);
  }
}

static void update(const float *in, float *out, int n) {
  const size_t count = (size_t)n * n;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; y++) {
    const float *rows[DIRECTIONS];
    float *results[DIRECTIONS], ends[DIRECTIONS][2][3];
    const float *left[DIRECTIONS], *right[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) {
      rows[d] = in + d * count + (size_t)((y - down[d] + n) % n) * n;
      results[d] = out + d * count + (size_t)y * n;
      for (int k = 0; k < 3; k++) {
        ends[d][0][k] = rows[d][(k - 1 + n) % n];
        ends[d][1][k] = rows[d][(n - 2 + k) % n];
      }
      left[d] = ends[d][0], right[d] = ends[d][1];
    }
    collide(left, results, 1, 0);
#pragma omp simd
    for (int x = 1; x < n - 1; x++)
      collide(rows, results, x, x);
    collide(right, results, 1, n - 1);
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 2, "size");
  const int steps = (int)bench_argument(argc, argv, 2, 60, 1, "steps");
  const size_t count = (size_t)n * n;
  cell *cells = make_cells(n);
  float *now = bench_allocate(count * sizeof(cell)), *next = bench_allocate(count * sizeof(cell));
  for (size_t i = 0; i < count; i++)
    for (int d = 0; d < DIRECTIONS; d++)
      now[d * count + i] = cells[i].f[d];

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    update(now, next, n);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  for (size_t i = 0; i < count; i++)
    for (int d = 0; d < DIRECTIONS; d++)
      cells[i].f[d] = now[d * count + i];
  bench_report_floats(time_ms, cells->f, count * DIRECTIONS, 1e-4);
  return 0;
}
