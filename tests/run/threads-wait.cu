// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for others of their own block, of their own warp and of other blocks, in loops that also write: on a GPU each
// thread gets on (independent thread scheduling).
#include "check.h"

// A chain from the last element to the first; a thread has several, its block's others between them.
__global__ void chain(volatile int *s, int n) {
  int from = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x, missing;
  do {
    missing = 0;
    for (int v = from; v < n; v += step)
      if (s[v] == 0) {
        if (v == n - 1 || s[v + 1])
          s[v] = 1;
        else
          missing = 1;
      }
  } while (missing);
}

// A triangular system, row by row: each row waits for earlier ones, which later threads of its block have or lower-numbered blocks,
// and writes when it has all.
__global__ void solve(const int *needs, volatile int *ready, volatile long long *value, int n) {
  int row = blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x);
  if (row >= n)
    return;
  bool done = false;
  while (!done) {
    bool all = true;
    for (int k = 0; k < 3; k++) {
      int other = needs[3 * row + k];
      all = all && (other < 0 || ready[other]);
    }
    if (all) {
      long long sum = row + 1;
      for (int k = 0; k < 3; k++)
        if (needs[3 * row + k] >= 0)
          sum += value[needs[3 * row + k]] % 1000;
      value[row] = sum;
      __threadfence();
      ready[row] = 1;
      done = true;
    }
  }
}

// Each thread waits for its neighbour, by an atomic look that stores nothing, then tells the next one: the last begins.
__global__ void relay(int *turn, int *out) {
  __shared__ int here;
  if (threadIdx.x == 0)
    here = blockDim.x;
  __syncthreads();
  while (atomicAdd(&here, 0) != threadIdx.x + 1) {}
  out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(turn, 1);
  __threadfence_block();
  atomicExch(&here, (int)threadIdx.x);
}

// The first half produces what the second half consumes, through a ring of one slot for each pair.
__global__ void ring(int *sums, int iterations) {
  __shared__ volatile int full[512], item[512];
  unsigned t = threadIdx.x, half = blockDim.x / 2;
  for (unsigned i = t; i < 512; i += blockDim.x)
    full[i] = 0;
  __syncthreads();
  if (t >= 2 * half)
    return;
  if (t >= half) {
    for (int r = 0; r < iterations; r++) {
      while (full[t - half]) {}
      item[t - half] = r * 3 + (int)t;
      __threadfence_block();
      full[t - half] = 1;
    }
  } else {
    int sum = 0, got = 0;
    while (got < iterations)
      if (full[t]) {
        sum += item[t];
        __threadfence_block();
        full[t] = 0;
        got++;
      }
    sums[blockIdx.x * half + t] = sum;
  }
}

// Locks, taken in front of the critical section, in the loop, and one within another; lists in buckets.
struct node {
  int key, next;
};
__global__ void locks(int *lock, volatile int *plain, int *heads, int *bucket_locks, node *nodes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  while (atomicCAS(&lock[0], 0, 1) != 0) {}
  plain[0] = plain[0] + 1;
  __threadfence();
  atomicExch(&lock[0], 0);
  for (bool done = false; !done;)
    if (atomicCAS(&lock[1], 0, 1) == 0) {
      while (atomicCAS(&lock[2 + i % 3], 0, 1) != 0) {}
      plain[1] = plain[1] + i;
      __threadfence();
      atomicExch(&lock[2 + i % 3], 0);
      atomicExch(&lock[1], 0);
      done = true;
    }
  int bucket = i % 7;
  for (bool done = false; !done;)
    if (atomicExch(&bucket_locks[bucket], 1) == 0) {
      nodes[i] = {i, ((volatile int *)heads)[bucket]};
      ((volatile int *)heads)[bucket] = i;
      __threadfence();
      done = true;
      atomicExch(&bucket_locks[bucket], 0);
    }
}

// By PTX: the flag is released and acquired. Each thread waits for the one after it in its block, and writes meanwhile.
__global__ void acquire(int *flags, int *data, int *looks, int n) {
  int i = blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x);
  if (i >= n)
    return;
  int there = i == 0;
  while (!there) {
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(there) : "l"(flags + i - 1) : "memory");
    atomicAdd(looks, 1);
  }
  data[i] = (i == 0 ? 0 : ((volatile int *)data)[i - 1]) + 1;
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flags + i), "r"(1) : "memory");
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = 300, grid = blocks_for(n, block);
  int few = block > 150 ? 1 : 2; // blocks, so that all fit into any device
  buffer<int> s(n), turn(1), out(4 * block), flags(n), data(n), looks(1), sums(2 * block), lock(5), plain(2), heads(7),
      bucket_locks(7);
  s.upload();
  chain<<<few, block>>>(s.device, n);
  s.download();
  for (int i = 0; i < n; i++)
    expect(i, s[i], 1);

  buffer<int> needs(3 * n), ready(n);
  buffer<long long> value(n), expected(n);
  unsigned seed = 5;
  for (int row = 0; row < n; row++) {
    expected[row] = row + 1;
    for (int k = 0; k < 3; k++) {
      int other = row - 1 - (int)(next_random(seed) % 40);
      needs[3 * row + k] = other < 0 ? -1 : other;
      if (other >= 0)
        expected[row] += expected[other] % 1000;
    }
  }
  needs.upload(), ready.upload();
  solve<<<grid, block>>>(needs.device, ready.device, value.device, n);
  value.download();
  for (int i = 0; i < n; i++)
    expect(i, value[i], expected[i]);

  turn.upload();
  relay<<<1, block>>>(turn.device, out.device);
  out.download();
  for (int i = 0; i < block; i++)
    expect(i, out[i], block - 1 - i);

  ring<<<3, block>>>(sums.device, 9);
  sums.download();
  for (int i = 0; i < 3 * (block / 2); i++)
    expect(i, sums[i], 3 * 36 + 9 * (i % (block / 2) + block / 2));

  lock.upload(), plain.upload(), bucket_locks.upload();
  for (int i = 0; i < 7; i++)
    heads[i] = -1;
  heads.upload();
  buffer<node> nodes(n);
  locks<<<grid, block>>>(lock.device, plain.device, heads.device, bucket_locks.device, nodes.device, n);
  plain.download(), heads.download(), nodes.download();
  expect(0, plain[0], n);
  expect(1, plain[1], n * (n - 1) / 2);
  int found = 0;
  for (int b = 0; b < 7; b++)
    for (int at = heads[b]; at >= 0; at = nodes[at].next, found++)
      expect(at, nodes[at].key % 7, b);
  expect(0, found, n);

  flags.upload(), looks.upload();
  acquire<<<grid, block>>>(flags.device, data.device, looks.device, n);
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], i + 1);
  return passed();
}
