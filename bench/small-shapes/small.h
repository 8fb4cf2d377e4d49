// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the small shapes share: so many threads, each with a few floats, so many times. Arguments: threads, iterations.
#include "../common/bench.h"

enum { BLOCK = 128 };

static void run_shape(int argc, char **argv, int in_each, int out_each, void (*launch)(const float *, float *, int)) {
  const long n = bench_argument(argc, argv, 1, 1 << 20, BLOCK, "threads");
  const long iterations = bench_argument(argc, argv, 2, 20, 1, "iterations");
  float *values = bench_random_floats((size_t)n * in_each, 1, -1, 1), *in, *out;
  cudaMalloc(&in, n * in_each * sizeof *in);
  cudaMalloc(&out, n * out_each * sizeof *out);
  cudaMemcpy(in, values, n * in_each * sizeof *in, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * out_each * sizeof *out);
  launch(in, out, (int)n);
  cudaDeviceSynchronize();
  const double start = bench_now_ms();
  for (long i = 0; i < iterations; i++)
    launch(in, out, (int)n);
  cudaDeviceSynchronize();
  const double took = bench_now_ms() - start;
  float *result = (float *)bench_allocate(n * out_each * sizeof *result);
  cudaMemcpy(result, out, n * out_each * sizeof *result, cudaMemcpyDeviceToHost);
  bench_report_floats(took, result, (size_t)n * out_each, 1e-4);
}

#define SHAPE(in_each, out_each)                                                                                        \
  static void launch(const float *in, float *out, int n) { shape<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n); }    \
  int main(int argc, char **argv) { run_shape(argc, argv, in_each, out_each, launch); }
