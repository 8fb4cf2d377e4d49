// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs on grids do at the rim of their data: clamped, reflected, wrapped and left-out neighbours, by selects, minima and
// branches, with signed, unsigned and 64-bit indices; and special columns in the middle.
#include "check.h"

__host__ __device__ int at_clamped(const int *in, int x, int y, int width, int height) {
  x = x < 0 ? 0 : x >= width ? width - 1 : x;
  y = y < 0 ? 0 : y >= height ? height - 1 : y;
  return in[y * width + x];
}

__host__ __device__ int at_or_zero(const int *in, int x, int y, int width, int height) {
  return x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 0;
}

__global__ void by_select(const int *in, int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * width + x;
  if (x >= width || y >= height)
    return;
  int north = y > 0 ? at - width : at, south = y < height - 1 ? at + width : at;
  int west = x == 0 ? at : at - 1, east = x == width - 1 ? at : at + 1;
  out[at] = in[at] + 2 * in[north] + 3 * in[south] + 5 * in[west] + 7 * in[east];
}

__global__ void by_extremes(const int *in, int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = in[y * width + x] + 2 * in[max(y - 1, 0) * width + x] +
                         3 * in[min(y + 1, height - 1) * width + x] + 5 * in[y * width + max(x - 1, 0)] +
                         7 * in[y * width + min(x + 1, width - 1)];
}

__global__ void by_branch(const int *in, int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = in[y * width + x];
  if (y > 0)
    sum += 2 * in[(y - 1) * width + x];
  if (y < height - 1)
    sum += 3 * in[(y + 1) * width + x];
  if (x > 0)
    sum += 5 * in[y * width + x - 1];
  if (x < width - 1)
    sum += 7 * in[y * width + x + 1];
  out[y * width + x] = sum;
}

__global__ void by_unsigned(const int *in, int *out, unsigned width, unsigned height) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = in[y * width + x];
  if (y - 1 < height)
    sum += 2 * in[(y - 1) * width + x];
  if (y + 1 < height)
    sum += 3 * in[(y + 1) * width + x];
  if (x - 1 < width)
    sum += 5 * in[y * width + x - 1];
  if (x + 1 < width)
    sum += 7 * in[y * width + x + 1];
  out[y * width + x] = sum;
}

__global__ void by_long(const int *in, int *out, size_t width, size_t height) {
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  size_t north = y ? y - 1 : 0, south = y + 1 < height ? y + 1 : y, west = x ? x - 1 : 0,
         east = x + 1 < width ? x + 1 : x;
  out[y * width + x] = in[y * width + x] + 2 * in[north * width + x] + 3 * in[south * width + x] +
                       5 * in[y * width + west] + 7 * in[y * width + east];
}

// A torus: neighbours far away at the rim.
__global__ void wrapped(const int *in, int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int west = x == 0 ? width - 1 : x - 1, east = x == width - 1 ? 0 : x + 1;
  out[y * width + x] = in[y * width + west] - 3 * in[y * width + east] + in[(y + 1 == height ? 0 : y + 1) * width + x];
}

// Columns of their own, reversed rows, indices that do wrap around, two elements a thread.
__global__ void special(const int *in, int *out, int width, int height, int column) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int from = x == 5 ? 0 : x == column ? width - 1 : width - 1 - x;
  int mixed = (unsigned)x * 2654435761u < 0x80000000u ? x / 2 : x;
  out[y * width + x] = in[y * width + from] + 3 * in[y * width + mixed] + (x < 3 ? in[x] : 0) +
                       (x >= column ? in[y * width + x - column] : 9);
}

// Here the position in the block counts too.
__global__ void places(int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = threadIdx.x + 1000 * blockIdx.x + 1000000 * threadIdx.y;
}

#define TILE 16

// A tile in shared memory that is clamped at the rim of the whole.
__global__ void tiled(const int *in, int *out, int width, int height) {
  __shared__ int tile[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, x = (int)blockIdx.x * (TILE - 2) + tx - 1,
      y = (int)blockIdx.y * (TILE - 2) + ty - 1;
  tile[ty][tx] = in[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
  __syncthreads();
  if (tx > 0 && ty > 0 && tx < TILE - 1 && ty < TILE - 1 && x < width && y < height) {
    int west = x == 0 ? tx : tx - 1, east = x == width - 1 ? tx : tx + 1;
    out[y * width + x] =
        tile[ty][tx] + 2 * tile[ty - 1][tx] + 3 * tile[ty + 1][tx] + 5 * tile[ty][west] + 7 * tile[ty][east];
  }
}

static int crossed(const buffer<int> &in, int x, int y, int width, int height,
                   int (*at)(const int *, int, int, int, int)) {
  return at(in.host, x, y, width, height) + 2 * at(in.host, x, y - 1, width, height) +
         3 * at(in.host, x, y + 1, width, height) + 5 * at(in.host, x - 1, y, width, height) +
         7 * at(in.host, x + 1, y, width, height);
}

static void run(int width, int height, dim3 block) {
  buffer<int> in(width * height), out(width * height);
  unsigned state = 7;
  for (int i = 0; i < width * height; i++)
    in[i] = next_random(state) % 1000;
  in.upload();
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
#define EACH(expected)                                                                                                 \
  out.download();                                                                                                      \
  for (int y = 0; y < height; y++)                                                                                     \
    for (int x = 0; x < width; x++) {                                                                                  \
      const int i = y * width + x;                                                                                     \
      expect(i, out[i], expected);                                                                                     \
    }                                                                                                                  \
  CHECK(cudaMemset(out.device, 0xA5, width * height * sizeof(int)))
  by_select<<<grid, block>>>(in.device, out.device, width, height);
  EACH(crossed(in, x, y, width, height, at_clamped));
  by_extremes<<<grid, block>>>(in.device, out.device, width, height);
  EACH(crossed(in, x, y, width, height, at_clamped));
  by_branch<<<grid, block>>>(in.device, out.device, width, height);
  EACH(crossed(in, x, y, width, height, at_or_zero));
  by_unsigned<<<grid, block>>>(in.device, out.device, width, height);
  EACH(crossed(in, x, y, width, height, at_or_zero));
  by_long<<<grid, block>>>(in.device, out.device, width, height);
  EACH(crossed(in, x, y, width, height, at_clamped));
  wrapped<<<grid, block>>>(in.device, out.device, width, height);
  EACH(in[y * width + (x + width - 1) % width] - 3 * in[y * width + (x + 1) % width] +
       in[(y + 1) % height * width + x]);
  const int column = width / 3;
  special<<<grid, block>>>(in.device, out.device, width, height, column);
  EACH(in[y * width + (x == 5        ? 0
                       : x == column ? width - 1
                                     : width - 1 - x)] +
       3 * in[y * width + ((unsigned)x * 2654435761u < 0x80000000u ? x / 2 : x)] + (x < 3 ? in[x] : 0) +
       (x >= column ? in[y * width + x - column] : 9));
  places<<<grid, block>>>(out.device, width, height);
  EACH(x % (int)block.x + 1000 * (x / (int)block.x) + 1000000 * (y % (int)block.y));
  dim3 tiles((width + TILE - 3) / (TILE - 2), (height + TILE - 3) / (TILE - 2));
  tiled<<<tiles, dim3(TILE, TILE)>>>(in.device, out.device, width, height);
  EACH(crossed(in, x, y, width, height, at_clamped));
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  run(530, 70, dim3(block, 1));
  run(300, 111, dim3(16, 8));
  run(1, 200, dim3(8, 2));
  run(7, 3, dim3(4, 4));
  return passed();
}
