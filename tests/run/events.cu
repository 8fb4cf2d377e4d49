// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events time what stands between them: the elapsed time is above zero, and the whole is no less than a part.
#include "check.h"

__global__ void work(unsigned *out, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i;
  for (int k = 0; k < iterations; k++)
    value = value * 1664525u + (value >> 7);
  out[i] = value;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = blocks_for(1024, block);
  buffer<unsigned> out(blocks * block);
  cudaEvent_t start, middle, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&middle));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(start));
  work<<<blocks, block>>>(out.device, 10);
  CHECK(cudaEventRecord(middle));
  work<<<blocks, block>>>(out.device, 10000);
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventQuery(end));
  float little = -1, much = -1, whole = -1;
  CHECK(cudaEventElapsedTime(&little, start, middle));
  CHECK(cudaEventElapsedTime(&much, middle, end));
  CHECK(cudaEventElapsedTime(&whole, start, end));
  expect(0, little >= 0 && little < 60000 ? 1 : 0, 1);
  expect(1, much > 0 && much < 60000 ? 1 : 0, 1);
  expect(2, whole >= much ? 1 : 0, 1);
  out.download();
  unsigned value = 5;
  for (int k = 0; k < 10000; k++)
    value = value * 1664525u + value / 128;
  expect(5, out[5], value);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(middle));
  CHECK(cudaEventDestroy(end));
  return passed();
}
