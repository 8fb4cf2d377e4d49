// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that take part by a remainder of their index: trees of neighbours along each dimension of the block, tiles that fit into a few
// registers and tiles that do not, remainders other than 0, several of them at once, with bounds, and before threads that do without.
// flags: -march=native
#include "check.h"

// Adds up the rows of a tile, or its columns, or both, neighbours first.
template <int ROWS, int COLUMNS, bool DOWN, bool ALONG> __global__ void tree(const int *in, int *out) {
  __shared__ int tile[ROWS][COLUMNS];
  int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.x * ROWS + y) * COLUMNS + x;
  tile[y][x] = in[at];
  __syncthreads();
  for (int span = 1; DOWN && span < ROWS; span *= 2) {
    if (y % (2 * span) == 0)
      tile[y][x] += tile[y + span][x];
    __syncthreads();
  }
  for (int span = 1; ALONG && span < COLUMNS; span *= 2) {
    if (x % (2 * span) == 0)
      tile[y][x] += tile[y][x + span];
    __syncthreads();
  }
  out[at] = tile[y][x];
}

// Each kind of threads does something else, some under a bound; all change what the ones before left.
const int LAYERS = 5, ROWS_EACH = 4, WIDTH = 48;
__global__ void kinds(const int *in, int *out, int n, int from) {
  __shared__ int mark[LAYERS + 1][ROWS_EACH][WIDTH + 1];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, at = (z * ROWS_EACH + y) * WIDTH + x;
  mark[z][y][x] = in[at];
  if (z == 0)
    mark[LAYERS][y][x] = 5;
  if (x == 0)
    mark[z][y][WIDTH] = 7;
  __syncthreads();
  if (z % 3 == 1)
    mark[z][y][x] = mark[z][y][x] * 3 + mark[z + 1][y][x];
  __syncthreads();
  if (y % 2 != 0 && x >= from)
    mark[z][y][x] += mark[z][y - 1][x];
  __syncthreads();
  if (x % 5 == 2 && x < n && y % 3 == 0)
    mark[z][y][x] ^= mark[z][y][x + 1];
  __syncthreads();
  if ((x & 7) == 7 && (x & 15) != 7)
    mark[z][y][x] -= 1000;
  __syncthreads();
  if (x % 50 == 49 || x % 64 == 60)
    mark[z][y][x] = -1; // nobody
  out[at] = mark[z][y][x];
}

// No barrier in between: a thread of an even row does the second after the first.
__global__ void in_order(const int *in, int *out) {
  int x = threadIdx.x, y = threadIdx.y, at = y * 16 + x;
  if (y < 8)
    out[at] = in[at];
  if (y % 2 == 0)
    out[at] = out[at] * 2 + 1;
  if (x == 3)
    out[at] += 100;
}

template <int ROWS, int COLUMNS, bool DOWN, bool ALONG> static void check_tree(unsigned &state) {
  const int blocks = 3, size = ROWS * COLUMNS;
  buffer<int> in(blocks * size), out(blocks * size);
  for (int i = 0; i < blocks * size; i++)
    in[i] = next_random(state) % 10000;
  in.upload();
  tree<ROWS, COLUMNS, DOWN, ALONG><<<blocks, dim3(COLUMNS, ROWS)>>>(in.device, out.device);
  out.download();
  for (int b = 0; b < blocks; b++) {
    int *t = in.host + b * size;
    for (int span = 1; DOWN && span < ROWS; span *= 2)
      for (int y = 0; y < ROWS; y += 2 * span)
        for (int x = 0; x < COLUMNS; x++)
          t[y * COLUMNS + x] += t[(y + span) * COLUMNS + x];
    for (int span = 1; ALONG && span < COLUMNS; span *= 2)
      for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x += 2 * span)
          t[y * COLUMNS + x] += t[y * COLUMNS + x + span];
  }
  for (int i = 0; i < blocks * size; i++)
    expect(i, out[i], in[i]);
}

static void check_kinds(unsigned &state, int n, int from) {
  const int count = LAYERS * ROWS_EACH * WIDTH;
  buffer<int> in(count), out(count);
  for (int i = 0; i < count; i++)
    in[i] = next_random(state) % 10000;
  in.upload();
  kinds<<<1, dim3(WIDTH, ROWS_EACH, LAYERS)>>>(in.device, out.device, n, from);
  out.download();
  auto m = [&](int z, int y, int x) -> int & { return in.host[(z * ROWS_EACH + y) * WIDTH + x]; };
  for (int y = 0; y < ROWS_EACH; y++)
    for (int x = 0; x < WIDTH; x++) {
      m(1, y, x) = m(1, y, x) * 3 + m(2, y, x);
      m(4, y, x) = m(4, y, x) * 3 + 5;
    }
  for (int z = 0; z < LAYERS; z++)
    for (int x = 0; x < WIDTH; x++) {
      for (int y = 1; y < ROWS_EACH; y += 2)
        if (x >= from)
          m(z, y, x) += m(z, y - 1, x);
    }
  for (int z = 0; z < LAYERS; z++)
    for (int x = 0; x < WIDTH; x++) {
      for (int y = 0; y < ROWS_EACH; y += 3)
        if (x % 5 == 2 && x < n)
          m(z, y, x) ^= x + 1 < WIDTH ? m(z, y, x + 1) : 7;
      for (int y = 0; y < ROWS_EACH && x % 16 == 15; y++)
        m(z, y, x) -= 1000;
    }
  for (int i = 0; i < count; i++)
    expect(i, out[i], in[i]);
}

static void check_order(unsigned &state) {
  buffer<int> in(16 * 16), out(16 * 16);
  for (int i = 0; i < 256; i++)
    out[i] = in[i] = next_random(state) % 10000;
  in.upload();
  out.upload();
  in_order<<<1, dim3(16, 16)>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < 256; i++) {
    if (i / 16 % 2 == 0)
      in[i] = in[i] * 2 + 1;
    if (i % 16 == 3)
      in[i] += 100;
  }
  for (int i = 0; i < 256; i++)
    expect(i, out[i], in[i]);
}

int main() {
  unsigned state = 7;
  check_tree<16, 16, true, false>(state);
  check_tree<16, 16, true, true>(state);
  check_tree<16, 16, false, true>(state);
  check_tree<8, 8, true, true>(state);
  check_tree<4, 32, true, false>(state);
  check_tree<16, 32, true, true>(state);
  check_tree<2, 12, true, false>(state);
  check_tree<1, 256, false, true>(state);
  for (int n = 0; n <= 48; n += 7)
    check_kinds(state, n, 48 - n);
  check_order(state);
  return passed();
}
