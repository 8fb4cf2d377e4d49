// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory, sized at the launch, used as bytes, ints and doubles by three kernels.
#include "check.h"

extern __shared__ unsigned char raw_bytes[];

__global__ void reverse_bytes(unsigned char *data) {
  raw_bytes[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = raw_bytes[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_ints(int *data) {
  extern __shared__ int ints[];
  ints[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = ints[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverse_doubles(double *data) {
  extern __shared__ double doubles[];
  doubles[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = doubles[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  buffer<unsigned char> bytes(block);
  buffer<int> ints(block);
  buffer<double> doubles(block);
  for (int i = 0; i < block; i++) {
    bytes[i] = i * 7;
    ints[i] = i * 70000;
    doubles[i] = i * 0.1;
  }
  bytes.upload();
  ints.upload();
  doubles.upload();
  reverse_bytes<<<1, block, block>>>(bytes.device);
  reverse_ints<<<1, block, block * sizeof(int)>>>(ints.device);
  reverse_doubles<<<1, block, block * sizeof(double)>>>(doubles.device);
  bytes.download();
  ints.download();
  doubles.download();
  for (int i = 0; i < block; i++) {
    int mirror = block - 1 - i;
    expect(i, (int)bytes[i], (unsigned char)(mirror * 7));
    expect(i, ints[i], mirror * 70000);
    expect(i, doubles[i], mirror * 0.1);
  }
  return passed();
}
