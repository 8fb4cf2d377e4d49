// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// min, max and abs as device code calls them: mixed integer types, float, double, long long.
#include "check.h"

const int results = 12;

__global__ void pick(const int *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int a = in[i], b = i - 100;
  unsigned ua = a, ub = b;
  double *to = out + i * results;
  to[0] = min(a, b), to[1] = max(a, b);
  to[2] = min(ua, ub), to[3] = max(ua, ub);
  to[4] = (double)min((long long)a << 20, (long long)b << 21),
  to[5] = (double)max((long long)a << 20, (long long)b << 21);
  to[6] = min(a * 0.5f, b * 0.25f), to[7] = max(a * 0.5, b * 0.25);
  to[8] = abs(a), to[9] = abs(a * 0.5f), to[10] = (double)llabs((long long)a << 33), to[11] = fabs(b * 0.125);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 230;
  buffer<int> in(n);
  buffer<double> out(n * results);
  for (int i = 0; i < n; i++)
    in[i] = (i * 37) % 211 - 105;
  in.upload();
  pick<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    double a = in[i], b = i - 100, ua = a < 0 ? a + 4294967296.0 : a, ub = b < 0 ? b + 4294967296.0 : b;
    double wa = a * 1048576, wb = b * 2097152, fa = a / 2, fb = b / 4;
    const double expected[results] = {a < b ? a : b,
                                      a < b ? b : a,
                                      ua < ub ? ua : ub,
                                      ua < ub ? ub : ua,
                                      wa < wb ? wa : wb,
                                      wa < wb ? wb : wa,
                                      fa < fb ? fa : fb,
                                      fa < fb ? fb : fa,
                                      a < 0 ? -a : a,
                                      a < 0 ? -fa : fa,
                                      (a < 0 ? -a : a) * 8589934592.0,
                                      (b < 0 ? -b : b) / 8};
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
