// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mean over the square around each cell by hand: rows over the threads; cells away from the left and the right border
// have loops of the same bounds, in vectors. Arguments: size, reach, iterations.
#include "../../common/bench.h"

static float smooth_cell(const float *in, int n, int reach, int x, int y) {
  const int left = x < reach ? 0 : x - reach, right = x + reach < n ? x + reach : n - 1;
  const int top = y < reach ? 0 : y - reach, bottom = y + reach < n ? y + reach : n - 1;
  float sum = 0;
  for (int row = top; row <= bottom; row++)
    for (int column = left; column <= right; column++)
      sum += in[row * n + column];
  return sum / ((right - left + 1) * (bottom - top + 1));
}

enum { GROUP = 64 };

static void smooth_group(const float *restrict in, float *restrict out, int n, int reach, int x, int y, int many) {
  const int top = y < reach ? 0 : y - reach, bottom = y + reach < n ? y + reach : n - 1;
  const float cells = (2 * reach + 1) * (bottom - top + 1);
  float sums[GROUP] = {0};
  for (int row = top; row <= bottom; row++)
    for (int across = -reach; across <= reach; across++)
#pragma omp simd
      for (int i = 0; i < many; i++)
        sums[i] += in[row * n + x + across + i];
#pragma omp simd
  for (int i = 0; i < many; i++)
    out[y * n + x + i] = sums[i] / cells;
}

static void smooth_row(const float *in, float *out, int n, int reach, int y) {
  int x = 0;
  for (; x < reach && x < n; x++)
    out[y * n + x] = smooth_cell(in, n, reach, x, y);
  for (; x + GROUP <= n - reach; x += GROUP)
    smooth_group(in, out, n, reach, x, y, GROUP);
  if (x < n - reach)
    smooth_group(in, out, n, reach, x, y, n - reach - x);
  for (x = n - reach > x ? n - reach : x; x < n; x++)
    out[y * n + x] = smooth_cell(in, n, reach, x, y);
}

int main(int argc, char **argv) {
  const int n = (int)bench_argument(argc, argv, 1, 512, 1, "size");
  const int reach = (int)bench_argument(argc, argv, 2, 4, 0, "reach");
  const int iterations = (int)bench_argument(argc, argv, 3, 30, 1, "iterations");
  const size_t count = (size_t)n * n;
  float *now = bench_random_floats(count, 97, 0, 1), *next = bench_allocate(count * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < n; y++)
      smooth_row(now, next, n, reach, y);
    float *swap = now;
    now = next;
    next = swap;
  }
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, now, count, 1e-4);
  return 0;
}
