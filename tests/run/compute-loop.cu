// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that compute much and carry several values, with bounds that all threads share: alone, nested, around a barrier,
// and after a guard that only some threads pass.
#include "check.h"

__device__ float step(float a, float b, float c) {
  float d = a * 0.25f + b, e = d * d - c, f = e * 0.5f + a * b, g = f * 0.125f - d * c;
  return g * 0.0625f + e * 0.03125f;
}

__global__ void compute(const float *in, float *out, int n, int iterations) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? in[i] : 0.5f, sum = 0, last = x;
  for (int outer = 0; outer < 3; outer++) {
    tile[threadIdx.x] = x + outer;
    __syncthreads();
    for (int k = 0; k < iterations; k++) {
      float y = tile[k % blockDim.x];
      sum += step(x, y, last);
      last = last * 0.5f + step(y, x, sum) * 0.25f;
    }
    __syncthreads();
  }
  if (i >= n)
    return;
  float tail = sum;
  for (int k = 0; k < iterations; k++)
    tail = tail * 0.5f + step(tail, x, (float)k * 0.01f);
  out[2 * i] = sum + last;
  out[2 * i + 1] = tail;
}

static float host_step(float a, float b, float c) {
  double d = a * 0.25 + b, e = d * d - c, f = e * 0.5 + (double)a * b, g = f * 0.125 - d * c;
  return (float)(g * 0.0625 + e * 0.03125);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300, iterations = 9;
  buffer<float> in(n), out(2 * n);
  unsigned state = 5;
  for (int i = 0; i < n; i++)
    in[i] = (next_random(state) % 1000) * 0.001f;
  in.upload();
  compute<<<blocks_for(n, block), block>>>(in.device, out.device, n, iterations);
  out.download();
  for (int i = 0; i < n; i++) {
    int first = i / block * block;
    float x = in[i], sum = 0, last = x;
    for (int outer = 0; outer < 3; outer++)
      for (int k = 0; k < iterations; k++) {
        int other = first + k % block;
        float y = (other < n ? in[other] : 0.5f) + outer;
        sum += host_step(x, y, last);
        last = last * 0.5f + host_step(y, x, sum) * 0.25f;
      }
    float tail = sum;
    for (int k = 0; k < iterations; k++)
      tail = tail * 0.5f + host_step(tail, x, (float)k * 0.01f);
    expect_near(2 * i, out[2 * i], sum + last, 1e-3f);
    expect_near(2 * i + 1, out[2 * i + 1], tail, 1e-3f);
  }
  return passed();
}
