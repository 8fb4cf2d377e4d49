// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix by vector with a warp, or a part of one, for each row, whose lanes add up in shared memory without barriers; and counts of
// digits that each lane keeps in a column of its own and others add up.
#include "check.h"

__global__ void warp_for_row(int rows, const int *starts, const int *columns, const float *values, const float *x,
                             float *y) {
  __shared__ volatile float partial[1024 + 16];
  int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
      warps = gridDim.x * blockDim.x / 32;
  for (int row = first; row < rows; row += warps) {
    float sum = 0;
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
      sum += values[k] * x[columns[k]];
    partial[threadIdx.x] = sum;
    partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 16];
    partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 8];
    partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 4];
    partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 2];
    partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 1];
    if (lane == 0)
      y[row] = partial[threadIdx.x];
  }
}

// As many lanes for a row as a template says; two of them fetch the ends of the row for all.
template <int vectors, int lanes>
__global__ void part_for_row(int rows, const int *starts, const int *columns, const float *values, const float *x,
                             float *y) {
  __shared__ volatile float partial[vectors * lanes + lanes / 2];
  __shared__ volatile int ends[vectors][2];
  int thread = blockDim.x * blockIdx.x + threadIdx.x, lane = threadIdx.x & (lanes - 1), vector = threadIdx.x / lanes;
  for (int row = thread / lanes; row < rows; row += vectors * gridDim.x) {
    if (lane < 2)
      ends[vector][lane] = starts[row + lane];
    int start = ends[vector][0], end = ends[vector][1];
    float sum = 0;
    for (int k = start + lane; k < end; k += lanes)
      sum += values[k] * x[columns[k]];
    partial[threadIdx.x] = sum;
    if (lanes > 16)
      partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 16];
    if (lanes > 8)
      partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 8];
    if (lanes > 4)
      partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 4];
    if (lanes > 2)
      partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 2];
    if (lanes > 1)
      partial[threadIdx.x] = sum = sum + partial[threadIdx.x + 1];
    if (lane == 0)
      y[row] = partial[threadIdx.x];
  }
}

// By plain accesses, with a condition in place of room after the end.
__global__ void plainly(int rows, const int *starts, const int *columns, const float *values, const float *x,
                        float *y) {
  __shared__ float partial[1024];
  int lane = threadIdx.x & 31, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  partial[threadIdx.x] = 0;
  if (row < rows) {
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
      partial[threadIdx.x] += values[k] * x[columns[k]];
    if (lane < 16)
      partial[threadIdx.x] += partial[threadIdx.x + 16];
    if (lane < 8)
      partial[threadIdx.x] += partial[threadIdx.x + 8];
    if (lane < 4)
      partial[threadIdx.x] += partial[threadIdx.x + 4];
    if (lane < 2)
      partial[threadIdx.x] += partial[threadIdx.x + 2];
    if (lane < 1)
      partial[threadIdx.x] += partial[threadIdx.x + 1];
    if (lane == 0)
      y[row] = partial[threadIdx.x];
  }
}

enum { DIGITS = 16 };

// Lanes count into columns, then each adds up rows: the last lane's counts are among what the first one reads.
__global__ void count_digits(const unsigned *keys, int n, int shift, int *totals) {
  __shared__ volatile int counts[DIGITS][32];
  int lane = threadIdx.x;
  for (int digit = 0; digit < DIGITS; digit++)
    counts[digit][lane] = 0;
  for (int i = lane; i < n; i += 32)
    counts[keys[blockIdx.x * n + i] >> shift & (DIGITS - 1)][lane]++;
  if (lane < DIGITS) {
    int sum = 0;
    for (int k = 0; k < 32; k++)
      sum += counts[lane][k];
    totals[blockIdx.x * DIGITS + lane] = sum;
  }
}

// One column for all lanes, who write in turns until each has seen its own index there.
__global__ void count_by_turns(const unsigned *keys, int n, int *totals) {
  __shared__ volatile unsigned counts[DIGITS];
  unsigned lane = threadIdx.x, mark = lane << 27;
  if (lane < DIGITS)
    counts[lane] = 0;
  for (int i = lane; i < n; i += 32) {
    unsigned digit = keys[blockIdx.x * n + i] % DIGITS, count;
    do {
      count = (counts[digit] & 0x07ffffff) + 1 | mark;
      counts[digit] = count;
    } while (counts[digit] != count);
  }
  if (lane < DIGITS)
    totals[blockIdx.x * DIGITS + lane] = counts[lane] & 0x07ffffff;
}

int main(int argc, char **argv) {
  const int block = (block_size(argc, argv) + 31) / 32 * 32, rows = 203, blocks = 3;
  buffer<int> starts(rows + 1), totals(blocks * DIGITS);
  int count = 0;
  for (int row = 0; row <= rows; row++) {
    starts[row] = count;
    count += row % 5 == 0 ? 100 : row % 9;
  }
  buffer<int> columns(count);
  buffer<float> values(count), x(rows), y(rows);
  for (int k = 0; k < count; k++)
    columns[k] = k * 31 % rows, values[k] = k % 7 - 3;
  for (int row = 0; row < rows; row++)
    x[row] = row % 11 - 5;
  starts.upload(), columns.upload(), values.upload(), x.upload();
  for (int kernel = 0; kernel < 5; kernel++) {
    CHECK(cudaMemset(y.device, 0x7f, rows * sizeof(float)));
    if (kernel == 0)
      warp_for_row<<<blocks, block>>>(rows, starts.device, columns.device, values.device, x.device, y.device);
    if (kernel == 1)
      part_for_row<4, 32><<<5, 128>>>(rows, starts.device, columns.device, values.device, x.device, y.device);
    if (kernel == 2)
      part_for_row<16, 8><<<5, 128>>>(rows, starts.device, columns.device, values.device, x.device, y.device);
    if (kernel == 3)
      part_for_row<64, 2><<<5, 128>>>(rows, starts.device, columns.device, values.device, x.device, y.device);
    if (kernel == 4)
      plainly<<<blocks_for(rows * 32, block), block>>>(rows, starts.device, columns.device, values.device, x.device,
                                                       y.device);
    CHECK(cudaDeviceSynchronize());
    y.download();
    for (int row = 0; row < rows; row++) {
      float sum = 0; /* of small integers: the same in any order */
      for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
      expect(kernel * 1000 + row, y[row], sum);
    }
  }
  const int n = 500;
  buffer<unsigned> keys(blocks * n);
  unsigned state = 5;
  for (int i = 0; i < blocks * n; i++)
    keys[i] = next_random(state);
  keys.upload();
  for (int kernel = 0; kernel < 2; kernel++) {
    const int shift = kernel ? 0 : 8;
    if (kernel == 0)
      count_digits<<<blocks, 32>>>(keys.device, n, shift, totals.device);
    if (kernel == 1)
      count_by_turns<<<blocks, 32>>>(keys.device, n, totals.device);
    CHECK(cudaDeviceSynchronize());
    totals.download();
    for (int b = 0; b < blocks; b++)
      for (int digit = 0; digit < DIGITS; digit++) {
        int expected = 0;
        for (int i = 0; i < n; i++)
          expected += (keys[b * n + i] >> shift) % DIGITS == (unsigned)digit;
        expect(10000 + kernel * 1000 + b * DIGITS + digit, totals[b * DIGITS + digit], expected);
      }
  }
  return passed();
}
