// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations of a stencil in one kernel: all blocks meet between two iterations. Registers, static and dynamic shared memory and a
// private array of each thread live across the barrier of the grid.
#include "grid.h"

__global__ void iterations_of_stencil(int *from, int *to, int n, int iterations, int *checks) {
  __shared__ int mine[1024];
  extern __shared__ int also_mine[];
  cg::grid_group grid = cg::this_grid();
  int i = (int)grid.thread_rank(), trail[4] = {i, i + 1, i + 2, i + 3};
  mine[threadIdx.x] = i * 5;
  also_mine[threadIdx.x] = i * 7;
  long long sum = 0;
  for (int iteration = 0; iteration < iterations; iteration++) {
    int left = from[(i + n - 1) % n], right = from[(i + 1) % n];
    to[i] = left - 2 * from[i] + right * 3;
    trail[iteration & 3] += to[i];
    grid.sync();
    sum += to[(i + n / 2) % n];
    int *other = from;
    from = to;
    to = other;
    grid.sync();
  }
  if (iterations == 0)
    __syncthreads(); /* others' part of mine[] is read */
  checks[i] = (int)(sum % 100003) + mine[blockDim.x - 1 - threadIdx.x] + also_mine[threadIdx.x] + trail[0] * 2 +
              trail[1] * 3 + trail[2] * 5 + trail[3] * 7;
}

static void check_grid(int block, int blocks, int iterations, bool by_attribute) {
  int n = block * blocks;
  buffer<int> a(n), b(n), checks(n);
  for (int i = 0; i < n; i++)
    a[i] = i % 13 - 6;
  a.upload();
  if (by_attribute) {
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = block * sizeof(int);
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, iterations_of_stencil, a.device, b.device, n, iterations, checks.device));
  } else {
    launch_together(iterations_of_stencil, blocks, block, block * sizeof(int), a.device, b.device, n, iterations,
                    checks.device);
  }
  checks.download();
  int *from = (int *)malloc(n * sizeof(int)), *to = (int *)malloc(n * sizeof(int));
  long long *sums = (long long *)calloc(n, sizeof(long long));
  int *trail = (int *)malloc(4 * n * sizeof(int));
  for (int i = 0; i < n; i++) {
    from[i] = i % 13 - 6;
    for (int k = 0; k < 4; k++)
      trail[4 * i + k] = i + k;
  }
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int i = 0; i < n; i++) {
      to[i] = from[(i + n - 1) % n] - 2 * from[i] + from[(i + 1) % n] * 3;
      trail[4 * i + (iteration & 3)] += to[i];
    }
    for (int i = 0; i < n; i++)
      sums[i] += to[(i + n / 2) % n];
    int *other = from;
    from = to;
    to = other;
  }
  for (int i = 0; i < n; i++) {
    int first = i / block * block, mirrored = first + block - 1 - (i - first);
    expect(i, checks[i],
           (int)(sums[i] % 100003) + mirrored * 5 + i * 7 + trail[4 * i] * 2 + trail[4 * i + 1] * 3 +
               trail[4 * i + 2] * 5 + trail[4 * i + 3] * 7);
  }
  free(from);
  free(to);
  free(sums);
  free(trail);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  const int blocks = fitting_blocks(iterations_of_stencil, block, 24, block * sizeof(int));
  for (int iterations = 0; iterations < 9; iterations += 4)
    check_grid(block, blocks, iterations, false);
  check_grid(block, 1, 5, false);
  check_grid(block, blocks, 3, true);
  for (int launch = 0; launch < 20; launch++)
    check_grid(block, blocks > 5 ? 5 : blocks, 2, launch & 1);
  return passed();
}
