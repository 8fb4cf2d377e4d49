// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small private array, indexed dynamically, written before a barrier and read after it.
#include "check.h"

__global__ void scatter(const int *order, int *out) {
  __shared__ int pick[1024];
  int me = threadIdx.x, size = blockDim.x, i = blockIdx.x * size + me;
  int kept[8];
  for (int k = 0; k < 8; k++)
    kept[order[(i + k) % 8]] = me * 8 + k;
  pick[me] = order[i % 8];
  __syncthreads();
  int chosen = pick[size - 1 - me];
  out[i] = kept[chosen] + kept[7 - chosen];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> order(8), out(n);
  const int shuffled[8] = {3, 6, 0, 7, 1, 4, 2, 5};
  int place[8];
  for (int k = 0; k < 8; k++) {
    order[k] = shuffled[k];
    place[shuffled[k]] = k;
  }
  order.upload();
  scatter<<<blocks, block>>>(order.device, out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int me = i % block, mirror = i / block * block + block - 1 - me, chosen = shuffled[mirror % 8];
    int k1 = (place[chosen] - i % 8 + 8) % 8, k2 = (place[7 - chosen] - i % 8 + 8) % 8;
    expect(i, out[i], 16 * me + k1 + k2);
  }
  return passed();
}
