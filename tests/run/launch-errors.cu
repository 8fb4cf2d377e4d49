// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that CUDA refuses, the codes it gives, and that the next good launch works.
#include "check.h"

__global__ void mark(int *cell) { *cell = 1; }
__global__ void __launch_bounds__(128) bounded(int *cell) { *cell = 1; }

static void refused(int which, cudaError_t wanted) {
  expect(which, (int)cudaPeekAtLastError(), (int)wanted);
  expect(which, (int)cudaGetLastError(), (int)wanted);
  expect(which, (int)cudaGetLastError(), (int)cudaSuccess); // reading it clears it
  expect(which, (int)cudaDeviceSynchronize(), (int)cudaSuccess);
}

int main(void) {
  buffer<int> cell(1);
  cell.upload();
  mark<<<0, 32>>>(cell.device);
  refused(1, bad_shape);
  mark<<<1, 0>>>(cell.device);
  refused(2, bad_shape);
  mark<<<1, 2048>>>(cell.device);
  refused(3, bad_shape);
  mark<<<1, dim3(64, 32, 1)>>>(cell.device);
  refused(4, bad_shape);
  mark<<<1, dim3(1, 1, 65)>>>(cell.device);
  refused(5, bad_shape);
  mark<<<dim3(1, 65536), 1>>>(cell.device);
  refused(6, bad_shape);
  mark<<<1, 1, 64 << 20>>>(cell.device);
  refused(7, cudaErrorInvalidValue);
  void *arguments[] = {&cell.device};
  expect(8, (int)cudaLaunchKernel((const void *)mark, dim3(1), dim3(1025), arguments, 0, 0), (int)bad_shape);
  refused(8, bad_shape);
  expect(11, (int)cudaLaunchCooperativeKernel((const void *)mark, dim3(0), dim3(1), arguments, 0, 0), (int)bad_shape);
  refused(11, bad_shape);
  (void)cudaLaunchCooperativeKernel((const void *)mark, dim3(1), dim3(1), arguments, 64 << 20, 0);
  refused(12, cudaErrorCooperativeLaunchTooLarge);
  bounded<<<1, 129>>>(cell.device);
  refused(13, cudaErrorInvalidValue);
  cudaGraph_t graph;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams params = {};
  params.func = (void *)mark;
  params.gridDim = 1;
  params.blockDim = 1025;
  params.kernelParams = arguments;
  expect(14, (int)cudaGraphAddKernelNode(&node, graph, NULL, 0, &params), (int)cudaErrorInvalidValue);
  refused(14, cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(graph));
  cell.download();
  expect(9, cell[0], 0);
  mark<<<1, 1>>>(cell.device);
  cell.download();
  expect(10, cell[0], 1);
  return passed();
}
