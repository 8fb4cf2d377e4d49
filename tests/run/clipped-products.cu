// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// levels: all
//
// Products of a small image with a larger one at all positions where the two meet: each thread's loops end where an image ends, so
// that neighbours go over other rows, and rows are counted from 1, so that a remainder of 0 is the last row of the column before.
#include "check.h"

struct shape {
  int small_rows, small_columns, large_rows, large_columns, rows, count, down, right;
};

__global__ void meet(const float *small, const float *large, float *sums, shape s) {
  for (int e = threadIdx.x; e < s.count; e += blockDim.x) {
    int row = (e + 1) % s.rows, column = (e + 1) / s.rows + 1;
    if ((e + 1) % s.rows == 0) {
      row = s.rows;
      column--;
    }
    row += s.down;
    column += s.right;
    int left = max(1, column + 1 - s.large_columns), right = min(column, s.small_columns);
    int top = row + 1 > s.large_rows ? row + 1 - s.large_rows : 1, bottom = row < s.small_rows ? row : s.small_rows;
    float sum = 0;
    for (int j = left; j <= right; j++)
      for (int i = top; i <= bottom; i++)
        sum += small[s.small_rows * (j - 1) + i - 1] * large[s.large_rows * (column - j) + row - i];
    sums[e] = sum;
  }
}

/* Products along a band: bounds that step with the thread, at times with nothing between them. */
__global__ void band(const float *large, float *sums, int count, int before, int after) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  float sum = 0;
  for (int k = max(0, t - before); k < min(count, t + after); k++)
    sum += large[k] * large[count - 1 - k + t % 2];
  sums[t] = sum;
}

/* From the definition: row i of the small image meets row `row - i + 1` of the large one. */
static float expected(buffer<float> &small, buffer<float> &large, const shape &s, int e) {
  int row = e % s.rows + 1 + s.down, column = e / s.rows + 1 + s.right;
  float sum = 0;
  for (int j = 1; j <= s.small_columns; j++)
    for (int i = 1; i <= s.small_rows; i++) {
      int y = row - i + 1, x = column - j + 1;
      if (y >= 1 && y <= s.large_rows && x >= 1 && x <= s.large_columns)
        sum += small[s.small_rows * (j - 1) + i - 1] * large[s.large_rows * (x - 1) + y - 1];
    }
  return sum;
}

static void check_meet(int threads, shape s) {
  s.count = s.rows * (s.large_columns + s.small_columns - 1 - s.right);
  buffer<float> small(s.small_rows * s.small_columns), large(s.large_rows * s.large_columns), sums(s.count);
  for (int i = 0; i < s.small_rows * s.small_columns; i++)
    small[i] = (float)(i * 7 % 11) - 4;
  for (int i = 0; i < s.large_rows * s.large_columns; i++)
    large[i] = (float)(i * 5 % 13) - 6;
  small.upload();
  large.upload();
  meet<<<1, threads>>>(small.device, large.device, sums.device, s);
  sums.download();
  for (int e = 0; e < s.count; e++)
    expect(e, sums[e], expected(small, large, s, e));
}

static void check_band(int threads, int count, int before, int after) {
  buffer<float> large(count + 1), sums(count);
  for (int i = 0; i <= count; i++)
    large[i] = (float)(i % 9) - 3;
  large.upload();
  band<<<blocks_for(count, threads), threads>>>(large.device, sums.device, count, before, after);
  sums.download();
  for (int t = 0; t < count; t++) {
    float sum = 0;
    for (int k = 0; k < count; k++)
      if (k >= t - before && k < t + after)
        sum += large[k] * large[count - 1 - k + t % 2];
    expect(t, sums[t], sum);
  }
}

int main(int argc, char **argv) {
  const int threads = block_size(argc, argv);
  check_meet(threads, {17, 5, 41, 9, 57, 0, 0, 0});
  check_meet(threads, {40, 3, 81, 7, 120, 0, 0, 0});
  check_meet(threads, {5, 4, 90, 6, 94, 0, 0, 1});
  check_meet(threads, {30, 2, 20, 3, 30, 0, 10, 0});
  check_meet(threads, {1, 1, 1, 1, 1, 0, 0, 0});
  check_band(threads, 700, 300, 200);
  check_band(threads, 333, 3, 2);
  check_band(threads, 100, -5, 4);
  return passed();
}
