// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tile keeps from an earlier iteration where this one does not fill it, and conditions that look alike with and without a
// sign but are not where a value is below zero.
#include "check.h"

enum { BLOCK = 128, ITERATIONS = 3 };

__global__ void iterations(float *__restrict__ out, const float *__restrict__ in, int n) {
  __shared__ float tile[BLOCK + 2];
  int t = threadIdx.x;
  float sum = 0;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    int left = n - BLOCK * iteration;
    if (t < left - 1)
      tile[t] = in[BLOCK * iteration + t];
    if (t == BLOCK - 1 && t < left - 1)
      tile[t + 1] = in[BLOCK * iteration + t + 1];
    __syncthreads();
    if ((unsigned)t < (unsigned)(left - 1))
      sum = sum * 0.5f + tile[t];
    if ((unsigned)(t + 1) < (unsigned)(left - 1))
      sum = sum * 0.5f + tile[t + 1];
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void refilled(float *out, const float *in, int n) {
  __shared__ float tile[BLOCK];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  float value = tile[BLOCK - 1 - t] + tile[(t + 1) & (BLOCK - 1)];
  __syncthreads();
  if (t < n - 1)
    tile[t] = value;
  __syncthreads();
  if ((unsigned)t < (unsigned)(n - 1) && t < BLOCK - 1)
    value = tile[t];
  if (t > 0 && (unsigned)(t - 1) < (unsigned)(n - 1))
    value += tile[t - 1];
  out[t] = value;
}

int main(int argc, char **argv) {
  block_size(argc, argv);
  buffer<float> in(BLOCK * ITERATIONS + 1), out(BLOCK);
  for (int i = 0; i <= BLOCK * ITERATIONS; i++)
    in[i] = 1 + i * i % 37;
  in.upload();
  const int sizes[] = {384, 260, 256, 140, 129};
  for (int n : sizes) {
    iterations<<<1, BLOCK>>>(out.device, in.device, n);
    out.download();
    float tile[BLOCK + 2] = {0}, sums[BLOCK] = {0};
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      int left = n - BLOCK * iteration;
      for (int t = 0; t < BLOCK; t++) {
        if (t < left - 1)
          tile[t] = in[BLOCK * iteration + t];
        if (t == BLOCK - 1 && t < left - 1)
          tile[t + 1] = in[BLOCK * iteration + t + 1];
      }
      for (int t = 0; t < BLOCK; t++) {
        if ((unsigned)t < (unsigned)(left - 1))
          sums[t] = sums[t] * 0.5f + tile[t];
        if ((unsigned)(t + 1) < (unsigned)(left - 1))
          sums[t] = sums[t] * 0.5f + tile[t + 1];
      }
    }
    for (int t = 0; t < BLOCK - 1; t++)
      expect(t, out[t], sums[t]); // the last element is not filled in every run
  }
  const int counts[] = {0, 1, 5, 64, -3, 128};
  for (int n : counts) {
    refilled<<<1, BLOCK>>>(out.device, in.device, n);
    out.download();
    float tile[BLOCK], values[BLOCK];
    for (int t = 0; t < BLOCK; t++)
      tile[t] = in[t];
    for (int t = 0; t < BLOCK; t++)
      values[t] = in[BLOCK - 1 - t] + in[(t + 1) & (BLOCK - 1)];
    for (int t = 0; t < BLOCK; t++)
      if (t < n - 1)
        tile[t] = values[t];
    for (int t = 0; t < BLOCK; t++) {
      float value = values[t];
      if ((unsigned)t < (unsigned)(n - 1) && t < BLOCK - 1)
        value = tile[t];
      if (t > 0 && (unsigned)(t - 1) < (unsigned)(n - 1))
        value += tile[t - 1];
      expect(t, out[t], value);
    }
  }
  return passed();
}
