// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that match element by element and may run as one (fuse-launches), and those that may not: neighbours' elements,
// memory that overlaps, other grids, other streams, what the host reads, changes or waits for in between, a launch that
// is refused, a capture, loops and branches of the host around either of the two.
// flags: -Wno-unused-result
#include "check.h"
#include <vector>

// of: which function launches it, as a kernel with many launches has none in place
template <int of> __global__ void twice(int *b, const int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * a[i] + 1;
}
template <int of> __global__ void square(int *c, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] * b[i] + i;
}
__global__ void next(int *c, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n)
    c[i] = b[i + 1];
}
__global__ void add_rows(int *b, const int *a, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < rows && x < columns)
    b[y * columns + x] = a[y * columns + x] + y;
}
__global__ void scale_rows(int *b, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < rows && x < columns)
    b[y * columns + x] *= 3;
}
__global__ void elect(int *slot) { slot[threadIdx.x + threadIdx.y] = threadIdx.y; }
__global__ void elected(int *won, const int *slot) {
  won[threadIdx.y * blockDim.x + threadIdx.x] = slot[threadIdx.x + threadIdx.y];
}

enum { N = 3000, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK };
static int *a, *b, *c;

static void reset() {
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = -1, c[i] = -2;
}
static int after_twice(int i) { return 2 * i + 1; }
static int after_both(int i) { return after_twice(i) * after_twice(i) + i; }

static void expect(const char *what, int at, int got, int expected) {
  if (got == expected)
    return;
  printf("%s, %d: got %d, expected %d\n", what, at, got, expected);
  exit(1);
}
static void expect_both(const char *what, int n = N) {
  for (int i = 0; i < n; i++) {
    expect(what, i, b[i], after_twice(i));
    expect(what, i, c[i], after_both(i));
  }
}

static void plain() {
  reset();
  twice<0><<<GRID, BLOCK>>>(b, a, N);
  square<0><<<GRID, BLOCK>>>(c, b, N);
  cudaDeviceSynchronize();
  expect_both("plain");
}

static void with_error_check() {
  reset();
  twice<1><<<GRID, BLOCK>>>(b, a, N);
  if (cudaGetLastError() != cudaSuccess) {
    printf("refused\n");
    exit(1);
  }
  square<1><<<GRID, BLOCK>>>(c, b, N);
  if (cudaGetLastError() != cudaSuccess)
    exit(1);
  cudaDeviceSynchronize();
  expect_both("with error check");
}

static void neighbours() {
  reset();
  twice<2><<<GRID, BLOCK>>>(b, a, N);
  next<<<GRID, BLOCK>>>(c, b, N);
  cudaDeviceSynchronize();
  for (int i = 0; i + 1 < N; i++)
    expect("neighbours", i, c[i], after_twice(i + 1));
}

// The second writes where threads of the first have yet to read, or reads what others write.
__attribute__((noinline)) static void overlapping(int *out, const int *in, int *last, const int *from, int n) {
  twice<3><<<(n + 63) / 64, 64>>>(out, in, n);
  square<2><<<(n + 63) / 64, 64>>>(last, from, n);
  cudaDeviceSynchronize();
}
static void check_overlapping(const char *what, int to, int from, int last, int second) {
  std::vector<int> own(8192);
  int *all;
  cudaMallocManaged(&all, own.size() * sizeof(int));
  for (size_t i = 0; i < own.size(); i++)
    own[i] = all[i] = int(i * 7 % 1009);
  overlapping(all + to, all + from, all + last, all + second, 1500);
  for (int i = 0; i < 1500; i++)
    own[to + i] = 2 * own[from + i] + 1;
  for (int i = 0; i < 1500; i++)
    own[last + i] = own[second + i] * own[second + i] + i;
  for (size_t i = 0; i < own.size(); i++)
    expect(what, int(i), all[i], own[i]);
  cudaFree(all);
}

__attribute__((noinline)) static void shaped(int first, int second, cudaStream_t one, cudaStream_t other, int n) {
  twice<4><<<(n + first - 1) / first, first, 0, one>>>(b, a, n);
  square<3><<<(n + second - 1) / second, second, 0, other>>>(c, b, n);
  cudaDeviceSynchronize();
}

static int host_looks() {
  reset();
  twice<5><<<GRID, BLOCK>>>(b, a, N);
  cudaDeviceSynchronize();
  int seen = b[N - 1];
  b[0] = 50;
  square<4><<<GRID, BLOCK>>>(c, b, N);
  cudaDeviceSynchronize();
  expect("host looks", 0, c[0], 2500);
  return seen;
}

// Without a wait, as memory that both reach allows while a launch is done when it returns.
static int host_looks_at_once() {
  reset();
  twice<6><<<GRID, BLOCK>>>(b, a, N);
  int seen = b[N - 2];
  square<5><<<GRID, BLOCK>>>(c, b, N);
  cudaDeviceSynchronize();
  expect_both("host looks at once");
  return seen;
}

// Where the second is not reached, or is reached without the first; and values that change on the way.
__attribute__((noinline)) static void ways(int times, unsigned firsts, unsigned seconds) {
  for (int t = 0; t < times; t++) {
    int n = N - t * 100;
    if (firsts >> t & 1)
      twice<7><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(b, a, n);
    if (seconds >> t & 1)
      square<6><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(c, b, n);
  }
  cudaDeviceSynchronize();
}
static void check_ways(int times, unsigned firsts, unsigned seconds) {
  reset();
  std::vector<int> first(b, b + N), second(c, c + N);
  ways(times, firsts, seconds);
  for (int t = 0; t < times; t++)
    for (int i = 0; i < N - t * 100; i++) {
      if (firsts >> t & 1)
        first[i] = after_twice(i);
      if (seconds >> t & 1)
        second[i] = first[i] * first[i] + i;
    }
  for (int i = 0; i < N; i++) {
    expect("ways, first", i, b[i], first[i]);
    expect("ways, second", i, c[i], second[i]);
  }
}

static void rows() {
  enum { ROWS = 37, COLUMNS = 70 };
  reset();
  dim3 grid((COLUMNS + 15) / 16, (ROWS + 7) / 8), block(16, 8);
  add_rows<<<grid, block>>>(b, a, ROWS, COLUMNS);
  scale_rows<<<grid, block>>>(b, ROWS, COLUMNS);
  cudaDeviceSynchronize();
  for (int i = 0; i < ROWS * COLUMNS; i++)
    expect("rows", i, b[i], 3 * (i + i / COLUMNS));
}

// All threads of a diagonal write one element. Whoever is last, all find the same.
static void same_elements() {
  reset();
  elect<<<1, dim3(8, 8)>>>(b);
  elected<<<1, dim3(8, 8)>>>(c, b);
  cudaDeviceSynchronize();
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      expect("same elements", y * 8 + x, c[y * 8 + x], b[x + y]);
}

static void refused(int threads) {
  reset();
  cudaGetLastError();
  twice<8><<<GRID, threads>>>(b, a, N);
  square<7><<<GRID, BLOCK>>>(c, b, N);
  cudaError_t error = cudaGetLastError();
  expect("refused", 0, error, threads > 1024 ? cudaErrorInvalidConfiguration : cudaSuccess);
  cudaDeviceSynchronize();
  for (int i = 0; i < N; i++)
    expect("refused", i, c[i], threads > 1024 ? 1 + i : after_both(i));
}

// Of three the last one may have another shape, or the host may look at what the two before it did.
__attribute__((noinline)) static int three(int threads, bool looks, int n) {
  int seen = -1;
  reset();
  twice<10><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(b, a, n);
  square<9><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(c, b, n);
  if (__builtin_expect(looks, 0)) {
    cudaDeviceSynchronize();
    seen = c[n - 1];
  }
  twice<11><<<(n + BLOCK - 1) / BLOCK, threads>>>(b, c, n);
  cudaDeviceSynchronize();
  return seen;
}
static void check_three(int threads, bool looks) {
  expect("three, seen", threads, three(threads, looks, N), looks ? after_both(N - 1) : -1);
  bool runs = threads <= 1024;
  expect("three", threads, cudaGetLastError(), runs ? cudaSuccess : cudaErrorInvalidConfiguration);
  for (int i = 0; i < N; i++) {
    bool last = runs && i < (N + BLOCK - 1) / BLOCK * threads;
    expect("three", i, b[i], last ? 2 * after_both(i) + 1 : after_twice(i));
    expect("three, between", i, c[i], after_both(i));
  }
}

static void captured() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  reset();
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  twice<9><<<GRID, BLOCK, 0, stream>>>(b, a, N);
  square<8><<<GRID, BLOCK, 0, stream>>>(c, b, N);
  cudaStreamEndCapture(stream, &graph);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  expect("nodes of a capture", 0, int(nodes), 2);
  expect("before the graph", 5, c[5], -2);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  expect_both("captured");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

int main() {
  cudaMallocManaged(&a, N * sizeof(int));
  cudaMallocManaged(&b, N * sizeof(int));
  cudaMallocManaged(&c, N * sizeof(int));
  plain();
  with_error_check();
  neighbours();
  check_overlapping("apart", 0, 2000, 4000, 0);
  check_overlapping("in place", 0, 0, 0, 0);
  check_overlapping("writes what the first has yet to read", 4000, 100, 0, 4000);
  check_overlapping("reads what others write", 1000, 4000, 6000, 999);
  check_overlapping("reads what others wrote", 1000, 4000, 6000, 1001);
  check_overlapping("writes over results", 1000, 4000, 1003, 6000);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const int shapes[][2] = {{64, 64}, {64, 128}, {128, 64}, {256, 32}};
  for (auto &shape : shapes)
    for (int other = 0; other < 2; other++) {
      reset();
      shaped(shape[0], shape[1], stream, other ? nullptr : stream, N);
      expect_both("shaped");
    }
  cudaStreamDestroy(stream);
  expect("what the host saw", N - 1, host_looks(), after_twice(N - 1));
  expect("what the host saw at once", N - 2, host_looks_at_once(), after_twice(N - 2));
  check_ways(1, 1, 1);
  check_ways(5, 0x1f, 0x1f);
  check_ways(5, 0x15, 0x0a);
  check_ways(5, 0x0b, 0x1c);
  check_ways(4, 0x1, 0x8);
  rows();
  same_elements();
  refused(BLOCK);
  refused(2048);
  for (int looks = 0; looks < 2; looks++) {
    check_three(BLOCK, looks);
    check_three(BLOCK / 2, looks);
    check_three(2048, looks);
  }
  captured();
  printf("ok\n");
}
