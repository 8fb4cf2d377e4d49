// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -use_fast_math
//
// -use_fast_math: the functions of floats are their fast forms, within those forms' bounds; doubles, NaN and infinities
// are what they were.
#include "check.h"

const int functions = 12;

__global__ void evaluate(const float *in, float *out, double *doubles, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], *to = out + i * functions;
  to[0] = sinf(x), to[1] = cosf(x), to[2] = expf(x), to[3] = logf(x + 4), to[4] = powf(x + 4, 1.5f), to[5] = x / 3.0f;
  to[6] = sqrtf(x + 4), to[7] = 1.0f / (x + 5), to[8] = exp10f(x), to[9] = log2f(x + 4), to[10] = tanf(x * 0.25f);
  to[11] = isnan(x / 0.0f) ? 1 : isinf(1.0f / (x * 0.0f + 0.0f)) ? 2 : 3;
  doubles[i] = sin((double)x) / 3.0;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 600;
  buffer<float> in(n), out(n * functions);
  buffer<double> doubles(n);
  for (int i = 0; i < n; i++)
    in[i] = -3 + i * 0.01f;
  in.upload();
  evaluate<<<blocks_for(n, block), block>>>(in.device, out.device, doubles.device, n);
  out.download(), doubles.download();
  for (int i = 0; i < n; i++) {
    double x = in[i];
    const double expected[functions] = {sin(x),          cos(x),      exp(x),        log(x + 4),
                                        pow(x + 4, 1.5), x / 3,       sqrt(x + 4),   1 / (x + 5),
                                        pow(10, x),      log2(x + 4), tan(x * 0.25), x == 0 ? 1.0 : 2.0};
    for (int f = 0; f < functions; f++) {
      // absolute near a zero, as CUDA bounds the fast forms: 2^-21; else a few units in the last place
      if (std::fabs(out[i * functions + f] - expected[f]) < 0x1p-21)
        continue;
      expect_near(i * 100 + f, out[i * functions + f], (float)expected[f], 4e-6);
    }
    expect_near(i, doubles[i], std::sin(x) / 3, 4e-16);
  }
  return passed();
}
