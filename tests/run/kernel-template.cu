// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel templates on types, on constants and on a functor.
#include "check.h"

struct add_op {
  template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct larger_op {
  template <typename T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <typename T, int unroll, typename Op> __global__ void combine(const T *a, const T *b, T *out, int n, Op op) {
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * unroll;
#pragma unroll
  for (int k = 0; k < unroll; k++)
    if (base + k < n)
      out[base + k] = op(a[base + k], b[base + k]);
}

template <typename T, int unroll> static void test(int block) {
  const int n = 333;
  buffer<T> a(n), b(n), out(n);
  for (int i = 0; i < n; i++) {
    a[i] = (T)(i * 3 % 50);
    b[i] = (T)(i * 7 % 40);
  }
  a.upload();
  b.upload();
  int grid = blocks_for(n, block * unroll);
  combine<T, unroll><<<grid, block>>>(a.device, b.device, out.device, n, add_op());
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (T)(i * 3 % 50 + i * 7 % 40));
  combine<T, unroll, larger_op><<<grid, block>>>(a.device, b.device, out.device, n, {});
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (T)(i * 3 % 50 < i * 7 % 40 ? i * 7 % 40 : i * 3 % 50));
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  test<int, 1>(block);
  test<float, 4>(block);
  test<double, 3>(block);
  test<long long, 2>(block);
  return passed();
}
