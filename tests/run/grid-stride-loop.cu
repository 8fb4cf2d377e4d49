// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose step is the whole grid: fewer threads than elements, and more.
#include "check.h"

__global__ void square(const int *in, int *out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = in[i] * in[i];
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int n = 2500;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i - 1200;
  in.upload();
  const int grids[] = {1, 3, 40};
  for (int grid : grids) {
    CHECK(cudaMemset(out.device, 0x5A, n * sizeof(int)));
    square<<<grid, block>>>(in.device, out.device, n);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], (i - 1200) * (i - 1200));
  }
  return passed();
}
