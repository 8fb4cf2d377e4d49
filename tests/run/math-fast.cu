// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fast-math intrinsics: __expf, __logf, __sinf, __fdividef, __powf and others, within their looser bounds.
#include "check.h"

const int functions = 12;

__global__ void evaluate(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], *to = out + i * functions, sine, cosine;
  to[0] = __expf(x), to[1] = __logf(x + 1.5f), to[2] = __sinf(x), to[3] = __cosf(x);
  to[4] = __fdividef(x, 3.0f), to[5] = __powf(x + 0.5f, 1.25f), to[6] = __log2f(x + 2), to[7] = __saturatef(x - 0.5f);
  to[8] = __frsqrt_rn(x + 1), to[9] = __exp10f(x * 0.5f), to[10] = __tanf(x * 0.3f);
  __sincosf(x, &sine, &cosine);
  to[11] = sine * 2 + cosine;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 200;
  buffer<float> in(n), out(n * functions);
  for (int i = 0; i < n; i++)
    in[i] = i * 0.0153f;
  in.upload();
  evaluate<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    double x = in[i], low = x - 0.5 < 0 ? 0 : x - 0.5 > 1 ? 1 : x - 0.5;
    const double expected[functions] = {exp(x),          log(x + 1.5),       sin(x),       cos(x),
                                        x / 3,           pow(x + 0.5, 1.25), log2(x + 2),  low,
                                        1 / sqrt(x + 1), pow(10, x * 0.5),   tan(x * 0.3), 2 * sin(x) + cos(x)};
    for (int f = 0; f < functions; f++) {
      if (std::fabs(out[i * functions + f] - expected[f]) < 2e-5)
        continue;
      expect_near(i * 100 + f, out[i * functions + f], (float)expected[f], 2e-5);
    }
  }
  return passed();
}
