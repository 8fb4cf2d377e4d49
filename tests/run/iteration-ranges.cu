// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of 32 bits that differ from iteration to iteration of a thread's loop, extended to 64: below the limits, and where they wrap around in
// the last iterations, in the first, or between neighbouring threads (packets asks for their range before the loop).
#include <climits>
#include <cstdio>
#include <vector>

typedef unsigned long long wide;
enum { THREADS = 160, ITERATIONS = 37 };

__global__ void columns(const float *in, float *out, int n, int iterations) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  float sum = 0, most = -1;
  for (int j = 0; j < iterations; j++) {
    float x = in[t + j * n];
    sum += x * x - 0.5f * x;
    most = fmaxf(most, x + sum);
  }
  out[t] = sum + most;
}

// A value carried from iteration to iteration, up or down.
__global__ void planes(const float *in, float *out, int n, int first, int step, int iterations) {
  int t = threadIdx.x, c = t + first;
  float sum = 0;
  if (t >= n)
    return;
  for (int k = 1; k < iterations; k++) {
    sum = sum * 0.75f + in[c] * in[c + step];
    c += step;
  }
  out[t] = sum + c;
}

__global__ void numbers(wide *out, unsigned start, unsigned step, unsigned low, unsigned high, int shift) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  wide sum = 0;
  for (unsigned j = low; j < high; j++)
    sum += (wide)(start + t + j * step) >> shift ^ j;
  out[t] = sum;
}

__global__ void carried(wide *out, unsigned start, unsigned step, int iterations, int inner) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, c = start + 3 * t;
  wide sum = 0;
  for (int j = 0; j < iterations; j++) {
    for (int i = 2; i < inner; i += 3)
      sum = sum * 5 + (wide)(c - i * step);
    sum += (wide)(long long)(int)(c + 7);
    c += step;
  }
  out[t] = sum + c;
}

static int wrong_numbers(wide *out, unsigned start, unsigned step, unsigned low, unsigned high, int shift) {
  int wrong = 0;
  numbers<<<2, THREADS / 2>>>(out, start, step, low, high, shift);
  cudaDeviceSynchronize();
  for (unsigned t = 0; t < THREADS; t++) {
    wide sum = 0;
    for (unsigned j = low; j < high; j++)
      sum += (wide)(unsigned)(start + t + j * step) >> shift ^ j;
    wrong += out[t] != sum;
  }
  return wrong;
}

static int wrong_carried(wide *out, unsigned start, unsigned step, int iterations, int inner) {
  int wrong = 0;
  carried<<<2, THREADS / 2>>>(out, start, step, iterations, inner);
  cudaDeviceSynchronize();
  for (unsigned t = 0; t < THREADS; t++) {
    wide sum = 0;
    unsigned c = start + 3 * t;
    for (int j = 0; j < iterations; j++) {
      for (int i = 2; i < inner; i += 3)
        sum = sum * 5 + (wide)(unsigned)(c - i * step);
      sum += (wide)(long long)(int)(c + 7);
      c += step;
    }
    wrong += out[t] != sum + c;
  }
  return wrong;
}

int main() {
  int wrong = 0, size = THREADS * ITERATIONS;
  float *in, *out;
  wide *sums;
  cudaMallocManaged(&in, size * sizeof *in);
  cudaMallocManaged(&out, THREADS * sizeof *out);
  cudaMallocManaged(&sums, THREADS * sizeof *sums);
  for (int i = 0; i < size; i++)
    in[i] = (i * 37 % 101) / 64.0f;
  for (int n : {THREADS + 0, THREADS - 7}) {
    columns<<<(n + 63) / 64, 64>>>(in, out, n, ITERATIONS);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; t++) {
      float sum = 0, most = -1;
      for (int j = 0; j < ITERATIONS; j++) {
        float x = in[t + j * n];
        sum += x * x - 0.5f * x;
        most = fmaxf(most, x + sum);
      }
      wrong += fabsf(out[t] - (sum + most)) > 1e-3f;
    }
    for (int step : {n, -n}) {
      int first = step > 0 ? 0 : (ITERATIONS - 1) * n;
      planes<<<1, THREADS>>>(in, out, n, first, step, ITERATIONS);
      cudaDeviceSynchronize();
      for (int t = 0; t < n; t++) {
        int c = t + first;
        float sum = 0;
        for (int k = 1; k < ITERATIONS; k++, c += step)
          sum = sum * 0.75f + in[c] * in[c + step];
        wrong += fabsf(out[t] - (sum + c)) > 1e-2f;
      }
    }
  }
  const unsigned limits[] = {0, INT_MAX, UINT_MAX};
  for (unsigned limit : limits)
    for (int near = -3; near <= 3; near++)
      for (unsigned step : {0u, 1u, 40u, 0u - 40u, 1u << 26, 0u - (1u << 30)}) {
        unsigned start = limit + near * 50;
        wrong += wrong_numbers(sums, start, step, 0, ITERATIONS, near & 1);
        wrong += wrong_numbers(sums, start, step, UINT_MAX - 5, UINT_MAX, near & 1);
        wrong += wrong_carried(sums, start, step, ITERATIONS, near + 6);
        wrong += wrong_carried(sums, start, step, near, 20);
      }
  puts(wrong ? "wrong" : "ok");
  return wrong != 0;
}
