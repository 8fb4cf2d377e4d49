// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that take several elements a block's width apart, in whole blocks and in one at the border, in place and from array
// to array, where what a thread stores first is what it loads next, and where arrays are one.
#include <cstdio>
#include <vector>

enum { THREADS = 256, COUNT = 10 * 1024 + 700 };

__global__ void add(unsigned *data, const unsigned *sums, int n) {
  int i = blockIdx.x * 2 * THREADS + threadIdx.x;
  unsigned sum = sums[blockIdx.x];
  if (i < n)
    data[i] += sum;
  if (i + THREADS < n)
    data[i + THREADS] += sum;
}

__global__ void copy(const unsigned *from, unsigned *to, int n) {
  int i = blockIdx.x * 4 * THREADS + threadIdx.x;
  for (int k = 0; k < 4; k++)
    if (i + k * THREADS < n)
      to[i + k * THREADS] = 3 * from[i + k * THREADS] + k;
}

// Each element but the first ones of a block is read after the thread has stored the one before it.
__global__ void carry(unsigned *data) {
  int i = blockIdx.x * 4 * THREADS + threadIdx.x;
  data[i + THREADS] = data[i] + 1;
  data[i + 2 * THREADS] = data[i + THREADS] + 1;
  data[i + 3 * THREADS] = data[i + 2 * THREADS] + 1;
}

int main() {
  unsigned *data, *other, *sums;
  cudaMallocManaged(&data, COUNT * sizeof *data);
  cudaMallocManaged(&other, COUNT * sizeof *other);
  cudaMallocManaged(&sums, COUNT * sizeof *sums);
  std::vector<unsigned> expected(COUNT);
  for (unsigned i = 0; i < COUNT; i++) {
    data[i] = expected[i] = i * 2654435761u;
    sums[i] = i * i + 7;
  }
  int wrong = 0;
  add<<<(COUNT + 2 * THREADS - 1) / (2 * THREADS), THREADS>>>(data, sums, COUNT);
  cudaDeviceSynchronize();
  for (int i = 0; i < COUNT; i++)
    wrong += data[i] != (expected[i] += sums[i / (2 * THREADS)]);
  for (int iteration = 0; iteration < 2; iteration++) { // the second time in place
    unsigned *to = iteration ? data : other;
    copy<<<(COUNT + 4 * THREADS - 1) / (4 * THREADS), THREADS>>>(data, to, COUNT);
    cudaDeviceSynchronize();
    for (int i = 0; i < COUNT; i++)
      wrong += to[i] != 3 * expected[i] + i / THREADS % 4;
  }
  for (int i = 0; i < COUNT; i++)
    expected[i] = 3 * expected[i] + i / THREADS % 4;
  carry<<<COUNT / (4 * THREADS), THREADS>>>(data);
  cudaDeviceSynchronize();
  for (int i = 0; i < COUNT; i++) {
    int piece = i / THREADS % 4;
    if (i < COUNT / (4 * THREADS) * 4 * THREADS)
      expected[i] = piece ? expected[i - THREADS] + 1 : expected[i];
    wrong += data[i] != expected[i];
  }
  puts(wrong ? "wrong" : "ok");
  return wrong != 0;
}
