// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer divisions by zero, and of the least number by -1: the value is the hardware's, and the program goes on.
#include "check.h"

template <typename T> __global__ void divide(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[2 * i] = in[2 * i] / in[2 * i + 1];
  out[2 * i + 1] = in[2 * i] % in[2 * i + 1];
}

template <typename T> static void test(int block, T least, bool has_sign) {
  const int n = 70;
  buffer<T> in(2 * n), out(2 * n);
  unsigned state = 3;
  for (int i = 0; i < n; i++) {
    in[2 * i] = i % 5 ? (T)(next_random(state) * 1000003ull) : least;
    in[2 * i + 1] = i % 7 ? (T)(i % 7 == 3 ? -1 : i - 35) : 0;
  }
  in.upload();
  divide<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    T a = in[2 * i], d = in[2 * i + 1], quotient, rest;
    if (d == 0)
      quotient = (T)-1, rest = a;
    else if (has_sign && a == least && d == (T)-1)
      quotient = least, rest = 0;
    else
      quotient = a / d, rest = a - quotient * d;
    expect(2 * i, out[2 * i], quotient);
    expect(2 * i + 1, out[2 * i + 1], rest);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  test<int>(block, -2147483647 - 1, true);
  test<unsigned>(block, 0x80000000u, false);
  test<long long>(block, -9223372036854775807ll - 1, true);
  test<unsigned long long>(block, 1ull << 63, false);
  return passed();
}
