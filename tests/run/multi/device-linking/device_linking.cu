// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocatable device code: a kernel calls a device function of another file and uses its device variable.
// flags: -rdc=true
#include "../../check.h"

extern __device__ int shift_of(int lane);
extern __device__ int calls;
extern __constant__ int weights[4];

__global__ void use(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = shift_of(i) + weights[i % 4];
  atomicAdd(&calls, 1);
}

void fill_weights(void);
int count_calls(void);

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  buffer<int> out(n);
  fill_weights();
  use<<<blocks_for(n, block), block>>>(out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (i % 32 ? i << i % 5 : -1) + (i % 4 + 1) * 100000);
  expect(-1, count_calls(), n);
  return passed();
}
