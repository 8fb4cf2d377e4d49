// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that all threads of a launch keep in memory: apart from what they read, in the middle of it, right before and after it; of launches
// without iterations, which touch nothing; two sums, one of them under a condition; indices of 32 and of 64 bits.
#include "check.h"

__global__ void product(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++)
    c[row * n + column] += a[row * n + k] * b[k * n + column];
}

// The sum may be one of the elements of its row.
__global__ void rows(const float *in, float *out, size_t columns) {
  size_t me = blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t k = 0; k < columns; k++)
    out[me * columns] += in[me * columns + k];
}

__global__ void both(const float *in, float *sums, float *greatest, int n) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    float x = in[k * (int)(blockDim.x * gridDim.x) + me];
    sums[me] += x;
    if (x > greatest[me])
      greatest[me] = x;
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, threads = blocks * block, columns = 19;
  unsigned state = 5;
  const int n = 48;
  buffer<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++) {
    a[i] = (float)(next_random(state) % 16);
    b[i] = (float)(next_random(state) % 16);
    c[i] = (float)(next_random(state) % 16);
  }
  a.upload(), b.upload(), c.upload();
  buffer<float> start(n * n);
  memcpy(start.host, c.host, n * n * sizeof(float));
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a.device, b.device, c.device, n);
  c.download();
  for (int i = 0; i < n * n; i++) {
    float sum = start[i];
    for (int k = 0; k < n; k++)
      sum += a[i / n * n + k] * b[k * n + i % n];
    expect(i, c[i], sum);
  }
  product<<<2, block>>>(a.device, b.device, NULL, 0);
  product<<<2, block>>>(a.device, b.device, NULL, -3);
  CHECK(cudaDeviceSynchronize());

  // In front of what is read, in it, and after it.
  const int cells = threads * columns;
  for (int at = -cells; at <= cells; at += at < 0 || at > columns - 2 ? cells : 1) {
    buffer<float> all(3 * (size_t)cells), wanted(3 * (size_t)cells);
    for (int i = 0; i < 3 * cells; i++)
      wanted[i] = all[i] = (float)(next_random(state) % 8);
    all.upload();
    rows<<<blocks, block>>>(all.device + cells, all.device + cells + at, columns);
    all.download();
    for (int i = 0; i < threads; i++)
      for (int k = 0; k < columns; k++)
        wanted[cells + at + i * columns] += wanted[cells + i * columns + k];
    for (int i = 0; i < 3 * cells; i++)
      expect(i, all[i], wanted[i]);
  }

  buffer<float> in(threads * columns), sums(threads), greatest(threads);
  for (int i = 0; i < threads * columns; i++)
    in[i] = (float)(next_random(state) % 100);
  for (int i = 0; i < threads; i++)
    sums[i] = (float)i, greatest[i] = 50;
  in.upload(), sums.upload(), greatest.upload();
  both<<<blocks, block>>>(in.device, sums.device, greatest.device, columns);
  both<<<blocks, block>>>(in.device, NULL, NULL, 0);
  sums.download(), greatest.download();
  for (int i = 0; i < threads; i++) {
    float sum = (float)i, most = 50;
    for (int k = 0; k < columns; k++) {
      sum += in[k * threads + i];
      most = in[k * threads + i] > most ? in[k * threads + i] : most;
    }
    expect(i, sums[i], sum);
    expect(i, greatest[i], most);
  }
  return passed();
}
