// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fork before the first CUDA call: parent and children each use the device, with threads of their own. The host has used
// OpenMP in none of them before. (A fork after the first call is not allowed in CUDA.)
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

__device__ int total;

__global__ void sum_up(const int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&total, data[i]);
}

static int work(int block, int salt) {
  const int n = 20000;
  buffer<int> data(n);
  int expected = 0, got = -1;
  for (int i = 0; i < n; i++)
    expected += data[i] = i % 17 + salt;
  data.upload();
  for (int iteration = 1; iteration <= 3; iteration++) {
    sum_up<<<blocks_for(n, block), block>>>(data.device, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(&got, total, sizeof got));
    expect(iteration, got, expected * iteration);
  }
  return 0;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), children = 3;
  pid_t pids[children];
  for (int c = 0; c < children; c++) {
    pids[c] = fork();
    if (pids[c] < 0)
      return 1;
    if (pids[c] == 0)
      return work(block, c + 1); // through main's end: destructors and exit handlers run
  }
  work(block, 0);
  for (int c = 0; c < children; c++) {
    int status = -1;
    waitpid(pids[c], &status, 0);
    expect(c, WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status, 0);
  }
  return passed();
}
