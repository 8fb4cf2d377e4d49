// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant memory: filled by cudaMemcpyToSymbol, also in part and read back; a constant with an initialiser.
#include "check.h"

struct settings {
  float scale;
  int shift[3];
};

__constant__ int table[16];
__constant__ settings chosen;
__constant__ int fixed[4] = {5, 6, 7, 8};

__global__ void look_up(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[i % 16] + (int)(chosen.scale * 4) + chosen.shift[i % 3] + fixed[i & 3];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500;
  buffer<int> out(n);
  int values[16], again[16];
  settings wanted = {2.5f, {100, 200, 300}};
  for (int k = 0; k < 16; k++)
    values[k] = k * k * 1000;
  for (int iteration = 0; iteration < 2; iteration++) {
    CHECK(cudaMemcpyToSymbol(table, values, sizeof(values)));
    CHECK(cudaMemcpyToSymbol(chosen, &wanted, sizeof(wanted)));
    look_up<<<blocks_for(n, block), block>>>(out.device, n);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], values[i % 16] + (int)(wanted.scale * 4) + wanted.shift[i % 3] + 5 + i % 4);
    int patch[2] = {-1, -2}; // one piece in the middle, by offset
    CHECK(cudaMemcpyToSymbol(table, patch, sizeof(patch), 6 * sizeof(int)));
    CHECK(cudaMemcpyFromSymbol(again, table, sizeof(again)));
    for (int k = 0; k < 16; k++)
      expect(k, again[k], k == 6 ? -1 : k == 7 ? -2 : values[k]);
    wanted.scale = 7.0f;
    values[3] = 12345;
  }
  return passed();
}
