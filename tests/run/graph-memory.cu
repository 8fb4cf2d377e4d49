// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a graph allocates: used and freed inside it, left to the program, and taken over by a second graph.
#include "check.h"

__global__ void count_up(int *data, int n, int start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = start + i;
}
__global__ void add(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 5000, grid = blocks_for(n, block);
  buffer<int> out(n);
  cudaStream_t stream;
  cudaGraph_t make, use;
  cudaGraphExec_t make_exec, use_exec;
  int *kept, *inner;
  unsigned long long used = 1;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&kept, 0, stream)); // of nothing there is no node
  CHECK(cudaMallocAsync(&kept, n * sizeof(int), stream));
  count_up<<<grid, block, 0, stream>>>(kept, n, 7);
  CHECK(cudaStreamEndCapture(stream, &make));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(make, NULL, &nodes));
  expect(-4, (int)nodes, 2);

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&inner, n * sizeof(int), stream));
  count_up<<<grid, block, 0, stream>>>(inner, n, 1000);
  add<<<grid, block, 0, stream>>>(kept, inner, out.device, n);
  CHECK(cudaFreeAsync(inner, stream));
  CHECK(cudaFreeAsync(kept, stream));
  CHECK(cudaStreamEndCapture(stream, &use));
  expect(-1, inner != kept, true);

  CHECK(cudaGraphInstantiate(&make_exec, make, 0));
  CHECK(cudaGraphInstantiate(&use_exec, use, 0));
  for (int iteration = 0; iteration < 3; iteration++) {
    CHECK(cudaMemset(out.device, 0, n * sizeof(int)));
    CHECK(cudaDeviceSynchronize()); // the stream does not wait for the null stream
    CHECK(cudaGraphLaunch(make_exec, stream));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    expect(-2, used >= n * sizeof(int), true);
    CHECK(cudaGraphLaunch(use_exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], 1007 + 2 * i);
    CHECK(cudaDeviceGraphMemTrim(0)); // what is freed may be kept for the next launch
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    expect(-3, used, 0ull);
  }
  CHECK(cudaGraphExecDestroy(make_exec));
  CHECK(cudaGraphExecDestroy(use_exec));
  CHECK(cudaGraphDestroy(make));
  CHECK(cudaGraphDestroy(use));
  return passed();
}
