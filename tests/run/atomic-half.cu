// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd on half, bfloat16, their pairs and the vectors of floats; atomicCAS on 16 bits beside other 16 bits. The
// sums are of small integers, which every order of additions gives exactly.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

const int groups = 64;

__global__ void add(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2, float2 *f2, float4 *f4,
                    unsigned short *s, int n) {
  __shared__ __half shared[groups];
  for (int k = threadIdx.x; k < groups; k += blockDim.x)
    shared[k] = 0.0f;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int k = i % groups;
    atomicAdd(&shared[k], __float2half(1.0f));
    atomicAdd(&h2[k], __floats2half2_rn(2.0f, -1.0f));
    atomicAdd(&b[k], __float2bfloat16(1.0f));
    atomicAdd(&b2[k], __floats2bfloat162_rn(-3.0f, 1.0f));
    atomicAdd(&f2[k], make_float2(1.0f, k));
    atomicAdd(&f4[k], make_float4(1.0f, 2.0f, k, -1.0f));
    unsigned short seen = s[k], before;
    while ((before = atomicCAS(&s[k], seen, (unsigned short)(seen + 3))) != seen)
      seen = before;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < groups; k += blockDim.x)
    atomicAdd(&h[k], shared[k]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = groups * 20;
  buffer<__half> h(groups);
  buffer<__half2> h2(groups);
  buffer<__nv_bfloat16> b(groups);
  buffer<__nv_bfloat162> b2(groups);
  buffer<float2> f2(groups);
  buffer<float4> f4(groups);
  buffer<unsigned short> s(groups);
  h.upload(), h2.upload(), b.upload(), b2.upload(), f2.upload(), f4.upload(), s.upload();
  add<<<blocks_for(n, block), block>>>(h.device, h2.device, b.device, b2.device, f2.device, f4.device, s.device, n);
  h.download(), h2.download(), b.download(), b2.download(), f2.download(), f4.download(), s.download();
  for (int k = 0; k < groups; k++) {
    expect(k, (float)h[k], 20.0f);
    expect(k, (float)h2[k].x, 40.0f);
    expect(k, (float)h2[k].y, -20.0f);
    expect(k, (float)b[k], 20.0f);
    expect(k, (float)b2[k].x, -60.0f);
    expect(k, (float)b2[k].y, 20.0f);
    expect(k, f2[k].x, 20.0f);
    expect(k, f2[k].y, 20.0f * k);
    expect(k, f4[k].y, 40.0f);
    expect(k, f4[k].z, 20.0f * k);
    expect(k, f4[k].w, -20.0f);
    expect(k, (int)s[k], 60);
  }
  return passed();
}
