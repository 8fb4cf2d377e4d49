// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "children.h"

__global__ void child(int *out, int i) { out[threadIdx.x] = 10 * i + threadIdx.x; }

static __global__ void increment(int *out) { out[threadIdx.x]++; }

__device__ void grandparent(int *out) {
  scale<int><<<1, 4>>>(out, 5);
  increment<<<1, 4>>>(out);
}
