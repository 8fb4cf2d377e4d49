// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks with barriers and much work between them, in grids of one, two and many blocks: where blocks are fewer than workers, several
// workers may share a block's threads and wait for each other at its barriers. Shared memory with one writer and many readers, double
// buffers, counters that all threads of the block add to, values that live across barriers, loops whose end all read in shared
// memory, rows of warps that exchange values, blocks of two dimensions, and barriers that not all threads come to.
#include "check.h"
#include <vector>

const unsigned ITERATIONS = 2000; // of a thread's loop: enough to share a block out

__host__ __device__ inline unsigned mix(unsigned x) { return (x ^ (x >> 13)) * 2654435761u + 1u; }
__host__ __device__ inline unsigned work(unsigned x, unsigned iterations) {
  for (unsigned i = 0; i < iterations; i++)
    x = mix(x + i);
  return x;
}

// Each thread's value goes to its right neighbour, again and again; one thread publishes something for all.
__global__ void ring(unsigned *out, unsigned iterations, unsigned steps) {
  extern __shared__ unsigned places[];
  __shared__ unsigned common;
  unsigned t = threadIdx.x, n = blockDim.x, kept = t * 3, x = blockIdx.x * 1000 + t;
  for (unsigned step = 0; step < steps; step++) {
    places[t] = work(x, iterations);
    if (t == step % n)
      common = x + step;
    __syncthreads();
    x = places[(t + 1) % n] + common + kept;
    kept += step;
    __syncthreads();
  }
  out[blockIdx.x * n + t] = x;
}

// Sums and a histogram of a slice of the input for each block, by loops with the block's width as their stride, then a tree.
__global__ void tree(const unsigned *in, unsigned n, unsigned *sums, unsigned *bins) {
  __shared__ unsigned part[1024], counts[16];
  unsigned t = threadIdx.x;
  for (unsigned i = t; i < 16; i += blockDim.x)
    counts[i] = 0;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned i = t; i < n; i += blockDim.x) {
    unsigned v = in[blockIdx.x * n + i];
    sum += v;
    atomicAdd(&counts[v % 16], 1u);
  }
  part[t] = sum;
  __syncthreads();
  for (unsigned width = blockDim.x; width > 1;) {
    unsigned half = (width + 1) / 2;
    if (t < width - half)
      part[t] += part[t + half];
    width = half;
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
  if (t == 0)
    for (unsigned i = 0; i < 16; i++)
      bins[blockIdx.x * 16 + i] = counts[i];
}

// Ends when a counter in shared memory, which threads add to, says so.
__global__ void until(unsigned *out, unsigned iterations, unsigned limit) {
  __shared__ unsigned total;
  __shared__ bool again;
  unsigned t = threadIdx.x, x = t, steps = 0;
  if (t == 0)
    total = 0;
  __syncthreads();
  do {
    x = work(x, iterations);
    atomicAdd(&total, x % 5);
    __syncthreads();
    if (t == blockDim.x - 1)
      again = total < limit;
    __syncthreads();
    steps++;
  } while (again);
  out[t] = x + steps;
}

// Sums of warps, then of the block.
__global__ void warps(const unsigned *in, unsigned n, unsigned *out) {
  __shared__ unsigned of_warp[32];
  unsigned t = threadIdx.x, sum = 0;
  for (unsigned i = t; i < n; i += blockDim.x)
    sum += work(in[i], 4);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  if (t % 32 == 0)
    of_warp[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < blockDim.x / 32 ? of_warp[t] : 0;
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(~0u, sum, offset);
    if (t == 0)
      *out = sum;
  }
}

// A block of rows and columns; each takes from another row and another column.
__global__ void plane(unsigned *out, unsigned iterations) {
  __shared__ unsigned tile[32][33];
  unsigned x = threadIdx.x, y = threadIdx.y, v = work(y * 100 + x, iterations);
  for (unsigned step = 0; step < 3; step++) {
    tile[y][x] = v;
    __syncthreads();
    v = work(tile[(y + 1) % blockDim.y][(x + step) % blockDim.x], iterations);
    __syncthreads();
  }
  out[(blockIdx.x * blockDim.y + y) * blockDim.x + x] = v;
}

// Threads leave before a barrier.
__global__ void some_leave(unsigned *out, unsigned iterations, unsigned stay) {
  __shared__ unsigned places[1024];
  unsigned t = threadIdx.x;
  out[t] = 7;
  if (t >= stay)
    return;
  places[t] = work(t, iterations);
  __syncthreads();
  out[t] = places[stay - 1 - t];
}

static void expect(const char *what, unsigned at, unsigned got, unsigned expected) {
  if (got == expected)
    return;
  printf("%s, %u: got %u, expected %u\n", what, at, got, expected);
  exit(1);
}

static void try_ring(unsigned blocks, unsigned n) {
  const unsigned steps = 5;
  unsigned *out;
  CHECK(cudaMallocManaged(&out, blocks * n * sizeof *out));
  ring<<<blocks, n, n * sizeof(unsigned)>>>(out, ITERATIONS, steps);
  CHECK(cudaDeviceSynchronize());
  for (unsigned b = 0; b < blocks; b++) {
    std::vector<unsigned> x(n), kept(n), places(n);
    for (unsigned t = 0; t < n; t++)
      x[t] = b * 1000 + t, kept[t] = t * 3;
    for (unsigned step = 0; step < steps; step++) {
      unsigned common = x[step % n] + step;
      for (unsigned t = 0; t < n; t++)
        places[t] = work(x[t], ITERATIONS);
      for (unsigned t = 0; t < n; t++)
        x[t] = places[(t + 1) % n] + common + kept[t], kept[t] += step;
    }
    for (unsigned t = 0; t < n; t++)
      expect("ring", b * n + t, out[b * n + t], x[t]);
  }
  CHECK(cudaFree(out));
}

static void try_tree(unsigned blocks, unsigned n) {
  const unsigned length = 600011;
  unsigned *in, *sums, *bins;
  CHECK(cudaMallocManaged(&in, blocks * length * sizeof *in));
  CHECK(cudaMallocManaged(&sums, blocks * sizeof *sums));
  CHECK(cudaMallocManaged(&bins, blocks * 16 * sizeof *bins));
  for (unsigned i = 0; i < blocks * length; i++)
    in[i] = mix(i);
  tree<<<blocks, n>>>(in, length, sums, bins);
  CHECK(cudaDeviceSynchronize());
  for (unsigned b = 0; b < blocks; b++) {
    unsigned sum = 0, counts[16] = {};
    for (unsigned i = 0; i < length; i++)
      sum += in[b * length + i], counts[in[b * length + i] % 16]++;
    expect("sum", b, sums[b], sum);
    for (unsigned i = 0; i < 16; i++)
      expect("bin", b * 16 + i, bins[b * 16 + i], counts[i]);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(sums));
  CHECK(cudaFree(bins));
}

static void try_until(unsigned n) {
  unsigned *out, total = 0, steps = 0, limit = 9 * n;
  CHECK(cudaMallocManaged(&out, n * sizeof *out));
  until<<<1, n>>>(out, ITERATIONS, limit);
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> x(n);
  for (unsigned t = 0; t < n; t++)
    x[t] = t;
  do {
    for (unsigned t = 0; t < n; t++)
      x[t] = work(x[t], ITERATIONS), total += x[t] % 5;
    steps++;
  } while (total < limit);
  for (unsigned t = 0; t < n; t++)
    expect("until", t, out[t], x[t] + steps);
  CHECK(cudaFree(out));
}

static void try_warps(unsigned n) {
  const unsigned length = 100003;
  unsigned *in, *out, sum = 0;
  CHECK(cudaMallocManaged(&in, length * sizeof *in));
  CHECK(cudaMallocManaged(&out, sizeof *out));
  for (unsigned i = 0; i < length; i++)
    in[i] = i, sum += work(i, 4);
  warps<<<1, n>>>(in, length, out);
  CHECK(cudaDeviceSynchronize());
  expect("warps", n, *out, sum);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

static void try_plane(unsigned blocks, unsigned width, unsigned height) {
  unsigned *out;
  CHECK(cudaMallocManaged(&out, blocks * width * height * sizeof *out));
  plane<<<blocks, dim3(width, height)>>>(out, ITERATIONS);
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> v(width * height), next(width * height);
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++)
      v[y * width + x] = work(y * 100 + x, ITERATIONS);
  for (unsigned step = 0; step < 3; step++) {
    for (unsigned y = 0; y < height; y++)
      for (unsigned x = 0; x < width; x++)
        next[y * width + x] = work(v[(y + 1) % height * width + (x + step) % width], ITERATIONS);
    v = next;
  }
  for (unsigned b = 0; b < blocks; b++)
    for (unsigned i = 0; i < width * height; i++)
      expect("plane", i, out[b * width * height + i], v[i]);
  CHECK(cudaFree(out));
}

static void try_some_leave(unsigned n) {
  unsigned *out, stay = n / 2 + 1;
  CHECK(cudaMallocManaged(&out, n * sizeof *out));
  some_leave<<<1, n>>>(out, ITERATIONS, stay);
  CHECK(cudaDeviceSynchronize());
  for (unsigned t = 0; t < n; t++)
    expect("some leave", t, out[t], t < stay ? work(stay - 1 - t, ITERATIONS) : 7);
  CHECK(cudaFree(out));
}

int main(int argc, char **argv) {
  unsigned block = block_size(argc, argv);
  for (unsigned threads : {block, 1024u, 100u}) {
    for (unsigned blocks : {1u, 3u, 9u}) {
      try_ring(blocks, threads);
      if (blocks < 9)
        try_tree(blocks, threads);
    }
    try_until(threads);
    try_some_leave(threads);
    if (threads % 32 == 0)
      try_warps(threads);
  }
  for (unsigned blocks : {1u, 2u}) {
    try_plane(blocks, 32, 32);
    try_plane(blocks, 32, 3);
    try_plane(blocks, 17, 5);
    try_plane(blocks, 31, 1);
  }
  printf("ok\n");
  return 0;
}
