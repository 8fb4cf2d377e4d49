// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions without sign on an index to which something is added that the kernel does not know: (unsigned)(x + by) < n with by on both
// sides of zero and beyond 2^31, also extended to 64 bits, and compared there with a sign; the opposite condition; several blocks.
#include "check.h"

enum { COUNT = 300 };

__global__ void below(int *out, int by, unsigned n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i + by;
  if (i < COUNT && (unsigned)x < n)
    out[i] = x;
}

__global__ void of_block(int *out, int by, unsigned n) {
  int x = threadIdx.x + by;
  if ((unsigned)x < n)
    out[threadIdx.x] = x;
}

__global__ void extended(int *out, int by, size_t n) {
  unsigned x = threadIdx.x + by;
  if ((size_t)x < n)
    out[threadIdx.x] = (int)x;
}

__global__ void extended_with_sign(int *out, int by, long long n, long long more) {
  unsigned x = threadIdx.x + by;
  if ((long long)x + more < n)
    out[threadIdx.x] = (int)x;
}

__global__ void at_least(int *out, int by, unsigned n) {
  unsigned x = threadIdx.x + by;
  if (x >= n)
    out[threadIdx.x] = (int)x;
}

// An index that blocks count, with a size that is not known.
__global__ void of_grid(int *out, unsigned size, unsigned n) {
  unsigned x = blockIdx.x * size + threadIdx.x;
  if (threadIdx.x < size && x < n)
    out[x] = (int)x;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  const int bys[] = {0, 1, -1, -3, 5, -40, -299, 1000000000, -1294967296, -2147483647 - 1, 2147483647};
  const unsigned ns[] = {0, 1, 10, 31, 200, 1000000005, 3000000100u, 4000000000u};
  buffer<int> out(COUNT > block ? COUNT : block);
  int what = 0;
  auto check = [&](int count, auto keeps, int by) {
    out.download();
    for (int i = 0; i < count; i++)
      expect(1000 * what + i, out[i], keeps(i) ? (int)((unsigned)i + (unsigned)by) : -7);
    for (size_t i = 0; i < out.count; i++)
      out[i] = -7;
    out.upload();
    what++;
  };
  for (size_t i = 0; i < out.count; i++)
    out[i] = -7;
  out.upload();
  for (int by : bys)
    for (unsigned n : ns) {
      below<<<blocks_for(COUNT, block), block>>>(out.device, by, n);
      check(COUNT, [&](int i) { return (unsigned)i + (unsigned)by < n; }, by);
      of_block<<<1, block>>>(out.device, by, n);
      check(block, [&](int i) { return (unsigned)i + (unsigned)by < n; }, by);
      extended<<<1, block>>>(out.device, by, n);
      check(block, [&](int i) { return (unsigned)i + (unsigned)by < n; }, by);
      for (long long more = -20; more <= 20; more += 20) {
        extended_with_sign<<<1, block>>>(out.device, by, n, more);
        check(block, [&](int i) { return (long long)((unsigned)i + (unsigned)by) + more < (long long)n; }, by);
      }
      at_least<<<1, block>>>(out.device, by, n);
      check(block, [&](int i) { return (unsigned)i + (unsigned)by >= n; }, by);
    }
  for (unsigned n : ns)
    if (n <= COUNT) {
      of_grid<<<blocks_for(COUNT, block), block>>>(out.device, (unsigned)block, n);
      check(COUNT, [&](int i) { return (unsigned)i < n; }, 0);
    }
  return passed();
}
