// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd on float: values that are exact, so that the order of the additions cannot show.
#include "check.h"

__global__ void accumulate(const float *in, float *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sums[i % 3], in[i]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 3000;
  buffer<float> in(n), sums(3);
  float expected[3] = {0.5f, 0, 0};
  sums[0] = 0.5f;
  for (int i = 0; i < n; i++) {
    in[i] = (i % 37 - 18) * 0.25f;
    expected[i % 3] += in[i];
  }
  in.upload();
  sums.upload();
  accumulate<<<blocks_for(n, block), block>>>(in.device, sums.device, n);
  sums.download();
  for (int k = 0; k < 3; k++)
    expect(k, sums[k], expected[k]);
  return passed();
}
