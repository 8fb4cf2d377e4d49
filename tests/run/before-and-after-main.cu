// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA before main and after it: a static object's constructor computes on the device, its destructor and an exit handler
// do so after main, one of them after cudaDeviceReset; memory, streams and graphs are left behind.
#include "check.h"

__constant__ int offset = 40;

__global__ void add_offset(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += offset;
}

static int compute(int first) {
  const int n = 64;
  int *device, host[n];
  for (int i = 0; i < n; i++)
    host[i] = first + i;
  CHECK(cudaMalloc(&device, sizeof host));
  CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  add_offset<<<2, 32>>>(device, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    expect(i, host[i], first + i + 40);
  return host[n - 1]; // the memory stays allocated
}

static int at_exit_ran;
static void at_exit() {
  compute(2000);
  at_exit_ran = 1;
}

struct early {
  int last;
  int *left;
  early() : last(compute(1000)) { CHECK(cudaMallocManaged(&left, 1000)); }
  // After main and its exit handlers: the last word is this one's.
  ~early() {
    compute(3000);
    left[5] = 1;
    if (at_exit_ran)
      printf("ok\n");
  }
};
static early object;

int main() {
  atexit(at_exit);
  expect(-1, object.last, 1000 + 63 + 40);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaEvent_t event;
  void *pinned;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaMallocHost(&pinned, 100));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_offset<<<1, 1, 0, stream>>>(object.left, 1);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed)); // and nobody ends it
  return 0;
}
