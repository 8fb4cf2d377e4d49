// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Double-precision math functions against the host's.
#include "check.h"

const int functions = 36;

__global__ void evaluate(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i], positive = fabs(x) + 0.001, unit = x / 11.0, *to = out + i * functions, whole;
  int exponent;
  to[0] = sqrt(positive), to[1] = rsqrt(positive), to[2] = exp(x), to[3] = log(positive);
  to[4] = sin(x), to[5] = cos(x), to[6] = tan(unit), to[7] = asin(unit);
  to[8] = acos(unit), to[9] = atan(x), to[10] = atan2(x, positive), to[11] = sinh(unit);
  to[12] = cosh(unit), to[13] = tanh(x), to[14] = pow(positive, unit), to[15] = fmod(x, 1.7);
  to[16] = floor(x), to[17] = ceil(x), to[18] = trunc(x), to[19] = round(x);
  to[20] = rint(x), to[21] = fmin(x, 1.0), to[22] = fmax(x, 1.0), to[23] = fma(x, x, 1.0);
  to[24] = exp2(x), to[25] = log2(positive), to[26] = log10(positive), to[27] = cbrt(x);
  to[28] = hypot(x, 2.0), to[29] = erf(x), to[30] = erfc(unit), to[31] = tgamma(positive);
  to[32] = lgamma(positive + 2), to[33] = modf(x, &whole), to[34] = frexp(x, &exponent);
  to[33] += 2 * whole;
  to[34] += exponent;
  to[35] = ldexp(x, -3);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 221;
  buffer<double> in(n), out(n * functions);
  for (int i = 0; i < n; i++)
    in[i] = (i - 110) * 0.0999;
  in.upload();
  evaluate<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    double x = in[i], positive = std::fabs(x) + 0.001, unit = x / 11.0, whole;
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
                                        fmod(x, 1.7),
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
                                        tgamma(positive),
                                        lgamma(positive + 2),
                                        modf(x, &whole) + 2 * trunc(x),
                                        fraction + exponent,
                                        x / 8};
    for (int f = 0; f < functions; f++) {
      if (std::fabs(out[i * functions + f] - expected[f]) < 1e-14)
        continue;
      expect_near(i * 100 + f, out[i * functions + f], expected[f], 1e-13);
    }
  }
  return passed();
}
