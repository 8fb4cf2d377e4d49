// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks and host functions: each in its place among the work of its stream, with what it was given; a thread that waits
// for a callback is woken; kernels read what a host function prepared. A host function may need what the thread does next that asked
// for it: a lock that it holds, a flag that it sets after other work.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.h"

__global__ void add(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

struct step {
  int *pinned;
  int expected, seen;
  cudaStream_t stream;
};

static void CUDART_CB look(void *data) {
  step *s = (step *)data;
  s->seen = s->pinned[0];
  s->pinned[1] = s->pinned[0] * 10; // the next kernel goes on with it
}
static void CUDART_CB look_with_status(cudaStream_t stream, cudaError_t status, void *data) {
  step *s = (step *)data;
  s->seen = status == cudaSuccess && stream == s->stream ? s->pinned[0] : -1;
}

static std::mutex mutex;
static std::condition_variable finished;
static int finished_count;

static void CUDART_CB finish(void *) {
  std::lock_guard<std::mutex> hold(mutex);
  finished_count++;
  finished.notify_all();
}

static void CUDART_CB finish_with_status(cudaStream_t, cudaError_t, void *data) { finish(data); }

// Whether it came in time, so that a host function that runs too early ends.
static std::atomic<int> opened, opened_in_time;
static void CUDART_CB await_opening(void *) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (!opened && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  opened_in_time = opened.load();
}

static void needs_this_thread(cudaStream_t stream, int block) {
  const int n = 100;
  buffer<int> data(n);
  data.upload();
  int before = finished_count;
  std::thread giver;
  {
    std::unique_lock<std::mutex> hold(mutex);
    giver = std::thread([=] { // which would wait for the lock if it ran the function itself
      CHECK(cudaLaunchHostFunc(stream, finish, NULL));
      CHECK(cudaStreamAddCallback(stream, finish_with_status, NULL, 0));
      opened = 1;
    });
    for (int k = 0; k < 300 && !opened; k++)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    expect(-10, opened.load(), 1);
    finished.wait(hold, [=] { return finished_count == before + 2; });
  }
  giver.join();
  CHECK(cudaStreamSynchronize(stream));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  add<<<blocks_for(n, block), block, 0, stream>>>(data.device, n, 1);
  CHECK(cudaLaunchHostFunc(stream, await_opening, NULL));
  add<<<blocks_for(n, block), block, 0, stream>>>(data.device, n, 10);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int in_graph = 0; in_graph < 2; in_graph++) {
    opened = 0;
    if (in_graph)
      CHECK(cudaGraphLaunch(exec, stream));
    else
      CHECK(cudaLaunchHostFunc(stream, await_opening, NULL));
    add<<<blocks_for(n, block), block, 0, stream>>>(data.device, n, 100);
    opened = 1;
    CHECK(cudaStreamSynchronize(stream));
    expect(-11 - in_graph, opened_in_time.load(), 1);
  }
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], 211);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 8;
  cudaStream_t stream, other;
  int *pinned, *mapped;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0));
  memset(pinned, 0, n * sizeof(int));
  step steps[4] = {{pinned, 3, -2, stream}, {pinned, 7, -2, stream}, {pinned, 7, -2, stream}, {pinned, 8, -2, stream}};
  add<<<blocks_for(n, block), block, 0, stream>>>(mapped, n, 3);
  CHECK(cudaLaunchHostFunc(stream, look, &steps[0]));
  add<<<blocks_for(n, block), block, 0, stream>>>(mapped, n, 4);
  CHECK(cudaStreamAddCallback(stream, look_with_status, &steps[1], 0));
  CHECK(cudaStreamAddCallback(stream, look_with_status, &steps[2], 0));
  add<<<blocks_for(n, block), block, 0, stream>>>(mapped, n, 1);
  CHECK(cudaStreamAddCallback(stream, look_with_status, &steps[3], 0));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 4; i++)
    expect(i, steps[i].seen, steps[i].expected);
  expect(-1, pinned[1], 30 + 4 + 1);
  expect(-2, pinned[2], 8);

  std::thread waiter([] {
    std::unique_lock<std::mutex> hold(mutex);
    finished.wait(hold, [] { return finished_count == 2; });
  });
  CHECK(cudaLaunchHostFunc(stream, finish, NULL));
  CHECK(cudaLaunchHostFunc(other, finish, NULL));
  waiter.join();
  needs_this_thread(stream, block);
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(other));
  return passed();
}
