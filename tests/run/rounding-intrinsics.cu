// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with a stated rounding (_rn): __fadd_rn, __fmul_rn, __fmaf_rn, __dadd_rn … never fused, never
// reordered.
#include "check.h"

__global__ void compute(const float *a, const float *b, float *out, double *wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[5 * i + 0] = __fadd_rn(__fmul_rn(a[i], b[i]), 1.0f); // two roundings
  out[5 * i + 1] = __fmaf_rn(a[i], b[i], -1.0f);           // one
  out[5 * i + 2] = __fdiv_rn(a[i], b[i]);
  out[5 * i + 3] = __fsqrt_rn(a[i]);
  out[5 * i + 4] = __fsub_rn(__fadd_rn(a[i], 1e7f), 1e7f);
  wide[2 * i + 0] = __dadd_rn(__dmul_rn((double)a[i], 0.1), 1.0);
  wide[2 * i + 1] = __ddiv_rn((double)a[i], (double)b[i]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  buffer<float> a(n), b(n), out(5 * n);
  buffer<double> wide(2 * n);
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f + i * 0.0123f;
    b[i] = 3.0f - i * 0.0071f;
  }
  a.upload();
  b.upload();
  compute<<<blocks_for(n, block), block>>>(a.device, b.device, out.device, wide.device, n);
  out.download();
  wide.download();
  for (int i = 0; i < n; i++) {
    volatile float product = a[i] * b[i], large = a[i] + 1e7f; // volatile: the host must not fuse either
    volatile double scaled = (double)a[i] * 0.1;
    expect(5 * i + 0, out[5 * i + 0], product + 1.0f);
    expect(5 * i + 1, out[5 * i + 1], (float)((double)a[i] * b[i] - 1.0)); // exact in double
    expect(5 * i + 2, out[5 * i + 2], a[i] / b[i]);
    expect(5 * i + 3, out[5 * i + 3], sqrtf(a[i]));
    expect(5 * i + 4, out[5 * i + 4], large - 1e7f);
    expect(2 * i + 0, wide[2 * i + 0], scaled + 1.0);
    expect(2 * i + 1, wide[2 * i + 1], (double)a[i] / b[i]);
  }
  return passed();
}
