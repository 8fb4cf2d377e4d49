// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// new, new[], delete, malloc and free on the device: each thread builds, walks and frees a list.
#include "check.h"

struct node {
  int value;
  node *next;
  __device__ node(int v, node *n) : value(v), next(n) {}
};

__global__ void build(int *sums, int *failures, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  node *list = NULL;
  for (int k = 0; k <= i % 10; k++)
    list = new node(i + k, list);
  int length = i % 7 + 1, sum = 0;
  int *squares = (int *)malloc(length * sizeof(int));
  double *halves = new double[length];
  if (!squares || !halves)
    atomicAdd(failures, 1);
  for (int k = 0; k < length; k++) {
    squares[k] = k * k;
    halves[k] = k * 0.5;
  }
  for (int k = 0; k < length; k++)
    sum += squares[k] + (int)(halves[k] * 2);
  while (list) {
    node *next = list->next;
    sum += list->value;
    delete list;
    list = next;
  }
  free(squares);
  delete[] halves;
  sums[i] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 500;
  buffer<int> sums(n), failures(1);
  failures.upload();
  build<<<blocks_for(n, block), block>>>(sums.device, failures.device, n);
  sums.download();
  failures.download();
  expect(-1, failures[0], 0);
  for (int i = 0; i < n; i++) {
    int nodes = i % 10 + 1, length = i % 7 + 1, expected = nodes * i + nodes * (nodes - 1) / 2;
    for (int k = 0; k < length; k++)
      expected += k * k + k;
    expect(i, sums[i], expected);
  }
  return passed();
}
