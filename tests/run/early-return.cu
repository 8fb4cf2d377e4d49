// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several returns before the end, no barrier: each thread leaves where its own data says.
#include "check.h"

__global__ void classify(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = 0;
  if (in[i] < 0) {
    out[i] = -1;
    return;
  }
  for (int divisor = 2; divisor * divisor <= in[i]; divisor++)
    if (in[i] % divisor == 0) {
      out[i] = divisor;
      return;
    }
  out[i] = 1;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int n = 1003;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i % 7 == 0 ? -i - 1 : i + 4;
  in.upload();
  classify<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    int expected = 1;
    for (int divisor = in[i] - 1; divisor > 1; divisor--)
      if (in[i] % divisor == 0)
        expected = divisor; // ends as the smallest divisor
    if (in[i] < 0)
      expected = -1;
    expect(i, out[i], expected);
  }
  return passed();
}
