// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursive quicksort in each thread, on a private and on a global array.
#include "check.h"

const int length = 24;

__device__ void sort(int *keys, int low, int high) {
  if (low >= high)
    return;
  int pivot = keys[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (keys[i] < pivot)
      i++;
    while (keys[j] > pivot)
      j--;
    if (i <= j) {
      int swap = keys[i];
      keys[i++] = keys[j];
      keys[j--] = swap;
    }
  }
  sort(keys, low, j);
  sort(keys, i, high);
}

__global__ void sort_rows(int *data, int *medians, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int own[length];
  for (int k = 0; k < length; k++)
    own[k] = -data[row * length + k];
  sort(own, 0, length - 1);
  medians[row] = own[length / 2];
  sort(data + row * length, 0, length - 1);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), rows = 60;
  buffer<int> data(rows * length), medians(rows);
  int expected[rows * length];
  unsigned state = 13;
  for (int i = 0; i < rows * length; i++)
    expected[i] = data[i] = (int)(next_random(state) % 200) - 100;
  data.upload();
  sort_rows<<<blocks_for(rows, block), block>>>(data.device, medians.device, rows);
  data.download();
  medians.download();
  for (int row = 0; row < rows; row++) {
    int *keys = expected + row * length;
    for (int i = 1; i < length; i++)
      for (int j = i; j > 0 && keys[j - 1] > keys[j]; j--) {
        int swap = keys[j];
        keys[j] = keys[j - 1];
        keys[j - 1] = swap;
      }
    for (int k = 0; k < length; k++)
      expect(row * length + k, data[row * length + k], keys[k]);
    expect(-1 - row, medians[row], -keys[length - 1 - length / 2]);
  }
  return passed();
}
