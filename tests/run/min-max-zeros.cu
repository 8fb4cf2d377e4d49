// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Minima and maxima of zeros: -0 is below +0, whichever comes first, in one thread as in lanes of vectors, at run time as folded; a NaN gives the other
// operand.
#include "check.h"

const int results = 8;

__global__ void pick(const float *a, const float *b, const double *c, const double *d, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int *to = out + i * results;
  to[0] = __float_as_int(fminf(a[i], b[i])), to[1] = __float_as_int(fmaxf(a[i], b[i]));
  to[2] = __float_as_int(min(b[i], a[i])), to[3] = __float_as_int(max(b[i], a[i]));
  to[4] = __double2hiint(fmin(c[i], d[i])), to[5] = __double2hiint(fmax(c[i], d[i]));
  to[6] = __double2hiint(min(d[i], c[i])), to[7] = __double2hiint(max(d[i], c[i]));
}

__global__ void pick_folded(int *out) {
  out[0] = __float_as_int(fminf(0.0f, -0.0f)), out[1] = __float_as_int(fmaxf(-0.0f, 0.0f));
  out[2] = __double2hiint(fmin(-0.0, 0.0)), out[3] = __double2hiint(fmax(0.0, -0.0));
}

/* One operand is a constant. */
__global__ void clamp_one(const float *a, int *out) {
  out[0] = __float_as_int(fmaxf(a[0], 0.0f)), out[1] = __float_as_int(fminf(a[0], 0.0f));
  out[2] = __float_as_int(fmaxf(-0.0f, a[1])), out[3] = __float_as_int(fminf(-0.0f, a[1]));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 200;
  buffer<float> a(n), b(n);
  buffer<double> c(n), d(n);
  buffer<int> out(n * results), few(8);
  const float values[5] = {0.0f, -0.0f, 1.0f, -1.0f, NAN};
  for (int i = 0; i < n; i++) a[i] = c[i] = values[i % 5], b[i] = d[i] = values[i / 5 % 5];
  a.upload(), b.upload(), c.upload(), d.upload();
  pick<<<blocks_for(n, block), block>>>(a.device, b.device, c.device, d.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    float x = a[i], y = b[i];
    bool x_first = isnan(y) || x < y || (x == y && signbit(x));
    float low = isnan(x) ? y : x_first ? x : y, high = isnan(x) ? y : isnan(y) ? x : x_first ? y : x;
    if (isnan(x) && isnan(y)) continue;
    for (int k = 0; k < 8; k++) {
      double expected = k % 2 ? high : low;
      float narrow = (float)expected;
      unsigned long long wide;
      unsigned bits;
      memcpy(&wide, &expected, sizeof wide);
      memcpy(&bits, &narrow, sizeof bits);
      expect(i * 10 + k, out[i * results + k], k < 4 ? (int)bits : (int)(wide >> 32));
    }
  }
  pick_folded<<<1, 1>>>(few.device);
  clamp_one<<<1, 1>>>(a.device, few.device + 4);
  few.download();
  const int sign = (int)0x80000000u, expected[8] = {sign, 0, sign, 0, 0, 0, sign, sign};
  for (int k = 0; k < 8; k++) expect(10000 + k, few[k], expected[k]);
  return passed();
}
