// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree sum whose last steps rely on volatile shared memory with __syncwarp between them.
#include "check.h"

__global__ void sum(const int *in, int *out, int n) {
  __shared__ volatile int tile[256];
  int me = threadIdx.x;
  int total = 0;
  for (int i = blockIdx.x * blockDim.x + me; i < n; i += gridDim.x * blockDim.x)
    total += in[i];
  tile[me] = total;
  __syncthreads();
  for (int stride = 128; stride > 32; stride /= 2) {
    if (me < stride)
      tile[me] = tile[me] + tile[me + stride];
    __syncthreads();
  }
  if (me < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      int add = tile[me + stride];
      __syncwarp();
      if (me < stride)
        tile[me] = tile[me] + add;
      __syncwarp();
    }
  }
  if (me == 0)
    out[blockIdx.x] = tile[0];
}

int main(void) {
  const int blocks = 5, n = 4000;
  buffer<int> in(n), out(blocks);
  int expected[blocks] = {0};
  for (int i = 0; i < n; i++) {
    in[i] = i % 43 - 12;
    expected[i / 256 % blocks] += in[i];
  }
  in.upload();
  sum<<<blocks, 256>>>(in.device, out.device, n);
  out.download();
  for (int b = 0; b < blocks; b++)
    expect(b, out[b], expected[b]);
  return passed();
}
