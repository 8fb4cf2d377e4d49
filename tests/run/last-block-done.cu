// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block adds its part; the block that finishes last (atomicInc after __threadfence) adds up the parts.
#include "check.h"

__device__ unsigned finished = 0;

__global__ void sum(const int *in, int *parts, int *total, int n) {
  __shared__ int tile[1024];
  __shared__ bool last;
  int me = threadIdx.x;
  tile[me] = 0;
  for (int i = blockIdx.x * blockDim.x + me; i < n; i += gridDim.x * blockDim.x)
    tile[me] += in[i];
  __syncthreads();
  if (me == 0) {
    int part = 0;
    for (int k = 0; k < blockDim.x; k++)
      part += tile[k];
    parts[blockIdx.x] = part;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    int mine = 0;
    for (int k = me; k < gridDim.x; k += blockDim.x)
      mine += ((volatile int *)parts)[k];
    tile[me] = mine;
    __syncthreads();
    if (me == 0) {
      int all = 0;
      for (int k = 0; k < blockDim.x; k++)
        all += tile[k];
      *total = all;
    }
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 19, n = 5000;
  buffer<int> in(n), parts(blocks), total(1);
  int expected = 0;
  for (int i = 0; i < n; i++)
    expected += in[i] = i % 91 - 30;
  in.upload();
  for (int launch = 0; launch < 3; launch++) { // the counter wraps to zero for the next launch
    CHECK(cudaMemset(total.device, 0xff, sizeof(int)));
    sum<<<blocks, block>>>(in.device, parts.device, total.device, n);
    total.download();
    expect(launch, total[0], expected);
  }
  return passed();
}
