// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles with a halo of several cells, which reach into the next block's, and several steps in each tile: with clamped indices at the rim of the
// data, with coordinates signed and unsigned, and on grids of one block, of one row, of one column and of many of both.
#include "check.h"

#define TILE 16
#define STEPS 2
#define INNER (TILE - 2 * STEPS)

// A cell becomes a sum of its neighbours; beyond the rim stands what stands at the rim.
__global__ void steps(const int *in, int *out, int width, int height) {
  __shared__ int now[TILE][TILE];
  __shared__ int next[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = (int)blockIdx.x * INNER + tx - STEPS, y = (int)blockIdx.y * INNER + ty - STEPS;
  bool within = x >= 0 && y >= 0 && x < width && y < height, done = false;
  int own = 0;
  if (within) {
    now[ty][tx] = in[y * width + x];
    own = in[y * width + x] % 7;
  }
  __syncthreads();
  int west = x == 0 ? tx : tx - 1, east = x == width - 1 ? tx : tx + 1;
  int north = y == 0 ? ty : ty - 1, south = y == height - 1 ? ty : ty + 1;
  for (int step = 1; step <= STEPS; step++) {
    done = false;
    if (within && tx >= step && tx < TILE - step && ty >= step && ty < TILE - step) {
      done = true;
      next[ty][tx] =
          now[ty][tx] + 2 * now[north][tx] + 3 * now[south][tx] + 5 * now[ty][west] + 7 * now[ty][east] + own;
    }
    __syncthreads();
    if (step == STEPS)
      break;
    if (done)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (done)
    out[y * width + x] = next[ty][tx];
}

// One step with coordinates without sign, which are large ones beyond the start, and with clamps by min and max.
__global__ void step_unsigned(const int *in, int *out, unsigned width, unsigned height) {
  __shared__ int tile[TILE][TILE];
  unsigned tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * (TILE - 2) + tx - 1,
           y = blockIdx.y * (TILE - 2) + ty - 1;
  int west = max((int)x - 1, 0) - (int)x, east = min((int)x + 1, (int)width - 1) - (int)x;
  tile[ty][tx] = -1;
  if (x < width && y < height)
    tile[ty][tx] = in[y * width + x];
  __syncthreads();
  if (x < width && y < height && tx - 1 < TILE - 2 && ty - 1 < TILE - 2)
    out[y * width + x] = tile[ty][tx] + 2 * tile[y ? ty - 1 : ty][tx] + 3 * tile[y != height - 1 ? ty + 1 : ty][tx] +
                         5 * tile[ty][(int)tx + west] + 7 * tile[ty][(int)tx + east];
}

static void step_on_host(const int *now, const int *own, int *next, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int north = y > 0 ? y - 1 : y, south = y < height - 1 ? y + 1 : y, west = x > 0 ? x - 1 : x,
          east = x < width - 1 ? x + 1 : x;
      next[y * width + x] = now[y * width + x] + 2 * now[north * width + x] + 3 * now[south * width + x] +
                            5 * now[y * width + west] + 7 * now[y * width + east] + (own ? own[y * width + x] % 7 : 0);
    }
}

static void check(int width, int height) {
  const size_t cells = (size_t)width * height;
  buffer<int> in(cells), out(cells), once(cells);
  int *first = new int[cells], *second = new int[cells];
  unsigned state = 1;
  for (size_t i = 0; i < cells; i++)
    in.host[i] = (int)(next_random(state) % 1000);
  in.upload();
  const dim3 block(TILE, TILE);
  steps<<<dim3(blocks_for(width, INNER), blocks_for(height, INNER)), block>>>(in.device, out.device, width, height);
  step_unsigned<<<dim3(blocks_for(width, TILE - 2), blocks_for(height, TILE - 2)), block>>>(in.device, once.device,
                                                                                            width, height);
  out.download();
  once.download();
  step_on_host(in.host, in.host, first, width, height);
  step_on_host(first, in.host, second, width, height);
  for (size_t i = 0; i < cells; i++)
    expect(i, out.host[i], second[i]);
  step_on_host(in.host, nullptr, first, width, height);
  for (size_t i = 0; i < cells; i++)
    expect(i, once.host[i], first[i]);
  delete[] first;
  delete[] second;
}

int main(void) {
  const int sizes[][2] = {{1, 1},    {12, 12}, {13, 5},    {14, 15},   {24, 30},
                          {25, 200}, {300, 9}, {1200, 20}, {187, 187}, {330, 290}};
  for (const int *size : sizes)
    check(size[0], size[1]);
  return passed();
}
