// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -march=native
//
// A product that several sums use, and nothing else, is fused with each of them where the CPU can, as nvcc does; what is stored of a
// product is rounded, and so is one that __fmul_rn makes.
#include "check.h"

template <typename T> __global__ void sums(const T *x, const T *y, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T product = x[i] * y[i];
  out[i] = product + 1;
  out[n + i] = product - 3;
  out[2 * n + i] = 2 - product;
  T stored = x[i] * out[3 * n + i];
  out[3 * n + i] = stored;
}
__global__ void rounded(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float product = __fmul_rn(x[i], y[i]);
  out[i] = product + 1;
  out[n + i] = product - 3;
}

// Without optimisation nothing is fused.
#if defined __FMA__ && defined __OPTIMIZE__
template <typename T> static T sum_of(T x, T y, T z) { return std::fma(x, y, z); }
#else
template <typename T> static T sum_of(T x, T y, T z) {
  volatile T product = x * y;
  return product + z;
}
#endif

template <typename T> static void compare(int block) {
  const int n = 500;
  buffer<T> x(n), y(n), out(4 * n);
  for (int i = 0; i < n; i++)
    x[i] = T(1.1) + i * T(0.0137), y[i] = T(0.9) - i * T(0.0031), out[3 * n + i] = y[i];
  x.upload(), y.upload(), out.upload();
  sums<T><<<blocks_for(n, block), block>>>(x.device, y.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    expect(i, out[i], sum_of<T>(x[i], y[i], 1));
    expect(i, out[n + i], sum_of<T>(x[i], y[i], -3));
    expect(i, out[2 * n + i], sum_of<T>(-x[i], y[i], 2));
    expect(i, out[3 * n + i], T(x[i] * y[i]));
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500;
  compare<float>(block);
  compare<double>(block);
  buffer<float> x(n), y(n), out(2 * n);
  for (int i = 0; i < n; i++)
    x[i] = 1.1f + i * 0.0137f, y[i] = 0.9f - i * 0.0031f;
  x.upload(), y.upload();
  rounded<<<blocks_for(n, block), block>>>(x.device, y.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    volatile float product = x[i] * y[i];
    expect(i, out[i], product + 1.0f);
    expect(i, out[n + i], product - 3.0f);
  }
  return passed();
}
