// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels launched through function pointers: a variable, a table, a parameter, a template instance.
#include "check.h"

typedef void (*kernel)(int *, int);

__global__ void add_one(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += 1;
}
__global__ void reverse_blocks(int *data, int) {
  __shared__ int tile[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = tile[blockDim.x - 1 - threadIdx.x];
}
template <int factor> __global__ void scale(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

static void launch(kernel which, int grid, int block, int *data, int n) { which<<<grid, block>>>(data, n); }

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), grid = 3, n = grid * block;
  buffer<int> data(n);
  for (int i = 0; i < n; i++)
    data[i] = i;
  data.upload();
  const kernel table[4] = {add_one, reverse_blocks, scale<3>, scale<-2>};
  for (int k = 0; k < 4; k++)
    table[(k + 1) % 4]<<<grid, block>>>(data.device, n); // reverse, times 3, times -2, plus 1
  kernel one = argc > 5 ? reverse_blocks : add_one;
  one<<<grid, block>>>(data.device, n);
  launch(reverse_blocks, grid, block, data.device, n);
  launch(scale<10>, grid, block, data.device, n);
  data.download();
  for (int i = 0; i < n; i++)
    expect(i, data[i], (i * -6 + 2) * 10);
  return passed();
}
