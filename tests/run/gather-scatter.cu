// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indirect loads and stores: a permutation applied and undone, strides, and indices loaded from memory.
#include "check.h"

__global__ void permute(const int *in, const int *order, int *out, int *back, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[order[i]] = in[i];
  back[i] = in[order[order[i]]] + in[(i * 5) % n];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1001;
  buffer<int> in(n), order(n), out(n), back(n);
  int inverse[n];
  for (int i = 0; i < n; i++) {
    in[i] = i * 3 - 500;
    order[i] = (i * 379 + 11) % n; // 379 and 1001 have no common factor
    inverse[order[i]] = i;
  }
  in.upload();
  order.upload();
  permute<<<blocks_for(n, block), block>>>(in.device, order.device, out.device, back.device, n);
  out.download();
  back.download();
  for (int i = 0; i < n; i++) {
    expect(i, out[i], inverse[i] * 3 - 500);
    int twice = ((i * 379 + 11) % n * 379 + 11) % n;
    expect(i, back[i], twice * 3 - 500 + i * 5 % n * 3 - 500);
  }
  return passed();
}
