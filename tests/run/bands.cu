// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that march through planes with barriers on the way, many side by side: with a halo, with values that are the block's own, with
// as many iterations as the block's index says, and with a rim that is not a whole block.
#include "check.h"

#define WIDTH 8
#define HEIGHT 4

// Five points of a plane and one of the plane before, from a tile; the rim stays.
__global__ void march(const float *in, float *out, int width, int height, int depth) {
  __shared__ float tile[HEIGHT + 2][WIDTH + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  bool within = x < width && y < height, inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
  int plane = width * height, at = y * width + x;
  float before = 0;
  for (int z = 0; z < depth; z++, at += plane) {
    float here = 0;
    if (within) {
      tile[ty][tx] = here = in[at];
      if (threadIdx.x == 0 && x > 0)
        tile[ty][0] = in[at - 1];
      if (threadIdx.x == WIDTH - 1 && x < width - 1)
        tile[ty][WIDTH + 1] = in[at + 1];
      if (threadIdx.y == 0 && y > 0)
        tile[0][tx] = in[at - width];
      if (threadIdx.y == HEIGHT - 1 && y < height - 1)
        tile[HEIGHT + 1][tx] = in[at + width];
    }
    __syncthreads();
    if (inner)
      out[at] =
          here + 2 * tile[ty][tx - 1] + 3 * tile[ty][tx + 1] + 5 * tile[ty - 1][tx] + 7 * tile[ty + 1][tx] - before;
    else if (within)
      out[at] = here;
    before = here;
    __syncthreads();
  }
}

// Turns each block of each plane around, and adds values that tell blocks and threads apart. In place.
__global__ void turn(int *data, int *last, int width, int height, int depth) {
  __shared__ int tile[HEIGHT][WIDTH];
  __shared__ int sum;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y, odd = blockIdx.x % 2,
      at = y * width + x;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    sum = blockIdx.x;
  for (int z = 0; z < depth; z++) {
    tile[threadIdx.y][threadIdx.x] = data[at];
    __syncthreads();
    if (threadIdx.x == 1 && threadIdx.y == 2)
      sum = 3 * sum + tile[0][0];
    data[at] = tile[HEIGHT - 1 - threadIdx.y][WIDTH - 1 - threadIdx.x] + (odd ? 1000 : threadIdx.x) + gridDim.x;
    at += width * height;
    __syncthreads();
  }
  if (threadIdx.x == 0 && threadIdx.y == 0)
    last[blockIdx.y * gridDim.x + blockIdx.x] = sum;
}

// Blocks of a row that do not make the same number of iterations.
__global__ void uneven(const int *in, int *out, int width, int height, int depth) {
  __shared__ int tile[HEIGHT][WIDTH];
  int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y, at = y * width + x,
      iterations = blockIdx.x % (depth + 1);
  int sum = 0;
  for (int z = 0; z < iterations; z++, at += width * height) {
    tile[threadIdx.y][threadIdx.x] = in[at];
    __syncthreads();
    sum = 7 * sum + tile[threadIdx.y][WIDTH - 1 - threadIdx.x];
    __syncthreads();
  }
  out[y * width + x] = sum;
}

static void check_march(int width, int height, int depth) {
  const size_t cells = (size_t)width * height * depth;
  buffer<float> in(cells), out(cells);
  unsigned state = 1;
  for (size_t i = 0; i < cells; i++)
    in.host[i] = (float)(next_random(state) % 64);
  in.upload();
  march<<<dim3(blocks_for(width, WIDTH), blocks_for(height, HEIGHT)), dim3(WIDTH, HEIGHT)>>>(in.device, out.device,
                                                                                             width, height, depth);
  out.download();
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const size_t at = ((size_t)z * height + y) * width + x;
        const float *p = in.host + at;
        float wanted = p[0];
        if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
          wanted += 2 * p[-1] + 3 * p[1] + 5 * p[-width] + 7 * p[width] - (z > 0 ? p[-(ptrdiff_t)width * height] : 0);
        expect((long long)at, out.host[at], wanted);
      }
}

static void check_turn(int across, int down, int depth) {
  const int width = across * WIDTH, height = down * HEIGHT;
  const size_t cells = (size_t)width * height * depth;
  buffer<int> data(cells), last((size_t)across * down);
  unsigned state = 2;
  for (size_t i = 0; i < cells; i++)
    data.host[i] = (int)(next_random(state) % 1000);
  data.upload();
  int *was = (int *)malloc(cells * sizeof(int));
  memcpy(was, data.host, cells * sizeof(int));
  turn<<<dim3(across, down), dim3(WIDTH, HEIGHT)>>>(data.device, last.device, width, height, depth);
  data.download();
  last.download();
  for (int by = 0; by < down; by++)
    for (int bx = 0; bx < across; bx++) {
      int sum = bx;
      for (int z = 0; z < depth; z++) {
        const size_t corner = ((size_t)z * height + by * HEIGHT) * width + bx * WIDTH;
        sum = (int)(3u * (unsigned)sum + (unsigned)was[corner]);
        for (int y = 0; y < HEIGHT; y++)
          for (int x = 0; x < WIDTH; x++) {
            const int wanted =
                was[corner + (size_t)(HEIGHT - 1 - y) * width + WIDTH - 1 - x] + (bx % 2 ? 1000 : x) + across;
            expect((long long)(corner + (size_t)y * width + x), data.host[corner + (size_t)y * width + x], wanted);
          }
      }
      expect((long long)((size_t)by * across + bx), last.host[by * across + bx], sum);
    }
  free(was);
}

static void check_uneven(int across, int down, int depth) {
  const int width = across * WIDTH, height = down * HEIGHT;
  const size_t plane = (size_t)width * height;
  buffer<int> in(plane * depth), out(plane);
  unsigned state = 3;
  for (size_t i = 0; i < plane * depth; i++)
    in.host[i] = (int)(next_random(state) % 1000);
  in.upload();
  uneven<<<dim3(across, down), dim3(WIDTH, HEIGHT)>>>(in.device, out.device, width, height, depth);
  out.download();
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const int bx = x / WIDTH, mirrored = bx * WIDTH + WIDTH - 1 - x % WIDTH;
      unsigned sum = 0;
      for (int z = 0; z < bx % (depth + 1); z++)
        sum = 7 * sum + (unsigned)in.host[z * plane + (size_t)y * width + mirrored];
      expect((long long)((size_t)y * width + x), out.host[(size_t)y * width + x], (int)sum);
    }
}

int main() {
  check_march(200, 200, 5);
  check_march(259, 131, 3); // a strip that is shorter, a block that is not whole
  check_march(7, 5, 4);
  check_march(33, 601, 1);
  check_turn(25, 50, 4);
  check_turn(1, 1, 3);
  check_turn(131, 20, 2);
  check_uneven(25, 50, 4);
  return passed();
}
