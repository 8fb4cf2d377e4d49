// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cast intrinsics: bits of float and double, and float to integer in each rounding mode.
#include "check.h"

const int results = 16;

__global__ void cast(const float *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  double wide = x * 3.7;
  int *to = out + i * results;
  to[0] = __float_as_int(x);
  to[1] = (int)__float_as_uint(-x);
  to[2] = __int_as_float(to[0]) == x;
  to[3] = __double2hiint(wide);
  to[4] = __double2loint(wide);
  to[5] = __hiloint2double(to[3], to[4]) == wide;
  to[6] = (int)(__double_as_longlong(wide) >> 20);
  to[7] = __longlong_as_double(__double_as_longlong(wide)) == wide;
  to[8] = __float2int_rn(x);
  to[9] = __float2int_rz(x);
  to[10] = __float2int_ru(x);
  to[11] = __float2int_rd(x);
  to[12] = __double2int_rn(wide);
  to[13] = (int)__float2ll_rd(x);
  to[14] = __float_as_int(__int2float_rn(i * 1000003));
  to[15] = (int)x + (int)(unsigned char)(int)fabsf(x);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 201;
  buffer<float> in(n);
  buffer<int> out(n * results);
  for (int i = 0; i < n; i++)
    in[i] = (i - 100) * 0.25f + (i % 5 == 0 ? 0 : 0.0625f);
  in.upload();
  cast<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    float x = in[i], minus = -x, rounded = (float)(i * 1000003);
    double wide = x * 3.7;
    int bits, minus_bits, rounded_bits;
    long long wide_bits;
    memcpy(&bits, &x, 4);
    memcpy(&minus_bits, &minus, 4);
    memcpy(&rounded_bits, &rounded, 4);
    memcpy(&wide_bits, &wide, 8);
    const int expected[results] = {bits,
                                   minus_bits,
                                   1,
                                   (int)(wide_bits >> 32),
                                   (int)wide_bits,
                                   1,
                                   (int)(wide_bits >> 20),
                                   1,
                                   (int)nearbyint(x),
                                   (int)x,
                                   (int)ceil(x),
                                   (int)floor(x),
                                   (int)nearbyint(wide),
                                   (int)floor(x),
                                   rounded_bits,
                                   (int)x + (int)std::fabs(x)};
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
