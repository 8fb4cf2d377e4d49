// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision math functions against the host's, each within a few units in the last place.
#include "check.h"

const int functions = 40;

__global__ void evaluate(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], positive = fabsf(x) + 0.001f, unit = x / 11.0f, *to = out + i * functions;
  int exponent;
  float whole, sine, cosine;
  to[0] = sqrtf(positive), to[1] = rsqrtf(positive), to[2] = expf(x), to[3] = logf(positive);
  to[4] = sinf(x), to[5] = cosf(x), to[6] = tanf(unit), to[7] = asinf(unit);
  to[8] = acosf(unit), to[9] = atanf(x), to[10] = atan2f(x, positive), to[11] = sinhf(unit);
  to[12] = coshf(unit), to[13] = tanhf(x), to[14] = powf(positive, unit), to[15] = fmodf(x, 1.7f);
  to[16] = floorf(x), to[17] = ceilf(x), to[18] = truncf(x), to[19] = roundf(x);
  to[20] = rintf(x), to[21] = fminf(x, 1), to[22] = fmaxf(x, 1), to[23] = fmaf(x, x, 1);
  to[24] = exp2f(x), to[25] = log2f(positive), to[26] = log10f(positive), to[27] = cbrtf(x);
  to[28] = hypotf(x, 2), to[29] = erff(x), to[30] = erfcf(unit), to[31] = expm1f(unit);
  to[32] = log1pf(positive), to[33] = copysignf(3, x), to[34] = fdimf(x, 1), to[35] = frexpf(x, &exponent);
  to[36] = modff(x, &whole), to[37] = ldexpf(x, 5), to[38] = remainderf(x, 1.3f);
  to[35] += exponent;
  to[36] += 2 * whole;
  sincosf(x, &sine, &cosine);
  to[39] = sine + cosine;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 221;
  buffer<float> in(n), out(n * functions);
  for (int i = 0; i < n; i++)
    in[i] = (i - 110) * 0.0999f;
  in.upload();
  evaluate<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    double x = in[i], positive = fabsf(in[i]) + 0.001f, unit = in[i] / 11.0f, whole;
    int exponent;
    double fraction = std::frexp(x, &exponent);
    const double expected[functions] = {sqrt(positive),
                                        1 / sqrt(positive),
                                        exp(x),
                                        log(positive),
                                        sin(x),
                                        cos(x),
                                        tan(unit),
                                        asin(unit),
                                        acos(unit),
                                        atan(x),
                                        atan2(x, positive),
                                        sinh(unit),
                                        cosh(unit),
                                        tanh(x),
                                        pow(positive, unit),
                                        fmodf(in[i], 1.7f),
                                        floor(x),
                                        ceil(x),
                                        trunc(x),
                                        round(x),
                                        rint(x),
                                        x < 1 ? x : 1,
                                        x > 1 ? x : 1,
                                        x * x + 1,
                                        exp2(x),
                                        log2(positive),
                                        log10(positive),
                                        cbrt(x),
                                        sqrt(x * x + 4),
                                        erf(x),
                                        erfc(unit),
                                        expm1(unit),
                                        log1p(positive),
                                        x < 0 ? -3.0 : 3.0,
                                        x > 1 ? x - 1 : 0,
                                        fraction + exponent,
                                        modf(x, &whole) + 2 * trunc(x),
                                        x * 32,
                                        remainderf(in[i], 1.3f),
                                        sin(x) + cos(x)};
    for (int f = 0; f < functions; f++) {
      if (std::fabs(out[i * functions + f] - expected[f]) < 1e-6)
        continue; // near zero only the absolute error counts
      expect_near(i * 100 + f, out[i * functions + f], (float)expected[f], 4e-6);
    }
  }
  return passed();
}
