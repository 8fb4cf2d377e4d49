// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicCAS as a claim: of all threads that want a seat exactly one gets it, and knows it.
#include "check.h"

__global__ void claim(int *seats, int *won, int wanted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int before = atomicCAS(&seats[i % wanted], -1, i);
  won[i] = before == -1 ? 1 : 0;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 900, wanted = 70;
  buffer<int> seats(wanted), won(n);
  for (int k = 0; k < wanted; k++)
    seats[k] = -1;
  seats.upload();
  claim<<<blocks_for(n, block), block>>>(seats.device, won.device, wanted, n);
  seats.download();
  won.download();
  int winners = 0;
  for (int i = 0; i < n; i++) {
    expect(i, won[i], seats[i % wanted] == i ? 1 : 0);
    winners += won[i];
  }
  expect(-1, winners, wanted);
  return passed();
}
