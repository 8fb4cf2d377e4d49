// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes in device code: inheritance, operators, copies, static and const members, destructors in scopes.
#include "check.h"

class fraction {
  int top, bottom;
  static __host__ __device__ int divisor(int a, int b) { return b == 0 ? a : divisor(b, a % b); }

public:
  __host__ __device__ fraction(int t = 0, int b = 1) : top(t), bottom(b) {
    int d = divisor(t < 0 ? -t : t, b);
    if (d > 1) {
      top /= d;
      bottom /= d;
    }
  }
  __host__ __device__ fraction operator+(const fraction &o) const {
    return fraction(top * o.bottom + o.top * bottom, bottom * o.bottom);
  }
  __host__ __device__ fraction &operator*=(int factor) { return *this = fraction(top * factor, bottom); }
  __host__ __device__ bool operator<(const fraction &o) const { return top * o.bottom < o.top * bottom; }
  __host__ __device__ int numerator() const { return top; }
  __host__ __device__ int denominator() const { return bottom; }
};

struct scope {
  int *target;
  __device__ explicit scope(int *t) : target(t) { *target += 1; }
  __device__ ~scope() { *target *= 10; }
};

__global__ void compute(int *tops, int *bottoms, int *marks, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  fraction sum;
  for (int k = 1; k <= i % 4 + 1; k++)
    sum = sum + fraction(1, k);
  if (sum < fraction(2))
    sum *= 3;
  tops[i] = sum.numerator();
  bottoms[i] = sum.denominator();
  marks[i] = 0;
  {
    scope outer(&marks[i]);
    for (int k = 0; k < 2; k++) {
      scope inner(&marks[i]);
      if (i % 2)
        break;
    }
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 120;
  buffer<int> tops(n), bottoms(n), marks(n);
  compute<<<blocks_for(n, block), block>>>(tops.device, bottoms.device, marks.device, n);
  tops.download();
  bottoms.download();
  marks.download();
  const int expected[4][2] = {{3, 1}, {9, 2}, {11, 2}, {25, 12}}; // 3 * 1, 3 * 3/2, 3 * 11/6, 25/12
  for (int i = 0; i < n; i++) {
    expect(i, tops[i], expected[i % 4][0]);
    expect(i, bottoms[i], expected[i % 4][1]);
    expect(i, marks[i], i % 2 ? 200 : 2100);
  }
  return passed();
}
