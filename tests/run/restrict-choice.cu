// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that come from one of two __restrict__ parameters, as buffers that are swapped, and one that is kept in memory.
#include "check.h"

__global__ void swapped(float *__restrict__ a, float *__restrict__ b, int parity) {
  int t = threadIdx.x, last = blockDim.x - 1;
  float *from = parity ? b : a, *to = parity ? a : b;
  to[t] = from[t] + 1;
  __syncthreads();
  if (parity)
    b[t] = a[last - t] * 2;
  else
    a[t] = b[last - t] * 2;
}

__global__ void kept(int *__restrict__ a, int **first, int **second, int *out) {
  int t = threadIdx.x, last = blockDim.x - 1;
  first[t] = a + t;
  __syncthreads();
  out[t] = *second[last - t];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  for (int parity = 0; parity < 2; parity++) {
    buffer<float> a(block), b(block);
    for (int t = 0; t < block; t++)
      a[t] = t, b[t] = 1000 + t;
    a.upload();
    b.upload();
    swapped<<<1, block>>>(a.device, b.device, parity);
    a.download();
    b.download();
    for (int t = 0; t < block; t++) {
      float to = (parity ? 1000 + t : t) + 1, from = ((parity ? 1000 : 0) + block - 1 - t + 1) * 2;
      expect(t, parity ? a[t] : b[t], to);
      expect(t, parity ? b[t] : a[t], from);
    }
  }
  buffer<int> a(block), out(block);
  buffer<int *> places(block);
  for (int t = 0; t < block; t++)
    a[t] = 3 * t;
  a.upload();
  kept<<<1, block>>>(a.device, places.device, places.device, out.device);
  out.download();
  for (int t = 0; t < block; t++)
    expect(t, out[t], 3 * (block - 1 - t));
  return passed();
}
