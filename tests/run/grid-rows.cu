// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that share nothing and may run as one row: grids of three dimensions, several elements a thread, atomics, sums of all sizes
// with the block's and the thread's index, rows of blocks of every length.
#include "check.h"

__global__ void three(int *out, int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth)
    out[(z * height + y) * width + x] = x + 1000 * y + 1000000 * z;
}

__global__ void pairs(int *out, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    out[i] = 3 * i;
  if (i + 1 < n)
    out[i + 1] = 5 * i;
}

// Two elements a thread, a block's width apart: here the block is no piece of a row.
__global__ void halves(int *out, int n) {
  int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  if (i < n)
    out[i] = 3 * i;
  if (i + blockDim.x < n)
    out[i + blockDim.x] = 5 * i;
}

__global__ void last_first(int *out, int n) {
  int i = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 7 * i;
}

__global__ void counted(unsigned *counts, const unsigned *keys, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&counts[keys[i] & 63], 1u);
}

__global__ void transposed(const int *in, int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}

__global__ void per_row(const int *starts, int *out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int start = starts[blockIdx.y];
  if (x < width)
    out[blockIdx.y * width + x] = start + x;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int width = 203, height = 37, depth = 5, all = width * height * depth;
  {
    buffer<int> out(all);
    const dim3 shapes[] = {dim3(block, 1, 1), dim3(8, 4, 2), dim3(3, 1, 5)};
    for (dim3 shape : shapes) {
      dim3 grid((width + shape.x - 1) / shape.x, (height + shape.y - 1) / shape.y, (depth + shape.z - 1) / shape.z);
      CHECK(cudaMemset(out.device, 0xA5, all * sizeof(int)));
      three<<<grid, shape>>>(out.device, width, height, depth);
      out.download();
      for (int i = 0; i < all; i++)
        expect(i, out[i], i % width + 1000 * (i / width % height) + 1000000 * (i / width / height));
    }
  }
  const int counts[] = {1, 63, 64, 1000, 77777};
  for (int n : counts) {
    buffer<int> out(n);
    pairs<<<blocks_for((n + 1) / 2, block), block>>>(out.device, n);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], i % 2 ? 5 * (i - 1) : 3 * i);
    halves<<<blocks_for(n, 2 * block), block>>>(out.device, n);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], i / block % 2 ? 5 * (i - block) : 3 * i);
    last_first<<<blocks_for(n, block), block>>>(out.device, n);
    out.download();
    for (int i = 0; i < n; i++)
      expect(i, out[i], 7 * i);
    buffer<unsigned> keys(n), bins(64);
    unsigned state = 5, wanted[64] = {0};
    for (int i = 0; i < n; i++)
      wanted[(keys[i] = next_random(state)) & 63]++;
    keys.upload();
    bins.upload();
    counted<<<blocks_for(n, block), block>>>(bins.device, keys.device, n);
    bins.download();
    for (int i = 0; i < 64; i++)
      expect(i, bins[i], wanted[i]);
  }
  {
    buffer<int> in(width * height), out(width * height), starts(height);
    for (int i = 0; i < width * height; i++)
      in[i] = 3 * i + 1;
    for (int y = 0; y < height; y++)
      starts[y] = 1000 * y;
    in.upload();
    starts.upload();
    transposed<<<dim3(blocks_for(width, 8), blocks_for(height, 8)), dim3(8, 8)>>>(in.device, out.device, width, height);
    out.download();
    for (int i = 0; i < width * height; i++)
      expect(i, out[i], in[i % height * width + i / height]);
    per_row<<<dim3(blocks_for(width, block), height), block>>>(starts.device, out.device, width);
    out.download();
    for (int i = 0; i < width * height; i++)
      expect(i, out[i], 1000 * (i / width) + i % width);
  }
  return passed();
}
