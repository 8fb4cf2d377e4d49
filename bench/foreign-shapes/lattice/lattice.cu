// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lattice Boltzmann over an array of structs: a thread for each cell takes what streams in from its neighbours into a
// private array, lets it collide, and stores the struct. Arguments: size, steps.
#include "directions.h"

__constant__ int across[DIRECTIONS] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, down[DIRECTIONS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float weights[DIRECTIONS] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                                          1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};

__global__ void update(const cell *in, cell *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  cell mine;
  float density = 0, speed_x = 0, speed_y = 0;
  for (int d = 0; d < DIRECTIONS; d++) {
    const int from_x = (x - across[d] + n) % n, from_y = (y - down[d] + n) % n;
    mine.f[d] = in[(size_t)from_y * n + from_x].f[d];
    density += mine.f[d];
    speed_x += mine.f[d] * across[d];
    speed_y += mine.f[d] * down[d];
  }
  speed_x /= density;
  speed_y /= density;
  for (int d = 0; d < DIRECTIONS; d++) {
    const float along = 3.0f * (across[d] * speed_x + down[d] * speed_y);
    const float rest =
        weights[d] * density * (1.0f + along + 0.5f * along * along - 1.5f * (speed_x * speed_x + speed_y * speed_y));
    mine.f[d] += 0.6f * (rest - mine.f[d]);
  }
  out[(size_t)y * n + x] = mine;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 2, "size");
  const int steps = (int)bench_argument(argc, argv, 2, 60, 1, "steps");
  const size_t count = (size_t)n * n;
  cell *cells = make_cells(n), *now = bench_to_device(cells, count), *next = bench_to_device(cells, count);

  const dim3 block(32, 4), grid((n + 31) / 32, (n + 3) / 4);
  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    update<<<grid, block>>>(now, next, n);
    cell *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(cells, now, count);
  bench_report_floats(time_ms, cells->f, count * DIRECTIONS, 1e-4);
  return 0;
}
