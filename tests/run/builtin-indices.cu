// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim and warpSize, recorded by each thread and recomputed from its linear index.
#include "check.h"

struct record {
  uint3 thread, block;
  dim3 block_shape, grid_shape;
  int warp_size;
};

__global__ void note(record *records) {
  int in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  record &mine = records[block * (blockDim.x * blockDim.y * blockDim.z) + in_block];
  mine.thread = threadIdx;
  mine.block = blockIdx;
  mine.block_shape = blockDim;
  mine.grid_shape = gridDim;
  mine.warp_size = warpSize;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const dim3 shapes[] = {dim3(block), dim3(3, 5, 2), dim3(1, 2, 7)};
  const dim3 grid(2, 3, 2);
  for (dim3 shape : shapes) {
    unsigned threads = shape.x * shape.y * shape.z;
    buffer<record> records(12 * threads);
    note<<<grid, shape>>>(records.device);
    records.download();
    for (unsigned i = 0; i < 12 * threads; i++) {
      unsigned t = i % threads, b = i / threads;
      expect(i, records[i].thread.x, t % shape.x);
      expect(i, records[i].thread.y, t / shape.x % shape.y);
      expect(i, records[i].thread.z, t / (shape.x * shape.y));
      expect(i, records[i].block.x, b % 2);
      expect(i, records[i].block.y, b / 2 % 3);
      expect(i, records[i].block.z, b / 6);
      expect(i, records[i].block_shape.y, shape.y);
      expect(i, records[i].grid_shape.y, 3u);
      expect(i, records[i].warp_size, 32);
    }
  }
  return passed();
}
