// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread with a small stack: what a call takes of it is measured, as the work is the device's. Kernels with arrays of their own, in place and
// by their address; matrices in OpenBLAS, by one thread and by several; factorisations; a kernel of PTX that is compiled at that moment.
// link: -lcusolver -lcuda
#include "../check.h"
#include <cublas_v2.h>
#include <cuda.h>
#include <cusolverDn.h>
#include <pthread.h>
#include <sys/mman.h>

enum { STACK = 320 << 10, MOST = 16 << 10, N = 200, K = 3 };

static unsigned char *stack;
static unsigned char *entered;
static void (*call)();

static void *enter(void *) {
  entered = (unsigned char *)__builtin_frame_address(0);
  call();
  return nullptr;
}

/* How much of the stack below the thread's first frame a call has written to. */
static size_t taken_by(void (*what)()) {
  pthread_attr_t attributes;
  pthread_t thread;
  call = what;
  memset(stack, 0xa5, STACK);
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstack(&attributes, stack, STACK) == 0);
  CHECK(pthread_create(&thread, &attributes, enter, nullptr) == 0 && pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
  size_t untouched = 0;
  while (stack[untouched] == 0xa5)
    untouched++;
  return (size_t)(entered - stack) - untouched;
}

__global__ void with_array(int *to) {
  volatile int own[20000];
  for (int i = 0; i < 20000; i++)
    own[i] = i;
  to[threadIdx.x] = own[threadIdx.x * 3] + own[19999];
}
static void in_place() {
  device<int> to(32);
  with_array<<<1, 32>>>(to);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && to[31] == 93 + 19999);
}
static void by_address() {
  device<int> to(32);
  void *arguments[] = {&to.at};
  CHECK(cudaLaunchKernel((const void *)with_array, 1, 32, arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && to[31] == 93 + 19999);
}

static void rank_kx() {
  device<cuDoubleComplex> a(N * K), b(N * K), c(N * N);
  cublasHandle_t handle;
  cuDoubleComplex one = {1, 0};
  double zero = 0;
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasZherkx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, N, K, &one, a, N, b, N, &zero, c, N) ==
            CUBLAS_STATUS_SUCCESS &&
        cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 1; i < N; i += 7) {
    number sum = 0;
    for (int k = 0; k < K; k++)
      sum += value(a[i + k * N]) * std::conj(value(b[1 + k * N]));
    CHECK(i == 1 || near(c[i + N], sum));
  }
  cublasDestroy(handle);
}

static void products() {
  device<double> a(N * N), b(N * N), c(N * N);
  cublasHandle_t handle;
  double one = 1, zero = 0, sum = 0;
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < N; i++)
    a[i + i * N] = 100;
  CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, N, b, N, &zero, c, N) == CUBLAS_STATUS_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int k = 0; k < N; k++)
    sum += a[5 + k * N] * b[k + 9 * N];
  CHECK(near(c[5 + 9 * N], sum, 100));
  CHECK(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, N, N, &one, a,
                    N, c, N) == CUBLAS_STATUS_SUCCESS &&
        cudaDeviceSynchronize() == cudaSuccess);
  cublasDestroy(handle);
}

static void factorisation() {
  device<double> a(N * N), work(N * N * 4);
  device<int> pivots(N), info(1);
  cusolverDnHandle_t handle;
  CHECK(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnDgetrf(handle, N, N, a, N, work, pivots, info) == CUSOLVER_STATUS_SUCCESS &&
        cudaDeviceSynchronize() == cudaSuccess && info[0] == 0);
  cusolverDnDestroy(handle);
}

static void compile() {
  CUmodule module;
  CUfunction function;
  const std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n// " + new_folder("small-stack") +
                           "\n.visible .entry k(.param .u32 x) { ret; }\n";
  CHECK(cuInit(0) == CUDA_SUCCESS && cuModuleLoadData(&module, text.c_str()) == CUDA_SUCCESS &&
        cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
}

int main() {
  stack = (unsigned char *)mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  setenv("UNWARP_CACHE_SIZE", "0", 1);
  const struct {
    const char *name;
    void (*run)();
  } calls[] = {{"in place", in_place}, {"by address", by_address},       {"rank kx", rank_kx},
               {"products", products}, {"factorisation", factorisation}, {"compile", compile}};
  for (auto &one : calls) {
    size_t bytes = taken_by(one.run);
    printf("%s: %zu bytes of the stack\n", one.name, bytes);
    CHECK(bytes <= MOST);
  }
  return report("small stack");
}
