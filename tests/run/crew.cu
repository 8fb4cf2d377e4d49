// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host loops that launch kernels again and again, for which the workers may stay together: buffers that are swapped, an end that the
// device decides, copies and failed launches in between, loops in loops and after each other, grids of one block and of none, loops
// that never run, kernels whose block several workers share, and the same from several host threads and from inside and around host
// OpenMP regions, which must find their workers as before.
// flags: -Xcompiler -fopenmp
#include "check.h"
#include <omp.h>
#include <thread>
#include <utility>
#include <vector>

__global__ void step(const unsigned *from, unsigned *to, unsigned n, unsigned add) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[(i + 1) % n] * 3 + add;
}

__global__ void count_above(const unsigned *in, unsigned n, unsigned limit, unsigned *found) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > limit)
    atomicAdd(found, 1u);
}

__global__ void add_number(unsigned *place, unsigned number) { *place += number; }

__global__ void heavy(unsigned *out, unsigned iterations) { // one block with barriers and much work between them
  __shared__ unsigned places[256];
  unsigned t = threadIdx.x, x = out[t];
  for (unsigned i = 0; i < iterations; i++)
    x = x * 1664525u + i;
  places[t] = x;
  __syncthreads();
  out[t] = places[(t + 1) % 256];
}

static void expect(const char *what, unsigned at, unsigned got, unsigned expected) {
  if (got == expected)
    return;
  printf("%s, %u: got %u, expected %u\n", what, at, got, expected);
  exit(1);
}

static void run_step(std::vector<unsigned> &x, unsigned add) {
  std::vector<unsigned> next(x.size());
  for (size_t i = 0; i < x.size(); i++)
    next[i] = x[(i + 1) % x.size()] * 3 + add;
  x.swap(next);
}

static void try_swap(unsigned n, unsigned block, int iterations) {
  unsigned *a, *b;
  std::vector<unsigned> x(n), back(n);
  for (unsigned i = 0; i < n; i++)
    x[i] = i;
  CHECK(cudaMalloc(&a, n * sizeof *a));
  CHECK(cudaMalloc(&b, n * sizeof *b));
  CHECK(cudaMemcpy(a, x.data(), n * sizeof *a, cudaMemcpyHostToDevice));
  for (int it = 0; it < iterations; it++) {
    step<<<(n + block - 1) / block, block>>>(a, b, n, it);
    std::swap(a, b);
  }
  CHECK(cudaMemcpy(back.data(), a, n * sizeof *a, cudaMemcpyDeviceToHost));
  for (int it = 0; it < iterations; it++)
    run_step(x, it);
  for (unsigned i = 0; i < n; i++)
    expect("swap", i, back[i], x[i]);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

static void try_until(unsigned n, unsigned block) {
  unsigned *a, *b, *found, above, expected, iterations = 0, failures = 0;
  std::vector<unsigned> x(n, 1);
  CHECK(cudaMalloc(&a, n * sizeof *a));
  CHECK(cudaMalloc(&b, n * sizeof *b));
  CHECK(cudaMalloc(&found, sizeof *found));
  CHECK(cudaMemcpy(a, x.data(), n * sizeof *a, cudaMemcpyHostToDevice));
  do {
    above = 0;
    cudaMemcpy(found, &above, sizeof above, cudaMemcpyHostToDevice);
    for (unsigned inner = 0; inner < 3; inner++) {
      step<<<(n + block - 1) / block, block>>>(a, b, n, inner);
      step<<<(n + block - 1) / block, block>>>(b, a, n, iterations);
    }
    step<<<0, block>>>(a, b, n, 0); // no such grid
    failures += cudaGetLastError() == bad_shape;
    count_above<<<(n + block - 1) / block, block>>>(a, n, 4000000u, found);
    cudaMemcpy(&above, found, sizeof above, cudaMemcpyDeviceToHost);
    iterations++;
  } while (!above && iterations < 50);
  unsigned iterations_here = 0;
  do {
    for (unsigned inner = 0; inner < 3; inner++)
      run_step(x, inner), run_step(x, iterations_here);
    expected = 0;
    for (unsigned v : x)
      expected += v > 4000000u;
    iterations_here++;
  } while (!expected && iterations_here < 50);
  expect("iterations", 0, iterations, iterations_here);
  expect("failed launches", 0, failures, iterations);
  expect("found", 0, above, expected);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(found));
}

static void try_one_block(int iterations) {
  unsigned *place, sum = 0;
  CHECK(cudaMallocManaged(&place, sizeof *place));
  *place = 0;
  for (int i = 0; i < iterations; i++) {
    add_number<<<1, 1>>>(place, i);
    if (i % 3 == 0)
      continue;
    for (int k = 0; k < i % 4; k++)
      add_number<<<1, 1>>>(place, 1000);
  }
  for (int i = 0; i < iterations; i++)
    sum += i + (i % 3 ? 1000 * (i % 4) : 0);
  for (int i = 0; i < 5; i++)
    add_number<<<1, 1>>>(place, 7);
  CHECK(cudaDeviceSynchronize());
  expect("one block", 0, *place, sum + 35);
  CHECK(cudaFree(place));
}

static void try_heavy(int iterations) {
  const unsigned work = 20000;
  unsigned *out;
  std::vector<unsigned> x(256), next(256);
  CHECK(cudaMallocManaged(&out, 256 * sizeof *out));
  for (unsigned t = 0; t < 256; t++)
    out[t] = x[t] = t;
  for (int it = 0; it < iterations; it++)
    heavy<<<1, 256>>>(out, work);
  CHECK(cudaDeviceSynchronize());
  for (int it = 0; it < iterations; it++) {
    for (unsigned t = 0; t < 256; t++) {
      next[t] = x[t];
      for (unsigned i = 0; i < work; i++)
        next[t] = next[t] * 1664525u + i;
    }
    for (unsigned t = 0; t < 256; t++)
      x[t] = next[(t + 1) % 256];
  }
  for (unsigned t = 0; t < 256; t++)
    expect("heavy", t, out[t], x[t]);
  CHECK(cudaFree(out));
}

static int workers_of_host() {
  int workers = 0;
#pragma omp parallel reduction(+ : workers)
  workers++;
  return workers;
}

int main(int argc, char **argv) {
  unsigned block = block_size(argc, argv);
  int workers = workers_of_host();
  for (int iterations : {0, 1, 2, 40}) {
    try_swap(1000, block, iterations);
    try_swap(5 * block + 1, block, iterations);
    try_one_block(iterations);
  }
  try_until(700, block);
  try_heavy(3);
  if (omp_in_parallel() || workers_of_host() != workers) {
    printf("the host's regions have changed: %d, %d workers, before %d\n", omp_in_parallel(), workers_of_host(),
           workers);
    return 1;
  }
  std::thread threads[3];
  for (std::thread &thread : threads)
    thread = std::thread([=] { try_swap(800, block, 20); });
  for (std::thread &thread : threads)
    thread.join();
#pragma omp parallel num_threads(2)
  try_swap(600, block, 10);
  printf("ok\n");
  return 0;
}
