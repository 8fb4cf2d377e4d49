// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks march through planes of an array, with cells of earlier planes in registers and barriers on the way: below, here and above; two planes to
// either side; an address that is the counter times a plane's size; the values that the march ends with; marches of no iteration and of one. Loaded
// again in place of being carried they must be the same. Where the march writes what it reads, they may not be: it sees its own
// results or the old ones, as it was written. A tile of the plane has a rim, or there is none.
#include "check.h"

#include <vector>

const int WIDTH = 16, HEIGHT = 8;

__global__ void seven(const int *__restrict__ in, int *__restrict__ out, int nx, int ny, int nz) {
  __shared__ int plane[HEIGHT + 2][WIDTH + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
  const bool within = x < nx && y < ny, inner = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
  const int layer = nx * ny;
  int at = y * nx + x, below = 0, here = 0, above = 0;
  if (within) {
    here = in[at];
    above = in[at + layer];
  }
  for (int z = 1; z < nz - 1; z++) {
    at += layer;
    below = here;
    here = above;
    if (within) {
      above = in[at + layer];
      plane[ty][tx] = here;
      if (threadIdx.x == 0 && x > 0)
        plane[ty][0] = in[at - 1];
      if (threadIdx.x == WIDTH - 1 && x < nx - 1)
        plane[ty][WIDTH + 1] = in[at + 1];
      if (threadIdx.y == 0 && y > 0)
        plane[0][tx] = in[at - nx];
      if (threadIdx.y == HEIGHT - 1 && y < ny - 1)
        plane[HEIGHT + 1][tx] = in[at + nx];
    }
    __syncthreads();
    if (inner)
      out[at] = 7 * here + 2 * plane[ty][tx - 1] + 3 * plane[ty][tx + 1] + 5 * plane[ty - 1][tx] +
                11 * plane[ty + 1][tx] + 13 * below + 17 * above;
    __syncthreads();
  }
}

// The neighbour's value comes through shared memory; the last values are stored after the march, without the condition's help.
template <typename type, typename place>
__global__ void columns(const type *__restrict__ in, type *__restrict__ out, place nx, int nz, place row, type seed) {
  __shared__ type shared_row[WIDTH];
  const place x = blockIdx.x * WIDTH + threadIdx.x;
  const bool within = x < nx;
  place at = x;
  type before = seed, here = seed, after = seed;
  if (within) {
    before = in[at];
    here = in[at + row];
    after = in[at + 2 * row];
  }
  for (int z = 3; z < nz; z++) {
    at += row;
    shared_row[WIDTH - 1 - threadIdx.x] = here * 3 + before;
    __syncthreads();
    type other = shared_row[threadIdx.x];
    if (within)
      out[at] = other + 5 * before + 7 * here + 11 * after;
    before = here;
    here = after;
    if (within)
      after = in[at + 2 * row];
    __syncthreads();
  }
  if (x < nx + 1)
    out[nx * (nz + 1) + x] = 2 * before + 3 * here + 5 * after;
}

// The address is computed from the counter.
__global__ void counted(const int *__restrict__ in, int *__restrict__ out, int nx, int nz) {
  __shared__ int shared_row[WIDTH];
  const int x = blockIdx.x * WIDTH + threadIdx.x;
  if (nz < 2)
    return;
  int low = x < nx ? in[x] : -1, high = x < nx ? in[x + nx] : -1;
  for (int z = 1; z < nz - 1; z++) {
    int next = x < nx ? in[(z + 1) * nx + x] : -1;
    shared_row[threadIdx.x] = low + 2 * high;
    __syncthreads();
    if (x < nx)
      out[z * nx + x] = shared_row[(threadIdx.x + 1) % WIDTH] + 3 * next;
    __syncthreads();
    low = high;
    high = next;
  }
  if (x < nx)
    out[x] = low + 10 * high;
}

// In place, one plane after: what is carried is what was there before.
__global__ void in_place(int *data, int nx, int nz) {
  __shared__ int shared_row[WIDTH];
  const int x = blockIdx.x * WIDTH + threadIdx.x;
  const bool within = x < nx;
  int at = x, here = 0, after = 0;
  if (within) {
    here = data[at];
    after = data[at + nx];
  }
  for (int z = 1; z < nz - 1; z++) {
    at += nx;
    shared_row[threadIdx.x] = here;
    __syncthreads();
    if (within)
      data[at] = shared_row[WIDTH - 1 - threadIdx.x] * 3 + after;
    here = after;
    if (within)
      after = data[at + nx];
    __syncthreads();
  }
}

static void check_seven(int nx, int ny, int nz) {
  buffer<int> in(nx * ny * nz), out(nx * ny * nz);
  unsigned state = 7;
  for (size_t i = 0; i < in.count; i++)
    in[i] = next_random(state) % 1000;
  for (size_t i = 0; i < out.count; i++)
    out[i] = -1;
  in.upload();
  out.upload();
  seven<<<dim3(blocks_for(nx, WIDTH), blocks_for(ny, HEIGHT)), dim3(WIDTH, HEIGHT)>>>(in.device, out.device, nx, ny,
                                                                                      nz);
  out.download();
  for (int z = 0, i = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++, i++) {
        const bool inner = x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1;
        const int layer = nx * ny;
        int want = inner ? 7 * in[i] + 2 * in[i - 1] + 3 * in[i + 1] + 5 * in[i - nx] + 11 * in[i + nx] +
                               13 * in[i - layer] + 17 * in[i + layer]
                         : -1;
        expect(i, out[i], want);
      }
}

template <typename type, typename place> static void check_columns(int nx, int nz) {
  const int row = nx, rows = nz + 1;
  buffer<type> in(nx * (nz > 3 ? nz : 3)), out(nx * rows + nx + 1);
  unsigned state = 3;
  for (size_t i = 0; i < in.count; i++)
    in[i] = (type)(next_random(state) % 100);
  for (size_t i = 0; i < out.count; i++)
    out[i] = -1;
  in.upload();
  out.upload();
  const type seed = 4;
  columns<type, place><<<blocks_for(nx, WIDTH), WIDTH>>>(in.device, out.device, nx, nz, row, seed);
  out.download();
  for (int x = 0; x < nx; x++) {
    const int mirror = x / WIDTH * WIDTH + WIDTH - 1 - x % WIDTH;
    for (int z = 3; z < nz; z++) {
      const int at = x + (z - 2) * row, from = mirror + (z - 2) * row;
      const bool has = mirror < nx;
      type other = has ? in[from] * 3 + in[from - row] : seed * 3 + seed;
      expect(at, out[at], (type)(other + 5 * in[at - row] + 7 * in[at] + 11 * in[at + row]));
    }
    const int last = nz > 3 ? nz - 3 : 0;
    expect(nx * rows + x, out[nx * rows + x],
           (type)(2 * in[x + last * row] + 3 * in[x + (last + 1) * row] + 5 * in[x + (last + 2) * row]));
  }
  if (nx % WIDTH)
    expect(nx * rows + nx, out[nx * rows + nx], (type)(10 * seed));
}

static void check_counted(int nx, int nz) {
  buffer<int> in(nx * nz), out(nx * nz);
  unsigned state = 9;
  for (size_t i = 0; i < in.count; i++)
    in[i] = next_random(state) % 1000;
  in.upload();
  out.upload();
  counted<<<blocks_for(nx, WIDTH), WIDTH>>>(in.device, out.device, nx, nz);
  out.download();
  for (int x = 0; x < nx; x++) {
    const int other = x / WIDTH * WIDTH + (x + 1) % WIDTH;
    for (int z = 1; z < nz - 1; z++) {
      const int passed = other < nx ? in[(z - 1) * nx + other] + 2 * in[z * nx + other] : -3;
      expect(z * nx + x, out[z * nx + x], passed + 3 * in[(z + 1) * nx + x]);
    }
    expect(x, out[x], in[(nz - 2) * nx + x] + 10 * in[(nz - 1) * nx + x]);
  }
}

static void check_in_place(int nx, int nz) {
  buffer<int> data(nx * nz);
  unsigned state = 11;
  for (size_t i = 0; i < data.count; i++)
    data[i] = next_random(state) % 1000;
  std::vector<int> was(nx * nz);
  for (int i = 0; i < nx * nz; i++)
    was[i] = data[i];
  data.upload();
  in_place<<<blocks_for(nx, WIDTH), WIDTH>>>(data.device, nx, nz);
  data.download();
  for (int x = 0; x < nx; x++)
    for (int z = 1; z < nz - 1; z++) {
      const int mirror = x / WIDTH * WIDTH + WIDTH - 1 - x % WIDTH;
      expect(z * nx + x, data[z * nx + x], (mirror < nx ? was[(z - 1) * nx + mirror] * 3 : 0) + was[z * nx + x]);
    }
}

int main() {
  const int sizes[][3] = {{64, 24, 9}, {33, 9, 5}, {16, 8, 3}, {15, 7, 2}, {300, 17, 6}, {1, 1, 4}};
  for (auto &size : sizes)
    check_seven(size[0], size[1], size[2]);
  for (int nx : {16, 37, 5})
    for (int nz : {2, 3, 4, 9}) {
      check_columns<int, int>(nx, nz);
      check_columns<double, int>(nx, nz);
      check_columns<int, unsigned>(nx, nz);
      check_columns<long long, size_t>(nx, nz);
      check_counted(nx, nz);
      check_in_place(nx, nz);
    }
  return passed();
}
