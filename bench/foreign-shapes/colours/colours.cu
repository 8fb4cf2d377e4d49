// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours made greyer: the threads of the grid step through pixels of three floats, one after the other, and change them
// in place. Arguments: pixels, iterations.
#include "../../common/bench.h"

__global__ void fade(float *image, int pixels, float keep) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    const float red = image[3 * i], green = image[3 * i + 1], blue = image[3 * i + 2];
    const float grey = 0.3f * red + 0.59f * green + 0.11f * blue;
    image[3 * i] = grey + keep * (red - grey);
    image[3 * i + 1] = grey + keep * (green - grey);
    image[3 * i + 2] = grey + keep * (blue - grey);
  }
}

int main(int argc, char **argv) {
  const int pixels = (int)bench_argument(argc, argv, 1, 1 << 17, 1, "pixels");
  const int iterations = (int)bench_argument(argc, argv, 2, 600, 1, "iterations");
  const size_t count = (size_t)pixels * 3;
  float *image = bench_random_floats(count, 94, 0, 1), *device = bench_to_device(image, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    fade<<<64, 256>>>(device, pixels, 0.99f);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(image, device, count);
  bench_report_floats(time_ms, image, count, 1e-4);
  return 0;
}
