// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA and plain C++ in one program: the kernels stand behind a C interface, and a file without CUDA drives them.
#include "../../check.h"

__global__ void prefix_products(double *values, int n) {
  __shared__ double tile[1024];
  int me = threadIdx.x;
  tile[me] = me < n ? values[me] : 1;
  for (int step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    double factor = me >= step ? tile[me - step] : 1;
    __syncthreads();
    tile[me] *= factor;
  }
  if (me < n)
    values[me] = tile[me];
}

extern "C" int multiply_up(double *values, int n, int block) {
  double *device;
  if (n > block)
    return 1;
  CHECK(cudaMalloc(&device, n * sizeof(double)));
  CHECK(cudaMemcpy(device, values, n * sizeof(double), cudaMemcpyHostToDevice));
  prefix_products<<<1, block>>>(device, n);
  CHECK(cudaMemcpy(values, device, n * sizeof(double), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return 0;
}
