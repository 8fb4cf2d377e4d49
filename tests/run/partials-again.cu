// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp adds up again what all warps of its block found, by butterflies over 2, 4 and 8 neighbouring elements of
// shared memory, and a maximum of 64 bits: as normalisations do.
#include "check.h"

template <class T> __device__ T total(T value, int parts) {
  for (int step = parts / 2; step > 0; step /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

template <int Warps> __global__ void again(const float *in, float *out, long long *most) {
  __shared__ float sums[Warps];
  __shared__ long long peaks[Warps];
  int i = blockIdx.x * (32 * Warps) + threadIdx.x;
  float part = total(in[i], 32);
  long long peak = (long long)in[i] << 33;
  for (int step = 16; step > 0; step /= 2) {
    long long other = __shfl_xor_sync(0xffffffffu, peak, step);
    peak = other > peak ? other : peak;
  }
  sums[threadIdx.x >> 5] = part;
  peaks[threadIdx.x >> 5] = peak;
  __syncthreads();
  float all = total(sums[threadIdx.x & (Warps - 1)], Warps);
  long long top = peaks[threadIdx.x & (Warps - 1)];
  for (int step = Warps / 2; step > 0; step /= 2) {
    long long other = __shfl_xor_sync(0xffffffffu, top, step);
    top = other > top ? other : top;
  }
  __syncthreads();
  sums[threadIdx.x >> 5] = all + 1; // after the loads, which must not see it
  out[i] = in[i] + all;
  most[i] = top;
}

template <int Warps> void check(int blocks) {
  const int size = 32 * Warps, n = blocks * size;
  buffer<float> in(n), out(n);
  buffer<long long> most(n);
  for (int i = 0; i < n; i++)
    in[i] = float((i * 37 + i / 7) % 50 - 20);
  in.upload();
  again<Warps><<<blocks, size>>>(in.device, out.device, most.device);
  out.download();
  most.download();
  for (int b = 0; b < blocks; b++) {
    float all = 0, top = -100;
    for (int i = b * size; i < (b + 1) * size; i++)
      all += in[i], top = in[i] > top ? in[i] : top;
    for (int i = b * size; i < (b + 1) * size; i++)
      expect(i, out[i], in[i] + all), expect(i, most[i], (long long)top << 33);
  }
}

int main() {
  check<2>(5);
  check<4>(3);
  check<8>(2);
  return passed();
}
