// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp for each row: its lanes stride through the row and add up by shuffles, in blocks of sizes that are known where they
// are launched (whole warps, a last warp of 16 lanes, rows of 32 threads) and of one that is not. Also trees, butterflies, scans
// and broadcasts by known distances whose results all lanes use, of 32 and 64 bits.
#include "check.h"

__global__ void row_sums(const int *starts, const int *values, long long *sums, float *largest, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  long long sum = 0;
  float most = -1.0f;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) {
    sum += values[k];
    most = fmaxf(most, (float)values[k]);
  }
  for (int apart = 16; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, apart);
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
  }
  if (lane == 0)
    sums[row] = sum;
  if (lane == 31)
    largest[row] = most;
}

// The same with signed arithmetic in rows of a two-dimensional block, where the tree ends in another lane.
__global__ void row_sums_2d(const int *starts, const int *values, long long *sums, float *largest, int rows) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row < rows) {
    int begin = starts[row], end = starts[row + 1];
    long long sum = 0;
    float most = -1.0f;
    for (int k = begin + lane; k <= end - 1; k += 32) {
      sum += values[k];
      most = most < values[k] ? values[k] : most;
    }
    for (int apart = 1; apart < 32; apart *= 2) {
      long long left = __shfl_up_sync(0xffffffff, sum, apart);
      if (lane >= apart)
        sum += left;
      float other = __shfl_down_sync(0xffffffff, most, apart);
      if (lane + apart < 32 && other > most)
        most = other;
    }
    if (lane == 31)
      sums[row] = sum;
    if (lane == 0)
      largest[row] = most;
  }
}

__global__ void exchanges(const int *in, int *out, double *scaled) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int own = in[i], all = own;
  for (int apart = 1; apart < 32; apart *= 2)
    all ^= __shfl_xor_sync(0xffffffff, all + apart, apart);
  int scan = own;
  for (int apart = 1; apart < 32; apart *= 2) {
    int left = __shfl_up_sync(0xffffffff, scan, apart);
    scan = lane < apart ? scan : scan + left;
  }
  int first = __shfl_sync(0xffffffff, scan, 0), part = __shfl_sync(0xffffffff, own, 5, 8);
  double half = __shfl_down_sync(0xffffffff, own * 0.5, 3, 16);
  if (threadIdx.x / 32 == 1)
    scan -= first;
  if (threadIdx.x < 32)
    part += all;
  out[3 * i] = all, out[3 * i + 1] = scan, out[3 * i + 2] = part;
  scaled[i] = half + lane;
}

static void check_rows(const char *what, buffer<long long> &sums, buffer<float> &largest, const long long *sum,
                       const float *most, int rows) {
  sums.download();
  largest.download();
  for (int row = 0; row < rows; row++)
    if (sums[row] != sum[row] || largest[row] != most[row]) {
      printf("%s: row %d: got %lld and %g, expected %lld and %g\n", what, row, sums[row], largest[row], sum[row],
             most[row]);
      exit(1);
    }
  CHECK(cudaMemset(sums.device, 0xA5, rows * sizeof(long long)));
  CHECK(cudaMemset(largest.device, 0xA5, rows * sizeof(float)));
}

int main(int argc, char **argv) {
  const int rows = 203, block = block_size(argc, argv);
  buffer<int> starts(rows + 1);
  unsigned state = 5;
  for (int row = 0; row < rows; row++)
    starts[row + 1] = starts[row] + (int)(next_random(state) % 131) * (row % 7 != 3);
  const int total = starts[rows];
  buffer<int> values(total);
  buffer<long long> sums(rows);
  buffer<float> largest(rows);
  long long *sum = (long long *)calloc(rows, sizeof(long long));
  float *most = (float *)calloc(rows, sizeof(float));
  for (int row = 0; row < rows; row++) {
    most[row] = -1.0f;
    for (int k = starts[row]; k < starts[row + 1]; k++) {
      values[k] = (int)(next_random(state) & 0xfffff);
      sum[row] += values[k];
      most[row] = fmaxf(most[row], (float)values[k]);
    }
  }
  starts.upload();
  values.upload();
  row_sums<<<blocks_for(rows, 4), 128>>>(starts.device, values.device, sums.device, largest.device, rows);
  check_rows("128 threads", sums, largest, sum, most, rows);
  row_sums<<<blocks_for(rows, 3), 96>>>(starts.device, values.device, sums.device, largest.device, rows);
  check_rows("96 threads", sums, largest, sum, most, rows);
  row_sums_2d<<<blocks_for(rows, 6), dim3(32, 6)>>>(starts.device, values.device, sums.device, largest.device, rows);
  check_rows("32 x 6 threads", sums, largest, sum, most, rows);
  if (block % 32 == 0) {
    row_sums<<<blocks_for(rows, block / 32), block>>>(starts.device, values.device, sums.device, largest.device, rows);
    check_rows("any number of threads", sums, largest, sum, most, rows);
  }

  const int n = 6 * 96;
  buffer<int> in(n), out(3 * n);
  buffer<double> scaled(n);
  for (int i = 0; i < n; i++)
    in[i] = (int)(next_random(state) & 0xffff);
  in.upload();
  for (int iteration = 0; iteration < 2; iteration++) {
    if (iteration == 0)
      exchanges<<<6, 96>>>(in.device, out.device, scaled.device);
    else
      exchanges<<<n / 64, 64>>>(in.device, out.device, scaled.device);
    out.download();
    scaled.download();
    for (int i = 0; i < n; i++) {
      const int width = iteration == 0 ? 96 : 64, thread = i % width, lane = thread % 32, *warp = &in[i - lane];
      int all[32], next[32], scan = 0;
      for (int k = 0; k < 32; k++)
        all[k] = warp[k];
      for (int apart = 1; apart < 32; apart *= 2) {
        for (int k = 0; k < 32; k++)
          next[k] = all[k] ^ (all[k ^ apart] + apart);
        memcpy(all, next, sizeof(all));
      }
      for (int k = 0; k <= lane; k++)
        scan += warp[k];
      int part = warp[lane / 8 * 8 + 5] + (thread < 32 ? all[lane] : 0);
      if (thread / 32 == 1)
        scan -= warp[0];
      double half = warp[lane % 16 + 3 < 16 ? lane + 3 : lane] * 0.5 + lane;
      const int want[] = {all[lane], scan, part};
      for (int k = 0; k < 3; k++)
        if (out[3 * i + k] != want[k]) {
          printf("iteration %d, thread %d, value %d: got %d, expected %d\n", iteration, i, k, out[3 * i + k], want[k]);
          return 1;
        }
      if (scaled[i] != half) {
        printf("iteration %d, thread %d: got %g, expected %g\n", iteration, i, scaled[i], half);
        return 1;
      }
    }
  }
  free(sum);
  free(most);
  printf("ok\n");
  return 0;
}
