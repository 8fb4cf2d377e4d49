// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long an all-reduce of floats, in place, takes between two ranks that meet at NCCL_COMM_ID: bench/nccl/nodes.sh runs it.
//
// nodes RANK BYTES RUNS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nccl.h>
#include <time.h>
#include <vector>

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int, char **argument) {
  const int rank = atoi(argument[1]), runs = atoi(argument[3]);
  const size_t bytes = strtoull(argument[2], nullptr, 10);
  ncclUniqueId id;
  ncclComm_t comm;
  if (ncclGetUniqueId(&id) != ncclSuccess || ncclCommInitRank(&comm, 2, id, rank) != ncclSuccess) {
    fprintf(stderr, "%s\n", ncclGetLastError(nullptr));
    return 1;
  }
  float *x;
  cudaMalloc(&x, bytes);
  cudaMemset(x, 0, bytes);
  std::vector<double> times;
  for (int i = 0; i < runs; i++) {
    const double begin = seconds();
    if (ncclAllReduce(x, x, bytes / sizeof(float), ncclFloat, ncclSum, comm, 0) != ncclSuccess || cudaStreamSynchronize(0) != cudaSuccess)
      return 1;
    times.push_back(seconds() - begin);
  }
  std::sort(times.begin(), times.end());
  if (!rank)
    printf("ncclAllReduce  %9zu bytes: median %9.1f us, least %9.1f us\n", bytes, times[times.size() / 2] * 1e6, times[0] * 1e6);
  return ncclCommDestroy(comm) != ncclSuccess;
}
