// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fmad=false -march=native
//
// Without -fmad a product is rounded before it is added to something; fmaf still rounds once.
#include "check.h"

__global__ void both(const float *in, float *separate, float *fused, double *wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = in[i], b = in[n + i], c = in[2 * n + i];
  separate[i] = a * b + c;
  fused[i] = fmaf(a, b, c);
  wide[i] = (double)a * a * b + c;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500;
  buffer<float> in(3 * n), separate(n), fused(n);
  buffer<double> wide(n);
  unsigned state = 9;
  int differ = 0;
  for (int i = 0; i < n; i++) {
    in[i] = 1 + next_random(state) * 0x1p-24f, in[n + i] = 1 + next_random(state) * 0x1p-24f;
    volatile float product = in[i] * in[n + i];
    in[2 * n + i] = -product; // what is left of the fused sum is the product's rounding error
  }
  in.upload();
  both<<<blocks_for(n, block), block>>>(in.device, separate.device, fused.device, wide.device, n);
  separate.download(), fused.download(), wide.download();
  for (int i = 0; i < n; i++) {
    double a = in[i], b = in[n + i], c = in[2 * n + i];
    volatile double square = a * a, product = square * b;
    expect(i, separate[i], 0.0f);
    expect(i, fused[i], (float)(a * b + c)); // exact in double
    expect(i, wide[i], product + c);
    differ += fused[i] != 0;
  }
  expect(-1, differ > n / 2, true);
  return passed();
}
