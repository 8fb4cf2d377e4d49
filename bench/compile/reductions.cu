// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile time: sums of rows by blocks, in tiles of a warp and then of the block, for several sums at once.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <int SUMS, class Number> __global__ void sum_rows(const Number *matrix, Number *sums, int rows, int columns) {
  __shared__ Number parts[32];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    Number own[SUMS] = {};
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
      for (int k = 0; k < SUMS; k++)
        own[k] += matrix[row * columns + i] * Number(k + 1);
    for (int k = 0; k < SUMS; k++) {
      Number sum = own[k];
      for (int distance = 16; distance > 0; distance /= 2)
        sum += warp.shfl_xor(sum, distance);
      if (warp.thread_rank() == 0)
        parts[warp.meta_group_rank()] = sum;
      block.sync();
      sum = warp.thread_rank() < warp.meta_group_size() ? parts[warp.thread_rank()] : Number(0);
      for (int distance = 16; distance > 0; distance /= 2)
        sum += warp.shfl_xor(sum, distance);
      if (block.thread_rank() == 0)
        sums[row * SUMS + k] = sum;
      block.sync();
    }
  }
}

template <int SUMS, class Number> static void launch() {
  Number *matrix, *sums;
  cudaMallocManaged(&matrix, 1 << 20);
  cudaMallocManaged(&sums, 1 << 16);
  sum_rows<SUMS><<<4, 256>>>(matrix, sums, 8, 256);
}

int main() {
  launch<1, float>();
  launch<2, float>();
  launch<4, float>();
  launch<8, float>();
  launch<3, double>();
  launch<5, double>();
  return cudaDeviceSynchronize();
}
