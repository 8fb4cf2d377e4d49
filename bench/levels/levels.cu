// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stretches the grey levels of an image over all 256: each thread with a pixel looks for the darkest and the brightest
// one of the image itself, n^2 work as written, linear once that is seen to be the same for all who do it. Arguments:
// pixels (a multiple of 4), iterations.
#include "../common/bench.h"

#define BLOCK 256

__device__ void find_range(const unsigned char *in, int n, int *low, int *high) {
  int darkest = 255, brightest = 0;
  for (int i = 0; i < n; i++) {
    darkest = min(darkest, in[i]);
    brightest = max(brightest, in[i]);
  }
  *low = darkest;
  *high = brightest;
}

__global__ void stretch(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int low, high;
    find_range(in, n, &low, &high);
    float scale = 255.0f / (float)(high > low ? high - low : 1);
    out[i] = (unsigned char)((float)(in[i] - low) * scale + 0.5f);
  }
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 1 << 24, 4, "pixels") / 4 * 4;
  const int iterations = (int)bench_argument(argc, argv, 2, 60, 1, "iterations");
  unsigned char *in = (unsigned char *)bench_allocate(n), *out = (unsigned char *)bench_allocate(n);
  uint32_t state = 8;
  for (int i = 0; i < n; i++)
    in[i] = (unsigned char)(60 + bench_random(&state) % 100);
  unsigned char *in_device = bench_to_device(in, n), *out_device = bench_to_device(in, n);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    stretch<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in_device, out_device, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(out, out_device, n);
  bench_report_words(time_ms, (const uint32_t *)out, n / 4);
  cudaFree(in_device);
  cudaFree(out_device);
  free(in);
  free(out);
  return 0;
}
