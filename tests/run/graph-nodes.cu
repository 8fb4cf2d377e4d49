// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph built node by node: fills, copies to and from a device variable, a template kernel, a child graph, a host node;
// then kernels and copies with other parameters in the executable graph, and an update from a changed graph.
#include "check.h"

__device__ int offset_of[4];

template <typename T> __global__ void add_offset(T *data, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += (T)offset_of[which];
}
__global__ void square(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= data[i];
}

static void CUDART_CB add_up(void *data) {
  float *sum = (float *)data;
  sum[1] += sum[0];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = 300, which = 1;
  buffer<float> data(n);
  int offsets[4] = {5, 6, 7, 8}, seen[4] = {0};
  float first[2] = {0, 0};
  cudaGraph_t graph, child;
  cudaGraphNode_t fill, to_symbol, kernel, nested, inside, back, from_symbol, host;
  cudaGraphExec_t exec;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));

  float two = 2;
  cudaMemsetParams fill_params = {};
  fill_params.dst = data.device;
  memcpy(&fill_params.value, &two, 4);
  fill_params.elementSize = 4;
  fill_params.width = n;
  fill_params.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &fill_params));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, graph, NULL, 0, offset_of, offsets, sizeof offsets, 0,
                                       cudaMemcpyHostToDevice));

  void *args[] = {&data.device, &n, &which};
  cudaKernelNodeParams params = {};
  params.func = (void *)add_offset<float>;
  params.gridDim = dim3(blocks_for(n, block));
  params.blockDim = dim3(block);
  params.kernelParams = args;
  cudaGraphNode_t both[] = {fill, to_symbol};
  CHECK(cudaGraphAddKernelNode(&kernel, graph, both, 2, &params));

  void *square_args[] = {&data.device, &n};
  cudaKernelNodeParams square_params = params;
  square_params.func = (void *)square;
  square_params.kernelParams = square_args;
  CHECK(cudaGraphAddKernelNode(&inside, child, NULL, 0, &square_params));
  CHECK(cudaGraphAddChildGraphNode(&nested, graph, &kernel, 1, child));
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &nested, 1, first, data.device + n - 1, sizeof(float),
                                 cudaMemcpyDeviceToHost));
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, graph, &kernel, 1, seen, offset_of, 2 * sizeof(int), sizeof(int),
                                         cudaMemcpyDeviceToHost));
  cudaHostNodeParams host_params = {add_up, first};
  CHECK(cudaGraphAddHostNode(&host, graph, &back, 1, &host_params));

  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  CHECK(cudaDeviceSynchronize());
  expect(-1, first[1], 64.0f);
  expect(-2, seen[0], 6);
  expect(-3, seen[1], 7);
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], 64.0f);

  which = 3; // 2 + 8, only the first half of the elements, then squared
  int half = n / 2;
  void *half_args[] = {&data.device, &half, &which};
  params.kernelParams = half_args;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  CHECK(cudaGraphLaunch(exec, 0));
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], i < half ? 100.0f : 4.0f);
  expect(-4, first[1], 68.0f);

  // A copy of the graph, with another value to fill with, replaces all parameters at once.
  cudaGraph_t clone;
  cudaGraphNode_t fill_in_clone;
  cudaGraphExecUpdateResultInfo info;
  float ten = 10;
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphNodeFindInClone(&fill_in_clone, fill, clone));
  memcpy(&fill_params.value, &ten, 4);
  CHECK(cudaGraphMemsetNodeSetParams(fill_in_clone, &fill_params));
  CHECK(cudaGraphExecUpdate(exec, clone, &info));
  CHECK(cudaGraphLaunch(exec, 0));
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], 256.0f); // (10 + 6)^2: the clone has the kernel's first parameters
  CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
  CHECK(cudaGraphLaunch(exec, 0));
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], 100.0f);

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(child));
  return passed();
}
