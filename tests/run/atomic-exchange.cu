// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicExch passes tokens on: each value put in comes out exactly once, for ints and for floats.
#include "check.h"

__global__ void pass_on(int *cell, int *came_out, float *float_cell, int *float_out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(&came_out[atomicExch(cell, i)], 1);
  atomicAdd(&float_out[(int)atomicExch(float_cell, (float)i)], 1);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 800;
  buffer<int> cell(1), came_out(n + 1), float_out(n + 1);
  buffer<float> float_cell(1);
  cell[0] = n;
  float_cell[0] = n;
  cell.upload();
  float_cell.upload();
  came_out.upload();
  float_out.upload();
  pass_on<<<blocks_for(n, block), block>>>(cell.device, came_out.device, float_cell.device, float_out.device, n);
  cell.download();
  float_cell.download();
  came_out.download();
  float_out.download();
  for (int i = 0; i <= n; i++) {
    expect(i, came_out[i], i == cell[0] ? 0 : 1);
    expect(i, float_out[i], i == (int)float_cell[0] ? 0 : 1);
  }
  return passed();
}
