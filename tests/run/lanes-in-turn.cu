// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compute loops with what vectors cannot do in them: counts by atomic operations, appends to a list, copies of structures to where data
// say, an assertion that holds. And locks, which a lane must never hold while it waits for the others.
#include "check.h"
#include <assert.h>

struct alignas(16) record {
  float at[4];
};

__host__ __device__ inline unsigned stirred(unsigned x) {
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return x + 0x9e3779b9u;
}

__host__ __device__ inline unsigned mixed(unsigned x) {
  x = stirred(stirred(stirred(stirred(x))));
  x = stirred(stirred(stirred(stirred(x))));
  return stirred(stirred(stirred(stirred(stirred(stirred(stirred(stirred(x))))))));
}

__global__ void counts(const unsigned *in, unsigned *count, unsigned long long *sum, unsigned *out, int n,
                       int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i];
  for (int k = 0; k < iterations; k++) {
    x = mixed(x);
    assert(x != 77u || n < 0 || in[i] == 77u || k >= 0);
    atomicAdd(&count[x % 64], 1u);
    if (x & 4)
      atomicMax(&count[64 + (x >> 3) % 64], x);
    if ((x & 24) == 8)
      atomicAdd(sum, (unsigned long long)x);
  }
  out[i] = x;
}

__global__ void appends(const unsigned *in, unsigned *ends, unsigned *list, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i];
  const int most = (int)(x % 7) + iterations;
  for (int k = 0; k < most; k++) {
    x = mixed(x);
    if (x % 3 == 0) {
      unsigned place = atomicAdd(&ends[x % 5], 1u);
      list[x % 5 * 16384 + place] = x;
    }
  }
}

__global__ void copies(const record *in, record *out, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = (unsigned)i;
  for (int k = 0; k < iterations; k++) {
    x = mixed(x);
    if (x & 1)
      out[i * iterations + (x >> 1) % iterations] = in[(x >> 8) % n];
  }
}

// Each thread waits until it gets the lock.
__global__ void locks(const unsigned *in, int *lock, unsigned *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i];
  for (int k = 0; k < 8; k++)
    x = mixed(x);
  while (atomicExch(lock, 1) != 0) {
    x = mixed(x) | 1u;
  }
  __threadfence();
  *total += (in[i] & 15u) + (x == 0);
  __threadfence();
  atomicExch(lock, 0);
}

static void check_counts(int block, int n, int iterations, buffer<unsigned> &in) {
  buffer<unsigned> count(128), out(n);
  buffer<unsigned long long> sum(1);
  count.upload(), sum.upload();
  counts<<<blocks_for(n, block), block>>>(in.device, count.device, sum.device, out.device, n, iterations);
  count.download(), out.download(), sum.download();
  unsigned want[128] = {0};
  unsigned long long want_sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned x = in[i];
    for (int k = 0; k < iterations; k++) {
      x = mixed(x);
      want[x % 64]++;
      unsigned &most = want[64 + (x >> 3) % 64];
      most = (x & 4) && x > most ? x : most;
      want_sum += (x & 24) == 8 ? x : 0;
    }
    expect(i, out[i], x);
  }
  for (int i = 0; i < 128; i++)
    expect(i, count[i], want[i]);
  expect(0, sum[0], want_sum);
}

static void check_appends(int block, int n, int iterations, buffer<unsigned> &in) {
  buffer<unsigned> ends(5), list(5 * 16384);
  ends.upload();
  appends<<<blocks_for(n, block), block>>>(in.device, ends.device, list.device, n, iterations);
  ends.download(), list.download();
  unsigned number[5] = {0}, sums[5] = {0};
  for (int i = 0; i < n; i++) {
    unsigned x = in[i];
    for (int k = 0; k < (int)(in[i] % 7) + iterations; k++) {
      x = mixed(x);
      number[x % 5] += x % 3 == 0;
      sums[x % 5] += x % 3 == 0 ? x : 0;
    }
  }
  for (int q = 0; q < 5; q++) {
    expect(q, ends[q], number[q]);
    for (unsigned k = 0; k < number[q]; k++)
      sums[q] -= list[q * 16384 + (int)k];
    expect(q, sums[q], 0u);
  }
}

static void check_copies(int block, int n, int iterations) {
  buffer<record> in(n), out(n * iterations);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      in[i].at[k] = (float)(i * 4 + k + 1);
  in.upload(), out.upload();
  copies<<<blocks_for(n, block), block>>>(in.device, out.device, n, iterations);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned x = (unsigned)i, from[16];
    for (int k = 0; k < iterations; k++)
      from[k] = ~0u;
    for (int k = 0; k < iterations; k++) {
      x = mixed(x);
      if (x & 1)
        from[(x >> 1) % (unsigned)iterations] = (x >> 8) % (unsigned)n;
    }
    for (int k = 0; k < iterations; k++)
      for (int e = 0; e < 4; e++)
        expect(i, out[i * iterations + k].at[e], from[k] == ~0u ? 0.0f : in[(int)from[k]].at[e]);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1000, iterations = 9;
  buffer<unsigned> in(n), total(1);
  buffer<int> lock(1);
  unsigned state = 11, sum = 0;
  for (int i = 0; i < n; i++) {
    in[i] = next_random(state);
    sum += in[i] & 15u;
  }
  in.upload(), total.upload(), lock.upload();
  check_counts(block, n, iterations, in);
  check_appends(block, n, iterations, in);
  check_copies(block, n, iterations);
  locks<<<blocks_for(n, block), block>>>(in.device, lock.device, total.device, n);
  total.download();
  expect(0, total[0], sum);
  return passed();
}
