// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that take shares of numbered work, whose ends are quotients: numbers taken apart by constants, of both signs, sums of floats by
// atomic operations at what comes out, minima and maxima. And pairs of halves that threads of the grid step through, each asking afterwards
// how far it came; from a start near the largest int, too. A lane that takes no part must not divide, and must not load.
#include "check.h"
#include <climits>
#include <cuda_fp16.h>

__host__ __device__ inline int place_of(int n) { return (n % 7 + 7) * 24 + n / 7 % 24 * (n < 0 ? -1 : 1); }
__host__ __device__ inline float weight_of(int n) { return (float)(n / 5 % 11) * 0.25f; }

__global__ void sums(float *cells, int *low, int *high, int total) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int n = total * thread / threads; n < total * (thread + 1) / threads; n++) {
    const int number = n - total / 2;
    atomicAdd(&cells[place_of(number)], weight_of(number));
    atomicMin(&low[place_of(number)], number / 3);
    atomicMax(&high[place_of(number)], number / -3);
  }
}

__global__ void pairs(const half2 *a, const half2 *b, half2 *out, int *ends, int first, int count) {
  int i = first + (int)(blockIdx.x * blockDim.x + threadIdx.x);
  const int own = i - first;
  for (; i < count; i += gridDim.x * blockDim.x) {
    const half2 x = a[i], on = __hgt2(x, __float2half2_rn(0.5f));
    out[i] = __hadd2(__hmul2(on, b[i]), x);
  }
  ends[own] = i;
}

static void check_sums(int blocks, int block, int total) {
  const int cells = 15 * 24;
  buffer<float> sum(cells);
  buffer<int> low(cells), high(cells);
  sum.upload(), low.upload(), high.upload();
  sums<<<blocks, block>>>(sum.device, low.device, high.device, total);
  sum.download(), low.download(), high.download();
  float want[cells] = {0};
  int least[cells] = {0}, most[cells] = {0};
  for (int number = -total / 2; number < total - total / 2; number++) {
    const int at = place_of(number);
    want[at] += weight_of(number);
    least[at] = number / 3 < least[at] ? number / 3 : least[at];
    most[at] = number / -3 > most[at] ? number / -3 : most[at];
  }
  for (int i = 0; i < cells; i++) {
    expect(i, sum[i], want[i]);
    expect(i, low[i], least[i]);
    expect(i, high[i], most[i]);
  }
}

static half2 pair_of(int i) { return __floats2half2_rn((float)(i % 9) * 0.25f, (float)(i % 5) * 0.375f); }

// Where element 0 were, if the array began with element `first`.
static const half2 *before(const buffer<half2> &all, int first) {
  return (const half2 *)((size_t)all.device - (size_t)first * sizeof(half2));
}

static void check_pairs(int blocks, int block, int first, int count) {
  const int number = count - first, threads = blocks * block;
  buffer<half2> a(number), b(number), out(number);
  buffer<int> ends(threads);
  for (int i = 0; i < number; i++)
    a[i] = pair_of(i), b[i] = pair_of(i + 4);
  a.upload(), b.upload();
  pairs<<<blocks, block>>>(before(a, first), before(b, first), (half2 *)before(out, first), ends.device, first, count);
  out.download(), ends.download();
  for (int i = 0; i < number; i++) {
    const float2 x = __half22float2(a[i]), y = __half22float2(b[i]), got = __half22float2(out[i]);
    expect(i, got.x, (x.x > 0.5f ? y.x : 0.0f) + x.x);
    expect(i, got.y, (x.y > 0.5f ? y.y : 0.0f) + x.y);
  }
  for (int t = 0; t < threads; t++) {
    long long end = first + t;
    while (end < count)
      end += threads;
    expect(t, ends[t], (int)end);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check_sums(5, block, 20000 / block);
  check_sums(3, block, 1000);
  check_pairs(3, block, 0, 5000);
  check_pairs(2, block, -700, 333);
  check_pairs(2, block, INT_MAX - 9000, INT_MAX - 2 * 2 * block - 1);
  return passed();
}
