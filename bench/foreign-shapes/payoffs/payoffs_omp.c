// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monte Carlo in double precision by hand: as many paths at once as a vector has lanes, by the vector forms of glibc.
// Arguments: paths, steps, iterations.
#include "../../common/bench.h"
#include "../../common/vector_math.h"

typedef uint32_t states __attribute__((vector_size(BENCH_DOUBLES * sizeof(uint32_t))));

static bench_doubles draw(states *state) {
  *state = *state * 1664525u + 1013904223u;
  return __builtin_convertvector((*state >> 8) + 1, bench_doubles) * (1.0 / 16777217.0);
}

static bench_doubles root(bench_doubles x) {
  for (int lane = 0; lane < BENCH_DOUBLES; lane++)
    x[lane] = sqrt(x[lane]);
  return x;
}

static void price_group(const float *starts, float *payoffs, int first, int paths, int steps, double drift,
                        double wander) {
  states state;
  bench_doubles along = {0}, other = {0};
  for (int lane = 0; lane < BENCH_DOUBLES; lane++)
    state[lane] = (uint32_t)(first + lane) * 2654435761u + 1;
  for (int step = 0; step < steps; step++) {
    const bench_doubles far = root(-2 * bench_log(draw(&state))), angle = 6.283185307179586 * draw(&state);
    along += drift + wander * far * bench_cos(angle);
    other += drift + wander * far * bench_sin(angle);
  }
  along = bench_exp(along), other = bench_exp(other);
  for (int lane = 0; lane < BENCH_DOUBLES && first + lane < paths; lane++) {
    const double start = starts[first + lane], one = start * along[lane] - 1, two = start * other[lane] - 1;
    payoffs[first + lane] += (float)((one > 0 ? one : 0) + (two > 0 ? two : 0));
  }
}

int main(int argc, char **argv) {
  const int paths = (int)bench_argument(argc, argv, 1, 1 << 15, 1, "paths");
  const int steps = (int)bench_argument(argc, argv, 2, 64, 1, "steps");
  const int iterations = (int)bench_argument(argc, argv, 3, 4, 1, "iterations");
  float *starts = bench_random_floats(paths, 106, 0.8f, 1.2f), *payoffs = bench_allocate(paths * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
#pragma omp parallel for schedule(static)
    for (int first = 0; first < paths; first += BENCH_DOUBLES)
      price_group(starts, payoffs, first, paths, steps, 0.0001 * iteration, 0.02);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, payoffs, paths, 1e-5);
  return 0;
}
