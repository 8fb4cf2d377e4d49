// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 6- and 4-bit floating point: every code to the larger types, and values of all types to codes, to nearest and towards zero, against a
// search through the table of values that the formats' definition gives. On the device and on the host.
#include "check.h"

#include <cuda_fp4.h>
#include <cuda_fp6.h>

struct format {
  int exponent_bits, fraction_bits;
};

// The value of a code without a sign, by the definition.
static double value_of(format f, int code) {
  int exponent = code >> f.fraction_bits, fraction = code & ((1 << f.fraction_bits) - 1), unit = 1 << f.fraction_bits;
  int bias = (1 << (f.exponent_bits - 1)) - 1;
  return exponent ? ldexp((double)(unit + fraction) / unit, exponent - bias) : ldexp((double)fraction / unit, 1 - bias);
}
static int code_of(format f, double value, bool nearest) {
  const int bits = f.exponent_bits + f.fraction_bits, greatest = (1 << bits) - 1;
  double size = fabs(value);
  int best = 0;
  if (value != value)
    return greatest;
  for (int code = 1; code <= greatest; code++) {
    double least = nearest ? (value_of(f, code - 1) + value_of(f, code)) / 2 : value_of(f, code);
    if (size > least || (size == least && (!nearest || code % 2 == 0)))
      best = code;
  }
  return (std::signbit(value) ? 1 << bits : 0) | best;
}

const int results = 13;

template <typename Small, typename Pair, typename Quad> __host__ __device__ void by_class(double value, int *to) {
  const float single = (float)value;
  to[0] = Small(value).__x;
  to[1] = Small(single).__x;
  to[2] = Small(__double2half(value)).__x;
  to[3] = Pair(make_float2(single, 1.0f)).__x;
  to[4] = Pair(make_double2(1.0, value)).__x;
  to[5] = (int)Quad(make_float4(1.0f, 0.5f, single, 2.0f)).__x;
}
#define BY_NAME(kind)                                                                                                  \
  __host__ __device__ void kind##_by_name(double value, __nv_##kind##_interpretation_t name, int *to) {                \
    const float single = (float)value;                                                                                 \
    to[6] = __nv_cvt_double_to_##kind(value, name, cudaRoundNearest);                                                  \
    to[7] = __nv_cvt_double_to_##kind(value, name, cudaRoundZero);                                                     \
    to[8] = __nv_cvt_float_to_##kind(single, name, cudaRoundZero);                                                     \
    to[9] = __nv_cvt_halfraw_to_##kind(__double2half(value), name, cudaRoundNearest);                                  \
    to[10] = __nv_cvt_bfloat16raw_to_##kind(__double2bfloat16(value), name, cudaRoundNearest);                         \
    to[11] = __nv_cvt_float2_to_##kind##x2(make_float2(single, 2.0f), name, cudaRoundNearest);                         \
    to[12] = __nv_cvt_halfraw2_to_##kind##x2(__half2(__float2half(2.0f), __double2half(value)), name, cudaRoundZero);  \
  }
BY_NAME(fp4)
BY_NAME(fp6)
__host__ __device__ void convert(int which, double value, int *to) {
  if (which == 0) {
    by_class<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(value, to);
    fp4_by_name(value, __NV_E2M1, to);
  } else if (which == 1) {
    by_class<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>(value, to);
    fp6_by_name(value, __NV_E2M3, to);
  } else {
    by_class<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>(value, to);
    fp6_by_name(value, __NV_E3M2, to);
  }
}
__global__ void convert_all(int which, const double *values, int n, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    convert(which, values[i], to + i * results);
}

__host__ __device__ void widen(int which, int code, float *to) {
  if (which == 0) {
    __nv_fp4_e2m1 number;
    __nv_fp4x2_e2m1 pair;
    number.__x = (__nv_fp4_storage_t)code;
    pair.__x = (__nv_fp4x2_storage_t)(code << 4);
    to[0] = (float)number;
    to[1] = ((float2)pair).y;
    to[2] = __half2float(__half(__nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)code, __NV_E2M1)));
    to[3] = __half2float(__half2(__nv_cvt_fp4x2_to_halfraw2((__nv_fp4x2_storage_t)(code << 4), __NV_E2M1)).y);
  } else {
    __nv_fp6_e2m3 first;
    __nv_fp6_e3m2 second;
    const __nv_fp6_interpretation_t name = which == 1 ? __NV_E2M3 : __NV_E3M2;
    first.__x = second.__x = (__nv_fp6_storage_t)code;
    to[0] = which == 1 ? (float)first : (float)second;
    to[1] = (float)(which == 1 ? (double)first : (double)second);
    to[2] = __half2float(__half(__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)code, name)));
    to[3] = __half2float(__half2(__nv_cvt_fp6x2_to_halfraw2((__nv_fp6x2_storage_t)(code << 8), name)).y);
  }
}
__global__ void widen_all(int which, int n, float *to) {
  int code = blockIdx.x * blockDim.x + threadIdx.x;
  if (code < n)
    widen(which, code, to + 4 * code);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), most = 2000;
  const format formats[] = {{2, 1}, {2, 3}, {3, 2}};
  for (int which = 0; which < 3; which++) {
    const format f = formats[which];
    const int bits = f.exponent_bits + f.fraction_bits, codes = 1 << (bits + 1), apart = which == 0 ? 4 : 8;
    buffer<float> wide(4 * codes);
    widen_all<<<blocks_for(codes, block), block>>>(which, codes, wide.device);
    wide.download();
    for (int code = 0; code < codes; code++) {
      float value = (float)value_of(f, code & (codes / 2 - 1)), host[4];
      widen(which, code, host);
      for (int k = 0; k < 4; k++) {
        expect(4 * code + k, wide[4 * code + k], code & codes / 2 ? -value : value);
        expect(4 * code + k, host[k], code & codes / 2 ? -value : value);
      }
    }

    // Each number, the middle to the next, and what is next to both as a half; beyond the greatest; nothing to be seen.
    buffer<double> values(most);
    int n = 0;
    for (int code = 0; code < codes / 2; code++)
      for (double part : {0.0, 0.25, 0.5, 0.75})
        for (double beside : {-1.0 / 1024, 0.0, 1.0 / 1024}) {
          double low = value_of(f, code), high = code + 1 < codes / 2 ? value_of(f, code + 1) : low * 1.5;
          double at = low + part * (high - low) + beside * (high - low);
          values[n++] = at;
          values[n++] = -at;
        }
    for (double beyond : {0.0, -0.0, 1e-30, 1e-300, 448.0, 1e30, 1e300, (double)INFINITY, -(double)INFINITY})
      values[n++] = beyond;
    values.upload();
    buffer<int> got(most * results);
    convert_all<<<blocks_for(n, block), block>>>(which, values.device, n, got.device);
    got.download();
    const int one = code_of(f, 1, true), two = code_of(f, 2, true), half = code_of(f, 0.5, true);
    for (int i = 0; i < n; i++) {
      const double v = values[i];
      const float single = (float)v;
      const double brain = __bfloat162float(__double2bfloat16(v)), small = __half2float(__double2half(v));
      const int exact = code_of(f, v, true), of_single = code_of(f, single, true), of_half = code_of(f, small, true);
      const int pair = one | of_single << 2 * apart;
      const int wanted[results] = {exact,
                                   of_single,
                                   of_half,
                                   of_single | one << apart,
                                   one | exact << apart,
                                   pair | half << apart | two << 3 * apart,
                                   exact,
                                   code_of(f, v, false),
                                   code_of(f, single, false),
                                   of_half,
                                   code_of(f, brain, true),
                                   of_single | two << apart,
                                   two | code_of(f, small, false) << apart};
      int host[results];
      convert(which, v, host);
      for (int k = 0; k < results; k++) {
        expect(i * results + k, got[i * results + k], wanted[k]);
        expect(i * results + k, host[k], wanted[k]);
      }
    }
  }
  // What is no number becomes the greatest one.
  expect(0, (int)__nv_fp4_e2m1(NAN).__x, 7);
  expect(1, (int)__nv_cvt_float_to_fp6(-NAN, __NV_E3M2, cudaRoundZero), 31);
  return passed();
}
