// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// flags: --default-stream per-thread
//
// Stream 0 is each host thread's own: it can be captured, by two threads at once, and the legacy stream does not mind.
// Errors are each thread's own too.
#include <thread>

#include "check.h"

#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error the option defines it
#endif

__global__ void scale(int *data, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= by;
}

static void work(int salt, int block) {
  const int n = 700;
  buffer<int> data(n);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  size_t nodes;
  int by = 3;
  void *args[] = {&data.device, (void *)&n, &by};
  for (int i = 0; i < n; i++)
    data[i] = i + salt;
  CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMemcpyAsync(data.device, data.host, n * sizeof(int), cudaMemcpyHostToDevice, 0));
  scale<<<blocks_for(n, block), block>>>(data.device, n, salt);
  CHECK(cudaLaunchKernel(scale, dim3(blocks_for(n, block)), dim3(block), args));
  CHECK(cudaMemcpyAsync(data.host, data.device, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaGetLastError());
  CHECK(cudaStreamEndCapture(0, &graph));
  CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
  expect(-1, (int)nodes, 4);
  for (int i = 0; i < n; i++)
    expect(i, data[i], i + salt);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaStreamSynchronize(0));
  for (int i = 0; i < n; i++)
    expect(i, data[i], (i + salt) * salt * 3);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // A call that waits ends the capture of the thread's own stream, and is this thread's error alone.
  CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
  if (cudaMemcpy(data.host, data.device, 4, cudaMemcpyDeviceToHost) != cudaErrorStreamCaptureUnsupported) {
    printf("a capture was waited for\n");
    exit(1);
  }
  expect(-2, (int)cudaPeekAtLastError(), (int)cudaErrorStreamCaptureUnsupported);
  expect(-3, (int)cudaStreamEndCapture(0, &graph), (int)cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  unsigned long long own, legacy;
  CHECK(cudaStreamGetId(0, &own));
  CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy));
  expect(-4, own != legacy, true);
  std::thread first(work, 2, block), second(work, 5, block);
  first.join();
  second.join();
  CHECK(cudaGetLastError());
  work(7, block);
  return passed();
}
