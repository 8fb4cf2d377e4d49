// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for host and device alike, and __CUDA_ARCH__ to tell the two apart.
#include "check.h"

__host__ __device__ constexpr int cube(int x) { return x * x * x; }
template <typename T> __host__ __device__ T mix(T a, T b) { return a * 3 + b; }
__host__ __device__ int side(void) {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}
struct pair {
  int first, second;
  __host__ __device__ pair(int a, int b) : first(a), second(b) {}
  __host__ __device__ int sum() const { return first + second; }
};

__global__ void compute(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = cube(i % 50) + mix(i, 4) + pair(i, 5).sum() * 10 + side() * 1000000;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 320;
  buffer<int> out(n);
  compute<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  expect(-1, side(), 2);
  expect(-2, cube(7) + mix(2, 1) + pair(3, 4).sum(), 343 + 7 + 7);
  for (int i = 0; i < n; i++) {
    int k = i % 50;
    expect(i, out[i], k * k * k + 3 * i + 4 + 10 * i + 50 + 1000000);
  }
  return passed();
}
