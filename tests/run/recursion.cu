// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursive device functions: factorial, Fibonacci, Ackermann, and two functions that call each other.
#include "check.h"

__device__ long long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
__device__ bool is_odd(int n);
__device__ bool is_even(int n) { return n == 0 ? true : is_odd(n - 1); }
__device__ bool is_odd(int n) { return n == 0 ? false : is_even(n - 1); }

__global__ void compute(long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[4 * i + 0] = factorial(i % 20);
  out[4 * i + 1] = fibonacci(i % 15);
  out[4 * i + 2] = ackermann(i % 3, i % 7);
  out[4 * i + 3] = is_even(i) ? 1 : 0;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 100;
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16 << 10)); // a GPU's stack is 1 KiB
  buffer<long long> out(4 * n);
  compute<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    long long product = 1, a = 0, b = 1;
    for (int k = 2; k <= i % 20; k++)
      product *= k;
    for (int k = 0; k < i % 15; k++) {
      long long next = a + b;
      a = b;
      b = next;
    }
    int m = i % 3, k = i % 7;
    expect(4 * i, out[4 * i], product);
    expect(4 * i + 1, out[4 * i + 1], a);
    expect(4 * i + 2, out[4 * i + 2], m == 0 ? k + 1 : m == 1 ? k + 2 : 2 * k + 3); // the known closed forms
    expect(4 * i + 3, out[4 * i + 3], 1 - i % 2);
  }
  return passed();
}
