// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees in shared memory whose iterations are known when the program is compiled (powers of two, other factors, nested loops, none at
// all), and the same ones with a number of iterations that is an argument.
#include <vector>

#include "check.h"

enum { MOST = 256 };

// A stride that is halved, rounded up, so that any number of values is added. `size` is a constant where it is launched so.
__global__ void sums(const unsigned *in, unsigned *out, int n, int size) {
  __shared__ unsigned tile[MOST];
  int me = threadIdx.x, at = blockIdx.x * blockDim.x + me;
  for (int i = me; i < size; i += blockDim.x)
    tile[i] = 0;
  __syncthreads();
  if (me < size && at < n)
    tile[me] = in[at];
  for (int left = size; left > 1; left = (left + 1) / 2) {
    __syncthreads();
    int half = (left + 1) / 2;
    for (int i = me; i + half < left; i += blockDim.x)
      tile[i] += tile[i + half];
  }
  __syncthreads();
  if (me == 0)
    out[blockIdx.x] = tile[0];
}

// Iterations within iterations: the inner count depends on the outer one. Each thread leaves with what its neighbours wrote last.
__global__ void triangle(unsigned *out, int iterations) {
  __shared__ unsigned ring[1024];
  int me = threadIdx.x, size = blockDim.x;
  ring[me] = me + 1;
  unsigned mine = 0;
  for (int outer = 1; outer <= iterations; outer++)
    for (int step = outer; step > 0; step -= 2) {
      __syncthreads();
      unsigned from = ring[(me + step) % size];
      __syncthreads();
      ring[me] = from * 3 + outer;
      mine += from ^ step;
    }
  out[blockIdx.x * size + me] = mine;
}

// Three iterations, 1, 5 and 25, and a loop that never runs.
__global__ void fives(unsigned *out) {
  __shared__ unsigned ring[1024];
  int me = threadIdx.x, size = blockDim.x;
  ring[me] = me * 7;
  for (int step = 1; step < 100; step *= 5) {
    __syncthreads();
    unsigned from = ring[(me + step) % size];
    __syncthreads();
    ring[me] += from;
  }
  for (int step = 100; step < 100; step *= 5) {
    __syncthreads();
    ring[me] = 0;
  }
  out[blockIdx.x * size + me] = ring[me];
}

typedef std::vector<unsigned> numbers;

static void check(buffer<unsigned> &out, const numbers &expected) {
  out.download();
  for (size_t i = 0; i < expected.size(); i++)
    expect((long long)i, out[i], expected[i]);
}

static numbers expected_sums(buffer<unsigned> &in, int blocks, int block, int n, int size) {
  numbers sums(blocks, 0);
  for (int i = 0; i < n; i++)
    if (i % block < size)
      sums[i / block] += in[i];
  return sums;
}

// The values of a ring of threads, one block like the other: each takes over from the one `step` further.
static numbers from_neighbours(const numbers &ring, int step) {
  numbers from(ring.size());
  for (size_t i = 0; i < ring.size(); i++)
    from[i] = ring[(i + step) % ring.size()];
  return from;
}

static numbers repeated(const numbers &block, int blocks) {
  numbers all;
  for (int b = 0; b < blocks; b++)
    all.insert(all.end(), block.begin(), block.end());
  return all;
}

static numbers expected_triangle(int block, int iterations) {
  numbers ring(block), mine(block, 0);
  for (int i = 0; i < block; i++)
    ring[i] = i + 1;
  for (int outer = 1; outer <= iterations; outer++)
    for (int step = outer; step > 0; step -= 2) {
      numbers from = from_neighbours(ring, step);
      for (int i = 0; i < block; i++) {
        ring[i] = from[i] * 3 + outer;
        mine[i] += from[i] ^ step;
      }
    }
  return mine;
}

static numbers expected_fives(int block) {
  numbers ring(block);
  for (int i = 0; i < block; i++)
    ring[i] = i * 7;
  for (int step = 1; step <= 25; step *= 5) {
    numbers from = from_neighbours(ring, step);
    for (int i = 0; i < block; i++)
      ring[i] += from[i];
  }
  return ring;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, n = blocks * block - block / 2;
  buffer<unsigned> in(n), out(blocks), wide(blocks * block);
  unsigned state = 7;
  for (int i = 0; i < n; i++)
    in[i] = next_random(state);
  in.upload();

#define CHECK_SUMS(size)                                                                                               \
  sums<<<blocks, block>>>(in.device, out.device, n, size);                                                             \
  check(out, expected_sums(in, blocks, block, n, size))
  CHECK_SUMS(1);
  CHECK_SUMS(32);
  CHECK_SUMS(33);
  CHECK_SUMS(100);
  CHECK_SUMS(256);
  for (int size = 1; size <= MOST; size += 51) {
    CHECK_SUMS(size);
  }

#define CHECK_TRIANGLE(iterations)                                                                                     \
  triangle<<<blocks, block>>>(wide.device, iterations);                                                                \
  check(wide, repeated(expected_triangle(block, iterations), blocks))
  CHECK_TRIANGLE(0);
  CHECK_TRIANGLE(1);
  CHECK_TRIANGLE(7);
  for (int iterations = 2; iterations < 5; iterations++) {
    CHECK_TRIANGLE(iterations);
  }

  fives<<<blocks, block>>>(wide.device);
  check(wide, repeated(expected_fives(block), blocks));
  return passed();
}
