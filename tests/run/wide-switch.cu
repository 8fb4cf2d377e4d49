// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A switch over 64 bits, whose cases differ in their upper halves alone, or have one that a lower half of another value meets.
#include "check.h"
#include <cmath>
#include <cstring>

__host__ __device__ int kind_of(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  switch (bits) {
  case 0: return 1;
  case 0x8000000000000000ull: return 2;
  case 0x7ff0000000000000ull: return 3;
  case 0xfff0000000000000ull: return 4;
  case 0x3ff0000000000000ull: return 5;
  case 0x00000000ffffffffull: return 7;
  default: return 6;
  }
}

__host__ __device__ long weight(long n) {
  switch (n) {
  case 1: return n * 3;
  case 2: return n ^ 77;
  case 1l << 32: return n / 5 + 1;
  case -1: return 13;
  default: return n + 1;
  }
}

__global__ void kinds(const double *x, int *kind, const long *n, long *w, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    kind[i] = kind_of(x[i]);
    w[i] = weight(n[i]);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = block * blocks;
  buffer<double> x(n);
  buffer<long> numbers(n), weights(n);
  buffer<int> kinds_of(n);
  const double some[] = {0.0, -0.0, INFINITY, -INFINITY, 1.0, 2.5, -1.0};
  const long others[] = {1, 2, 1l << 32, -1, 0, 3, (1l << 32) + 1, (1l << 32) + 2, 0xffffffffl, -(1l << 32)};
  for (int i = 0; i < n; i++) {
    x[i] = some[i % 7];
    numbers[i] = others[i * 7 % 10];
  }
  x.upload();
  numbers.upload();
  kinds<<<blocks, block>>>(x.device, kinds_of.device, numbers.device, weights.device, n);
  kinds_of.download();
  weights.download();
  for (int i = 0; i < n; i++) {
    expect(i, kinds_of[i], kind_of(x[i]));
    expect(i, weights[i], weight(numbers[i]));
  }
  return passed();
}
