// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncthreads_count, _and and _or: barriers that also tell how many threads say yes.
#include "check.h"

__global__ void poll(const int *in, int *out) {
  __shared__ int tile[1024];
  int me = threadIdx.x, i = blockIdx.x * blockDim.x + me;
  tile[me] = in[i];
  int count = __syncthreads_count(in[i] % 3 == 0);
  int neighbour = tile[(me + 1) % blockDim.x]; // they are barriers as well
  int all = __syncthreads_and(in[i] < 90) != 0;
  int any = __syncthreads_or(in[i] == 42) != 0;
  out[i] = count * 4 + all * 2 + any + neighbour * 10000;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 7, n = block * blocks;
  buffer<int> in(n), out(n);
  unsigned state = 6;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % (i / block % 2 ? 100 : 41);
  in.upload();
  poll<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int b = 0; b < blocks; b++) {
    int count = 0, all = 1, any = 0;
    for (int i = b * block; i < (b + 1) * block; i++) {
      count += in[i] % 3 == 0;
      if (in[i] >= 90)
        all = 0;
      if (in[i] == 42)
        any = 1;
    }
    for (int t = 0; t < block; t++)
      expect(t, out[b * block + t], count * 4 + all * 2 + any + in[b * block + (t + 1) % block] * 10000);
  }
  return passed();
}
