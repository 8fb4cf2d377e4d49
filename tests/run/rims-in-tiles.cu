// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbours by a chain of conditions on the thread, which choose from several tiles: the rims of a square block, of rows
// of 16 and of 7 threads; a rotation of a row, where an index is chosen; and a choice of two arrays of which one thread
// in each row may read neither beyond its ends.
#include "check.h"

template <int W, int H> __global__ void neighbours(const int *in, int *out, int nx, int ny) {
  __shared__ int middle[H][W], north[H][W], south[H][W], west[H][W], east[H][W];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * W + tx, y = blockIdx.y * H + ty;
  north[ty][tx] = in[(blockIdx.y == 0 ? 0 : H * blockIdx.y - 1) * nx + x];
  south[ty][tx] = in[(blockIdx.y == gridDim.y - 1 ? ny - 1 : H * blockIdx.y + H) * nx + x];
  west[ty][tx] = in[y * nx + (blockIdx.x == 0 ? 0 : W * blockIdx.x - 1)];
  east[ty][tx] = in[y * nx + (blockIdx.x == gridDim.x - 1 ? nx - 1 : W * blockIdx.x + W)];
  middle[ty][tx] = in[y * nx + x];
  __syncthreads();
  int up, down, left, right;
  if (ty == 0 && tx == 0)
    up = north[ty][tx], down = middle[ty + 1][tx], left = west[ty][tx], right = middle[ty][tx + 1];
  else if (ty == 0 && tx == W - 1)
    up = north[ty][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = east[ty][tx];
  else if (ty == H - 1 && tx == W - 1)
    up = middle[ty - 1][tx], down = south[ty][tx], left = middle[ty][tx - 1], right = east[ty][tx];
  else if (ty == H - 1 && tx == 0)
    up = middle[ty - 1][tx], down = south[ty][tx], left = west[ty][tx], right = middle[ty][tx + 1];
  else if (ty == 0)
    up = north[ty][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = middle[ty][tx + 1];
  else if (tx == W - 1)
    up = middle[ty - 1][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = east[ty][tx];
  else if (ty == H - 1)
    up = middle[ty - 1][tx], down = south[ty][tx], left = middle[ty][tx - 1], right = middle[ty][tx + 1];
  else if (tx == 0)
    up = middle[ty - 1][tx], down = middle[ty + 1][tx], left = west[ty][tx], right = middle[ty][tx + 1];
  else
    up = middle[ty - 1][tx], down = middle[ty + 1][tx], left = middle[ty][tx - 1], right = middle[ty][tx + 1];
  out[y * nx + x] = 2 * middle[ty][tx] + 3 * up + 5 * down + 7 * left + 11 * right;
}

template <int W, int H> static void check_neighbours(int columns, int rows) {
  const int nx = W * columns, ny = H * rows;
  buffer<int> in(nx * ny), out(nx * ny);
  unsigned state = 3;
  for (int i = 0; i < nx * ny; i++)
    in[i] = next_random(state) % 1000, out[i] = -1;
  in.upload();
  out.upload();
  neighbours<W, H><<<dim3(columns, rows), dim3(W, H)>>>(in.device, out.device, nx, ny);
  out.download();
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      int at = y * nx + x, up = y ? at - nx : at, down = y < ny - 1 ? at + nx : at, left = x ? at - 1 : at,
          right = x < nx - 1 ? at + 1 : at;
      expect(at, out[at], 2 * in[at] + 3 * in[up] + 5 * in[down] + 7 * in[left] + 11 * in[right]);
    }
}

// The row behind the last one, and the element before the first, belong to nobody.
template <int W> __global__ void rotate(const int *in, int *out) {
  __shared__ int tile[W], other[W];
  int t = threadIdx.x, i = blockIdx.x * W + t;
  tile[t] = in[i];
  other[t] = 1000 * in[i];
  __syncthreads();
  int before = t == 0 ? W - 1 : t - 1;
  const int *from = t == W - 1 ? other : tile + 1;
  int next = t == W - 1 ? from[0] : from[t];
  out[i] = tile[before] + 7 * next;
}

template <int W> static void check_rotation(int blocks) {
  buffer<int> in(W * blocks), out(W * blocks);
  for (int i = 0; i < W * blocks; i++)
    in[i] = i % 97, out[i] = -1;
  in.upload();
  out.upload();
  rotate<W><<<blocks, W>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < W * blocks; i++) {
    int t = i % W, first = i - t;
    expect(i, out[i], in[first + (t + W - 1) % W] + 7 * (t == W - 1 ? 1000 * in[first] : in[i + 1]));
  }
}

int main() {
  check_neighbours<16, 16>(3, 4);
  check_neighbours<16, 16>(1, 1);
  check_neighbours<32, 4>(2, 3);
  check_neighbours<7, 5>(3, 2);
  check_neighbours<64, 2>(2, 2);
  check_rotation<16>(5);
  check_rotation<32>(3);
  check_rotation<256>(2);
  return passed();
}
