// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps that write to shared memory and return, where others then meet at a barrier and read: in either order of the arms, under another
// early return, and with a barrier in a loop or a warp operation after the return.
#include "check.h"

template <bool GUARDED> __global__ void first_warp_reads(int *out, const int *in, int warps) {
  int warp = threadIdx.x / 32;
  if (GUARDED && warp >= warps)
    return;
  __shared__ int shared[256];
  int sum = in[threadIdx.x];
  if (warp != 0) {
    shared[threadIdx.x] = sum;
    return;
  }
  __syncthreads();
  for (int i = threadIdx.x + 32; i < warps * 32; i += 32)
    sum += shared[i];
  out[threadIdx.x] = sum;
}

__global__ void barrier_in_loop(int *out, const int *in, int warps) {
  int warp = threadIdx.x / 32;
  if (warp >= warps)
    return;
  __shared__ int shared[256];
  int sum = in[threadIdx.x];
  if (warp != 0) {
    shared[threadIdx.x] = sum;
    return;
  }
  for (int other = 1; other < warps; other++) {
    __syncthreads();
    sum += shared[threadIdx.x + 32 * other];
  }
  out[threadIdx.x] = sum;
}

__global__ void lanes(int *out, const int *in, int warps) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  __shared__ int shared[256];
  if (warp >= warps)
    return;
  shared[threadIdx.x] = 0;
  if (lane >= 16) { // the upper half of each warp
    shared[threadIdx.x] = in[threadIdx.x];
    return;
  }
  __syncwarp(0xffff);
  out[threadIdx.x] = shared[threadIdx.x + 16];
}

int main() {
  buffer<int> in(256), out(256);
  for (int i = 0; i < 256; i++)
    in[i] = i * 3 + 1;
  in.upload();
  void (*sums[])(int *, const int *, int) = {first_warp_reads<true>, first_warp_reads<false>, barrier_in_loop};
  for (int which = 0; which < 3; which++)
    for (int warps : {2, 3, 8}) {
      sums[which]<<<1, which == 1 ? warps * 32 : 256>>>(out.device, in.device, warps);
      out.download();
      for (int t = 0; t < 32; t++) {
        int expected = 0;
        for (int w = 0; w < warps; w++)
          expected += in[t + 32 * w];
        expect(which * 1000 + warps * 100 + t, out[t], expected);
      }
    }
  lanes<<<1, 256>>>(out.device, in.device, 5);
  out.download();
  for (int t = 0; t < 160; t++)
    if (t % 32 < 16)
      expect(9000 + t, out[t], in[t + 16]);
  return passed();
}
