// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicExch and atomicCAS on 16 bytes: no half of a value is ever seen without the other, in global and shared memory.
#include "check.h"

struct alignas(16) pair_of_words {
  unsigned long long sum, count;
};

__device__ void add(pair_of_words *cell, unsigned long long amount) {
  pair_of_words seen = {0, 0};
  for (;;) {
    pair_of_words wanted = {seen.sum + amount, seen.count + 1};
    pair_of_words before = atomicCAS(cell, seen, wanted);
    if (before.sum == seen.sum && before.count == seen.count)
      return;
    seen = before;
  }
}

__global__ void accumulate(pair_of_words *total, pair_of_words *blocks, unsigned __int128 *chain,
                           unsigned __int128 *seen, int n) {
  __shared__ pair_of_words local;
  if (threadIdx.x == 0)
    local = pair_of_words{0, 0};
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    add(total, (unsigned long long)i << 20);
    add(&local, i);
    unsigned __int128 own = (unsigned __int128)(i + 1) << 64 | (unsigned)~(i + 1);
    seen[i] = i % 2 ? atomicExch(chain, own) : atomicExch_system(chain, own);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    blocks[blockIdx.x] = local;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 3000, count = blocks_for(n, block);
  buffer<pair_of_words> total(1), blocks(count);
  buffer<unsigned __int128> chain(1), seen(n);
  total.upload(), chain.upload();
  accumulate<<<count, block>>>(total.device, blocks.device, chain.device, seen.device, n);
  total.download(), blocks.download(), chain.download(), seen.download();
  expect(0, total[0].count, n);
  expect(1, total[0].sum, (unsigned long long)n * (n - 1) / 2 << 20);
  for (int b = 0; b < count; b++) {
    unsigned long long sum = 0, threads = 0;
    for (int i = b * block; i < n && i < (b + 1) * block; i++)
      sum += i, threads++;
    expect(100 + b, blocks[b].sum, sum);
    expect(200 + b, blocks[b].count, threads);
  }
  // Every value put in is taken out once, or stays; the first taken out is the initial zero.
  int taken[n + 1] = {};
  for (int i = 0; i <= n; i++) {
    unsigned __int128 value = i < n ? seen[i] : chain[0];
    unsigned id = (unsigned)(value >> 64);
    if (id > n)
      fail_at(i, id, 0u);
    expect(i, (unsigned long long)value, id ? (unsigned)~id : 0u);
    taken[id]++;
  }
  for (int id = 0; id <= n; id++)
    expect(id, taken[id], 1);
  return passed();
}
