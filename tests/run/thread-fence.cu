// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __threadfence, __threadfence_block and __threadfence_system between a write and a flag.
#include "check.h"

__device__ volatile int message;
__device__ volatile int flag;

__global__ void hand_over(int *out, int *log) {
  __shared__ volatile int local_message, local_flag;
  if (threadIdx.x == 0)
    local_flag = 0;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    message = 4711;
    __threadfence();
    flag = 1;
  }
  if (threadIdx.x == 0) {
    local_message = 99 + blockIdx.x;
    __threadfence_block();
    local_flag = 1;
    if (flag == 1) { // seen or not: if seen, the message is there
      __threadfence_system();
      log[blockIdx.x] = message;
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = local_message + local_flag;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 20, n = block * blocks;
  buffer<int> out(n), log(blocks);
  log.upload();
  hand_over<<<blocks, block>>>(out.device, log.device);
  out.download();
  log.download();
  expect(0, log[0], 4711);
  for (int b = 0; b < blocks; b++)
    expect(b, log[b] == 0 || log[b] == 4711 ? 1 : 0, 1);
  for (int i = 0; i < n; i++)
    expect(i, out[i], 100 + i / block);
  return passed();
}
