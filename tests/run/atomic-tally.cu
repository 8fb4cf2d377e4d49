// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations without a result on addresses that are the same in all blocks, which workers may gather first: totals and bins of all
// kinds and both widths, some of them beside each other; and what must not wait: addresses that the block reads or writes after,
// results that are used, operations of two kinds on one address, the last block that sums up.
#include "check.h"

typedef unsigned long long word;
enum { BINS = 256, COUNT = 5000 };

// CUDA has these of unsigned long long only.
static __device__ void add(int *p, int x) { atomicAdd(p, x); }
static __device__ void add(long long *p, long long x) { atomicAdd((word *)p, (word)x); }
static __device__ void bits(int *p, int x) { atomicAnd(p, x | 7), atomicOr(p + 1, x & 0xff0), atomicXor(p + 2, x); }
static __device__ void bits(long long *p, long long x) {
  atomicAnd((word *)p, (word)x | 7), atomicOr((word *)p + 1, (word)x & 0xff0), atomicXor((word *)p + 2, (word)x);
}

// Nine values side by side, an operation for each.
template <typename T>
__global__ void all_kinds(const T *__restrict__ in, T *__restrict__ cells, unsigned *__restrict__ unsigned_cells,
                          int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T x = in[i];
  add(&cells[0], x);
  atomicMin(&cells[1], x);
  atomicMax(&cells[2], x);
  bits(&cells[3], x);
  atomicMin(&unsigned_cells[0], (unsigned)x);
  atomicMax(&unsigned_cells[1], (unsigned)x);
  atomicSub(&unsigned_cells[2], (unsigned)x);
}

// A block's counts go to the grid's; bins of bytes directly, too, and an address only some blocks come to.
__global__ void bins(const unsigned char *__restrict__ text, int n, unsigned *__restrict__ totals,
                     unsigned *__restrict__ direct, word *__restrict__ evens, unsigned *__restrict__ rare) {
  __shared__ unsigned own[BINS];
  for (int k = threadIdx.x; k < BINS; k += blockDim.x)
    own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[text[i]], 1u);
    atomicAdd(&direct[text[i]], 1u);
    if (text[i] % 2 == 0)
      atomicAdd(&evens[text[i] & 15], (word)i << 20);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < BINS; k += blockDim.x)
    atomicAdd(&totals[k], own[k]);
  if (blockIdx.x == 1 && threadIdx.x == 0)
    atomicAdd(&rare[0], 5u);
  if (gridDim.x > 5000)
    atomicAdd(&rare[1000 + threadIdx.x], 1u); // not there
}

// The block looks at the addresses after its operations, as when it is the only one.
__global__ void looks_back(int *cells, int *seen) {
  int me = threadIdx.x;
  atomicAdd(&cells[me], me);
  __syncthreads();
  seen[me] = cells[blockDim.x - 1 - me];
  __syncthreads();
  cells[me] = 1000;
  __syncthreads();
  atomicAdd(&cells[me], 7);
  atomicOr(&cells[me], 1 << 20);
  __syncthreads();
  for (int iteration = 0; iteration < 3; iteration++) {
    seen[blockDim.x + me] += cells[me];
    atomicAdd(&cells[me], 1);
    __syncthreads();
  }
}

// Sums of floating-point values, whole ones, so that they are exact in any order; one address no thread comes to.
template <typename T> __global__ void sums(const float *a, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T x = a[i];
  atomicAdd(&out[0], x);
  atomicAdd(&out[1], x * x);
  if (x < 0)
    atomicAdd(&out[2], x);
  if (x > 1000)
    atomicAdd(&out[3], x);
}
template <typename T> static void check_float_sums(int block, int n) {
  buffer<float> a(n);
  buffer<T> out(4);
  T expected[4] = {5, -7, 0, (T)-0.0};
  for (int k = 0; k < 4; k++)
    out[k] = expected[k];
  for (int i = 0; i < n; i++) {
    T x = a[i] = (float)(i % 37 - 11);
    expected[0] += x, expected[1] += x * x, expected[2] += x < 0 ? x : 0;
  }
  a.upload(), out.upload();
  sums<T><<<blocks_for(n, block), block>>>(a.device, out.device, n);
  out.download();
  for (int k = 0; k < 4; k++)
    expect(11000 + k, out[k], expected[k]);
  expect(11004, (int)std::signbit((double)out[3]), 1);
}

// The last block to come by sums up what all have added.
__global__ void last_sums_up(const int *in, int *parts, unsigned *done, long long *sum, int n) {
  __shared__ bool last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&parts[threadIdx.x], in[i]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    long long total = 0;
    for (unsigned k = 0; k < blockDim.x; k++)
      total += ((volatile int *)parts)[k];
    *sum = total;
  }
}

template <typename T> static void check_kinds(int block) {
  buffer<T> in(COUNT), cells(6);
  buffer<unsigned> others(3);
  unsigned state = 11;
  T expected[6] = {3, (T)1 << 28, -5, -1, 0, 99};
  unsigned more[3] = {0xfffffff0u, 2, 77};
  for (int k = 0; k < 6; k++)
    cells[k] = expected[k];
  for (int k = 0; k < 3; k++)
    others[k] = more[k];
  for (int i = 0; i < COUNT; i++) {
    T x = in[i] = (T)(next_random(state) * 0x123456789abull) - 5000;
    unsigned u = (unsigned)x;
    expected[0] += x;
    expected[1] = x < expected[1] ? x : expected[1];
    expected[2] = x > expected[2] ? x : expected[2];
    expected[3] &= x | 7;
    expected[4] |= x & 0xff0;
    expected[5] ^= x;
    more[0] = u < more[0] ? u : more[0];
    more[1] = u > more[1] ? u : more[1];
    more[2] -= u;
  }
  in.upload();
  cells.upload();
  others.upload();
  all_kinds<T><<<blocks_for(COUNT, block), block>>>(in.device, cells.device, others.device, COUNT);
  cells.download();
  others.download();
  for (int k = 0; k < 6; k++)
    expect(k, cells[k], expected[k]);
  for (int k = 0; k < 3; k++)
    expect(100 + k, others[k], more[k]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check_kinds<int>(block);
  check_kinds<long long>(block);

  buffer<unsigned char> text(COUNT);
  buffer<unsigned> totals(BINS), direct(BINS), rare(1);
  buffer<word> evens(16);
  unsigned state = 4, wanted[BINS] = {0};
  word even[16] = {0};
  for (int i = 0; i < COUNT; i++) {
    text[i] = next_random(state) % 200;
    wanted[text[i]]++;
    if (text[i] % 2 == 0)
      even[text[i] & 15] += (word)i << 20;
  }
  for (int k = 0; k < BINS; k++)
    totals[k] = 10, direct[k] = k;
  for (int k = 0; k < 16; k++)
    evens[k] = 1;
  rare[0] = 1;
  for (int blocks = 1; blocks <= 40; blocks += 13) {
    text.upload(), totals.upload(), direct.upload(), evens.upload(), rare.upload();
    bins<<<blocks, block>>>(text.device, COUNT, totals.device, direct.device, evens.device, rare.device);
    totals.download(), direct.download(), evens.download(), rare.download();
    for (int k = 0; k < BINS; k++)
      expect(1000 + k, totals[k], wanted[k] + 10), expect(2000 + k, direct[k], wanted[k] + k);
    for (int k = 0; k < 16; k++)
      expect(3000 + k, evens[k], even[k] + 1);
    expect(4000, rare[0], blocks > 1 ? 6u : 1u);
    for (int k = 0; k < BINS; k++)
      totals[k] = 10, direct[k] = k;
    for (int k = 0; k < 16; k++)
      evens[k] = 1;
    rare[0] = 1;
  }

  text.upload(), totals.upload(), direct.upload(), evens.upload(), rare.upload();
  bins<<<1, 64>>>(text.device, COUNT, totals.device, direct.device, evens.device, rare.device);
  bins<<<1, 64>>>(text.device, COUNT, totals.device, direct.device, evens.device, rare.device);
  totals.download(), direct.download();
  for (int k = 0; k < BINS; k++)
    expect(4100 + k, totals[k], 2 * wanted[k] + 10), expect(4400 + k, direct[k], 2 * wanted[k] + k);

  buffer<int> cells(block), seen(2 * block);
  for (int k = 0; k < block; k++)
    cells[k] = 100;
  cells.upload(), seen.upload();
  looks_back<<<1, block>>>(cells.device, seen.device);
  cells.download(), seen.download();
  for (int k = 0; k < block; k++) {
    const int start = 1007 | 1 << 20;
    expect(5000 + k, seen[k], 100 + block - 1 - k);
    expect(7000 + k, seen[block + k], 3 * start + 3);
    expect(9000 + k, cells[k], start + 3);
  }

  for (int n : {1, 100, (int)COUNT}) {
    check_float_sums<float>(block, n);
    check_float_sums<double>(block, n);
  }

  buffer<int> in(COUNT), parts(block);
  buffer<unsigned> done(1);
  buffer<long long> total(1);
  long long all = 0;
  for (int i = 0; i < COUNT; i++)
    all += in[i] = i % 1000 - 300;
  in.upload(), parts.upload(), done.upload();
  last_sums_up<<<blocks_for(COUNT, block), block>>>(in.device, parts.device, done.device, total.device, COUNT);
  total.download();
  expect(12000, total[0], all);
  return passed();
}
