// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in shared memory that only copy what lies in global memory, and such that look like it: a compiler may read the original
// instead, but only where nobody writes it, and where each element was copied by a thread that is there.
#include "check.h"

#define SIDE 16

// Each thread sums all of a tile that the block copied, tile after tile.
__global__ void sums(const int *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ int tile[SIDE * SIDE];
  int me = threadIdx.x, sum = 0;
  for (int base = 0; base < tiles * SIDE * SIDE; base += SIDE * SIDE) {
    tile[me] = in[base + me];
    __syncthreads();
    for (int k = 0; k < SIDE * SIDE; k++)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + me] = sum + me;
}

// The same, with records of four values and tiles as wide as the block happens to be.
__global__ void records(const int4 *__restrict__ in, int *__restrict__ out, int tiles) {
  __shared__ int4 tile[1024];
  int me = threadIdx.x, width = blockDim.x, sum = me;
  for (int base = 0; base < tiles * width; base += width) {
    tile[me] = in[base + me];
    __syncthreads();
    for (int k = 0; k < width; k++)
      sum += tile[k].x * 3 + tile[k].y * tile[k].w - tile[k].z;
    __syncthreads();
  }
  out[blockIdx.x * width + me] = sum;
}

// One thread of each row copies for the row, and a row of threads for all columns; a constant column is read back.
__global__ void borders(const int *__restrict__ in, int *__restrict__ out) {
  __shared__ int left[SIDE], top[SIDE], all[SIDE][SIDE + 1];
  int x = threadIdx.x, y = threadIdx.y, *to = out + blockIdx.x * (SIDE * SIDE);
  const int *from = in + blockIdx.x * (SIDE * SIDE);
  if (x == 0)
    left[y] = from[y];
  if (y == 3)
    top[x] = from[SIDE + x];
  all[y][x] = from[y * SIDE + x];
  __syncthreads();
  to[y * SIDE + x] = left[y] * 5 + top[x] - all[y][7] + all[SIDE - 1 - y][x];
}

// One thread reads a value for all of its block; the last one, which a small block does not have, another.
__global__ void one_for_all(const int *__restrict__ in, int *__restrict__ out) {
  __shared__ int start, late;
  int me = threadIdx.x;
  if (me == 0 && threadIdx.y == 0)
    start = in[blockIdx.x * 3 + 1];
  if (me == 40)
    late = in[2];
  __syncthreads();
  int found = start * 10;
  if (blockDim.x > 40)
    found += late;
  out[blockIdx.x * blockDim.x + me] = found;
}

// The kernel overwrites the original when all have copied it.
__global__ void reversed(int *data) {
  __shared__ int tile[SIDE * SIDE];
  int me = threadIdx.x, *block = data + blockIdx.x * (SIDE * SIDE);
  tile[me] = block[me];
  __syncthreads();
  block[me] = tile[SIDE * SIDE - 1 - me] + 1;
}

// A tile that keeps what an earlier iteration copied, as only some iterations copy anew.
__global__ void now_and_then(const int *__restrict__ in, int *__restrict__ out, int iterations) {
  __shared__ int tile[SIDE * SIDE];
  int me = threadIdx.x, sum = 0;
  for (int iteration = 0; iteration < iterations; iteration++) {
    if (iteration % 3 == 0)
      tile[me] = in[iteration * SIDE * SIDE + me];
    __syncthreads();
    sum = sum * 7 + tile[(me + 1) % (SIDE * SIDE)];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + me] = sum;
}

// The tile of the iteration before is read before the next one comes.
__global__ void after(const int *__restrict__ in, int *__restrict__ out, int iterations) {
  __shared__ int tile[SIDE * SIDE];
  int me = threadIdx.x, sum = 0;
  tile[me] = in[me];
  __syncthreads();
  for (int iteration = 1; iteration <= iterations; iteration++) {
    for (int k = 0; k < 4; k++)
      sum = sum * 5 + tile[k];
    __syncthreads();
    tile[me] = in[iteration * SIDE * SIDE + me];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + me] = sum + tile[SIDE * SIDE - 1 - me];
}

// What no thread copied is zero.
__global__ void padded(const int *__restrict__ in, int *__restrict__ out, int count) {
  __shared__ int tile[SIDE * SIDE];
  int me = threadIdx.x;
  tile[me] = me < count ? in[me] : 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < SIDE * SIDE; k++)
    sum += tile[k] * (k + me);
  out[blockIdx.x * blockDim.x + me] = sum;
}

// The address in the original folds over: a counter's steps are no steps along it.
__global__ void folded(const int *__restrict__ in, int *__restrict__ out, int period) {
  __shared__ int copied[SIDE * SIDE];
  copied[threadIdx.x] = in[(blockIdx.x * (SIDE * SIDE) + threadIdx.x) % (unsigned)period];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < SIDE * SIDE; k++)
    sum += copied[k] * (k + (int)threadIdx.x);
  out[blockIdx.x * (SIDE * SIDE) + threadIdx.x] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 2, tile = SIDE * SIDE, iterations = block > 0 ? 7 : block,
            n = (iterations + 1) * tile;
  buffer<int> in(n), out(blocks * tile), data(blocks * tile), wide(blocks * block);
  buffer<int4> quads(3 * block);
  for (int i = 0; i < n; i++)
    in[i] = i * 37 % 101 - 20;
  for (int i = 0; i < 3 * block; i++)
    quads[i] = make_int4(i % 7, i % 11, i % 13, i % 5);
  for (int i = 0; i < blocks * tile; i++)
    data[i] = i * 3;
  in.upload();
  quads.upload();
  data.upload();

  sums<<<blocks, tile>>>(in.device, out.device, iterations);
  out.download();
  unsigned sum = 0;
  for (int i = 0; i < iterations * tile; i++)
    sum = sum * 3 + (unsigned)in[i];
  for (int i = 0; i < blocks * tile; i++)
    expect(i, out[i], (int)(sum + i % tile));

  records<<<blocks, block>>>(quads.device, wide.device, 3);
  wide.download();
  int total = 0;
  for (int i = 0; i < 3 * block; i++)
    total += quads[i].x * 3 + quads[i].y * quads[i].w - quads[i].z;
  for (int i = 0; i < blocks * block; i++)
    expect(i, wide[i], total + i % block);

  borders<<<blocks, dim3(SIDE, SIDE)>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < blocks * tile; i++) {
    const int *from = in.host + i / tile * tile;
    int x = i % SIDE, y = i % tile / SIDE;
    expect(i, out[i], from[y] * 5 + from[SIDE + x] - from[y * SIDE + 7] + from[(SIDE - 1 - y) * SIDE + x]);
  }

  one_for_all<<<blocks, block>>>(in.device, wide.device);
  wide.download();
  for (int i = 0; i < blocks * block; i++)
    expect(i, wide[i], in[i / block * 3 + 1] * 10 + (block > 40 ? in[2] : 0));

  reversed<<<blocks, tile>>>(data.device);
  data.download();
  for (int i = 0; i < blocks * tile; i++)
    expect(i, data[i], 3 * (i / tile * tile + tile - 1 - i % tile) + 1);

  now_and_then<<<blocks, tile>>>(in.device, out.device, iterations);
  out.download();
  for (int i = 0; i < blocks * tile; i++) {
    sum = 0;
    for (int iteration = 0; iteration < iterations; iteration++)
      sum = sum * 7 + (unsigned)in[iteration / 3 * 3 * tile + (i % tile + 1) % tile];
    expect(i, out[i], (int)sum);
  }

  after<<<blocks, tile>>>(in.device, out.device, iterations);
  out.download();
  for (int i = 0; i < blocks * tile; i++) {
    sum = 0;
    for (int iteration = 0; iteration < iterations; iteration++)
      for (int k = 0; k < 4; k++)
        sum = sum * 5 + (unsigned)in[iteration * tile + k];
    expect(i, out[i], (int)(sum + (unsigned)in[iterations * tile + tile - 1 - i % tile]));
  }

  padded<<<blocks, tile>>>(in.device, out.device, 100);
  out.download();
  for (int i = 0; i < blocks * tile; i++) {
    int expected = 0;
    for (int k = 0; k < 100; k++)
      expected += in[k] * (k + i % tile);
    expect(i, out[i], expected);
  }

  folded<<<blocks, tile>>>(in.device, out.device, 41);
  out.download();
  for (int i = 0; i < blocks * tile; i++) {
    int expected = 0;
    for (int k = 0; k < tile; k++)
      expected += in[(i / tile * tile + k) % 41] * (k + i % tile);
    expect(i, out[i], expected);
  }
  return passed();
}
