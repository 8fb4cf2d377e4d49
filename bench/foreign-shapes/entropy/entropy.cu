// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entropy of the greys around each pixel: a thread counts them in a private array that the image indexes.
// Arguments: size, iterations.
#include "greys.h"

__global__ void measure(const unsigned char *image, const float *terms, float *entropy, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int counts[GREYS];
  for (int grey = 0; grey < GREYS; grey++)
    counts[grey] = 0;
  for (int down = -REACH; down <= REACH; down++)
    for (int across = -REACH; across <= REACH; across++) {
      const int row = min(max(y + down, 0), n - 1), column = min(max(x + across, 0), n - 1);
      counts[image[row * n + column]]++;
    }
  float sum = 0;
  for (int grey = 0; grey < GREYS; grey++)
    sum += terms[counts[grey]];
  entropy[y * n + x] = sum;
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 1, "size");
  const int iterations = (int)bench_argument(argc, argv, 2, 10, 1, "iterations");
  const size_t count = (size_t)n * n;
  unsigned char *image = bench_to_device(make_greys(n), count);
  float *terms = bench_to_device(make_terms(), MOST + 1), *entropy = (float *)bench_allocate(count * sizeof(float)),
        *entropy_device = bench_to_device(entropy, count);

  const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    measure<<<grid, block>>>(image, terms, entropy_device, n);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(entropy, entropy_device, count);
  bench_report_floats(time_ms, entropy, count, 1e-4);
  return 0;
}
