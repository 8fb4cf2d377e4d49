// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __launch_bounds__, __restrict__, const pointers, __forceinline__, __noinline__, pragma unroll, if constexpr.
#include "check.h"

template <bool square> __device__ __forceinline__ float bend(float x) {
  if constexpr (square)
    return x * x;
  else
    return x + 1;
}
__device__ __noinline__ float twist(float x) { return 2 * x - 3; }

template <bool square>
__global__ void __launch_bounds__(1024, 1)
    transform(const float *__restrict__ in, const float *const __restrict__ weights, float *__restrict__ out,
              const int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 6; k++)
    sum += __ldg(&weights[k]) * k;
#pragma unroll
  for (int k = 0; k < 4; k++)
    sum += k;
  out[i] = twist(bend<square>(in[i])) + sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 444;
  buffer<float> in(n), weights(6), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i * 0.5f;
  for (int k = 0; k < 6; k++)
    weights[k] = k + 1;
  in.upload();
  weights.upload();
  transform<true><<<blocks_for(n, block), block>>>(in.device, weights.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i * i * 0.5f - 3 + 70 + 6);
  transform<false><<<blocks_for(n, block), block>>>(in.device, weights.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i - 1.0f + 70 + 6);
  return passed();
}
