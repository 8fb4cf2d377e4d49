// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several host threads launch at once, each on its own data, with barriers and shared memory in the kernel.
#include "check.h"

#include <atomic>
#include <thread>
#include <vector>

__global__ void reverse_and_add(int *data, int value) {
  __shared__ int tile[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = tile[blockDim.x - 1 - threadIdx.x] + value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = block * blocks, workers = 4, iterations = 20;
  std::atomic<int> wrong(0);
  std::vector<std::thread> threads;
  for (int worker = 0; worker < workers; worker++)
    threads.emplace_back([=, &wrong] {
      buffer<int> data(n);
      cudaStream_t stream;
      CHECK(cudaStreamCreate(&stream));
      for (int i = 0; i < n; i++)
        data[i] = i * (worker + 1);
      data.upload();
      for (int iteration = 0; iteration < iterations; iteration++)
        reverse_and_add<<<blocks, block, 0, stream>>>(data.device, worker);
      CHECK(cudaStreamSynchronize(stream));
      CHECK(cudaStreamDestroy(stream));
      data.download();
      for (int i = 0; i < n; i++)
        if (data[i] != i * (worker + 1) + iterations * worker)
          wrong++;
    });
  for (auto &thread : threads)
    thread.join();
  expect(-1, wrong.load(), 0);
  return passed();
}
