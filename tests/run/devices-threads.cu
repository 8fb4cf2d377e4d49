// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each host thread drives a device of its own with streams, events and peer copies; the parts meet at the end.
#include <thread>
#include <vector>

#include "devices.h"

__global__ void fill(int *data, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = first + i;
}
__global__ void add_neighbour(const int *own, const int *other, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = own[i] + other[i];
}

static int *parts[4], *sums[4];
static cudaEvent_t filled[4];
static cudaStream_t streams[4];

int main(int argc, char **argv) {
  with_devices("4", argv);
  const int block = block_size(argc, argv), n = 3000, grid = blocks_for(n, block), devices = 4;
  std::vector<std::thread> threads;
  for (int d = 0; d < devices; d++)
    threads.emplace_back([=] {
      int current = -1;
      CHECK(cudaGetDevice(&current));
      expect(d, current, 0);
      CHECK(cudaSetDevice(d));
      CHECK(cudaStreamCreate(&streams[d]));
      CHECK(cudaEventCreateWithFlags(&filled[d], cudaEventDisableTiming));
      CHECK(cudaMalloc(&parts[d], n * sizeof(int)));
      CHECK(cudaMalloc(&sums[d], n * sizeof(int)));
      for (int iteration = 0; iteration < 20; iteration++)
        fill<<<grid, block, 0, streams[d]>>>(parts[d], n, 10000 * d);
      CHECK(cudaGetLastError());
      CHECK(cudaEventRecord(filled[d], streams[d]));
    });
  for (auto &thread : threads)
    thread.join();
  threads.clear();
  for (int d = 0; d < devices; d++)
    threads.emplace_back([=] {
      int can = 0, other = (d + 1) % devices, *copy;
      CHECK(cudaSetDevice(d));
      CHECK(cudaDeviceCanAccessPeer(&can, d, other));
      expect(d, can, 1);
      CHECK(cudaDeviceEnablePeerAccess(other, 0));
      CHECK(cudaStreamWaitEvent(streams[d], filled[other], 0));
      if (d % 2) { // through peer access, or a copy
        add_neighbour<<<grid, block, 0, streams[d]>>>(parts[d], parts[other], sums[d], n);
      } else {
        CHECK(cudaMalloc(&copy, n * sizeof(int)));
        CHECK(cudaMemcpyPeerAsync(copy, d, parts[other], other, n * sizeof(int), streams[d]));
        add_neighbour<<<grid, block, 0, streams[d]>>>(parts[d], copy, sums[d], n);
      }
      add_neighbour<<<1, 1, 0, streams[other]>>>(parts[d], parts[other], sums[d], n); // another device's stream
      expect(d, (int)cudaGetLastError(), (int)cudaErrorInvalidResourceHandle);
      CHECK(cudaStreamSynchronize(streams[d]));
      std::vector<int> host(n);
      CHECK(cudaMemcpy(host.data(), sums[d], n * sizeof(int), cudaMemcpyDeviceToHost));
      for (int i = 0; i < n; i++)
        expect(i, host[i], 10000 * (d + other) + 2 * i);
    });
  for (auto &thread : threads)
    thread.join();
  return passed();
}
