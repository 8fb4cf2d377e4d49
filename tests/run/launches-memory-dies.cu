// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that one kernel hands to the next, and nobody else sees: where both run as one (fuse-launches) it need not be
// stored. And memory that somebody sees after all: the host by a copy, a kernel later, the same kernel again without the
// one before it, a caller, a graph; and what a thread loads that it did not store.
#include <cstdio>
#include <cstdlib>

enum { N = 3000, BLOCK = 64, GRID = (N + BLOCK - 1) / BLOCK };
static int *in, *out;

static void expect(const char *what, int i, int got, int expected) {
  if (got == expected)
    return;
  printf("%s, %d: got %d, expected %d\n", what, i, got, expected);
  exit(1);
}
static void reset() {
  for (int i = 0; i < N; i++)
    in[i] = i, out[i] = -1;
}
static void expect_all(const char *what, int factor, int term) {
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++)
    expect(what, i, out[i], factor * i + term);
}

template <int> __global__ void twice(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = 2 * from[i];
}
template <int> __global__ void next(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}
template <int> __global__ void add(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += from[i];
}
__global__ void some(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && from[i] % 3 == 0)
    to[i] = 5;
}

static void dies() {
  int *t;
  reset();
  cudaMalloc(&t, N * sizeof(int));
  twice<0><<<GRID, BLOCK>>>(t, in, N);
  next<0><<<GRID, BLOCK>>>(out, t, N);
  cudaFree(t);
  expect_all("dies", 2, 1);
}

static void dies_after_three() {
  int *t, *u;
  reset();
  cudaMalloc(&t, N * sizeof(int));
  cudaMalloc(&u, N * sizeof(int));
  twice<1><<<GRID, BLOCK>>>(t, in, N);
  next<1><<<GRID, BLOCK>>>(u, t, N);
  add<1><<<GRID, BLOCK>>>(u, t, N);
  twice<2><<<GRID, BLOCK>>>(out, u, N);
  cudaFree(u);
  cudaFree(t);
  expect_all("dies after three", 8, 2);
}

static void copied() {
  int *t, seen;
  reset();
  cudaMalloc(&t, N * sizeof(int));
  twice<3><<<GRID, BLOCK>>>(t, in, N);
  next<3><<<GRID, BLOCK>>>(out, t, N);
  cudaMemcpy(&seen, t + N - 1, sizeof seen, cudaMemcpyDeviceToHost);
  cudaFree(t);
  expect("copied", N - 1, seen, 2 * (N - 1));
  expect_all("copied", 2, 1);
}

static void read_later() {
  int *t;
  reset();
  cudaMalloc(&t, N * sizeof(int));
  twice<4><<<GRID, BLOCK>>>(t, in, N);
  next<4><<<GRID, BLOCK>>>(out, t, N);
  cudaDeviceSynchronize();
  add<4><<<GRID, BLOCK>>>(out, t, N);
  cudaFree(t);
  expect_all("read later", 4, 1);
}

// The second kernel runs more often than the first.
__attribute__((noinline)) static void alone(int times, int every) {
  int *t;
  reset();
  cudaMalloc(&t, N * sizeof(int));
  for (int k = 0; k < times; k++) {
    if (k % every == 0)
      twice<5><<<GRID, BLOCK>>>(t, in, N);
    add<5><<<GRID, BLOCK>>>(out, t, N);
  }
  cudaFree(t);
  expect_all("alone", 2 * times, -1);
}

// What is not stored each time is what an earlier launch stored.
__attribute__((noinline)) static void partly(int times) {
  int *t;
  reset();
  cudaMalloc(&t, N * sizeof(int));
  cudaMemset(t, 0, N * sizeof(int));
  for (int k = 0; k < times; k++) {
    some<<<GRID, BLOCK>>>(t, in, N);
    next<6><<<GRID, BLOCK>>>(out, t, N);
  }
  cudaFree(t);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++)
    expect("partly", i, out[i], i % 3 ? 1 : 6);
}

__attribute__((noinline)) static int *kept() {
  int *t;
  reset();
  cudaMallocManaged(&t, N * sizeof(int));
  twice<7><<<GRID, BLOCK>>>(t, in, N);
  next<7><<<GRID, BLOCK>>>(out, t, N);
  return t;
}

// A graph has the second kernel alone: it reads what the first one stored last.
__attribute__((noinline)) static void captured(bool captures) {
  int *t;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec = nullptr;
  reset();
  cudaStreamCreate(&stream);
  cudaMalloc(&t, N * sizeof(int));
  for (int k = 0; k < 3; k++) {
    bool now = captures && k == 1;
    in[0] = 10 * k;
    twice<8><<<GRID, BLOCK, 0, stream>>>(t, in, N);
    if (__builtin_expect(now, 0))
      cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    next<8><<<GRID, BLOCK, 0, stream>>>(out, t, N);
    if (__builtin_expect(now, 0)) {
      cudaStreamEndCapture(stream, &graph);
      cudaGraphInstantiate(&exec, graph, 0);
    }
    cudaStreamSynchronize(stream);
  }
  out[0] = -1;
  if (exec)
    cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaFree(t);
  cudaStreamDestroy(stream);
  expect("captured", captures, out[0], captures ? 41 : -1);
}

int main() {
  cudaMallocManaged(&in, N * sizeof(int));
  cudaMallocManaged(&out, N * sizeof(int));
  dies();
  dies_after_three();
  copied();
  read_later();
  alone(1, 1);
  alone(6, 3);
  partly(3);
  int *t = kept();
  cudaDeviceSynchronize();
  expect("kept", 7, t[7], 14);
  captured(false);
  captured(true);
  printf("ok\n");
}
