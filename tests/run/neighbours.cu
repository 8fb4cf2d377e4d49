// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that follow each other outside of loops, for which the workers may stay together: host code between them that reads what the
// first one wrote and says what the next one does, branches and returns in between, launches that CUDA refuses, grids of one block, streams and a capture,
// a function that calls itself between its launches, an exception, a longjmp and an exit that leave there, OpenMP regions there and
// after, what a thread of the host has of its own, and all of it from several threads.
// flags: -Xcompiler -fopenmp
#include "check.h"
#include <csetjmp>
#include <omp.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// of: which function launches it, as a kernel with many launches has none in place
template <int of> __global__ void step(unsigned *x, unsigned n, unsigned add) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 3 + add;
}

__global__ void mix(unsigned *x, const unsigned *from, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] ^= from[(i + 7) % n];
}

static unsigned block = 32;
static thread_local unsigned of_thread;
static jmp_buf back;

static void expect(const char *what, unsigned at, unsigned got, unsigned expected) {
  if (got == expected)
    return;
  printf("%s, %u: got %u, expected %u\n", what, at, got, expected);
  exit(1);
}

// Before the host reads what a kernel wrote. Here a launch is done when it returns, which the compiler knows.
static void wait_where_needed() {
#ifndef __UNWARP__
  CHECK(cudaStreamSynchronize(0));
#endif
}

struct arrays {
  unsigned n, *x, *y;
  std::vector<unsigned> a, b; // what x and y have to be
  explicit arrays(unsigned n) : n(n), a(n), b(n) {
    CHECK(cudaMallocManaged(&x, n * sizeof *x));
    CHECK(cudaMallocManaged(&y, n * sizeof *y));
    for (unsigned i = 0; i < n; i++)
      x[i] = a[i] = i, y[i] = b[i] = 5 * i + 1;
  }
  ~arrays() {
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
  }
  unsigned blocks() const { return (n + block - 1) / block; }
  void step_a(unsigned add) {
    for (unsigned &v : a)
      v = v * 3 + add;
  }
  void step_b(unsigned add) {
    for (unsigned &v : b)
      v = v * 3 + add;
  }
  void mix_a() {
    for (unsigned i = 0; i < n; i++)
      a[i] ^= b[(i + 7) % n];
  }
  void check(const char *what) const {
    wait_where_needed();
    for (unsigned i = 0; i < n; i++)
      expect(what, i, x[i], a[i]), expect(what, i, y[i], b[i]);
  }
};

// Loads and stores between launches, on one thread and in their order.
__attribute__((noinline)) static unsigned in_order(unsigned *x, unsigned *y, unsigned n, unsigned blocks) {
  step<1><<<blocks, block>>>(x, n, 1);
  wait_where_needed();
  unsigned seen = x[n - 1] % 5;
  x[0] += seen;
  of_thread++;
  step<1><<<blocks, block>>>(y, n, seen);
  cudaStreamSynchronize(0); // not of the device: another thread may be capturing
  y[n / 2] = x[0];
  mix<<<blocks, block>>>(x, y, n);
  return of_thread;
}

static void try_order(unsigned n) {
  arrays all(n);
  unsigned before = of_thread;
  expect("own", 0, in_order(all.x, all.y, n, all.blocks()), before + 1);
  all.step_a(1);
  unsigned seen = all.a[n - 1] % 5;
  all.a[0] += seen;
  all.step_b(seen);
  all.b[n / 2] = all.a[0];
  all.mix_a();
  all.check("order");
}

// Ways with one launch, two or three, and a return in the midst.
__attribute__((noinline)) static int on_ways(unsigned *x, unsigned *y, unsigned n, unsigned blocks, unsigned ways) {
  if (ways & 1)
    step<2><<<blocks, block>>>(x, n, 10);
  if (ways & 2)
    step<2><<<blocks, block>>>(y, n, 11);
  if (ways & 4)
    return 1;
  if (ways & 8)
    mix<<<blocks, block>>>(x, y, n);
  else
    for (unsigned i = 0; i < ways % 3; i++)
      step<2><<<blocks, block>>>(x, n, i);
  return 0;
}

static void try_ways(unsigned n) {
  arrays all(n);
  for (unsigned ways = 0; ways < 16; ways++) {
    expect("way", ways, on_ways(all.x, all.y, n, all.blocks(), ways), ways >> 2 & 1);
    if (ways & 1)
      all.step_a(10);
    if (ways & 2)
      all.step_b(11);
    if (ways & 4)
      continue;
    if (ways & 8)
      all.mix_a();
    for (unsigned i = 0; !(ways & 8) && i < ways % 3; i++)
      all.step_a(i);
    all.check("ways");
  }
}

// Launches that are refused first, in the midst and last; grids of one block.
__attribute__((noinline)) static void with_refused(unsigned *x, unsigned n, unsigned blocks, unsigned failing,
                                                   cudaError_t *errors) {
  step<3><<<failing & 1 ? 0 : blocks, block>>>(x, n, 1);
  errors[0] = cudaGetLastError();
  step<3><<<failing & 2 ? 0 : blocks, block>>>(x, n, 2);
  errors[1] = cudaGetLastError();
  step<3><<<failing & 4 ? 0 : blocks, block>>>(x, n, 3);
  errors[2] = cudaGetLastError();
}

static void try_refused(unsigned n) {
  arrays all(n);
  for (unsigned failing = 0; failing < 8; failing++) {
    cudaError_t errors[3];
    with_refused(all.x, n, all.blocks(), failing, errors);
    for (unsigned i = 0; i < 3; i++) {
      expect("refused", i, errors[i], failing >> i & 1 ? bad_shape : cudaSuccess);
      if (!(failing >> i & 1))
        all.step_a(i + 1);
    }
    all.check("refused");
  }
}

__attribute__((noinline)) static void in_stream(unsigned *x, unsigned *y, unsigned n, unsigned blocks,
                                                cudaStream_t stream) {
  step<4><<<blocks, block, 0, stream>>>(x, n, 4);
  step<4><<<blocks, block, 0, stream>>>(y, n, 5);
  cudaMemcpyAsync(y, x, sizeof *x, cudaMemcpyDefault, stream);
  mix<<<blocks, block, 0, stream>>>(x, y, n);
}

static void try_stream(unsigned n) {
  arrays all(n);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); // other threads use the default stream meanwhile
  in_stream(all.x, all.y, n, all.blocks(), stream);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)); // and allocate
  in_stream(all.x, all.y, n, all.blocks(), stream);                        // only noted down
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 2; i++)
    CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 3; i++)
    all.step_a(4), all.step_b(5), all.b[0] = all.a[0], all.mix_a();
  all.check("stream");
  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

__attribute__((noinline)) static void deeper(unsigned *x, unsigned n, unsigned blocks, unsigned depth) {
  step<5><<<blocks, block>>>(x, n, depth);
  step<5><<<blocks, block>>>(x, n, 2 * depth);
  if (depth)
    deeper(x, n, blocks, depth - 1);
  step<5><<<blocks, block>>>(x, n, 3 * depth);
  step<5><<<blocks, block>>>(x, n, 4 * depth);
}

static void deeper_here(arrays &all, unsigned depth) {
  all.step_a(depth), all.step_a(2 * depth);
  if (depth)
    deeper_here(all, depth - 1);
  all.step_a(3 * depth), all.step_a(4 * depth);
}

static void try_deeper(unsigned n) {
  arrays all(n);
  deeper(all.x, n, all.blocks(), 3);
  deeper_here(all, 3);
  all.check("deeper");
}

__attribute__((noinline)) static void leave(int how) {
  if (how == 1)
    throw 7;
  if (how == 2)
    longjmp(back, 1);
  if (how == 3)
    exit(omp_in_parallel() ? 9 : 3);
}

__attribute__((noinline)) static void leaving(unsigned *x, unsigned n, unsigned blocks, int how) {
  step<6><<<blocks, block>>>(x, n, 20);
  step<6><<<blocks, block>>>(x, n, 21);
  leave(how);
  step<6><<<blocks, block>>>(x, n, 22);
  step<6><<<blocks, block>>>(x, n, 23);
}

static int workers_of_host() {
  int workers = 0;
#pragma omp parallel reduction(+ : workers)
  workers++;
  return workers;
}

static void try_leaving(unsigned n, bool jumps) {
  arrays all(n);
  int workers = workers_of_host();
  leaving(all.x, n, all.blocks(), 0);
  for (unsigned add = 20; add < 24; add++)
    all.step_a(add);
  all.check("not left");
  try {
    leaving(all.x, n, all.blocks(), 1);
    expect("thrown", 0, 0, 1);
  } catch (int thrown) {
    expect("thrown", 0, thrown, 7);
  }
  all.step_a(20), all.step_a(21);
  all.check("left by an exception");
  expect("in region", 0, omp_in_parallel(), 0);
  expect("workers", 0, workers_of_host(), workers);
  if (!jumps)
    return;
  if (setjmp(back) == 0)
    leaving(all.x, n, all.blocks(), 2);
  all.step_a(20), all.step_a(21);
  all.check("left by a jump");
  expect("workers", 1, workers_of_host(), workers);
}

// The host's own regions between launches have their workers.
__attribute__((noinline)) static int with_regions(unsigned *x, unsigned *y, unsigned n, unsigned blocks) {
  int workers;
  step<7><<<blocks, block>>>(x, n, 30);
  step<7><<<blocks, block>>>(y, n, 31);
  wait_where_needed();
  workers = workers_of_host();
#pragma omp parallel for
  for (unsigned i = 0; i < n; i++)
    y[i] += i;
  mix<<<blocks, block>>>(x, y, n);
  step<7><<<blocks, block>>>(x, n, 32);
  return workers;
}

static void try_regions(unsigned n) {
  arrays all(n);
  int workers = workers_of_host();
  expect("workers between", 0, with_regions(all.x, all.y, n, all.blocks()), workers);
  all.step_a(30), all.step_b(31);
  for (unsigned i = 0; i < n; i++)
    all.b[i] += i;
  all.mix_a(), all.step_a(32);
  all.check("regions");
}

static void try_all(unsigned n, bool jumps) {
  try_order(n);
  try_ways(n);
  try_refused(n);
  try_stream(n);
  try_deeper(n);
  try_leaving(n, jumps);
  try_regions(n);
}

int main(int argc, char **argv) {
  block = block_size(argc, argv);
  if (argc > 2) { // a process of its own: exit between launches, outside of any region
    arrays all(1000);
    leaving(all.x, 1000, all.blocks(), 3);
    return 8;
  }
  for (unsigned n : {1u, 500u, 1000u})
    try_all(n, true);
  std::thread threads[3];
  for (std::thread &thread : threads)
    thread = std::thread([] { try_all(300, false); });
  for (std::thread &thread : threads)
    thread.join();
#pragma omp parallel num_threads(2)
  try_order(400), try_ways(400);
  pid_t child = fork();
  if (child == 0) {
    execl(argv[0], argv[0], "32", "exit", (char *)NULL);
    _exit(10);
  }
  int status = 0;
  expect("child", 0, waitpid(child, &status, 0), child);
  expect("child ended with", 0, WIFEXITED(status) ? WEXITSTATUS(status) : 100, 3);
  printf("ok\n");
  return 0;
}
