// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several host threads give work to one stream, to the default stream and a blocking one, and launch graphs into one stream: no
// two pieces of it run at once, so that no change of the values that they read, turn for long and write is lost. Streams that do
// not wait for each other all get on.
#include "check.h"

#include <thread>
#include <vector>

__host__ __device__ static unsigned turned(unsigned value, unsigned iterations) {
  for (unsigned k = 0; k < iterations; k++)
    value = value * 1664525u + (value >> 7) + 1;
  return value;
}
__global__ void turn(unsigned *cells, unsigned iterations) {
  unsigned *cell = cells + blockIdx.x * blockDim.x + threadIdx.x;
  *cell = turned(*cell, iterations);
}

static const int workers = 4, launches = 40;
static int block, blocks;
static unsigned iterations = 8000;

template <typename Give> static void from_threads(Give give) {
  std::vector<std::thread> threads;
  for (int worker = 0; worker < workers; worker++)
    threads.emplace_back([=] {
      for (int k = 0; k < launches; k++)
        give(worker);
    });
  for (auto &thread : threads)
    thread.join();
  CHECK(cudaDeviceSynchronize());
}

static void expect_turned(buffer<unsigned> &cells, int where, unsigned times) {
  unsigned expected = turned(0, iterations * times);
  cells.download();
  for (size_t i = 0; i < cells.count; i++)
    expect(1000000LL * where + i, cells[i], expected);
}

int main(int argc, char **argv) {
  block = block_size(argc, argv), blocks = 2;
  buffer<unsigned> cells(block * blocks), others(block * blocks * workers);
  unsigned *data = cells.device;
  cudaStream_t blocking, own, each[workers];
  CHECK(cudaStreamCreate(&blocking));
  CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  for (auto &stream : each)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  cudaStream_t given[] = {0, blocking, own};
  for (int where = 0; where < 3; where++) {
    CHECK(cudaMemset(data, 0, cells.count * sizeof(unsigned)));
    CHECK(cudaDeviceSynchronize());
    from_threads([=](int) { turn<<<blocks, block, 0, given[where]>>>(data, iterations); });
    expect_turned(cells, where, workers * launches);
  }

  CHECK(cudaMemset(data, 0, cells.count * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  from_threads([=](int worker) { turn<<<blocks, block, 0, worker % 2 ? blocking : 0>>>(data, iterations); });
  expect_turned(cells, 3, workers * launches);

  // Two graphs, and the other ways to launch.
  cudaGraph_t graph;
  cudaGraphExec_t graphs[2];
  CHECK(cudaStreamBeginCapture(own, cudaStreamCaptureModeGlobal));
  turn<<<blocks, block, 0, own>>>(data, iterations);
  CHECK(cudaStreamEndCapture(own, &graph));
  for (auto &exec : graphs)
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaMemset(data, 0, cells.count * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  from_threads([=](int worker) {
    void *arguments[] = {(void *)&data, &iterations};
    if (worker < 2)
      CHECK(cudaGraphLaunch(graphs[worker], own));
    if (worker == 2)
      turn<<<blocks, block, 0, own>>>(data, iterations);
    if (worker == 3)
      CHECK(cudaLaunchKernel((const void *)turn, blocks, block, arguments, 0, own));
  });
  expect_turned(cells, 4, workers * launches);

  // Streams of their own.
  CHECK(cudaMemset(others.device, 0, others.count * sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  unsigned *parts = others.device;
  from_threads(
      [=](int worker) { turn<<<blocks, block, 0, each[worker]>>>(parts + worker * blocks * block, iterations); });
  expect_turned(others, 5, launches);

  for (auto &exec : graphs)
    CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  for (auto &stream : each)
    CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(blocking));
  CHECK(cudaStreamDestroy(own));
  return passed();
}
