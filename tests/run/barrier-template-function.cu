// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function template with a barrier, for three types and two constants.
#include "check.h"

template <typename T, int distance> __device__ T neighbour(T value) {
  __shared__ T tile[1024];
  tile[threadIdx.x] = value;
  __syncthreads();
  T result = tile[(threadIdx.x + distance) % blockDim.x];
  __syncthreads();
  return result;
}

__global__ void gather(int *ints, float *floats, double *doubles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ints[i] = neighbour<int, 1>(i) + neighbour<int, 2>(i * 2);
  floats[i] = neighbour<float, 1>(i * 0.5f);
  doubles[i] = neighbour<double, 2>(i * 0.25);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks;
  buffer<int> ints(n);
  buffer<float> floats(n);
  buffer<double> doubles(n);
  gather<<<blocks, block>>>(ints.device, floats.device, doubles.device);
  ints.download();
  floats.download();
  doubles.download();
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < block; t++) {
      int i = b * block + t, one = b * block + (t + 1) % block, two = b * block + (t + 2) % block;
      expect(i, ints[i], one + 2 * two);
      expect(i, floats[i], one * 0.5f);
      expect(i, doubles[i], two * 0.25);
    }
  return passed();
}
