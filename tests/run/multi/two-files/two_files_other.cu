// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that two_files.cu launches.
#include <cuda_runtime.h>

#include "other.h"

static __device__ int secret = 1000;

static __global__ void add_secret(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += secret;
}

static __global__ void triple(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 3;
}

__global__ void reverse_in_block(int *data) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = tile[blockDim.x - 1 - threadIdx.x];
}

void add_other_secret(int *data, int n, int blocks, int block) { add_secret<<<blocks, block>>>(data, n); }

kernel_pointer get_triple(void) { return triple; }
