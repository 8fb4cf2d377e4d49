// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks over a matrix by flattened indices: the row is i / columns, the column i % columns. Sequences of given lengths,
// a window around the diagonal, the upper triangle. Arguments: rows, columns, iterations.
#include "../../common/bench.h"

__global__ void mask_sequences(const float *in, const int *lengths, float *out, int rows, int columns, float fill) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns)
    return;
  const int row = i / columns, column = i % columns;
  out[i] = column >= lengths[row] ? fill : in[i];
}

__global__ void mask_window(const float *in, float *out, int rows, int columns, int radius, float fill) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns)
    return;
  const int row = i / columns, column = i % columns;
  out[i] = column < row - radius || column > row + radius ? fill : in[i];
}

__global__ void mask_upper(const float *in, float *out, int rows, int columns, float fill) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns)
    return;
  const int row = i / columns, column = i % columns;
  out[i] = row > column ? fill : in[i];
}

int main(int argc, char **argv) {
  const int rows = (int)bench_argument(argc, argv, 1, 700, 1, "rows");
  const int columns = (int)bench_argument(argc, argv, 2, 900, 1, "columns");
  const int iterations = (int)bench_argument(argc, argv, 3, 200, 1, "iterations");
  const int cells = rows * columns, block = 256, blocks = (cells + block - 1) / block;
  float *field = bench_random_floats(cells, 56, 0, 1);
  int *lengths = (int *)bench_allocate(rows * sizeof(int));
  uint32_t state = 57;
  for (int row = 0; row < rows; row++)
    lengths[row] = (int)(bench_random(&state) % (uint32_t)(columns + 1));
  float *a = bench_to_device(field, cells), *b = bench_to_device(field, cells);
  int *lengths_device = bench_to_device(lengths, rows);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    const float fill = (float)iteration;
    mask_sequences<<<blocks, block>>>(a, lengths_device, b, rows, columns, fill);
    mask_window<<<blocks, block>>>(b, a, rows, columns, columns / 2, fill + 1);
    mask_upper<<<blocks, block>>>(a, b, rows, columns, fill + 2);
    float *swap = a;
    a = b;
    b = swap;
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(field, a, cells);
  bench_report_words(time_ms, (uint32_t *)field, cells);
  return 0;
}
