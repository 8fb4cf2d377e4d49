/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Half precision and bfloat16 in device and host code: construction, conversion, arithmetic, comparison, functions,
 * pairs, shuffles, atomics, templates over both.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename Number, typename Pair> __device__ void common(Number *h, Pair *p, float *f, int *n) {
  h[0] = __hadd(h[1], h[2]) + __hsub(h[1], h[2]) * __hmul(h[1], h[2]) / __hdiv(h[1], h[2]);
  h[1] = __hfma(h[1], h[2], h[3]) + __hfma_sat(h[1], h[2], h[3]) - __hfma_relu(h[1], h[2], h[3]) + -h[2] + +h[3];
  h[2] = __hadd_sat(h[1], h[2]) + __hsub_sat(h[1], h[2]) + __hmul_sat(h[1], h[2]) + __hadd_rn(h[1], h[2]);
  h[3] = __hneg(h[1]) + __habs(h[2]) + __hmax(h[1], h[2]) + __hmin(h[1], h[2]) + __hmax_nan(h[1], h[2]);
  h[4] = hsqrt(h[1]) + hrsqrt(h[1]) + hrcp(h[1]) + hexp(h[1]) + hexp2(h[1]) + hexp10(h[1]) + hlog(h[1]) + hlog2(h[1]) +
         hlog10(h[1]) + hsin(h[1]) + hcos(h[1]) + hceil(h[1]) + hfloor(h[1]) + hrint(h[1]) + htrunc(h[1]) + htanh(h[1]);
  h[5] += h[6], h[5] -= h[6], h[5] *= h[6], h[5] /= h[6], h[5]++, --h[5];
  if (h[1] < h[2] || h[1] <= h[2] || h[1] > h[2] || h[1] >= h[2] || h[1] == h[2] || h[1] != h[2] || __heq(h[1], h[2]) ||
      __hltu(h[1], h[2]) || __hneu(h[1], h[2]) || __hisnan(h[1]) || __hisinf(h[1]))
    n[0] = 1;
  p[0] = __hadd2(p[1], p[2]) + __hmul2(p[1], p[2]) - __hfma2(p[1], p[2], p[3]) * __h2div(p[1], p[2]) / p[2] + -p[1];
  p[1] = h2exp(p[2]) + __hneg2(p[1]) + __habs2(p[1]) + __hmax2(p[1], p[2]) + __heq2(p[1], p[2]) +
         __hcmadd(p[1], p[2], p[3]);
  n[1] = __hbeq2(p[1], p[2]) + __hbltu2(p[1], p[2]) + (p[1] == p[2]) + (int)__hgt2_mask(p[1], p[2]);
  h[7] = __shfl_sync(~0u, h[8], 1) + __shfl_up_sync(~0u, h[8], 1) + __shfl_down_sync(~0u, h[8], 1) +
         __shfl_xor_sync(~0u, h[8], 1, 16);
  p[2] = __shfl_xor_sync(~0u, p[3], 1);
  h[9] = atomicAdd(h + 10, h[11]);
  p[4] = atomicAdd(p + 5, p[6]);
  h[12] = f[0], h[13] = 3, h[14] = 0.5, h[15] = Number(2.0f), h[16] = (Number)n[2], h[17] = static_cast<Number>(0u);
  f[1] = h[1], f[2] += (float)h[2], n[3] = (int)h[3], n[4] = h[4] ? 1 : 0;
  h[18] = __ldg(h + 19), p[7] = __ldg(p + 8), p[9].x = h[1], p[9].y = p[8].x;
  __shared__ Number shared[32];
  __shared__ Pair shared_pair[32];
  shared[threadIdx.x] = h[20], shared_pair[threadIdx.x] = p[10];
  __syncthreads();
  h[21] = shared[3] + shared_pair[4].x;
}
__global__ void halves(half *h, half2 *p, float *f, int *n, float2 *f2, double d) {
  common(h, p, f, n);
  h[0] = __float2half(f[0]) + __float2half_rn(f[0]) + __float2half_rz(f[0]) + __float2half_ru(f[0]) +
         __float2half_rd(f[0]) + __double2half(d) + __int2half_rn(n[0]) + __uint2half_rz(n[0]) + __ll2half_ru(n[0]) +
         __ushort_as_half(3) + CUDART_INF_FP16;
  n[0] = __half2int_rn(h[0]) + __half2int_rz(h[0]) + __half2uint_ru(h[0]) + (int)__half2ll_rd(h[0]) +
         __half2short_rn(h[0]) + __half_as_ushort(h[0]) + __half_as_short(h[0]);
  p[0] = __float2half2_rn(f[0]) + __floats2half2_rn(f[0], f[1]) + __float22half2_rn(f2[0]) + __half2half2(h[0]) +
         __halves2half2(h[0], h[1]) + make_half2(h[0], h[1]) + __low2half2(p[1]) + __lowhigh2highlow(p[1]) +
         __lows2half2(p[1], p[2]) + half2(h[1], h[2]);
  f2[0] = __half22float2(p[0]);
  f[0] = __half2float(h[0]) + __low2float(p[0]) + __high2float(p[0]) + (float)__low2half(p[0]);
  __half_raw raw = h[1];
  raw.x ^= 0x8000;
  h[2] = raw;
}
__global__ void bfloats(__nv_bfloat16 *h, __nv_bfloat162 *p, float *f, int *n, float2 *f2, double d) {
  common(h, p, f, n);
  h[0] = __float2bfloat16(f[0]) + __float2bfloat16_rn(f[0]) + __float2bfloat16_rz(f[0]) + __float2bfloat16_ru(f[0]) +
         __double2bfloat16(d) + __int2bfloat16_rn(n[0]) + __ll2bfloat16_rd(n[0]) + __ushort_as_bfloat16(3);
  n[0] = __bfloat162int_rn(h[0]) + __bfloat162uint_rz(h[0]) + __bfloat16_as_ushort(h[0]);
  p[0] = __float2bfloat162_rn(f[0]) + __floats2bfloat162_rn(f[0], f[1]) + __bfloat162bfloat162(h[0]) +
         __halves2bfloat162(h[0], h[1]) + make_bfloat162(h[0], h[1]);
  f2[0] = __bfloat1622float2(p[0]);
  f[0] = __bfloat162float(h[0]) + __low2float(p[0]);
}
int main() {
  half x = 1.0f, y = __float2half(2.0f);
  nv_bfloat16 z = 3.0;
  x = x + y;
  return (int)((float)x + (float)__hmul(x, y) + (float)hexp(y) + (float)z) + (x < y);
}
