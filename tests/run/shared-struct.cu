// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared array of structs with padding and nested arrays.
#include "check.h"

struct cell {
  char kind;
  double weight;
  int counts[3];
};

__global__ void gather(double *weights, int *sums) {
  __shared__ cell cells[512];
  __shared__ struct {
    int first, last;
  } bounds;
  int me = threadIdx.x, size = blockDim.x;
  cells[me].kind = me % 5;
  cells[me].weight = me * 0.5;
  for (int k = 0; k < 3; k++)
    cells[me].counts[k] = me * 3 + k;
  if (me == 0)
    bounds.first = size * 2;
  if (me == size - 1)
    bounds.last = size * 3;
  __syncthreads();
  const cell &other = cells[size - 1 - me];
  weights[me] = other.weight + other.kind;
  sums[me] = other.counts[me % 3] + bounds.first + bounds.last;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv) > 512 ? 512 : block_size(argc, argv);
  buffer<double> weights(block);
  buffer<int> sums(block);
  gather<<<1, block>>>(weights.device, sums.device);
  weights.download();
  sums.download();
  for (int i = 0; i < block; i++) {
    int mirror = block - 1 - i;
    expect(i, weights[i], mirror * 0.5 + mirror % 5);
    expect(i, sums[i], mirror * 3 + i % 3 + 5 * block);
  }
  return passed();
}
