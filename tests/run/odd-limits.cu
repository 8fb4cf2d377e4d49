// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on the thread's index that hold for other threads than it seems: products that mix bits, unsigned integers that
// are large constants or wrapped around, limits at the ends of 64 bits, and those below zero, which are far away without a sign.
#include "check.h"

#include <climits>

typedef unsigned long long u64;
typedef long long s64;

// A condition as a kernel that stores where it holds, as one that loads there, and on the host.
#define CONDITION(name, type, condition)                                                                               \
  __host__ __device__ bool name(unsigned block, unsigned t, unsigned width, type a, type b) {                          \
    unsigned i = block * width + t;                                                                                    \
    return (void)i, (void)a, (void)b, condition;                                                                       \
  }                                                                                                                    \
  __global__ void name##_store(int *out, type a, type b) {                                                             \
    if (name(blockIdx.x, threadIdx.x, blockDim.x, a, b))                                                               \
      out[blockIdx.x * blockDim.x + threadIdx.x] = 1;                                                                  \
  }                                                                                                                    \
  __global__ void name##_load(int *out, const int *in, type a, type b) {                                               \
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = 0;                                                          \
    if (name(blockIdx.x, threadIdx.x, blockDim.x, a, b))                                                               \
      value = in[i];                                                                                                   \
    out[i] = value;                                                                                                    \
  }                                                                                                                    \
  static void check_##name(int threads, type a, type b) {                                                              \
    const int blocks = 5;                                                                                              \
    buffer<int> out(blocks * threads), in(blocks * threads);                                                           \
    for (int i = 0; i < blocks * threads; i++)                                                                         \
      out[i] = 0, in[i] = 1;                                                                                           \
    out.upload();                                                                                                      \
    in.upload();                                                                                                       \
    for (int loads = 0; loads < 2; loads++) {                                                                          \
      if (loads)                                                                                                       \
        name##_load<<<blocks, threads>>>(out.device, in.device, a, b);                                                 \
      else                                                                                                             \
        name##_store<<<blocks, threads>>>(out.device, a, b);                                                           \
      out.download();                                                                                                  \
      for (int i = 0; i < blocks * threads; i++) {                                                                     \
        bool holds = name(i / threads, i % threads, threads, a, b);                                                    \
        if (out[i] != holds)                                                                                           \
          printf(#name ", which %s:\n", loads ? "loads" : "stores");                                                   \
        expect(i, out[i], (int)holds);                                                                                 \
      }                                                                                                                \
    }                                                                                                                  \
  }

CONDITION(large_constant, unsigned, i < 4000000000u)
CONDITION(large_amount, unsigned, t + 3000000000u < a)
CONDITION(longest, s64, (s64)i <= a)
CONDITION(after_longest, s64, (s64)i > a)
CONDITION(most, u64, (u64)t <= a)
CONDITION(no_limit, u64, (u64)i < a)
CONDITION(from_there, u64, (u64)i >= a)
CONDITION(before_least, s64, (s64)t + b < a)
CONDITION(mixed, unsigned, t * 0x12345671u < a)
CONDITION(mixed_with_sign, int, (int)(t * 0x01000193u) < a)
CONDITION(generator, int, (int)(i * 1664525u + 1013904223u) < a)
CONDITION(of_blocks, unsigned, block * 1000000007u + t != a)
CONDITION(steps_down, unsigned, block *a + t < b)
CONDITION(rim, unsigned, (block - 1) * a + t > b)
CONDITION(inner, unsigned, (block - 1) * a + t < b)
CONDITION(below_zero, int, (u64)i < (u64)(s64)a)
CONDITION(not_below_zero, int, (u64)t >= (u64)(s64)a)

int main(int argc, char **argv) {
  int threads = block_size(argc, argv);
  check_large_constant(threads, 0, 0);
  check_large_amount(threads, 4000000000u, 0);
  check_large_amount(threads, 3000000002u, 0);
  check_longest(threads, LLONG_MAX, 0);
  check_longest(threads, LLONG_MIN, 0);
  check_after_longest(threads, LLONG_MAX, 0);
  check_after_longest(threads, LLONG_MIN, 0);
  check_most(threads, ULLONG_MAX, 0);
  check_most(threads, 3, 0);
  check_no_limit(threads, ULLONG_MAX, 0);
  check_from_there(threads, ULLONG_MAX, 0);
  check_before_least(threads, LLONG_MIN, 100);
  check_mixed(threads, 4000000000u, 0);
  check_mixed_with_sign(threads, 0, 0);
  check_generator(threads, 0, 0);
  check_of_blocks(threads, 0, 0);
  check_of_blocks(threads, 1000000007u, 0);
  check_steps_down(threads, -5u, 10);
  check_rim(threads, 20, 5);
  check_inner(threads, 30, 100);
  for (int limit : {-1, -300, 3, INT_MIN}) {
    check_below_zero(threads, limit, 0);
    check_not_below_zero(threads, limit, 0);
  }
  return passed();
}
