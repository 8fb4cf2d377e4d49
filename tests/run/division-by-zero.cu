// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer divisions by zero, and of the least integer by -1: the value is the hardware's, and the program goes on. nvcc makes
// one division of a quotient and a remainder of the same integers and takes integers below 2^32 for 32 bits, after which a division
// by zero gives something else: here they stand apart, and integers of 64 bits are large.
#include "check.h"

template <typename T> __global__ void divide(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[2 * i] / in[2 * i + 1];
}

template <typename T> __global__ void take_rest(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[2 * i] % in[2 * i + 1];
}

// The same in loops of each thread: by a value that all threads share, and of one.
template <typename T> __global__ void sum(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T rests = 0, quotients = 0;
  for (int k = 0; k < n; k++) {
    rests += in[2 * i] % in[2 * k + 1];
    quotients ^= in[2 * k] / in[2 * i + 1];
  }
  out[2 * i] = rests;
  out[2 * i + 1] = quotients;
}

template <typename T> static T quotient_of(T a, T d, T least) {
  return d == 0 ? (T)-1 : (T)-1 < 0 && a == least && d == (T)-1 ? least : (T)(a / d);
}
template <typename T> static T rest_of(T a, T d) { return d == 0 ? (T)-1 : (T)-1 < 0 && d == (T)-1 ? 0 : (T)(a % d); }

template <typename T> static void test(int block, T least) {
  const int n = 70;
  buffer<T> in(2 * n), quotients(n), rests(n), sums(2 * n);
  unsigned state = 3;
  for (int i = 0; i < n; i++) {
    unsigned high = next_random(state);
    in[2 * i] = i % 5 ? (T)((unsigned long long)(high + 1) << 40 ^ next_random(state) * 1000003ull) : least;
    in[2 * i + 1] = i % 7 ? (T)(i % 7 == 3 ? -1 : i - 35) : 0;
  }
  in.upload();
  divide<<<blocks_for(n, block), block>>>(in.device, quotients.device, n);
  take_rest<<<blocks_for(n, block), block>>>(in.device, rests.device, n);
  sum<<<blocks_for(n, block), block>>>(in.device, sums.device, n);
  quotients.download();
  rests.download();
  sums.download();
  for (int i = 0; i < n; i++) {
    T a = in[2 * i], d = in[2 * i + 1], sum_of_rests = 0, mixed_quotients = 0;
    for (int k = 0; k < n; k++) {
      sum_of_rests = (T)((unsigned long long)sum_of_rests + (unsigned long long)rest_of(a, in[2 * k + 1]));
      mixed_quotients ^= quotient_of(in[2 * k], d, least);
    }
    expect(4 * i, (long long)quotients[i], (long long)quotient_of(a, d, least));
    expect(4 * i + 1, (long long)rests[i], (long long)rest_of(a, d));
    expect(4 * i + 2, (long long)sums[2 * i], (long long)sum_of_rests);
    expect(4 * i + 3, (long long)sums[2 * i + 1], (long long)mixed_quotients);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  test<signed char>(block, -128);
  test<unsigned char>(block, 128);
  test<short>(block, -32768);
  test<unsigned short>(block, 32768);
  test<int>(block, -2147483647 - 1);
  test<unsigned>(block, 0x80000000u);
  test<long long>(block, -9223372036854775807ll - 1);
  test<unsigned long long>(block, 1ull << 63);
  return passed();
}
