// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of one block, of three, and of many, whose threads have a loop of their own and share nothing: their threads may be
// given to several workers. Every element is written once, by the thread whose it is, for blocks of one, two and three dimensions;
// what threads add to one counter is complete, and the index of the block is right in every slice.
#include "check.h"

__device__ unsigned collatz_steps(unsigned n) {
  unsigned steps = 0;
  for (; n > 1; steps++)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

__global__ void count_steps(unsigned *out, unsigned *writes, unsigned *total) {
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned at = block * blockDim.x * blockDim.y * blockDim.z + thread, steps = collatz_steps(at + 1);
  out[at] = steps;
  atomicAdd(&writes[at], 1u);
  atomicAdd(total, steps);
}

static void try_shape(dim3 grid, dim3 block) {
  unsigned threads = grid.x * grid.y * grid.z * block.x * block.y * block.z, *out, *writes, *total, sum = 0;
  CHECK(cudaMallocManaged(&out, threads * sizeof *out));
  CHECK(cudaMallocManaged(&writes, threads * sizeof *writes));
  CHECK(cudaMallocManaged(&total, sizeof *total));
  CHECK(cudaMemset(out, 0xff, threads * sizeof *out));
  CHECK(cudaMemset(writes, 0, threads * sizeof *writes));
  CHECK(cudaMemset(total, 0, sizeof *total));
  count_steps<<<grid, block>>>(out, writes, total);
  CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < threads; i++) {
    unsigned n = i + 1, steps = 0;
    while (n != 1) {
      n = n & 1 ? 3 * n + 1 : n >> 1;
      steps++;
    }
    sum += steps;
    if (out[i] != steps || writes[i] != 1) {
      printf("grid %u %u %u, block %u %u %u, thread %u: got %u in %u writes, expected %u in one\n", grid.x, grid.y,
             grid.z, block.x, block.y, block.z, i, out[i], writes[i], steps);
      exit(1);
    }
  }
  if (*total != sum) {
    printf("total %u, expected %u\n", *total, sum);
    exit(1);
  }
  CHECK(cudaFree(out));
  CHECK(cudaFree(writes));
  CHECK(cudaFree(total));
}

int main(int argc, char **argv) {
  unsigned block = block_size(argc, argv);
  for (unsigned blocks : {1u, 2u, 3u, 5u, 57u}) {
    try_shape(blocks, block);
    try_shape(dim3(1, blocks), dim3(1, block));
    if (block <= 256)
      try_shape(dim3(1, 1, blocks), dim3(block, 3));
    if (block <= 64)
      try_shape(blocks, dim3(3, 2, block));
    try_shape(blocks, dim3(17, 5, 3));
  }
  printf("ok\n");
  return 0;
}
