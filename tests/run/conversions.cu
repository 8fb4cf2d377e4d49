// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions among integers, float and double, with signs, truncation and values past 32 bits.
#include "check.h"

const int results = 10;

__global__ void convert(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i], *to = out + i * results;
  float single = (float)x;
  to[0] = single;
  to[1] = (int)x;
  to[2] = (long long)(x * 1e6);
  to[3] = x < 0 ? -1.0 : (double)(unsigned)(x * 100000.0);
  to[4] = (float)(int)(x * 1000);
  to[5] = (double)(unsigned long long)(x * x * 1e9);
  to[6] = (short)(int)x;
  to[7] = (float)((unsigned)i * 16777259u);
  to[8] = (double)(-(long long)i * 123456789012ll);
  to[9] = (bool)(int)x ? 1 : 0;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 240;
  buffer<double> in(n), out(n * results);
  for (int i = 0; i < n; i++)
    in[i] = (i - 120) * 173.37;
  in.upload();
  convert<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    volatile double x = in[i];
    volatile float single = (float)x, scaled = (float)trunc(x * 1000), hashed = (float)(i * 16777259ll % 4294967296ll);
    const double expected[results] = {
        single,   trunc(x), trunc(x * 1e6),      x < 0 ? -1.0 : floor(x * 100000.0), scaled, floor(x * x * 1e9),
        trunc(x), hashed,   i * -123456789012.0, x > -1 && x < 1 ? 0.0 : 1.0};
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
