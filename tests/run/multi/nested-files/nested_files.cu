// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels launch kernels of another file, plain ones and templates that both files have.
// flags: -rdc=true
#include "../../check.h"

#include "children.h"

__global__ void parent(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  child<<<1, 4>>>(out + 4 * i, i);
  scale<int><<<1, 4>>>(out + 4 * i, 3);
  grandparent(out + 4 * i);
}

int main(int argc, char **argv) {
  const int n = 100;
  int block = block_size(argc, argv);
  buffer<int> out(4 * n);
  parent<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  for (int i = 0; i < 4 * n; i++)
    expect(i, out[i], ((i / 4) * 10 + i % 4) * 15 + 1);
  child<<<1, 4>>>(out.device, 7);
  out.download();
  for (int i = 0; i < 4; i++)
    expect(i, out[i], 70 + i);
  return passed();
}
