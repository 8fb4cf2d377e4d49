// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step back through a rectifier, in pairs of halves: threads of the grid step through them, and the one that comes to
// the odd number at the end takes it too. Arguments: numbers, iterations.
#include "layers.h"
#include <cuda_fp16.h>

__global__ void rectify(const half *gradient, const half *feature, half *back, int count) {
  const int pairs = count / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < pairs; i += gridDim.x * blockDim.x) {
    const half2 g = ((const half2 *)gradient)[i], f = ((const half2 *)feature)[i];
    const half2 on = __hgt2(f, __float2half2_rn(0.0f));
    ((half2 *)back)[i] = __hfma2(__hmul2(on, g), f, g);
  }
  if (count % 2 == 1 && i == pairs) {
    const half g = gradient[count - 1], f = feature[count - 1];
    const half on = __float2half(__half2float(f) > 0.0f ? 1.0f : 0.0f);
    back[count - 1] = __hfma(__hmul(on, g), f, g);
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, (1 << 17) + 1, 1, "numbers");
  const int iterations = (int)bench_argument(argc, argv, 2, 1000, 1, "iterations");
  const int padded = (count + 1) / 2 * 2;
  uint16_t *back = (uint16_t *)bench_allocate(padded * sizeof(uint16_t));
  half *gradient = (half *)bench_to_device(make_layer(count, 5), padded),
       *feature = (half *)bench_to_device(make_layer(count, 6), padded),
       *result = (half *)bench_to_device(back, padded);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    rectify<<<64, 256>>>(gradient, feature, result, count);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(back, (uint16_t *)result, padded);
  bench_report_words(time_ms, (uint32_t *)back, (size_t)padded / 2);
  return 0;
}
