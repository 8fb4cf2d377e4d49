// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pulls between charges in cells: a thread adds up its charge's in the fields of a struct in global memory, charge by
// charge of a cell in shared memory. Arguments: cells, iterations.
#include "cells.h"

__global__ void attract(const charge *charges, pull *pulls, int cells, float range) {
  __shared__ charge mine[IN_CELL], theirs[IN_CELL];
  const int cell = blockIdx.x;
  for (int t = threadIdx.x; t < IN_CELL; t += blockDim.x)
    mine[t] = charges[cell * IN_CELL + t];
  for (int near = 0; near < NEAR; near++) {
    const int other = (cell + near) % cells;
    for (int t = threadIdx.x; t < IN_CELL; t += blockDim.x)
      theirs[t] = charges[other * IN_CELL + t];
    __syncthreads();
    for (int t = threadIdx.x; t < IN_CELL; t += blockDim.x) {
      pull *sum = &pulls[cell * IN_CELL + t];
      for (int k = 0; k < IN_CELL; k++) {
        const float x = mine[t].x - theirs[k].x, y = mine[t].y - theirs[k].y, z = mine[t].z - theirs[k].z;
        const float close = fmaxf(1.0f - range * (x * x + y * y + z * z), 0.0f);
        const float weight = theirs[k].size * close * close, twice = 2 * range * weight;
        sum->energy += weight;
        sum->x += twice * x;
        sum->y += twice * y;
        sum->z += twice * z;
      }
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int cells = (int)bench_argument(argc, argv, 1, 400, 1, "cells");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const size_t count = (size_t)cells * IN_CELL;
  charge *charges = make_charges(cells), *charges_device = bench_to_device(charges, count);
  pull *pulls = (pull *)bench_allocate(count * sizeof(pull)), *pulls_device = bench_to_device(pulls, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    attract<<<cells, 128>>>(charges_device, pulls_device, cells, 0.5f);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(pulls, pulls_device, count);
  bench_report_floats(time_ms, (float *)pulls, count * sizeof(pull) / sizeof(float), 1e-3);
  return 0;
}
