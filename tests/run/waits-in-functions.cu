// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for each other in functions that the program wants out of line: what waits there, or looks for a loop of its caller,
// becomes part of the kernel all the same. Locks of several kinds, and a queue whose tasks make tasks.
#include "check.h"

__device__ __noinline__ void wait_for(volatile int *place, int value) {
  while (*place != value) {}
}
__device__ __noinline__ int look(int *place) { return atomicAdd(place, 0); }
__device__ __noinline__ bool is(int *place, int value) { return look(place) == value; }

__global__ void in_turn(volatile int *turn, int *out) {
  int t = threadIdx.x;
  wait_for(turn, blockDim.x - t);
  out[t] = *turn;
  __threadfence();
  *turn = blockDim.x - t + 1;
}

__global__ void looks(int *turn, int *out) {
  int t = threadIdx.x;
  while (!is(turn, t)) {
    int lower = t - 1;
    while (lower >= 0 && look(turn) < lower) {}
  }
  out[t] = t * 3;
  __threadfence();
  atomicAdd(turn, 1);
}

// A queue of waiting threads, each of which looks at an address of its own.
struct waiting {
  volatile int locked;
  waiting *volatile next;
};
__device__ waiting *last;
__device__ unsigned product;
__device__ __noinline__ void lock(waiting *own) {
  own->next = nullptr;
  own->locked = 1;
  __threadfence();
  waiting *before = (waiting *)atomicExch((unsigned long long *)&last, (unsigned long long)own);
  if (!before)
    return;
  before->next = own;
  while (own->locked) {}
}
__device__ __noinline__ void unlock(waiting *own) {
  __threadfence();
  if (!own->next) {
    if (atomicCAS((unsigned long long *)&last, (unsigned long long)own, 0ull) == (unsigned long long)own)
      return;
    while (!own->next) {}
  }
  own->next->locked = 0;
}
__global__ void one_by_one(waiting *all, int iterations) {
  waiting *own = &all[blockIdx.x * blockDim.x + threadIdx.x];
  for (int r = 0; r < iterations; r++) {
    lock(own);
    product = product * 5 + 7;
    unlock(own);
  }
}

__device__ int items[2048], taken, given, finished;
__global__ void tasks(int *count, int total) {
  while (*(volatile int *)&finished < total) {
    int at = *(volatile int *)&taken;
    if (at >= *(volatile int *)&given || ((volatile int *)items)[at] == 0)
      continue;
    if (atomicCAS(&taken, at, at + 1) != at)
      continue;
    int task = ((volatile int *)items)[at];
    atomicAdd(&count[task - 1], 1);
    for (int child = 2 * task; child <= 2 * task + 1 && child <= total; child++)
      ((volatile int *)items)[atomicAdd(&given, 1)] = child;
    __threadfence();
    atomicAdd(&finished, 1);
  }
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), few = block > 150 ? 1 : 2, iterations = 3, total = 500;
  buffer<int> turn(1), out(block), count(total);
  turn[0] = 1;
  turn.upload();
  in_turn<<<1, block>>>(turn.device, out.device);
  CHECK(cudaDeviceSynchronize());
  out.download();
  for (int t = 0; t < block; t++)
    expect(t, out[t], block - t);

  turn[0] = 0;
  turn.upload();
  looks<<<1, block>>>(turn.device, out.device);
  CHECK(cudaDeviceSynchronize());
  out.download();
  for (int t = 0; t < block; t++)
    expect(1000 + t, out[t], 3 * t);

  buffer<waiting> all(few * block);
  one_by_one<<<few, block>>>(all.device, iterations);
  CHECK(cudaDeviceSynchronize());
  unsigned got, want = 0;
  CHECK(cudaMemcpyFromSymbol(&got, product, sizeof got));
  for (int i = 0; i < few * block * iterations; i++)
    want = want * 5 + 7;
  expect(2000, got, want);

  int one = 1;
  CHECK(cudaMemcpyToSymbol(items, &one, sizeof one));
  CHECK(cudaMemcpyToSymbol(given, &one, sizeof one));
  count.upload();
  tasks<<<few, block>>>(count.device, total);
  CHECK(cudaDeviceSynchronize());
  count.download();
  for (int i = 0; i < total; i++)
    expect(3000 + i, count[i], 1);
  return passed();
}
