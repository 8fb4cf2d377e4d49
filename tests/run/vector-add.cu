// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector add with a guard, for sizes that are and are not multiples of the block.
#include "check.h"

__global__ void add(const float *a, const float *b, float *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int sizes[] = {1, 31, 32, 33, 1000, 4096};
  for (int n : sizes) {
    buffer<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; i++) {
      a[i] = 0.5f * i;
      b[i] = 1000.0f - i;
    }
    a.upload();
    b.upload();
    add<<<blocks_for(n, block), block>>>(a.device, b.device, sum.device, n);
    sum.download();
    for (int i = 0; i < n; i++)
      expect(i, sum[i], 0.5f * i + (1000.0f - i));
  }
  return passed();
}
