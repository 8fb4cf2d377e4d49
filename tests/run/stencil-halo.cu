// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A one-dimensional stencil of radius 3: the block loads its part plus a halo on each side.
#include "check.h"

const int radius = 3;

__global__ void stencil(const int *in, int *out, int n) {
  __shared__ int tile[1024 + 2 * radius];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  for (int k = me; k < blockDim.x + 2 * radius; k += blockDim.x) {
    int from = (int)(blockIdx.x * blockDim.x) + k - radius;
    tile[k] = from >= 0 && from < n ? in[from] : 0;
  }
  __syncthreads();
  if (i >= n)
    return;
  int sum = 0;
  for (int offset = -radius; offset <= radius; offset++)
    sum += tile[me + radius + offset];
  out[i] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1500;
  buffer<int> in(n), out(n);
  unsigned state = 3;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % 1000;
  in.upload();
  stencil<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  int window = in[0] + in[1] + in[2];
  for (int i = 0; i < n; i++) {
    if (i + radius < n)
      window += in[i + radius];
    if (i - radius - 1 >= 0)
      window -= in[i - radius - 1];
    expect(i, out[i], window);
  }
  return passed();
}
