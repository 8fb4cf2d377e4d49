// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gravity by hand: one array for each coordinate, bodies over the threads, 32 bodies at once in vectors, so that what
// is loaded of another body serves them all and no sum crosses the lanes. Arguments: bodies, steps.
#include "../common/bench.h"

typedef struct bodies {
  float *x, *y, *z, *mass;
} bodies;

// x ** -1/2. The compiler may use the processor's estimate and refine it, as CUDA's rsqrtf does (2 ulp).
static inline float inverse_root(float x) {
#pragma clang fp reciprocal(on) reassociate(on) contract(fast)
  return 1.0f / __builtin_elementwise_sqrt(x);
}

enum { GROUP = 32 };

// The arrays have room for whole groups.
static void advance(const bodies *now, bodies *next, bodies *speeds, int n, float dt) {
  const float *restrict x = now->x, *restrict y = now->y, *restrict z = now->z, *restrict mass = now->mass;
#pragma omp parallel for schedule(static)
  for (int first = 0; first < n; first += GROUP) {
    float ax[GROUP] = {0}, ay[GROUP] = {0}, az[GROUP] = {0};
    for (int j = 0; j < n; j++) {
#pragma omp simd simdlen(16)
      for (int i = 0; i < GROUP; i++) {
        float dx = x[j] - x[first + i], dy = y[j] - y[first + i], dz = z[j] - z[first + i];
        float inverse = inverse_root(dx * dx + dy * dy + dz * dz + 0.01f);
        float pull = mass[j] * inverse * inverse * inverse;
        ax[i] += dx * pull;
        ay[i] += dy * pull;
        az[i] += dz * pull;
      }
    }
    for (int i = 0; i < GROUP; i++) {
      const int body = first + i;
      speeds->x[body] += ax[i] * dt;
      speeds->y[body] += ay[i] * dt;
      speeds->z[body] += az[i] * dt;
      next->x[body] = x[body] + speeds->x[body] * dt;
      next->y[body] = y[body] + speeds->y[body] * dt;
      next->z[body] = z[body] + speeds->z[body] * dt;
      next->mass[body] = mass[body];
    }
  }
}

static bodies allocate(int n) {
  size_t bytes = (n + GROUP - 1) / GROUP * GROUP * sizeof(float);
  return (bodies){bench_allocate(bytes), bench_allocate(bytes), bench_allocate(bytes), bench_allocate(bytes)};
}

static void release(bodies b) {
  free(b.x);
  free(b.y);
  free(b.z);
  free(b.mass);
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 16384, 1, "bodies");
  const int steps = (int)bench_argument(argc, argv, 2, 10, 1, "steps");
  const float dt = 0.001f;
  bodies now = allocate(n), next = allocate(n), speeds = allocate(n);
  uint32_t state = 7;
  for (int i = 0; i < n; i++) {
    now.x[i] = bench_random_float(&state);
    now.y[i] = bench_random_float(&state);
    now.z[i] = bench_random_float(&state);
    now.mass[i] = (bench_random_float(&state) + 0.5f) / (float)n;
  }

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    advance(&now, &next, &speeds, n, dt);
    bodies swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  float *places_then_speeds = bench_allocate(6 * (size_t)n * sizeof(float));
  for (int i = 0; i < n; i++) {
    const float values[6] = {now.x[i], now.y[i], now.z[i], speeds.x[i] * 1000, speeds.y[i] * 1000, speeds.z[i] * 1000};
    for (int k = 0; k < 6; k++)
      places_then_speeds[(size_t)k * n + i] = values[k];
  }
  bench_report_floats(time_ms, places_then_speeds, 6 * (size_t)n, 1e-4);
  release(now);
  release(next);
  release(speeds);
  free(places_then_speeds);
  return 0;
}
