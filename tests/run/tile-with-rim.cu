// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in shared memory that are copied with a rim by the threads at the edges of the block: five points, nine with the corners, a row
// with three neighbours on either side, indices with sign and without, also below zero, blocks that stick out; in place by one block, where the tile is no
// mere copy; and kernels whose readers see what the original does not say.
#include "check.h"

template <int W, int H> __global__ void five(const int *__restrict__ in, int *__restrict__ out, int nx, int ny) {
  __shared__ int tile[H + 2][W + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
  if (x < nx && y < ny) {
    tile[ty][tx] = in[y * nx + x];
    if (threadIdx.x == 0 && x > 0)
      tile[ty][0] = in[y * nx + x - 1];
    if (threadIdx.x == W - 1 && x < nx - 1)
      tile[ty][W + 1] = in[y * nx + x + 1];
    if (threadIdx.y == 0 && y > 0)
      tile[0][tx] = in[(y - 1) * nx + x];
    if (threadIdx.y == H - 1 && y < ny - 1)
      tile[H + 1][tx] = in[(y + 1) * nx + x];
  }
  __syncthreads();
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    out[y * nx + x] =
        2 * tile[ty][tx] + 3 * tile[ty][tx - 1] + 5 * tile[ty][tx + 1] + 7 * tile[ty - 1][tx] + 11 * tile[ty + 1][tx];
}

static __device__ int in_row(int sum, const int *at) { return 3 * (3 * (3 * sum + at[-1]) + at[0]) + at[1]; }

// Without sign, in 64 bits along the rows, with the corners, which the threads at the corners copy.
template <int W, int H>
__global__ void nine(const int *__restrict__ in, int *__restrict__ out, unsigned nx, unsigned ny) {
  __shared__ int tile[H + 2][W + 2];
  unsigned tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * W + threadIdx.x,
           y = blockIdx.y * H + threadIdx.y;
  const int *at = in + (size_t)y * nx + x;
  bool left = threadIdx.x == 0 && x > 0, right = threadIdx.x == W - 1 && x + 1 < nx;
  bool top = threadIdx.y == 0 && y > 0, bottom = threadIdx.y == H - 1 && y + 1 < ny;
  if (x < nx && y < ny) {
    tile[ty][tx] = *at;
    if (left)
      tile[ty][0] = at[-1];
    if (right)
      tile[ty][W + 1] = at[1];
    if (top)
      tile[0][tx] = *(at - nx);
    if (bottom)
      tile[H + 1][tx] = at[nx];
    if (top && left)
      tile[0][0] = *(at - nx - 1);
    if (top && right)
      tile[0][W + 1] = *(at - nx + 1);
    if (bottom && left)
      tile[H + 1][0] = at[nx - 1];
    if (bottom && right)
      tile[H + 1][W + 1] = at[nx + 1];
  }
  __syncthreads();
  if (x > 0 && y > 0 && x + 1 < nx && y + 1 < ny)
    out[y * nx + x] = in_row(in_row(in_row(0, tile[ty - 1] + tx), tile[ty] + tx), tile[ty + 1] + tx);
}

// Three neighbours on either side, in each row that a block marches along.
template <int W> __global__ void row(const int *__restrict__ in, int *__restrict__ out, int nx, int ny) {
  const int R = 3;
  __shared__ int tile[W + 2 * R];
  int t = threadIdx.x + R, x = blockIdx.x * W + threadIdx.x;
  for (int y = 0; y < ny; y++) {
    if (x < nx) {
      tile[t] = in[y * nx + x];
      if (threadIdx.x < R && x >= R)
        tile[t - R] = in[y * nx + x - R];
      if (threadIdx.x >= W - R && x < nx - R)
        tile[t + R] = in[y * nx + x + R];
    }
    __syncthreads();
    if (x >= R && x < nx - R)
      out[y * nx + x] = 2 * tile[t - 3] + 3 * tile[t - 2] + 5 * tile[t - 1] + 7 * tile[t] + 11 * tile[t + 1] +
                        13 * tile[t + 2] + 17 * tile[t + 3];
    __syncthreads();
  }
}

// The rim at the border of the data is the border's own value: who reads it is not told by its condition that somebody copied it.
template <int W> __global__ void reflect(const int *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int tile[W + 2];
  int t = threadIdx.x + 1, x = blockIdx.x * W + threadIdx.x;
  if (x < n) {
    tile[t] = in[x];
    if (threadIdx.x == 0)
      tile[0] = in[x > 0 ? x - 1 : 0];
    if (threadIdx.x == W - 1 || x == n - 1)
      tile[t + 1] = in[x < n - 1 ? x + 1 : n - 1];
  }
  __syncthreads();
  if (x < n)
    out[x] = tile[t - 1] - 2 * tile[t] + tile[t + 1];
}

// The copy of the block's own elements is two further on: what it copies begins below zero, as an unsigned integer after all others.
template <int W> __global__ void below_zero(const int *__restrict__ in, int *__restrict__ out, unsigned n) {
  __shared__ int tile[W + 4];
  unsigned t = threadIdx.x, x = blockIdx.x * W + t;
  if (t < 4 && x + W - 2 < n)
    tile[t + W] = in[x + W - 2];
  if (x >= 2 && x - 2 < n)
    tile[t] = in[x - 2];
  __syncthreads();
  if (x + 2 < n)
    out[x] = tile[t + 2] + 3 * tile[t + 4] + (x >= 2 ? 5 * tile[t] : 0);
}

// One block, in place.
template <int W> __global__ void in_place(const int *in, int *out, int n) {
  __shared__ int tile[W + 1];
  int t = threadIdx.x + 1;
  tile[t] = in[t];
  if (t == 1)
    tile[0] = in[0];
  __syncthreads();
  if (t < n)
    out[t] = tile[t - 1] + tile[t];
}

static int *on_device(const buffer<int> &host) {
  int *memory;
  CHECK(cudaMalloc((void **)&memory, host.count * sizeof(int)));
  CHECK(cudaMemcpy(memory, host.host, host.count * sizeof(int), cudaMemcpyHostToDevice));
  return memory;
}

template <int W, int H> static void check_plane(int nx, int ny) {
  buffer<int> in(nx * ny), out(nx * ny);
  unsigned state = 5;
  for (int i = 0; i < nx * ny; i++)
    in[i] = next_random(state) % 100, out[i] = -1;
  in.upload();
  dim3 block(W, H), grid(blocks_for(nx, W), blocks_for(ny, H));
  for (int kind = 0; kind < 3; kind++) {
    out.upload();
    if (kind == 0)
      five<W, H><<<grid, block>>>(in.device, out.device, nx, ny);
    if (kind == 1)
      nine<W, H><<<grid, block>>>(in.device, out.device, nx, ny);
    if (kind == 2)
      row<W><<<blocks_for(nx, W), W>>>(in.device, out.device, nx, ny);
    buffer<int> got(nx * ny);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got.host, out.device, nx * ny * sizeof(int), cudaMemcpyDeviceToHost));
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int at = y * nx + x, wanted = -1;
        if (kind < 2 && x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
          wanted = 0;
          for (int k = 0; k < 9 && kind == 1; k++)
            wanted = 3 * wanted + in[at + (k / 3 - 1) * nx + k % 3 - 1];
          if (kind == 0)
            wanted = 2 * in[at] + 3 * in[at - 1] + 5 * in[at + 1] + 7 * in[at - nx] + 11 * in[at + nx];
        } else if (kind == 2 && x >= 3 && x < nx - 3) {
          const int weights[] = {2, 3, 5, 7, 11, 13, 17};
          wanted = 0;
          for (int i = -3; i <= 3; i++)
            wanted += weights[i + 3] * in[at + i];
        }
        expect(at, got[at], wanted);
      }
  }
}

int main() {
  check_plane<16, 16>(64, 48);
  check_plane<16, 16>(61, 35);
  check_plane<32, 8>(131, 20);
  check_plane<8, 4>(3, 3);

  const int n = 100, W = 32;
  buffer<int> in(n), out(n);
  unsigned state = 9;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state) % 1000;
  in.upload();
  reflect<W><<<blocks_for(n, W), W>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], in[i ? i - 1 : 0] - 2 * in[i] + in[i < n - 1 ? i + 1 : i]);

  for (int i = 0; i < n; i++)
    out[i] = 0;
  out.upload();
  below_zero<W><<<blocks_for(n, W), W>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], i + 2 < n ? in[i] + 3 * in[i + 2] + (i >= 2 ? 5 * in[i - 2] : 0) : 0);

  int *same = on_device(in);
  in_place<W><<<1, W>>>(same, same, W + 1);
  CHECK(cudaMemcpy(out.host, same, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    expect(i, out[i], i > 0 && i <= W ? in[i - 1] + in[i] : in[i]);
  CHECK(cudaFree(same));
  return passed();
}
