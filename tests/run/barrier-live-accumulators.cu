// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values carried by a loop with barriers: a float, an integer and a pointer, each changed in every iteration.
#include "check.h"

__global__ void dot_tiles(const float *a, const float *b, float *out, int *checks, int n) {
  __shared__ float tile[1024];
  int me = threadIdx.x, size = blockDim.x;
  const float *source = b;
  float sum = 0.0f;
  int seen = 0;
  for (int base = 0; base < n; base += size) {
    tile[me] = base + me < n ? source[me] : 0.0f;
    __syncthreads();
    for (int k = 0; k < size && base + k < n; k++) {
      sum += a[me] * tile[k];
      seen += base + k;
    }
    __syncthreads();
    source += size;
  }
  out[blockIdx.x * size + me] = sum;
  checks[blockIdx.x * size + me] = seen;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = 300;
  buffer<float> a(block), b(n), out(blocks * block);
  buffer<int> checks(blocks * block);
  float total = 0;
  for (int i = 0; i < block; i++)
    a[i] = (float)(i % 16);
  for (int i = 0; i < n; i++)
    total += b[i] = (float)(i % 10) - 4.0f; // small integers: every sum is exact
  a.upload();
  b.upload();
  dot_tiles<<<blocks, block>>>(a.device, b.device, out.device, checks.device, n);
  out.download();
  checks.download();
  for (int i = 0; i < blocks * block; i++) {
    expect(i, out[i], a[i % block] * total);
    expect(i, checks[i], n * (n - 1) / 2);
  }
  return passed();
}
