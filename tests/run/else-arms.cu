// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches between barriers whose one arm changes what the thread keeps, the other one memory. The size of the block is known.
#include "check.h"

__global__ void either(float *out, float *log, int iterations) {
  int t = threadIdx.x, last = 127;
  float x = out[t];
  for (int iteration = 0; iteration < iterations; iteration++) {
    float y = log[last - t];
    __syncthreads();
    if (((t + iteration) & 1) == 0)
      x = x * 0.5f + y;
    else
      log[t] = 7.0f + iteration;
    __syncthreads();
  }
  out[t] = x;
}

int main(int argc, char **argv) {
  block_size(argc, argv);
  const int block = 128;
  const int iterations = 9;
  buffer<float> out(block), log(block);
  float kept[block], logged[block], before[block];
  for (int t = 0; t < block; t++) {
    out[t] = kept[t] = t;
    log[t] = logged[t] = 1 + t;
  }
  out.upload();
  log.upload();
  either<<<1, 128>>>(out.device, log.device, iterations);
  out.download();
  log.download();
  for (int iteration = 0; iteration < iterations; iteration++) {
    for (int t = 0; t < block; t++)
      before[t] = logged[block - 1 - t];
    for (int t = 0; t < block; t++)
      if (((t + iteration) & 1) == 0)
        kept[t] = kept[t] * 0.5f + before[t];
      else
        logged[t] = 7.0f + iteration;
  }
  for (int t = 0; t < block; t++) {
    expect(t, out[t], kept[t]);
    expect(t, log[t], logged[t]);
  }
  return passed();
}
