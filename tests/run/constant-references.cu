// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions that take references to constant, shared and global objects, and return references.
#include "check.h"

struct line {
  float slope, offset;
};

__constant__ line lines[4];

__device__ float evaluate(const line &which, const float &x) { return which.slope * x + which.offset; }
__device__ const line &steeper(const line &a, const line &b) { return a.slope > b.slope ? a : b; }
__device__ void raise(float &value, float by) { value += by; }

__global__ void apply(float *out) {
  __shared__ line own;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    own = {2.5f, 100.0f};
  __syncthreads();
  const line &which = steeper(lines[i % 4], own);
  out[i] = evaluate(which, (float)i);
  raise(out[i], 0.5f);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<float> out(n);
  const line values[4] = {{1, 2}, {3, 4}, {2, 8}, {4, 16}};
  CHECK(cudaMemcpyToSymbol(lines, values, sizeof(values)));
  apply<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++) {
    line which = values[i % 4].slope > 2.5f ? values[i % 4] : line{2.5f, 100.0f};
    expect(i, out[i], which.slope * i + which.offset + 0.5f);
  }
  return passed();
}
