// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two shared arrays whose pointers are swapped in every iteration of a loop with one barrier.
#include "check.h"

__global__ void smooth(const float *in, float *out, int iterations) {
  __shared__ float first[1024], second[1024];
  float *now = first, *next = second;
  int me = threadIdx.x, last = blockDim.x - 1, i = blockIdx.x * blockDim.x + me;
  now[me] = in[i];
  __syncthreads();
  for (int iteration = 0; iteration < iterations; iteration++) {
    float left = now[me > 0 ? me - 1 : 0], right = now[me < last ? me + 1 : last];
    next[me] = 0.25f * left + 0.5f * now[me] + 0.25f * right;
    float *swap = now;
    now = next;
    next = swap;
    __syncthreads();
  }
  out[i] = now[me];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, n = block * blocks, iterations = 5;
  buffer<float> in(n), out(n);
  for (int i = 0; i < n; i++)
    in[i] = (float)((i * 29) % 64 * 1024); // stays exact for five iterations
  in.upload();
  smooth<<<blocks, block>>>(in.device, out.device, iterations);
  out.download();
  float *row = new float[block];
  for (int b = 0; b < blocks; b++) {
    memcpy(row, &in[b * block], block * sizeof(float));
    for (int iteration = 0; iteration < iterations; iteration++) {
      float before = row[0];
      for (int t = 0; t < block; t++) {
        float here = row[t], after = t + 1 < block ? row[t + 1] : here;
        row[t] = (before + 2 * here + after) / 4;
        before = here;
      }
    }
    for (int t = 0; t < block; t++)
      expect(b * block + t, out[b * block + t], row[t]);
  }
  delete[] row;
  return passed();
}
