// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to pointers: an array of row pointers on the device, rows of different lengths.
#include "check.h"

__global__ void fill_rows(int **rows, const int *lengths, int count) {
  int row = blockIdx.x;
  if (row < count)
    for (int k = threadIdx.x; k < lengths[row]; k += blockDim.x)
      rows[row][k] = row * 1000 + k;
}

__global__ void swap_rows(int **rows, int count) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count / 2)
    return;
  int *kept = rows[k];
  rows[k] = rows[count - 1 - k];
  rows[count - 1 - k] = kept;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), count = 21;
  buffer<int *> rows(count);
  buffer<int> lengths(count);
  for (int k = 0; k < count; k++) {
    lengths[k] = k * 17 % 40 + 1;
    CHECK(cudaMalloc(&rows[k], lengths[k] * sizeof(int)));
  }
  rows.upload();
  lengths.upload();
  fill_rows<<<count, block>>>(rows.device, lengths.device, count);
  swap_rows<<<blocks_for(count, block), block>>>(rows.device, count);
  rows.download();
  for (int k = 0; k < count; k++) {
    int source = count - 1 - k, row[40];
    CHECK(cudaMemcpy(row, rows[k], lengths[source] * sizeof(int), cudaMemcpyDeviceToHost));
    for (int j = 0; j < lengths[source]; j++)
      expect(k * 100 + j, row[j], source * 1000 + j);
    CHECK(cudaFree(rows[k]));
  }
  return passed();
}
