// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8-bit floating point: every code to the larger types, and values of all types to the nearest code, against a search
// through the table of values that the formats' definition gives.
#include "check.h"

#include <cuda_fp8.h>

struct format {
  __nv_fp8_interpretation_t name;
  int fraction_bits, bias, greatest; // the greatest finite code
};
static const format formats[] = {{__NV_E4M3, 3, 7, 0x7e}, {__NV_E5M2, 2, 15, 0x7b}};

// The value of a code without a sign, by the definition.
static double value_of(const format &f, int code) {
  int exponent = code >> f.fraction_bits, fraction = code & ((1 << f.fraction_bits) - 1), unit = 1 << f.fraction_bits;
  if (f.name == __NV_E5M2 && exponent == 31)
    return fraction ? NAN : INFINITY;
  if (f.name == __NV_E4M3 && code == 0x7f)
    return NAN;
  return exponent ? ldexp((double)(unit + fraction) / unit, exponent - f.bias)
                  : ldexp((double)fraction / unit, 1 - f.bias);
}
// To nearest, ties to the even code; above the midpoint beyond the greatest code it overflows.
static int code_of(const format &f, double value, bool saturate) {
  double size = fabs(value);
  int sign = std::signbit(value) ? 0x80 : 0, best = 0;
  if (value != value)
    return 0x7f;
  for (int code = 1; code <= f.greatest; code++) {
    double middle = (value_of(f, code - 1) + value_of(f, code)) / 2;
    if (size > middle || (size == middle && code % 2 == 0))
      best = code;
  }
  double top = value_of(f, f.greatest), step = top - value_of(f, f.greatest - 1);
  bool over = f.greatest % 2 ? size >= top + step / 2 : size > top + step / 2;
  if (over)
    best = saturate ? f.greatest : f.greatest + 1;
  return sign | best;
}

const int results = 14;

template <typename Small, typename Pair, typename Quad>
__device__ void convert(double value, __nv_fp8_interpretation_t name, int *to) {
  float single = (float)value;
  __half half = __double2half(value);
  __nv_bfloat16 brain = __double2bfloat16(value);
  to[0] = __nv_cvt_double_to_fp8(value, __NV_SATFINITE, name);
  to[1] = __nv_cvt_double_to_fp8(value, __NV_NOSAT, name);
  to[2] = __nv_cvt_float_to_fp8(single, __NV_SATFINITE, name);
  to[3] = __nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, name);
  to[4] = __nv_cvt_bfloat16raw_to_fp8(brain, __NV_SATFINITE, name);
  to[5] = Small(value).__x;
  to[6] = Small(half).__x;
  to[7] = Small(brain).__x;
  to[8] = Pair(make_float2(1.0f, single)).__x >> 8;
  to[9] = Pair(__half2(half, half)).__x & 0xff;
  to[10] = (int)(Quad(make_float4(1.0f, 2.0f, single, 3.0f)).__x >> 16 & 0xff);
  to[11] = (int)(Quad(__half2(half, half), __half2(half, half)).__x >> 24);
  to[12] = __nv_cvt_float2_to_fp8x2(make_float2(single, 0.0f), __NV_NOSAT, name) & 0xff;
  to[13] = Small((int)value).__x;
}

__global__ void encode(const double *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  convert<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(in[i], __NV_E4M3, out + i * 2 * results);
  convert<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(in[i], __NV_E5M2, out + (i * 2 + 1) * results);
}

__global__ void decode(float *values, int *integers) {
  int code = blockIdx.x * blockDim.x + threadIdx.x;
  if (code >= 256)
    return;
  __nv_fp8_e4m3 small;
  __nv_fp8x4_e5m2 four;
  small.__x = code, four.__x = code << 16;
  values[code * 4] = (float)small;
  values[code * 4 + 1] = (float)__half(__nv_cvt_fp8_to_halfraw(code, __NV_E4M3));
  values[code * 4 + 2] = ((float4)four).z;
  values[code * 4 + 3] = (float)__half(__nv_cvt_fp8_to_halfraw(code, __NV_E5M2));
  integers[code * 4] = (int)small, integers[code * 4 + 1] = (unsigned char)small;
  integers[code * 4 + 2] = (signed char)small, integers[code * 4 + 3] = (bool)small;
}

static double clamp(double value, double least, double most) {
  return value != value ? 0 : value < least ? least : value > most ? most : trunc(value);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 6000;
  buffer<double> in(n);
  buffer<int> out(n * 2 * results), integers(256 * 4);
  buffer<float> values(256 * 4);
  unsigned state = 11;
  int i = 0;
  for (const format &f : formats) // every value, every midpoint and their neighbours, some with a sign
    for (int code = 0; code < f.greatest; code++)
      for (double x : {value_of(f, code), (value_of(f, code) + value_of(f, code + 1)) / 2})
        for (double y : {x, nextafter(x, 1e9), nextafter(x, -1e9), (double)nextafterf(x, 1e9f)})
          in[i] = i % 3 ? y : -y, i++;
  for (double x :
       {448.0, 464.0, 463.99, 57344.0, 61440.0, 61439.0, 70000.0, 1e30, 1e300, (double)INFINITY, 0.0, (double)NAN})
    in[i++] = x, in[i++] = -x;
  for (; i < n; i++)
    in[i] = ldexp(next_random(state) / 1e7 - 0.8, (int)(next_random(state) % 40) - 22);
  in.upload();
  encode<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  decode<<<blocks_for(256, block), block>>>(values.device, integers.device);
  out.download(), values.download(), integers.download();
  for (i = 0; i < n; i++) {
    double x = in[i], single = (float)x, half = (float)__double2half(x), brain = (float)__double2bfloat16(x);
    for (int k = 0; k < 2; k++) {
      const format &f = formats[k];
      const double from[results] = {x,     x,      single, half,   brain, x,      half,
                                    brain, single, half,   single, half,  single, fabs(x) < 2e9 ? (int)x : 0.0};
      for (int r = 0; r < results; r++) {
        bool saturate = r != 1 && r != 3 && r != 12;
        int got = out[(i * 2 + k) * results + r], expected = code_of(f, from[r], saturate);
        if (r == 13 && !(fabs(x) < 2e9))
          continue; // no int holds it
        if (std::isnan(value_of(f, expected & 0x7f)) && std::isnan(value_of(f, got & 0x7f)))
          continue; // any NaN
        expect(i * 100 + k * 50 + r, got, expected);
      }
    }
  }
  for (int code = 0; code < 256; code++) {
    double e4m3 = value_of(formats[0], code & 127), e5m2 = value_of(formats[1], code & 127);
    if (code > 127)
      e4m3 = -e4m3, e5m2 = -e5m2;
    expect_near(code, values[code * 4], (float)e4m3, 0);
    expect_near(code, values[code * 4 + 1], (float)e4m3, 0);
    expect_near(code, values[code * 4 + 2], (float)e5m2, 0);
    expect_near(code, values[code * 4 + 3], (float)e5m2, 0);
    expect(code, integers[code * 4], (int)clamp(e4m3, -2e9, 2e9));
    expect(code, integers[code * 4 + 1], (int)clamp(e4m3, 0, 255));
    expect(code, integers[code * 4 + 2], (int)clamp(e4m3, -128, 127));
    expect(code, integers[code * 4 + 3], e4m3 != 0 ? 1 : 0);
  }
  return passed();
}
