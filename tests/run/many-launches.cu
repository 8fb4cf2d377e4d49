// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two thousand small launches, each of which needs the one before.
#include "check.h"

__global__ void step(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[(i + 1) % n] + 1;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 50, launches = 2000;
  buffer<unsigned> a(n), b(n);
  for (int i = 0; i < n; i++)
    a[i] = i * 100;
  a.upload();
  for (int k = 0; k < launches; k++) {
    if (k % 2 == 0)
      step<<<blocks_for(n, block), block>>>(a.device, b.device, n);
    else
      step<<<blocks_for(n, block), block>>>(b.device, a.device, n);
  }
  a.download();
  for (int i = 0; i < n; i++)
    expect(i, a[i], (unsigned)((i + launches) % n * 100 + launches));
  return passed();
}
