// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that add up in one location of memory: in global and shared memory, with what else the loop touches apart from it, around it and
// right on it; loops that run no iteration, with the location's address invalid then; strides and counters of several kinds.
#include "check.h"

// out may be one of the elements of in.
__global__ void row_sums(const float *in, float *out, int columns, int step) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < columns; k += step)
    out[me] += in[me * columns + k];
}

__global__ void products(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.x, column = threadIdx.x;
  for (int k = 0; k < n; k++)
    c[row * blockDim.x + column] += a[row * n + k] * b[k * blockDim.x + column];
}

// What is read goes to and fro: the first and the last location say nothing about those between.
__global__ void to_and_fro(float *data, int at, int n) {
  for (int k = 0; k < n; k++)
    data[at] += data[k & 7] + data[20 + k % 3] + data[30 + (k - 4) * (k - 4)] + data[60 + k / 2];
}

// Downwards, two locations, one of which is read through the other pointer in some iteration.
__global__ void two_places(float *x, float *y, const float *from, int n) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = n - 1; k >= 0; k--) {
    x[me] = from[k] - x[me];
    y[me] += from[k] + k;
  }
}

__global__ void never(float *nowhere, const int *iterations) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  float *place = iterations[me] ? nowhere + me : NULL;
  for (int k = 0; k < iterations[me]; k++)
    *place += k + 1;
}

__global__ void shared_sums(const float *in, float *out, int n) {
  __shared__ float tile[1024];
  int me = threadIdx.x;
  tile[me] = me;
  for (int k = 0; k < n; k++)
    tile[me] += in[k * blockDim.x + me];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < (int)blockDim.x; k++)
    sum += tile[k];
  out[blockIdx.x * blockDim.x + me] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, threads = blocks * block, columns = 37;
  unsigned state = 11;

  buffer<float> in(threads * columns + threads), out(threads);
  for (size_t i = 0; i < in.count; i++)
    in[i] = (float)(next_random(state) % 64);
  for (int step = 1; step <= 3; step++) {
    in.upload();
    for (int i = 0; i < threads; i++)
      out[i] = (float)i;
    out.upload();
    row_sums<<<blocks, block>>>(in.device, out.device, columns, step);
    out.download();
    for (int i = 0; i < threads; i++) {
      float sum = (float)i;
      for (int k = 0; k < columns; k += step)
        sum += in[i * columns + k];
      expect(i, out[i], sum);
    }
    // One thread, whose location is in its own row, before it, and right after it.
    for (int at = 0; at <= columns; at++) {
      float row[64];
      in.upload();
      row_sums<<<1, 1>>>(in.device, in.device + at, columns, step);
      memcpy(row, in.host, sizeof row);
      for (int k = 0; k < columns; k += step)
        row[at] += row[k];
      buffer<float> got(64);
      CHECK(cudaMemcpy(got.host, in.device, 64 * sizeof(float), cudaMemcpyDeviceToHost));
      for (int i = 0; i < 38; i++)
        expect(i, got[i], row[i]);
    }
  }

  const int n = 21;
  buffer<float> a(blocks * n), b(n * block), c(threads);
  for (size_t i = 0; i < a.count; i++)
    a[i] = (float)(next_random(state) % 16);
  for (size_t i = 0; i < b.count; i++)
    b[i] = (float)(next_random(state) % 16);
  a.upload();
  b.upload();
  c.upload();
  products<<<blocks, block>>>(a.device, b.device, c.device, n);
  c.download();
  for (int row = 0; row < blocks; row++)
    for (int column = 0; column < block; column++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * block + column];
      expect(row * block + column, c[row * block + column], sum);
    }

  buffer<float> x(threads + 64), y(threads), from(64);
  for (int i = 0; i < 64; i++)
    from[i] = (float)(next_random(state) % 64);
  from.upload();
  for (size_t i = 0; i < x.count; i++)
    x[i] = (unsigned)i;
  for (int i = 0; i < threads; i++)
    y[i] = 7 * i;
  x.upload();
  y.upload();
  two_places<<<blocks, block>>>(x.device, y.device, from.device, 50);
  x.download();
  y.download();
  for (int i = 0; i < threads; i++) {
    float first = i, second = 7 * i;
    for (int k = 49; k >= 0; k--) {
      first = from[k] - first;
      second += from[k] + k;
    }
    expect(i, x[i], first);
    expect(i, y[i], second);
  }
  for (int same = 0; same < 2; same++) { // one thread: both locations the same, and a location among what is read
    float values[64];
    for (int i = 0; i < 64; i++)
      values[i] = x[i] = i * i + 1;
    x.upload();
    float *second = x.device + (same ? 5 : 9);
    two_places<<<1, 1>>>(x.device + 5, second, x.device, 40);
    for (int k = 39; k >= 0; k--) {
      values[5] = values[k] - values[5];
      values[same ? 5 : 9] += values[k] + k;
    }
    x.download();
    for (int i = 0; i < 64; i++)
      expect(i, x[i], values[i]);
  }

  for (int at = 0; at < 75; at++) {
    const int n = 9;
    buffer<float> data(96);
    float values[96];
    for (int i = 0; i < 96; i++)
      values[i] = data[i] = (float)(next_random(state) % 64);
    data.upload();
    to_and_fro<<<1, 1>>>(data.device, at, n);
    for (int k = 0; k < n; k++)
      values[at] += values[k & 7] + values[20 + k % 3] + values[30 + (k - 4) * (k - 4)] + values[60 + k / 2];
    data.download();
    for (int i = 0; i < 96; i++)
      expect(i, data[i], values[i]);
  }

  buffer<int> iterations(threads);
  for (int i = 0; i < threads; i++)
    iterations[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? -2 : i % 7;
  for (int i = 0; i < threads; i++)
    y[i] = i;
  iterations.upload();
  y.upload();
  never<<<blocks, block>>>(y.device, iterations.device);
  y.download();
  for (int i = 0; i < threads; i++) {
    float sum = i;
    for (int k = 0; k < iterations[i]; k++)
      sum += k + 1;
    expect(i, y[i], sum);
  }

  buffer<float> many(9 * block);
  float sum = 0;
  for (size_t i = 0; i < many.count; i++)
    sum += many[i] = (float)(next_random(state) % 64);
  for (int i = 0; i < block; i++)
    sum += i;
  many.upload();
  shared_sums<<<blocks, block>>>(many.device, y.device, 9);
  y.download();
  for (int i = 0; i < threads; i++)
    expect(i, y[i], sum);
  return passed();
}
