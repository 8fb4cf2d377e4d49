// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a warp that exchange through indices kept in shared memory, and store only where data says so, without a barrier:
// searches for the position of the greatest element. Arrays begin at an address that the launch decides about.
#include "check.h"

// One warp for each row of a matrix. `half` doubles; lanes beyond the row have an element of 0.
__global__ void row_maxima(const float *matrix, int *place_of, int rows, int columns, int room) {
  extern __shared__ float memory[];
  int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float *size = memory + warp * room;
  int *place = (int *)(memory + warps * room) + warp * room;
  for (int row = blockIdx.x * warps + warp; row < rows; row += gridDim.x * warps) {
    size[lane] = lane < columns ? fabsf(matrix[row * columns + lane]) : 0;
    place[lane] = lane;
    for (int parts = 2; parts <= room; parts *= 2)
      if (lane < room / parts && size[place[lane]] < size[place[lane + room / parts]])
        place[lane] = place[lane + room / parts];
    if (lane == 0)
      place_of[row] = place[0];
  }
}

// The pivot of each column of a small matrix, found by the threads of one row of the block.
__global__ void pivots(const float *matrix, int *found, int n, int room) {
  extern __shared__ float memory[];
  int *row_of = (int *)(memory + room);
  int x = threadIdx.x, y = threadIdx.y;
  if (y == 0 && x < room - n)
    memory[n + x] = 0, row_of[n + x] = n + x;
  __syncthreads();
  for (int column = 0; column < n; column++) {
    if (y == column) {
      memory[x] = fabsf(matrix[x * n + column]);
      row_of[x] = x;
      for (int half = room / 2; half > 0; half >>= 1)
        if (x < half && memory[row_of[x + half]] > memory[row_of[x]])
          row_of[x] = row_of[x + half];
    }
    __syncthreads();
    if (x == 0 && y == 0)
      found[column] = row_of[0];
    __syncthreads();
  }
}

static int greatest(const float *first, int count, int step) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if (fabsf(first[i * step]) > fabsf(first[best * step]))
      best = i;
  return best;
}

int main(int argc, char **argv) {
  const int block = (block_size(argc, argv) + 31) / 32 * 32, rows = 100, columns = 27 + argc % 2, n = 4 + argc % 2;
  buffer<float> matrix(rows * columns);
  buffer<int> places(rows), found(n);
  unsigned state = 7;
  for (int i = 0; i < rows * columns; i++)
    matrix[i] = (float)(int)(next_random(state) % 2000003) - 1000001; /* seldom the same twice */
  matrix.upload();
  const int shared_bytes = 2 * block * (int)sizeof(float);
  row_maxima<<<3, block, shared_bytes>>>(matrix.device, places.device, rows, columns, 32);
  places.download();
  for (int row = 0; row < rows; row++)
    expect(row, places[row], greatest(&matrix[row * columns], columns, 1));
  pivots<<<1, dim3(n, n), 16 * sizeof(float)>>>(matrix.device, found.device, n, 8);
  found.download();
  for (int column = 0; column < n; column++)
    expect(column, found[column], greatest(&matrix[column], n, n));
  puts("ok");
}
