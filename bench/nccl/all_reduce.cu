// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long an all-reduce of floats between two processes takes, in place, beside what it cannot avoid: each of two threads adds its half of two arrays and stores the sums in both.
//
// unwarp -O2 bench/nccl/all_reduce.cu -lnccl -o all_reduce && ./all_reduce
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nccl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vector>

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void print(const char *what, size_t bytes, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  printf("%-24s %9zu bytes: median %9.1f us, least %9.1f us\n", what, bytes, times[times.size() / 2] * 1e6, times[0] * 1e6);
  fflush(stdout);
}

static void rank(int own, const ncclUniqueId &id) {
  ncclComm_t comm;
  if (ncclCommInitRank(&comm, 2, id, own) != ncclSuccess)
    exit(1);
  for (size_t bytes : {4ul, 64ul << 10, 1ul << 20, 64ul << 20}) {
    float *x;
    cudaMalloc(&x, bytes);
    for (size_t i = 0; i < bytes / 4; i++)
      x[i] = 0;
    std::vector<double> times;
    for (int i = 0, runs = bytes > 1 << 20 ? 20 : 2000; i < runs; i++) {
      double begin = seconds();
      ncclAllReduce(x, x, bytes / 4, ncclFloat, ncclSum, comm, 0);
      cudaStreamSynchronize(0);
      times.push_back(seconds() - begin);
    }
    if (!own)
      print("ncclAllReduce", bytes, times);
    cudaFree(x);
  }
  ncclCommDestroy(comm);
}

static float *arrays[2];
static size_t count;
static pthread_barrier_t barrier;
static std::vector<double> loops;
static void *own_half(void *argument) {
  const size_t own = (size_t)argument, begin = own * count / 2, end = begin + count / 2;
  for (int i = 0; i < 20; i++) {
    pthread_barrier_wait(&barrier);
    const double start = seconds();
    float *__restrict a = arrays[0], *__restrict b = arrays[1];
    for (size_t k = begin; k < end; k++)
      a[k] = b[k] = a[k] + b[k];
    pthread_barrier_wait(&barrier);
    if (!own)
      loops.push_back(seconds() - start);
  }
  return nullptr;
}

int main() {
  ncclUniqueId id;
  auto *shared = (ncclUniqueId *)mmap(nullptr, sizeof id, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (!child) {
    while (!shared->internal[0])
      usleep(1000);
    usleep(1000);
    rank(1, *shared);
    _exit(0);
  }
  ncclGetUniqueId(&id);
  memcpy(shared->internal + 1, id.internal + 1, sizeof id - 1);
  shared->internal[0] = id.internal[0];
  rank(0, id);
  waitpid(child, nullptr, 0);
  count = 16 << 20;
  for (float *&each : arrays)
    std::generate_n(each = (float *)malloc(count * 4), count, [k = 0u]() mutable { return (float)(k++ % 1000); });
  pthread_barrier_init(&barrier, nullptr, 2);
  pthread_t other;
  pthread_create(&other, nullptr, own_half, (void *)1);
  own_half(nullptr);
  pthread_join(other, nullptr);
  print("plain loops, 2 threads", count * 4, loops);
}
