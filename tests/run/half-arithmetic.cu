// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half and bfloat16 in kernels: operators, fused and saturated arithmetic, comparisons, pairs, conversions of numbers
// and integers, functions, volatile and shared values, shuffles. The reference rounds double or long double itself.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

const int results = 40;

template <typename Number> struct traits;
template <> struct traits<__half> {
  typedef __half2 pair;
  typedef __half_raw raw;
  enum { digits = 11, least = -14, most = 15 };
  static __device__ __half from_int(int value) { return __int2half_rz(value); }
  static __device__ int to_int(__half value) { return __half2int_rd(value); }
  static __device__ __half up(float value) { return __float2half_ru(value); }
  static __device__ __half down(float value) { return __float2half_rd(value); }
};
template <> struct traits<__nv_bfloat16> {
  typedef __nv_bfloat162 pair;
  typedef __nv_bfloat16_raw raw;
  enum { digits = 8, least = -126, most = 127 };
  static __device__ __nv_bfloat16 from_int(int value) { return __int2bfloat16_rz(value); }
  static __device__ int to_int(__nv_bfloat16 value) { return __bfloat162int_rd(value); }
  static __device__ __nv_bfloat16 up(float value) { return __float2bfloat16_ru(value); }
  static __device__ __nv_bfloat16 down(float value) { return __float2bfloat16_rd(value); }
};

template <typename Number> __global__ void evaluate(const float *in, float *out, int n) {
  typedef typename traits<Number>::pair pair;
  __shared__ volatile Number kept[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Number a = i < n ? in[i * 3] : 0.0f, b = i < n ? in[i * 3 + 1] : 0.0f, c = i < n ? in[i * 3 + 2] : 0.0f;
  kept[threadIdx.x] = (typename traits<Number>::raw)a;
  __syncthreads();
  Number right = (typename traits<Number>::raw)kept[(threadIdx.x + 1) % blockDim.x];
  Number shuffled = __shfl_xor_sync(__activemask(), b, 0);
  if (i >= n)
    return;
  float *to = out + i * results;
  pair p(a, b), q(b, c), r = __hfma2(p, q, pair(c, a));
  int k = 0;
  to[k++] = a + b, to[k++] = a - b, to[k++] = a * b, to[k++] = a / b;
  to[k++] = __hfma(a, b, c), to[k++] = __hfma_relu(a, b, c), to[k++] = __hadd_sat(a, b), to[k++] = __hmul_sat(a, b);
  to[k++] = (p + q).x, to[k++] = (p * q).y, to[k++] = (p - q).y, to[k++] = (p / q).x, to[k++] = r.x, to[k++] = r.y;
  to[k++] = a < b, to[k++] = a >= b, to[k++] = a == b, to[k++] = a != b, to[k++] = __hltu(a, b), to[k++] = __hne(a, b);
  to[k++] = __hmin(a, b), to[k++] = __hmax(a, b), to[k++] = __hmin_nan(a, b), to[k++] = -a, to[k++] = __habs(a);
  Number step = a;
  to[k++] = step++, to[k++] = --step, step += b, to[k++] = step;
  to[k++] = traits<Number>::up(in[i * 3] * 1.00317f), to[k++] = traits<Number>::down(in[i * 3] * 1.00317f);
  to[k++] = traits<Number>::from_int(i * 37 - 5000), to[k++] = (float)traits<Number>::to_int(b);
  to[k++] = right, to[k++] = shuffled;
  to[k++] = hsqrt(__habs(a)), to[k++] = hrcp(b), to[k++] = hrint(b), to[k++] = hfloor(a), to[k++] = hexp2(hfloor(c));
  to[k++] = (float)(__half)(__nv_bfloat16)(float)a;
}

// To nearest even, or up or down, with the type's digits and range.
template <typename Number> static double rounded(long double value, int direction = 0) {
  typedef traits<Number> t;
  if (value != value || value == 0 || std::isinf(value))
    return (double)value;
  int exponent = ilogbl(value) < t::least ? t::least : ilogbl(value);
  long double unit = ldexpl(1, exponent - (t::digits - 1)), steps = value / unit;
  long double whole = direction > 0 ? ceill(steps) : direction < 0 ? floorl(steps) : rintl(steps);
  long double result = whole * unit, greatest = ldexpl(2 - ldexpl(1, 1 - t::digits), t::most);
  if (fabsl(result) > greatest)
    return result > 0 ? (direction < 0 ? greatest : INFINITY) : (direction > 0 ? -greatest : -INFINITY);
  return (double)result;
}
static long double saturate(long double value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

template <typename Number> static void check(int block) {
  const int n = 2500;
  buffer<float> in(n * 3), out(n * results);
  unsigned state = 5;
  for (int i = 0; i < n * 3; i++) {
    float value = ldexpf((float)next_random(state) / 8388608.0f - 1.0f, (int)(next_random(state) % 24) - 12);
    if (next_random(state) % 40 == 0)
      value = NAN;
    if (next_random(state) % 40 == 0)
      value = i % 2 ? INFINITY : -INFINITY;
    if (i % 3 == 1 && i % 11 == 0)
      value = in[i - 1];
    in[i] = (float)rounded<Number>(value);
  }
  in.upload();
  evaluate<Number><<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  auto r = [](long double value, int direction = 0) { return rounded<Number>(value, direction); };
  for (int i = 0; i < n; i++) {
    long double a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2];
    bool unordered = a != a || b != b;
    long double fused = a * b + c, least = fminl(a, b), most = fmaxl(a, b);
    int next = (i % block + 1) % block + i / block * block;
    const double expected[results] = {r(a + b),
                                      r(a - b),
                                      r(a * b),
                                      r(a / b),
                                      r(fused),
                                      fused < 0 ? 0 : r(fused),
                                      r(saturate(r(a + b))),
                                      r(saturate(r(a * b))),
                                      r(a + b),
                                      r(b * c),
                                      r(b - c),
                                      r(a / b),
                                      r(fused),
                                      r(b * c + a),
                                      a < b,
                                      a >= b,
                                      a == b,
                                      a != b,
                                      a < b || unordered,
                                      a < b || a > b,
                                      (double)least,
                                      (double)most,
                                      unordered ? NAN : (double)least,
                                      (double)-a,
                                      (double)fabsl(a),
                                      (double)a,
                                      r(r(a + 1) - 1),
                                      r(r(r(a + 1) - 1) + b),
                                      r((float)a * 1.00317f, 1),
                                      r((float)a * 1.00317f, -1),
                                      r(i * 37 - 5000, i * 37 < 5000 ? 1 : -1),
                                      b != b         ? 0
                                      : b > 0x1p31L  ? 0x1p31
                                      : b < -0x1p31L ? -0x1p31
                                                     : (double)floorl(b),
                                      next < n ? (double)in[next * 3] : 0,
                                      (double)b,
                                      r(sqrtl(fabsl(a))),
                                      r(1 / b),
                                      (double)rintl(b),
                                      (double)floorl(a),
                                      r(exp2l(floorl(c))),
                                      rounded<__half>(rounded<__nv_bfloat16>(a))};
    for (int k = 0; k < results; k++)
      expect_near(i * 100 + k, out[i * results + k], (float)expected[k], 0);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check<__half>(block);
  check<__nv_bfloat16>(block);
  return passed();
}
