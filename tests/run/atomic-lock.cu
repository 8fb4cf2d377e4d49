// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock held by one thread of a block at a time: a spin on atomicCAS, fences, a release by atomicExch.
#include "check.h"

__device__ int lock = 0;
__device__ int holders = 0;

__global__ void guarded(int *log, int *place, int *most) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence();
    int inside = atomicAdd(&holders, 1) + 1;
    if (inside > *(volatile int *)most)
      *(volatile int *)most = inside;
    int here = *(volatile int *)place;
    log[here] = blockIdx.x;
    *(volatile int *)place = here + 1;
    atomicSub(&holders, 1);
    __threadfence();
    atomicExch(&lock, 0);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 200;
  buffer<int> log(blocks), place(1), most(1);
  place.upload();
  most.upload();
  guarded<<<blocks, block>>>(log.device, place.device, most.device);
  log.download();
  place.download();
  most.download();
  expect(-1, place[0], blocks);
  expect(-2, most[0], 1);
  int seen[200] = {0};
  for (int b = 0; b < blocks; b++)
    seen[log[b]]++;
  for (int b = 0; b < blocks; b++)
    expect(b, seen[b], 1);
  return passed();
}
