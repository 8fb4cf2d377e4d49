// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several steps of a stencil in one launch: a block loads a tile and makes as many steps in it as it is told, each a cell narrower.
// Beyond the rim is what lies at the rim, by indices that are clamped to the part of the tile that lies inside.
#include "check.h"

#define TILE 16

__global__ void steps(const unsigned *in, const unsigned *source, unsigned *out, int width, int height,
                      int iterations) {
  __shared__ unsigned now[TILE][TILE], next[TILE][TILE], own[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, inner = TILE - 2 * iterations;
  int left = inner * (int)blockIdx.x - iterations, top = inner * (int)blockIdx.y - iterations;
  int x = left + tx, y = top + ty, at = y * width + x;
  if (y >= 0 && y <= height - 1 && x >= 0 && x <= width - 1) {
    now[ty][tx] = in[at];
    own[ty][tx] = source[at];
  }
  __syncthreads();
  int first_x = left < 0 ? -left : 0, last_x = left + TILE > width ? width - 1 - left : TILE - 1;
  int first_y = top < 0 ? -top : 0, last_y = top + TILE > height ? height - 1 - top : TILE - 1;
  int north = ty - 1, south = ty + 1, west = tx - 1, east = tx + 1;
  north = north < first_y ? first_y : north;
  south = south > last_y ? last_y : south;
  west = west < first_x ? first_x : west;
  east = east > last_x ? last_x : east;
  bool done = false;
  for (int i = 0; i < iterations; i++) {
    done = false;
    if (tx >= i + 1 && tx <= TILE - i - 2 && ty >= i + 1 && ty <= TILE - i - 2 && tx >= first_x && tx <= last_x &&
        ty >= first_y && ty <= last_y) {
      done = true;
      next[ty][tx] = 11 * now[ty][tx] + 3 * now[north][tx] + 5 * now[south][tx] + 7 * now[ty][west] +
                     13 * now[ty][east] + own[ty][tx];
    }
    __syncthreads();
    if (i == iterations - 1)
      break;
    if (done)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (done)
    out[at] = next[ty][tx];
}

static void check(int width, int height, int total, int at_once) {
  const size_t cells = (size_t)width * height;
  buffer<unsigned> now(cells), next(cells), source(cells);
  unsigned state = 11;
  for (size_t i = 0; i < cells; i++) {
    now[i] = next_random(state);
    source[i] = next_random(state);
  }
  now.upload();
  source.upload();
  unsigned *is = (unsigned *)malloc(cells * sizeof(unsigned)), *will = (unsigned *)malloc(cells * sizeof(unsigned));
  memcpy(is, now.host, cells * sizeof(unsigned));
  unsigned *from = now.device, *to = next.device;
  int inner = TILE - 2 * at_once;
  for (float t = 0; t < total; t += at_once) {
    int iterations = at_once < total - t ? at_once : (int)(total - t),
        side = iterations == at_once ? inner : TILE - 2 * iterations;
    steps<<<dim3(blocks_for(width, side), blocks_for(height, side)), dim3(TILE, TILE)>>>(from, source.device, to, width,
                                                                                         height, iterations);
    unsigned *swap = from;
    from = to;
    to = swap;
  }
  for (int t = 0; t < total; t++) {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const unsigned *p = is + (size_t)y * width + x;
        will[(size_t)y * width + x] = 11 * p[0] + 3 * p[y > 0 ? -width : 0] + 5 * p[y < height - 1 ? width : 0] +
                                      7 * p[x > 0 ? -1 : 0] + 13 * p[x < width - 1 ? 1 : 0] +
                                      source[(size_t)y * width + x];
      }
    unsigned *swap = is;
    is = will;
    will = swap;
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(now.host, from, cells * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < cells; i++)
    expect((long long)i, now[i], is[i]);
  free(is);
  free(will);
}

int main() {
  check(100, 90, 6, 2);
  check(64, 48, 5, 1);
  check(37, 70, 7, 3);
  check(16, 16, 4, 4);
  check(1, 50, 3, 2);
  check(7, 3, 5, 2);
  return passed();
}
