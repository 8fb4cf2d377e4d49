// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hundreds of kernels that wait for the host, one after the other and four at once: the process has no more threads then than it
// had after the first ones.
#include "check.h"

#include <cstdio>

__global__ void wait_then_add(volatile int *flag, int *cells) {
  if (threadIdx.x == 0)
    while (!*flag) {}
  __syncthreads();
  cells[threadIdx.x]++;
}

static int threads_of_this() {
  char line[256];
  int count = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, file))
    if (!strncmp(line, "Threads:", 8))
      count = atoi(line + 8);
  fclose(file);
  return count;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), iterations = 60, streams = 4;
  int *flags, first = 0;
  buffer<int> cells(block * streams);
  cudaStream_t stream[streams];
  CHECK(cudaHostAlloc(&flags, streams * sizeof(int), cudaHostAllocMapped));
  for (int s = 0; s < streams; s++)
    CHECK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
  cells.upload();
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int s = 0; s < streams; s++)
      flags[s] = 0;
    for (int s = 0; s < streams; s++)
      wait_then_add<<<1, block, 0, stream[s]>>>(flags + s, cells.device + s * block);
    for (int s = streams; s-- > 0;) {
      ((volatile int *)flags)[s] = 1;
      if (s % 2)
        CHECK(cudaStreamSynchronize(stream[s]));
    }
    CHECK(cudaDeviceSynchronize());
    if (iteration == 9)
      first = threads_of_this();
  }
  // A kernel that waits may have workers of its own, and which threads run how many at once differs: far less than one a kernel.
  expect(-1, threads_of_this() <= first + iterations ? 1 : 0, 1);
  cells.download();
  for (int i = 0; i < block * streams; i++)
    expect(i, cells[i], iterations);
  for (int s = 0; s < streams; s++)
    CHECK(cudaStreamDestroy(stream[s]));
  CHECK(cudaFreeHost(flags));
  return passed();
}
