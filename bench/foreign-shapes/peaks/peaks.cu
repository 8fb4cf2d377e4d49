// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of signed numbers of 16 bits brought to a common peak: a block for each row, whose warps all look for the row's
// largest size, each by itself. Arguments: rows, numbers of each, iterations.
#include "../../common/bench.h"

__global__ void scale(const short *in, float *out, int size) {
  const short *row = in + (size_t)blockIdx.x * size;
  int peak = 1;
  for (int k = threadIdx.x % 32; k < size; k += 32)
    peak = max(peak, abs((int)row[k]));
  for (int step = 16; step; step /= 2)
    peak = max(peak, __shfl_xor_sync(0xffffffffu, peak, step));
  const float factor = 1.0f / peak;
  for (int k = threadIdx.x; k < size; k += blockDim.x)
    out[(size_t)blockIdx.x * size + k] = row[k] * factor;
}

int main(int argc, char **argv) {
  const int rows = (int)bench_argument(argc, argv, 1, 256, 1, "rows");
  const int size = (int)bench_argument(argc, argv, 2, 2000, 1, "numbers");
  const int iterations = (int)bench_argument(argc, argv, 3, 400, 1, "iterations");
  const size_t count = (size_t)rows * size;
  short *in = (short *)bench_allocate(count * sizeof(short));
  uint32_t state = 103;
  for (size_t i = 0; i < count; i++)
    in[i] = (short)(bench_random(&state) % 20001 - 10000);
  float *out = (float *)bench_allocate(count * sizeof(float)), *out_device = bench_to_device(out, count);
  short *in_device = bench_to_device(in, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    scale<<<rows, 256>>>(in_device, out_device, size);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(out, out_device, count);
  bench_report_floats(time_ms, out, count, 1e-5);
  return 0;
}
