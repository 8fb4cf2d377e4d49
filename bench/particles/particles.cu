// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Potential and forces among particles in boxes, cut off at the width of a box: a block for each box, which takes one
// neighbouring box after the other into shared memory; a thread for each particle of its own.
// Arguments: boxes along a side, iterations.
#include "boxes.h"

__global__ void interact(const float *x, const float *y, const float *z, const float *charge, float4 *out, int side) {
  __shared__ float4 others[MEMBERS];
  int me = threadIdx.x, own = blockIdx.x * MEMBERS + me;
  float px = x[own], py = y[own], pz = z[own];
  float fx = 0, fy = 0, fz = 0, potential = 0;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int bx = blockIdx.x % side + dx, by = blockIdx.x / side % side + dy, bz = blockIdx.x / side / side + dz;
        if (bx < 0 || by < 0 || bz < 0 || bx >= side || by >= side || bz >= side)
          continue;
        int other = ((bz * side + by) * side + bx) * MEMBERS + me;
        others[me] = make_float4(x[other], y[other], z[other], charge[other]);
        __syncthreads();
        for (int k = 0; k < MEMBERS; k++) {
          float4 o = others[k];
          float gx = px - o.x, gy = py - o.y, gz = pz - o.z;
          float square = gx * gx + gy * gy + gz * gz;
          if (square < 1.0f) {
            float near = 1.0f - square, strength = o.w * near * near;
            potential += strength * near;
            fx += strength * gx;
            fy += strength * gy;
            fz += strength * gz;
          }
        }
        __syncthreads();
      }
  out[own] = make_float4(fx, fy, fz, potential);
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 10, 1, "side");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  boxes b = make_boxes(side);
  float4 *out = (float4 *)bench_allocate(b.particles * sizeof(float4)), *out_device = bench_to_device(out, b.particles);
  float *x = bench_to_device(b.x, b.particles), *y = bench_to_device(b.y, b.particles);
  float *z = bench_to_device(b.z, b.particles), *charge = bench_to_device(b.charge, b.particles);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    interact<<<b.particles / MEMBERS, MEMBERS>>>(x, y, z, charge, out_device, side);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(out, out_device, b.particles);
  bench_report_floats(time_ms, (float *)out, (size_t)b.particles * 4, 1e-4);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  cudaFree(charge);
  cudaFree(out_device);
  free(out);
  free_boxes(b);
  return 0;
}
