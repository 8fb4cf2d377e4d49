// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which the threads of a block take every n-th element: signed, unsigned and 64-bit counters, inclusive bounds, several
// carried values, none, a nested loop, a condition inside, negative starts, ranges shorter than the block, and a counter that is
// used after the loop.
#include "check.h"

__global__ void strided(const int *in, long long *out, int *seen, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  long long sum = 0, weighted = 0;
  for (int i = first; i < n; i += step) {
    sum += in[i];
    weighted += (long long)in[i] * i;
  }
  unsigned odd = 0;
  for (unsigned i = first; i <= (unsigned)(n - 1); i += step)
    if (in[i] & 1)
      odd += i;
  size_t wide = 0;
  for (size_t i = first; i < (size_t)n; i += step) {
    for (int k = 0; k < in[i] % 4; k++)
      wide += i + k;
    seen[i] += 1;
  }
  int below = 0;
  for (int i = -7 + (int)threadIdx.x; i < 3; i += blockDim.x)
    below += i * i;
  int after = threadIdx.x;
  for (; after < 50; after += blockDim.x)
    below ^= after;
  long long *mine = out + 5 * (long long)first;
  mine[0] = sum;
  mine[1] = weighted;
  mine[2] = odd;
  mine[3] = (long long)wide;
  mine[4] = below + 1000LL * after;
}

/* Rows by the second index, elements of a row by the first; then a tree of what is carried. */
__global__ void rows(const int *in, int *out, int width, int height) {
  __shared__ int part[256];
  for (int row = blockIdx.x; row < height; row += gridDim.x) {
    int largest = -1;
    for (int column = threadIdx.x; column < width; column += blockDim.x)
      largest = max(largest, in[row * width + column]);
    part[threadIdx.x] = largest;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int t = 1; t < blockDim.x; t++)
        largest = max(largest, part[t]);
      out[row] = largest;
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 3001, grid = 3, threads = grid * block, width = 83, height = 36;
  buffer<int> in(n), seen(n), largest(height);
  buffer<long long> out(5 * threads);
  unsigned state = 11;
  for (int i = 0; i < n; i++)
    in[i] = (int)(next_random(state) % 2000);
  in.upload();
  seen.upload();
  strided<<<grid, block>>>(in.device, out.device, seen.device, n);
  rows < <<7, block<256 ? block : 256>>>(in.device, largest.device, width, height);
  out.download();
  seen.download();
  largest.download();
  for (int i = 0; i < n; i++)
    expect(i, seen[i], 1);
  for (int t = 0; t < threads; t++) {
    long long sum = 0, weighted = 0, wide = 0;
    unsigned odd = 0;
    int lane = t % block, below = 0, after = lane;
    for (int i = t; i < n; i += threads) {
      sum += in[i];
      weighted += (long long)in[i] * i;
      if (in[i] & 1)
        odd += i;
      for (int k = 0; k < in[i] % 4; k++)
        wide += i + k;
    }
    for (int i = -7 + lane; i < 3; i += block)
      below += i * i;
    for (; after < 50; after += block)
      below ^= after;
    expect(5 * t, out[5 * t], sum);
    expect(5 * t + 1, out[5 * t + 1], weighted);
    expect(5 * t + 2, out[5 * t + 2], odd);
    expect(5 * t + 3, out[5 * t + 3], wide);
    expect(5 * t + 4, out[5 * t + 4], below + 1000LL * after);
  }
  for (int row = 0; row < height; row++) {
    int most = -1;
    for (int column = 0; column < width; column++)
      most = in[row * width + column] > most ? in[row * width + column] : most;
    expect(row, largest[row], most);
  }
  return passed();
}
