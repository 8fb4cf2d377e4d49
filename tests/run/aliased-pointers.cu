// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two pointers to one array: what one writes the other must read, within a thread and across a barrier.
#include "check.h"

__global__ void update(int *a, int *b, int *out) {
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me, mirror = blockIdx.x * blockDim.x + blockDim.x - 1 - me;
  int before = b[i];
  a[i] = before + 1;
  int after = b[i];
  b[i] = after * 2;
  out[i] = a[i] - before;
  __syncthreads();
  int other = a[mirror];
  __syncthreads();
  b[i] = other + out[i];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> a(n), b(n), out(n);
  for (int apart = 0; apart < 2; apart++) {
    for (int i = 0; i < n; i++) {
      a[i] = 7 * i;
      b[i] = 5 * i + 3;
    }
    a.upload();
    b.upload();
    update<<<blocks, block>>>(a.device, apart ? b.device : a.device, out.device);
    out.download();
    int *result = apart ? b.host : a.host;
    if (apart)
      b.download();
    else
      a.download();
    for (int i = 0; i < n; i++) {
      int mirror = i / block * block + block - 1 - i % block;
      if (apart) {
        expect(i, out[i], 1);
        expect(i, result[i], 5 * mirror + 3 + 1 + 1);
      } else {
        expect(i, out[i], 7 * i + 2); // (7 i + 1) * 2 - 7 i
        expect(i, result[i], (7 * mirror + 1) * 2 + 7 * i + 2);
      }
    }
  }
  return passed();
}
