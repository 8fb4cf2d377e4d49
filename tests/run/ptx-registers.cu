// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: sizes of shared memory, halves of clocks, registers of which nothing is here, instructions that only concern caches, fences
// for barriers in memory, tanh and ex2 in bfloat16.
#include "check.h"

#include <cuda_bf16.h>

typedef unsigned u32;
typedef unsigned long long u64;

enum { STATIC = 96, RESULTS = 6 };

__global__ void sizes(u32 *out, float *data) {
  __shared__ u32 own[STATIC / 4];
  extern __shared__ u32 more[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (u32 k = threadIdx.x; k < STATIC / 4; k += blockDim.x)
    own[k] = more[k % 4] = k;
  __syncthreads();
  u32 total, dynamic, all, high, low, event, counter;
  u64 clock, timer;
  asm volatile("mov.u32 %0, %%total_smem_size; mov.u32 %1, %%dynamic_smem_size; mov.u32 %2, %%aggr_smem_size;"
               : "=r"(total), "=r"(dynamic), "=r"(all));
  asm volatile("mov.u64 %0, %%globaltimer; mov.u32 %1, %%globaltimer_hi; mov.u32 %2, %%globaltimer_lo;"
               : "=l"(timer), "=r"(high), "=r"(low));
  u64 later = (u64)high << 32 | low;
  asm volatile("mov.u64 %0, %%clock64; mov.u32 %1, %%clock_hi;" : "=l"(clock), "=r"(high));
  asm volatile("mov.u32 %0, %%envreg7; mov.u32 %1, %%pm3;" : "=r"(event), "=r"(counter));
  asm volatile("discard.global.L2 [%0], 128; prefetch.global.L2 [%0]; applypriority.global.L2::evict_normal [%0], 128;"
               "prefetchu.L1 [%1];" ::"l"(data + 64 * 32),
               "l"(data));
  asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta; fence.proxy.async;"
               "fence.acquire.sync_restrict::shared::cluster.cluster;" ::
                   : "memory");
  u32 *to = out + RESULTS * i;
  to[0] = total - dynamic, to[1] = dynamic, to[2] = all >= total;
  to[3] = later - timer < 1000000000ull;
  to[4] = high - (u32)(clock >> 32) <= 1;
  to[5] = own[threadIdx.x % (STATIC / 4)];
}

__global__ void functions(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat16 a = __float2bfloat16(in[i]);
  unsigned short bits = *(unsigned short *)&a, d, e;
  u32 pair, other;
  asm("tanh.approx.bf16 %0, %1;" : "=h"(d) : "h"(bits));
  asm("ex2.approx.ftz.bf16 %0, %1;" : "=h"(e) : "h"(bits));
  asm("tanh.approx.bf16x2 %0, %1;" : "=r"(pair) : "r"(bits | 0x3f800000u));
  asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(other) : "r"(bits | 0x3f800000u));
  out[6 * i] = __uint_as_float((u32)d << 16), out[6 * i + 1] = __uint_as_float((u32)e << 16);
  out[6 * i + 2] = __uint_as_float(pair << 16), out[6 * i + 3] = __uint_as_float(pair & 0xffff0000u);
  out[6 * i + 4] = __uint_as_float(other << 16), out[6 * i + 5] = __uint_as_float(other & 0xffff0000u);
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), dynamic = 64, n = 2 * block;
  buffer<u32> out(RESULTS * (size_t)n);
  buffer<float> data(64 * 64);
  sizes<<<2, block, dynamic>>>(out.device, data.device);
  out.download();
  for (int i = 0; i < n; i++) {
    const u32 wanted[RESULTS] = {STATIC, (u32)dynamic, 1, 1, 1, (u32)(i % block % (STATIC / 4))};
    for (int k = 0; k < RESULTS; k++)
      expect(i * RESULTS + k, out[i * RESULTS + k], wanted[k]);
  }
  static const float known[] = {0, 0.5f, -0.5f, 1, -1, 3, -3, 8, -8, 100, -120, 126.5f};
  int count = 12;
  buffer<float> in(count), values(6 * count);
  for (int i = 0; i < count; i++)
    in[i] = known[i];
  in.upload();
  functions<<<1, 32>>>(in.device, values.device, count);
  values.download();
  double digits = 1.0 / 128;
  for (int i = 0; i < count; i++) {
    expect_near(i, values[6 * i], std::tanh(known[i]), digits);
    expect_near(i, values[6 * i + 1], std::exp2(known[i]), digits);
    expect(i, values[6 * i + 2], values[6 * i]);
    expect_near(i, values[6 * i + 3], std::tanh(1.0), digits);
    expect(i, values[6 * i + 4], values[6 * i + 1]);
    expect(i, values[6 * i + 5], 2.0f);
  }
  return passed();
}
