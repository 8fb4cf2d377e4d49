// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gravity among bodies, all pairs: the block loads a tile of bodies to shared memory, each thread sums the forces of
// the tile on its own body. Arguments: bodies, steps.
#include "../common/bench.h"

#define BLOCK 256

__global__ void advance(const float4 *now, float4 *next, float4 *speeds, int n, float dt) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? now[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += BLOCK) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? now[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < BLOCK; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float pull = tile[k].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  if (i < n) {
    float4 speed = speeds[i];
    speed.x += ax * dt;
    speed.y += ay * dt;
    speed.z += az * dt;
    speeds[i] = speed;
    next[i] = make_float4(me.x + speed.x * dt, me.y + speed.y * dt, me.z + speed.z * dt, me.w);
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 16384, 1, "bodies");
  const int steps = (int)bench_argument(argc, argv, 2, 10, 1, "steps");
  const float dt = 0.001f;
  float4 *bodies = (float4 *)bench_allocate(n * sizeof(float4)), *still = (float4 *)bench_allocate(n * sizeof(float4));
  uint32_t state = 7;
  for (int i = 0; i < n; i++) {
    bodies[i].x = bench_random_float(&state);
    bodies[i].y = bench_random_float(&state);
    bodies[i].z = bench_random_float(&state);
    bodies[i].w = (bench_random_float(&state) + 0.5f) / (float)n;
  }
  float4 *now = bench_to_device(bodies, n), *next = bench_to_device(bodies, n), *speeds = bench_to_device(still, n);

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    advance<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(now, next, speeds, n, dt);
    float4 *swap = now;
    now = next;
    next = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  // The speeds tell more of the forces than the positions do: both go into the digest.
  float *places_then_speeds = (float *)bench_allocate(6 * (size_t)n * sizeof(float));
  BENCH_CHECK(cudaMemcpy(bodies, now, n * sizeof(float4), cudaMemcpyDeviceToHost));
  BENCH_CHECK(cudaMemcpy(still, speeds, n * sizeof(float4), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    const float values[6] = {bodies[i].x,       bodies[i].y,       bodies[i].z,
                             still[i].x * 1000, still[i].y * 1000, still[i].z * 1000};
    for (int k = 0; k < 6; k++)
      places_then_speeds[(size_t)k * n + i] = values[k];
  }
  bench_report_floats(time_ms, places_then_speeds, 6 * (size_t)n, 1e-4);
  cudaFree(now);
  cudaFree(next);
  cudaFree(speeds);
  free(places_then_speeds);
  free(bodies);
  free(still);
  return 0;
}
