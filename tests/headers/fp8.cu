/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * 8-bit floating point numbers in device and host code, and the DPX functions.
 */
#include <cuda_fp8.h>

template <typename One, typename Two, typename Four>
__host__ __device__ float small(float x, double d, __half h, __nv_bfloat16 b, int i) {
  One one(x), other = One(d);
  Two two(make_float2(x, x));
  Four four(make_float4(x, x, x, x)), last(__half2(h, h), __half2(h, h));
  float2 f2 = (float2)two;
  float4 f4 = static_cast<float4>(four);
  __half2 h2 = (__half2)two;
  return (float)one + (float)(__half)other + (float)One(h) + (float)One(b) + (float)One(i) + (float)One(3ull) + f2.x +
         f4.w + (float)h2.y + (int)one + (unsigned char)one + (bool)one + (float)last.__x + sizeof one + sizeof four;
}
__global__ void smalls(float *f, double d, __half h, __nv_bfloat16 b, int *i) {
  f[0] = small<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(f[0], d, h, b, i[0]);
  f[1] = small<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(f[1], d, h, b, i[0]);
  i[1] = __nv_cvt_float_to_fp8(f[0], __NV_SATFINITE, __NV_E4M3) + __nv_cvt_double_to_fp8(d, __NV_NOSAT, __NV_E5M2) +
         __nv_cvt_halfraw_to_fp8(h, __NV_NOSAT, __NV_E5M2) + __nv_cvt_fp8_to_halfraw(3, __NV_E4M3).x +
         __nv_cvt_fp8x2_to_halfraw2(5, __NV_E5M2).y;
  bool first;
  i[2] = __vimax3_s32(i[0], i[1], i[2]) + __viaddmin_s32_relu(i[0], i[1], i[2]) + __vibmax_s32(i[0], i[1], &first);
}
int main() {
  return (int)small<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(1.0f, 2.0, __half(1), __nv_bfloat16(1.0f), 4) +
         __vimin3_s32(1, 2, 3);
}
