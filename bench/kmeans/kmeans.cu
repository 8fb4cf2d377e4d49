// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// K-means: a thread for each point finds the nearest centre (in constant memory) and adds the point to sums in shared
// memory by atomics, which the block then adds to the grid's. The host moves the centres. Arguments: points,
// iterations.
#include "kmeans.h"

__constant__ float centres[CLUSTERS * FEATURES];

__global__ void assign(const float *values, int points, uint32_t *sums, uint32_t *counts) {
  __shared__ uint32_t block_sums[CLUSTERS * FEATURES];
  __shared__ uint32_t block_counts[CLUSTERS];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = me; k < CLUSTERS * FEATURES; k += blockDim.x)
    block_sums[k] = 0;
  if (me < CLUSTERS)
    block_counts[me] = 0;
  __syncthreads();
  if (i < points) {
    float best = 3.4e38f;
    int nearest = 0;
    for (int c = 0; c < CLUSTERS; c++) {
      float distance = 0;
      for (int f = 0; f < FEATURES; f++) {
        float gap = values[(size_t)f * points + i] - centres[c * FEATURES + f];
        distance += gap * gap;
      }
      if (distance < best) {
        best = distance;
        nearest = c;
      }
    }
    for (int f = 0; f < FEATURES; f++)
      atomicAdd(&block_sums[nearest * FEATURES + f], (uint32_t)values[(size_t)f * points + i]);
    atomicAdd(&block_counts[nearest], 1u);
  }
  __syncthreads();
  for (int k = me; k < CLUSTERS * FEATURES; k += blockDim.x)
    atomicAdd(&sums[k], block_sums[k]);
  if (me < CLUSTERS)
    atomicAdd(&counts[me], block_counts[me]);
}

int main(int argc, char **argv) {
  const int points = (int)bench_argument(argc, argv, 1, 1 << 19, CLUSTERS, "points");
  const int iterations = (int)bench_argument(argc, argv, 2, 80, 1, "iterations");
  const int block = 256;
  float *values = make_points(points), now[CLUSTERS * FEATURES];
  uint32_t sums[CLUSTERS * FEATURES], counts[CLUSTERS];
  first_centres(values, points, now);
  float *values_device = bench_to_device(values, (size_t)points * FEATURES);
  uint32_t *sums_device = bench_to_device(sums, CLUSTERS * FEATURES);
  uint32_t *counts_device = bench_to_device(counts, CLUSTERS);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    BENCH_CHECK(cudaMemcpyToSymbol(centres, now, sizeof now));
    BENCH_CHECK(cudaMemset(sums_device, 0, sizeof sums));
    BENCH_CHECK(cudaMemset(counts_device, 0, sizeof counts));
    assign<<<(points + block - 1) / block, block>>>(values_device, points, sums_device, counts_device);
    bench_to_host(sums, sums_device, CLUSTERS * FEATURES);
    bench_to_host(counts, counts_device, CLUSTERS);
    move_centres(now, sums, counts);
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, CLUSTERS * FEATURES, 1e-4);
  cudaFree(values_device);
  cudaFree(sums_device);
  cudaFree(counts_device);
  free(values);
  return 0;
}
