// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-pairs gravity by hand: a step copies the positions of the bodies into one array for each coordinate, then takes
// 32 bodies at once in vectors. Arguments: bodies, steps.
#include "bodies.h"

enum { GROUP = 32 };

// x ** -1/2. The compiler may use the processor's estimate and refine it, as CUDA's rsqrtf does (2 ulp).
static inline float inverse_root(float x) {
#pragma clang fp reciprocal(on) reassociate(on) contract(fast)
  return 1.0f / __builtin_elementwise_sqrt(x);
}

static void advance(body *bodies, float *restrict x, float *restrict y, float *restrict z, int count, float dt) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; i++)
    x[i] = bodies[i].x, y[i] = bodies[i].y, z[i] = bodies[i].z;
#pragma omp parallel for schedule(static)
  for (int first = 0; first < count; first += GROUP) {
    float ax[GROUP] = {0}, ay[GROUP] = {0}, az[GROUP] = {0};
    for (int j = 0; j < count; j++) {
      const float mass = bodies[j].mass;
#pragma omp simd simdlen(16)
      for (int i = 0; i < GROUP; i++) {
        const float dx = x[j] - x[first + i], dy = y[j] - y[first + i], dz = z[j] - z[first + i];
        const float inverse = inverse_root(dx * dx + dy * dy + dz * dz + 0.01f);
        const float pull = mass * inverse * inverse * inverse;
        ax[i] += dx * pull;
        ay[i] += dy * pull;
        az[i] += dz * pull;
      }
    }
    for (int i = 0; i < GROUP && first + i < count; i++) {
      body *mine = bodies + first + i;
      mine->vx += ax[i] * dt, mine->vy += ay[i] * dt, mine->vz += az[i] * dt;
      mine->x += mine->vx * dt, mine->y += mine->vy * dt, mine->z += mine->vz * dt;
    }
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 13, 1, "bodies");
  const int steps = (int)bench_argument(argc, argv, 2, 6, 1, "steps");
  const size_t bytes = ((size_t)count + GROUP) * sizeof(float);
  body *bodies = make_bodies(count);
  float *x = bench_allocate(bytes), *y = bench_allocate(bytes), *z = bench_allocate(bytes);

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++)
    advance(bodies, x, y, z, count, 1e-5f);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, (float *)bodies, (size_t)count * sizeof(body) / sizeof(float), 1e-4);
  return 0;
}
