// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaLaunchKernel with an array of argument addresses, dynamic shared memory and a stream.
#include "check.h"

struct range {
  int low, high;
};

__global__ void clamp_reverse(const int *in, int *out, range limits, double factor, char flag) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = in[i] < limits.low ? limits.low : in[i] > limits.high ? limits.high : in[i];
  tile[threadIdx.x] = (int)(value * factor) + flag;
  __syncthreads();
  out[i] = tile[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks;
  buffer<int> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = i * 3 - 50;
  in.upload();
  range limits = {-20, 400};
  double factor = 2.0;
  char flag = 7;
  void *arguments[] = {&in.device, &out.device, &limits, &factor, &flag};
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(
      cudaLaunchKernel((const void *)clamp_reverse, dim3(blocks), dim3(block), arguments, block * sizeof(int), stream));
  CHECK(cudaStreamSynchronize(stream));
  out.download();
  for (int i = 0; i < n; i++) {
    int source = i / block * block + block - 1 - i % block, value = source * 3 - 50;
    if (value < -20)
      value = -20;
    if (value > 400)
      value = 400;
    expect(i, out[i], value * 2 + 7);
  }
  CHECK(cudaStreamDestroy(stream));
  return passed();
}
