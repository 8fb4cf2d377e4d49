// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks and host functions: each in its place among the work of its stream, with what it was given; a thread that waits
// for a callback is woken; kernels read what a host function prepared.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.h"

__global__ void add(int *data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
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
  for (int i = 0; i < 4; i++) expect(i, steps[i].seen, steps[i].expected);
  expect(-1, pinned[1], 30 + 4 + 1);
  expect(-2, pinned[2], 8);

  std::thread waiter([] {
    std::unique_lock<std::mutex> hold(mutex);
    finished.wait(hold, [] { return finished_count == 2; });
  });
  CHECK(cudaLaunchHostFunc(stream, finish, NULL));
  CHECK(cudaLaunchHostFunc(other, finish, NULL));
  waiter.join();
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(other));
  return passed();
}
