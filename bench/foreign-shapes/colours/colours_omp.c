// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours made greyer by hand: one loop over pixels for the compiler's vectors. Arguments: pixels, iterations.
#include "../../common/bench.h"

static void fade(float *restrict image, int pixels, float keep) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < pixels; i++) {
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
  float *image = bench_random_floats(count, 94, 0, 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    fade(image, pixels, 0.99f);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, image, count, 1e-4);
  return 0;
}
