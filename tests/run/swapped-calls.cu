// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with __restrict__ pointers that is called in iterations, with the two swapped from iteration to iteration: within a call they
// lie apart, across calls they do not.
#include "check.h"

__device__ __forceinline__ void step(float *__restrict__ to, const float *__restrict__ from, int ahead) {
  *to = to[ahead] * 0.5f + from[ahead];
}

__global__ void in_turn(float *values, const int *index) {
  int t = threadIdx.x, n = blockDim.x, own = index[t];
  for (int i = 0; i < 4; i++) {
    step(values + t + ((i & 1) ^ 1) * n, values + t + (i & 1) * n, own - t);
    __syncthreads();
  }
}

// Who writes for a row of threads, by the index of the row in three dimensions.
__global__ void of_rows(int *out, int seed) {
  __shared__ int rows[1024];
  int row = threadIdx.z * blockDim.y + threadIdx.y, i = row * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    rows[row] = seed + 7 * row;
  __syncthreads();
  out[i] = rows[row] + threadIdx.x;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  buffer<float> values(2 * block);
  buffer<int> index(block);
  float expected[2048];
  for (int t = 0; t < block; t++)
    index[t] = t;
  for (int i = 0; i < 2 * block; i++)
    values[i] = expected[i] = i * 7 % 32 + 1;
  values.upload();
  index.upload();
  in_turn<<<1, block>>>(values.device, index.device);
  values.download();
  for (int i = 0; i < 4; i++)
    for (int t = 0; t < block; t++) {
      float *to = expected + t + ((i & 1) ^ 1) * block, *from = expected + t + (i & 1) * block;
      *to = *to * 0.5f + *from;
    }
  for (int i = 0; i < 2 * block; i++)
    expect(i, values[i], expected[i]);

  const dim3 shapes[] = {dim3(8, 4, 2), dim3(block, 1, 1), dim3(1, block, 1), dim3(5, 3, 4)};
  for (dim3 shape : shapes) {
    int n = shape.x * shape.y * shape.z;
    buffer<int> out(n);
    of_rows<<<1, shape>>>(out.device, 3);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], 3 + 7 * (i / (int)shape.x) + i % (int)shape.x);
  }
  return passed();
}
