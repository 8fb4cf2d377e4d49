// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LU decomposition in place, in tiles of 16: for each tile of the diagonal one kernel decomposes it, one makes the
// tiles right of it and below it, and one subtracts their products from all that remains. Arguments: side (a multiple
// of 16), iterations.
#include "matrix.h"

#define TILE 16

__global__ void decompose_tile(float *matrix, int side, int corner) {
  __shared__ float tile[TILE][TILE];
  int me = threadIdx.x;
  float *from = matrix + corner * side + corner;
  for (int row = 0; row < TILE; row++)
    tile[row][me] = from[row * side + me];
  __syncthreads();
  for (int step = 0; step < TILE - 1; step++) {
    if (me > step) {
      for (int k = 0; k < step; k++)
        tile[me][step] -= tile[me][k] * tile[k][step];
      tile[me][step] /= tile[step][step];
    }
    __syncthreads();
    if (me > step)
      for (int k = 0; k <= step; k++)
        tile[step + 1][me] -= tile[step + 1][k] * tile[k][me];
    __syncthreads();
  }
  for (int row = 1; row < TILE; row++)
    from[row * side + me] = tile[row][me];
}

// The first half of the threads makes a column of the tile on the right each, the second half a row of the one below.
__global__ void make_rim(float *matrix, int side, int corner) {
  __shared__ float diagonal[TILE][TILE];
  __shared__ float right[TILE][TILE];
  __shared__ float below[TILE][TILE];
  int me = threadIdx.x % TILE, apart = (blockIdx.x + 1) * TILE;
  bool first = threadIdx.x < TILE;
  float *from = matrix + corner * side + corner;
  for (int row = first ? 0 : TILE / 2; row < (first ? TILE / 2 : TILE); row++)
    diagonal[row][me] = from[row * side + me];
  if (first)
    for (int row = 0; row < TILE; row++)
      right[row][me] = from[row * side + apart + me];
  else
    for (int row = 0; row < TILE; row++)
      below[row][me] = from[(apart + row) * side + me];
  __syncthreads();
  if (first) {
    for (int row = 1; row < TILE; row++)
      for (int k = 0; k < row; k++)
        right[row][me] -= diagonal[row][k] * right[k][me];
  } else {
    for (int column = 0; column < TILE; column++) {
      for (int k = 0; k < column; k++)
        below[me][column] -= below[me][k] * diagonal[k][column];
      below[me][column] /= diagonal[column][column];
    }
  }
  __syncthreads();
  if (first)
    for (int row = 1; row < TILE; row++)
      from[row * side + apart + me] = right[row][me];
  else
    for (int row = 0; row < TILE; row++)
      from[(apart + row) * side + me] = below[row][me];
}

__global__ void subtract_products(float *matrix, int side, int corner) {
  __shared__ float left[TILE][TILE];
  __shared__ float above[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = corner + (blockIdx.y + 1) * TILE + ty, column = corner + (blockIdx.x + 1) * TILE + tx;
  left[ty][tx] = matrix[row * side + corner + tx];
  above[ty][tx] = matrix[(corner + ty) * side + column];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < TILE; k++)
    sum += left[ty][k] * above[k][tx];
  matrix[row * side + column] -= sum;
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 1024, TILE, "side") / TILE * TILE;
  const int iterations = (int)bench_argument(argc, argv, 2, 12, 1, "iterations");
  float *matrix = make_matrix(side);
  float *original = bench_to_device(matrix, (size_t)side * side), *work = bench_to_device(matrix, (size_t)side * side);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++) {
    BENCH_CHECK(cudaMemcpy(work, original, (size_t)side * side * sizeof(float), cudaMemcpyDeviceToDevice));
    for (int corner = 0; corner < side; corner += TILE) {
      int rest = (side - corner) / TILE - 1;
      decompose_tile<<<1, TILE>>>(work, side, corner);
      if (rest == 0)
        break;
      make_rim<<<rest, 2 * TILE>>>(work, side, corner);
      subtract_products<<<dim3(rest, rest), dim3(TILE, TILE)>>>(work, side, corner);
    }
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(matrix, work, (size_t)side * side);
  bench_report_floats(time_ms, matrix, (size_t)side * side, 1e-4);
  cudaFree(original);
  cudaFree(work);
  free(matrix);
  return 0;
}
