// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All-pairs gravity over an array of structs: each thread copies bodies whole, its own one there and back.
// Arguments: bodies, steps.
#include "bodies.h"

__global__ void advance(const body *now, body *next, int count, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  body mine = now[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < count; j++) {
    const body other = now[j];
    const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), pull = other.mass * inverse * inverse * inverse;
    ax += dx * pull;
    ay += dy * pull;
    az += dz * pull;
  }
  mine.vx += ax * dt, mine.vy += ay * dt, mine.vz += az * dt;
  mine.x += mine.vx * dt, mine.y += mine.vy * dt, mine.z += mine.vz * dt;
  next[i] = mine;
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 13, 1, "bodies");
  const int steps = (int)bench_argument(argc, argv, 2, 6, 1, "steps");
  body *bodies = make_bodies(count), *now = bench_to_device(bodies, count), *next = bench_to_device(bodies, count);

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    advance<<<(count + 127) / 128, 128>>>(now, next, count, 1e-5f);
    body *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(bodies, now, count);
  bench_report_floats(time_ms, (float *)bodies, (size_t)count * sizeof(body) / sizeof(float), 1e-4);
  return 0;
}
