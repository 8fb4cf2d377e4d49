// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Infinities, NaNs, signed zeros and denormals: tests, comparisons, min and max, conversions.
#include "check.h"

__global__ void examine(const float *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  int bits = 0;
  bits |= isnan(x) ? 1 : 0;
  bits |= isinf(x) ? 2 : 0;
  bits |= isfinite(x) ? 4 : 0;
  bits |= signbit(x) ? 8 : 0;
  bits |= x == x ? 16 : 0;
  bits |= x < 1.0f ? 32 : 0;
  bits |= !(x >= 1.0f) ? 64 : 0;
  bits |= fminf(x, 2.0f) == 2.0f ? 128 : 0;
  bits |= fmaxf(2.0f, x) == 2.0f ? 256 : 0;
  bits |= x * 0.5f != 0.0f ? 512 : 0;
  bits |= 1.0f / x > 0.0f ? 1024 : 0;
  bits |= sqrtf(x) >= 0.0f ? 2048 : 0;
  out[i] = bits;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 9;
  buffer<float> in(n);
  buffer<int> out(n);
  const float values[n] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-39f, -3.5f, 1.0f, 3e38f};
  const int expected[n] = {1 | 64 | 128 | 256 |
                               512, // NaN: min and max give the other operand; it differs from everything
                           2 | 16 | 128 | 512 | 2048,
                           2 | 8 | 16 | 32 | 64 | 256 | 512,
                           4 | 16 | 32 | 64 | 256 | 1024 | 2048,
                           4 | 8 | 16 | 32 | 64 | 256 | 2048,
                           4 | 16 | 32 | 64 | 256 | 512 | 1024 | 2048,
                           4 | 8 | 16 | 32 | 64 | 256 | 512,
                           4 | 16 | 256 | 512 | 1024 | 2048,
                           4 | 16 | 128 | 512 | 1024 | 2048};
  for (int i = 0; i < n; i++)
    in[i] = values[i];
  in.upload();
  examine<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], expected[i]);
  return passed();
}
