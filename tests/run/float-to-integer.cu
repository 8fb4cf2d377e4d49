// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of values that do not fit: a GPU saturates and turns NaN into 0, or into the highest bit alone where either side has
// 64 bits. Casts of float and double to fewer than 32 bits take the lower bits of what 32 bits hold; half and bfloat16 saturate
// in every type. By casts, by intrinsics, and in a function that stays a call.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

enum { RESULTS = 12 };

template <typename From> __device__ __noinline__ long long far_int(From value) { return (int)value; }
template <typename From> __device__ __noinline__ long long far_long(From value) { return (long long)value; }

template <typename From> __global__ void cast(const From *values, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  From value = values[i];
  long long *to = out + i * RESULTS;
  to[0] = (signed char)value, to[1] = (unsigned char)value, to[2] = (short)value, to[3] = (unsigned short)value;
  to[4] = (int)value, to[5] = (unsigned)value, to[6] = (long long)value, to[7] = (long long)(unsigned long long)value;
  to[8] = far_int(value), to[9] = far_long(value);
}

__device__ void round_all(float value, long long *to) {
  to[0] = __float2int_rn(value), to[1] = __float2uint_rn(value), to[2] = __float2ll_rn(value);
  to[3] = (long long)__float2ull_rn(value), to[4] = llrintf(value), to[5] = lrintf(value);
}
__device__ void round_all(double value, long long *to) {
  to[0] = __double2int_rn(value), to[1] = __double2uint_rn(value), to[2] = __double2ll_rn(value);
  to[3] = (long long)__double2ull_rn(value), to[4] = llrint(value), to[5] = lrint(value);
}
__device__ void round_all(__half value, long long *to) {
  to[0] = __half2int_rn(value), to[1] = __half2uint_rn(value), to[2] = __half2ll_rn(value);
  to[3] = (long long)__half2ull_rn(value), to[4] = __half2short_rn(value), to[5] = __half2ushort_rn(value);
}
__device__ void round_all(__nv_bfloat16 value, long long *to) {
  to[0] = __bfloat162int_rn(value), to[1] = __bfloat162uint_rn(value), to[2] = __bfloat162ll_rn(value);
  to[3] = (long long)__bfloat162ull_rn(value), to[4] = __bfloat162short_rn(value), to[5] = __bfloat162ushort_rn(value);
}

template <typename From> __global__ void round_each(const From *values, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    round_all(values[i], out + i * RESULTS);
}

template <typename To> static To converted(double value, bool from_double) {
  const bool has_sign = (To)-1 < (To)0;
  const int bits = sizeof(To) * 8;
  if (value != value)
    return from_double || bits == 64 ? (To)(1ull << (bits - 1)) : 0;
  if (value <= (has_sign ? -ldexp(1, bits - 1) : 0))
    return has_sign ? (To)(1ull << (bits - 1)) : 0;
  if (value >= ldexp(1, has_sign ? bits - 1 : bits))
    return (To)(~0ull >> (64 - bits) >> has_sign);
  return (To)value;
}

template <typename From> static void test(int block, bool is_double, bool is_small) {
  const double special[] = {0.0,    -0.9,   1.5,          -7.9,          2.5,      200,       -200,  300,  40000,
                            -40000, 70000,  3e9,          -3e9,          5e9,      1e19,      -1e19, 1e30, -1e30,
                            1.9e19, 9.3e18, 2147483520.0, -4294967296.0, INFINITY, -INFINITY, NAN};
  const int count = sizeof(special) / sizeof(*special), n = 20 * count;
  buffer<From> values(n);
  buffer<long long> out(n * RESULTS), rounded(n * RESULTS);
  for (int i = 0; i < n; i++)
    values[i] = (From)special[i % count];
  values.upload();
  cast<<<blocks_for(n, block), block>>>(values.device, out.device, n);
  round_each<<<blocks_for(n, block), block>>>(values.device, rounded.device, n);
  out.download();
  rounded.download();
  for (int i = 0; i < n; i++) {
    const double value = (double)(float)values[i], x = is_double ? special[i % count] : value, near = nearbyint(x);
    const int as_int = converted<int>(x, is_double);
    const unsigned as_unsigned = converted<unsigned>(x, is_double);
    const long long as_long = converted<long long>(x, is_double);
    const long long expected[] = {is_small ? converted<signed char>(x, false) : (signed char)as_int,
                                  is_small ? converted<unsigned char>(x, false) : (unsigned char)as_unsigned,
                                  is_small ? converted<short>(x, false) : (short)as_int,
                                  is_small ? converted<unsigned short>(x, false) : (unsigned short)as_unsigned,
                                  as_int,
                                  as_unsigned,
                                  as_long,
                                  (long long)converted<unsigned long long>(x, is_double),
                                  as_int,
                                  as_long};
    for (int k = 0; k < 10; k++)
      expect(i * 100 + k, out[i * RESULTS + k], expected[k]);
    const long long near_long = converted<long long>(near, is_double);
    const long long expected_near[] = {converted<int>(near, is_double),
                                       converted<unsigned>(near, is_double),
                                       near_long,
                                       (long long)converted<unsigned long long>(near, is_double),
                                       is_small ? converted<short>(near, false) : near_long,
                                       is_small ? converted<unsigned short>(near, false) : near_long};
    for (int k = 0; k < 6; k++)
      expect(i * 100 + 20 + k, rounded[i * RESULTS + k], expected_near[k]);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  test<float>(block, false, false);
  test<double>(block, true, false);
  test<__half>(block, false, true);
  test<__nv_bfloat16>(block, false, true);
  return passed();
}
