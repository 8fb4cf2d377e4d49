// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement new into global, shared and private storage; constructors and destructors run.
#include "check.h"

#include <new>

struct tracked {
  int value;
  int *log;
  __device__ tracked(int v, int *l) : value(v), log(l) { atomicAdd(log, 1); }
  __device__ ~tracked() { atomicAdd(log + 1, value); }
};

__global__ void construct(tracked *objects, int *log, int *out, int n) {
  __shared__ alignas(tracked) char storage[sizeof(tracked)];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    new (storage) tracked(1000, log);
  __syncthreads();
  if (i < n) {
    tracked *own = new (&objects[i]) tracked(i, log);
    alignas(tracked) char local[sizeof(tracked)];
    tracked *second = new (local) tracked(i * 2, log);
    out[i] = own->value + second->value + ((tracked *)storage)->value;
    second->~tracked();
  }
  __syncthreads();
  if (threadIdx.x == 0)
    ((tracked *)storage)->~tracked();
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 150, blocks = blocks_for(n, block);
  buffer<int> log(2), out(n);
  void *objects;
  CHECK(cudaMalloc(&objects, n * sizeof(tracked)));
  log.upload();
  construct<<<blocks, block>>>((tracked *)objects, log.device, out.device, n);
  out.download();
  log.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], 3 * i + 1000);
  expect(-1, log[0], 2 * n + blocks);
  expect(-2, log[1], n * (n - 1) + blocks * 1000);
  CHECK(cudaFree(objects));
  return passed();
}
