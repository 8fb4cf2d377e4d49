// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is the same for all threads of a packet is done once for them: calls of functions that only compute, and tables that each
// thread fills alike; not tables in which threads differ, by value, address or condition.
#include <cmath>
#include <cstdio>

const int THREADS = 4 * 256 + 40;

__host__ __device__ __noinline__ float weight(int k, float sigma) {
  float x = k / sigma;
  return 1.0f / (1.0f + x * x);
}

__global__ void calls(float *out, const float *in, int iterations, float sigma) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= THREADS)
    return;
  float s = 0;
  for (int k = 0; k < iterations; k++)
    s += weight(k, sigma) * in[t + k];
  for (int k = 0; k < iterations + t % 3; k++) // lanes leave after different iterations
    s += weight(k, sigma) * in[t + k];
  if (t & 1)
    for (int k = 0; k < iterations; k++)
      s -= weight(k + 1, sigma) * in[t];
  out[t] = s;
}

// kind 0: all alike; 1: a value of the thread's own; 2: at an address of its own; 3: under a condition; 4: in a loop of its own length
template <int KIND> __host__ __device__ float with_table(int t, const float *in, int iterations, float sigma) {
  float w[64], s = 0, norm = 0;
  for (int k = 0; k < iterations; k++) {
    w[k] = 1 / (1 + k * sigma);
    norm += w[k];
  }
  if (KIND == 1)
    w[iterations / 2] = in[t];
  if (KIND == 2)
    w[t % iterations] = 3;
  if (KIND == 3 && in[t] > 5)
    w[iterations / 3] = 2;
  if (KIND == 4)
    for (int k = 0; k < t % iterations; k++)
      w[k] = 4;
  for (int k = 0; k < iterations; k++)
    w[k] /= norm;
  for (int k = 0; k < iterations; k++)
    s += w[k] * in[t + k] * in[t];
  return s;
}

template <int KIND> __global__ void tables(float *out, const float *in, int iterations, float sigma) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < THREADS)
    out[t] = with_table<KIND>(t, in, iterations, sigma);
}

static float *in, *out;
static bool ok = true;

static void check(const char *what, int t, float expected) {
  if (fabsf(out[t] - expected) <= 1e-4f * fabsf(expected) + 1e-5f)
    return;
  if (ok)
    printf("%s, thread %d: %g, not %g\n", what, t, out[t], expected);
  ok = false;
}

template <int KIND> static void run_tables(int iterations, float sigma) {
  tables<KIND><<<(THREADS + 127) / 128, 128>>>(out, in, iterations, sigma);
  cudaDeviceSynchronize();
  for (int t = 0; t < THREADS; t++)
    check("table", t, with_table<KIND>(t, in, iterations, sigma));
}

int main(int argc, char **argv) {
  int iterations = 8 + argc % 8; // not known when this is compiled
  float sigma = 1.5f;
  cudaMallocManaged(&in, (THREADS + 64) * sizeof *in);
  cudaMallocManaged(&out, THREADS * sizeof *out);
  for (int i = 0; i < THREADS + 64; i++)
    in[i] = i % 11;
  calls<<<(THREADS + 127) / 128, 128>>>(out, in, iterations, sigma);
  cudaDeviceSynchronize();
  for (int t = 0; t < THREADS; t++) {
    float s = 0;
    for (int k = 0; k < iterations; k++)
      s += weight(k, sigma) * in[t + k];
    for (int k = 0; k < iterations + t % 3; k++)
      s += weight(k, sigma) * in[t + k];
    for (int k = 0; k < iterations && (t & 1); k++)
      s -= weight(k + 1, sigma) * in[t];
    check("calls", t, s);
  }
  run_tables<0>(iterations, sigma);
  run_tables<1>(iterations, sigma);
  run_tables<2>(iterations, sigma);
  run_tables<3>(iterations, sigma);
  run_tables<4>(iterations, sigma);
  if (ok)
    puts("ok");
  return !ok;
}
