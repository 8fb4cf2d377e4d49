// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles of unsigned, long long, unsigned long long, float and double.
#include "check.h"

template <typename T> __global__ void rotate(T *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  T from_left = __shfl_up_sync(0xffffffffu, values[i], 1);
  T from_start = __shfl_sync(0xffffffffu, values[i], 0);
  T pair = __shfl_xor_sync(0xffffffffu, values[i], 1);
  bool paired = threadIdx.x + 1 < blockDim.x || lane % 2 == 1;
  values[i] = (lane > 0 ? from_left : 0) + from_start + (paired ? pair : 0);
}

template <typename T> static void test(int block, T factor) {
  const int blocks = 2, n = block * blocks;
  buffer<T> values(n);
  T *before = new T[n];
  for (int i = 0; i < n; i++)
    before[i] = values[i] = (T)(i + 1) * factor;
  values.upload();
  rotate<T><<<blocks, block>>>(values.device);
  values.download();
  for (int i = 0; i < n; i++) {
    int thread = i % block, lane = thread % 32;
    T expected = before[i - lane];
    if (lane > 0)
      expected += before[i - 1];
    if (lane % 2 == 1)
      expected += before[i - 1];
    else if (thread + 1 < block)
      expected += before[i + 1];
    expect(i, values[i], expected);
  }
  delete[] before;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  test<int>(block, -3);
  test<unsigned>(block, 40000000u);
  test<long long>(block, -10000000000ll);
  test<unsigned long long>(block, 1ull << 40);
  test<float>(block, 0.25f);
  test<double>(block, 1.0 / 1024);
  return passed();
}
