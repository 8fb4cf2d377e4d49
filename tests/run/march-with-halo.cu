// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block marches through a volume plane by plane: a tile of the plane with its halo in shared memory, the cells before and after
// in registers, guards for blocks that stick out on every side. The position in the volume is stepped along, up or down, as an
// int or as an unsigned integer. Next to it a product of matrices whose tiles are filled up with zeros.
#include "check.h"

const int WIDTH = 16, MOST_HEIGHT = 64;

template <typename place> __global__ void march(const int *in, int *out, int nx, int ny, int nz, int first, int step) {
  __shared__ int plane[MOST_HEIGHT + 2][WIDTH + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, height = blockDim.y;
  const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * height + threadIdx.y;
  const bool within = x < nx && y < ny, inner = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
  const int layer = nx * ny * step;
  place at = (first - step) * nx * ny + y * nx + x;
  int before = 0, here = -1, after = -2;
  if (within) {
    here = in[at];
    after = in[at + layer];
  }
  for (int z = 1; z < nz - 1; z++) {
    at += layer;
    before = here;
    here = after;
    if (within) {
      after = in[at + layer];
      plane[ty][tx] = here;
      if (threadIdx.x == 0 && x > 0)
        plane[ty][0] = in[at - 1];
      if (threadIdx.x == WIDTH - 1 && x < nx - 1)
        plane[ty][WIDTH + 1] = in[at + 1];
      if (threadIdx.y == 0 && y > 0)
        plane[0][tx] = in[at - nx];
      if (threadIdx.y == height - 1 && y < ny - 1)
        plane[height + 1][tx] = in[at + nx];
    }
    __syncthreads();
    if (inner)
      out[at] = 7 * here + 2 * plane[ty][tx - 1] + 3 * plane[ty][tx + 1] + 5 * plane[ty - 1][tx] +
                11 * plane[ty + 1][tx] + 13 * before + 17 * after;
    __syncthreads();
  }
  if (within)
    out[at + layer] = here - before;
}

__global__ void product(const int *a, const int *b, int *c, int m, int n, int k) {
  __shared__ int left[MOST_HEIGHT][WIDTH], right[WIDTH][WIDTH + 1];
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * WIDTH + threadIdx.x;
  int sum = 0;
  for (int t = 0; t < k; t += WIDTH) {
    left[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0;
    for (int r = threadIdx.y; r < WIDTH; r += blockDim.y)
      right[r][threadIdx.x] = t + r < k && column < n ? b[(t + r) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < WIDTH; i++)
      sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

static int march_expected(const int *in, int nx, int ny, int nz, int up, int x, int y, int z, bool *written) {
  const int layer = nx * ny, at = z * layer + y * nx + x, last = up ? nz - 1 : 0, first = nz - 1 - last;
  *written = z == last;
  if (z == last)
    return in[up ? at - layer : at + layer] - in[up ? at - 2 * layer : at + 2 * layer];
  if (z == first || x == 0 || y == 0 || x == nx - 1 || y == ny - 1)
    return 0;
  *written = true;
  return 7 * in[at] + 2 * in[at - 1] + 3 * in[at + 1] + 5 * in[at - nx] + 11 * in[at + nx] +
         13 * in[up ? at - layer : at + layer] + 17 * in[up ? at + layer : at - layer];
}

static void check_march(int nx, int ny, int nz, int height, bool up, bool is_unsigned) {
  buffer<int> in(nx * ny * nz), out(nx * ny * nz);
  unsigned state = 5;
  for (size_t i = 0; i < in.count; i++)
    in[i] = next_random(state) % 1000;
  in.upload();
  const dim3 block(WIDTH, height), blocks(blocks_for(nx, WIDTH), blocks_for(ny, height));
  const int first = up ? 1 : nz - 2, step = up ? 1 : -1;
  if (is_unsigned)
    march<unsigned><<<blocks, block>>>(in.device, out.device, nx, ny, nz, first, step);
  else
    march<int><<<blocks, block>>>(in.device, out.device, nx, ny, nz, first, step);
  out.download();
  for (int z = 0, i = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++, i++) {
        bool written;
        const int expected = march_expected(in.host, nx, ny, nz, up, x, y, z, &written);
        expect(i, out[i], written ? expected : (int)0xA5A5A5A5);
      }
}

static void check_product(int m, int n, int k, int height) {
  buffer<int> a(m * k), b(k * n), c(m * n);
  unsigned state = 9;
  for (size_t i = 0; i < a.count; i++)
    a[i] = next_random(state) % 100;
  for (size_t i = 0; i < b.count; i++)
    b[i] = next_random(state) % 100;
  a.upload();
  b.upload();
  product<<<dim3(blocks_for(n, WIDTH), blocks_for(m, height)), dim3(WIDTH, height)>>>(a.device, b.device, c.device, m,
                                                                                      n, k);
  c.download();
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i * k + l] * b[l * n + j];
      expect(i * n + j, c[i * n + j], sum);
    }
}

int main(int argc, char **argv) {
  const int size = block_size(argc, argv), height = (size < 16 ? 16 : size) / 16;
  for (int up = 0; up < 2; up++)
    for (int is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
      check_march(64, 32, 5, height, up, is_unsigned);
      check_march(37, 19, 6, height, up, is_unsigned);
      check_march(16, 16, 3, height, up, is_unsigned);
    }
  check_product(48, 64, 32, height);
  check_product(45, 35, 39, height);
  return passed();
}
