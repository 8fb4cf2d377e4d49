/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several host threads call everything at once. Run it under the thread sanitizer: it finds what this test alone may
 * miss. Each thread checks its own results, so lost or mixed-up work fails without it too.
 */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, ITERATIONS = 200, COUNT = 256 };

static int counter[1];
static pthread_barrier_t gate;

static void add_entry(const uwrt_dims *dims, void **args) {
  int *data = *(int **)args[0];
  int amount = *(int *)args[1];
  uint64_t mark = uwrt_scratch_mark();
  int *scratch = uwrt_scratch_alloc(COUNT * sizeof *scratch);
  uwrt_thread.block_dim[0] = dims->block[0];
  for (int i = 0; i < COUNT; i++)
    scratch[i] = data[i] + amount;
  memcpy(data, scratch, COUNT * sizeof *scratch);
  uwrt_scratch_release(mark);
  __atomic_add_fetch(&counter[0], 1, __ATOMIC_RELAXED);
}

static void add_stub(void) {}
static void late_stub(void) { counter[0] += 0; }
#define ADDRESS(function) ((const void *)(uintptr_t)(function))
static const uint32_t sizes[] = {sizeof(int *), sizeof(int)};
static const uwrt_kernel kernels[] = {{ADDRESS(add_stub), "_Z3addPii", add_entry, 0, 0, 0, 2, sizes, NULL}};
static const uwrt_kernel late_kernels[] = {{ADDRESS(late_stub), "_Z4latePii", add_entry, 0, 0, 0, 2, sizes, NULL}};
static const uwrt_variable variables[] = {{counter, "counter", sizeof counter, 0}};
static const uwrt_module module = {UWRT_ABI_VERSION, 1, 1, 0, kernels, variables};
static const uwrt_module late_module = {UWRT_ABI_VERSION, 1, 0, 0, late_kernels, NULL};

static void work(int amount) {
  int host[COUNT], *device, *pinned, *pooled;
  void *args[] = {&device, &amount};
  cudaStream_t stream;
  cudaEvent_t start, stop;
  struct cudaPointerAttributes attributes;
  struct cudaDeviceProp prop;
  float elapsed = -1;
  size_t bytes = 0, total = 0;
  dim3 one = {1, 1, 1};
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaEventCreate(&start));
  CHECK_OK(cudaEventCreate(&stop));
  CHECK_OK(cudaMalloc((void **)&device, sizeof host));
  CHECK_OK(cudaMallocHost((void **)&pinned, sizeof host));
  CHECK_OK(cudaMallocAsync((void **)&pooled, sizeof host, stream));
  CHECK_OK(cudaEventRecord(start, stream));
  CHECK_OK(cudaMemsetAsync(device, 0, sizeof host, stream));
  CHECK_OK(cudaLaunchKernel(ADDRESS(add_stub), one, one, args, 0, stream));
  CHECK(uwrt_launch_begin(&kernels[0], 1 | (uint64_t)1 << 32, 1, 64 | (uint64_t)1 << 32, 1, 0, stream));
  uwrt_launch_end(&kernels[0]);
  CHECK_OK(cudaMemcpyAsync(pooled, device, sizeof host, cudaMemcpyDeviceToDevice, stream));
  CHECK_OK(cudaMemcpyAsync(pinned, pooled, sizeof host, cudaMemcpyDefault, stream));
  CHECK_OK(cudaMemcpy(host, pinned, sizeof host, cudaMemcpyHostToHost));
  CHECK_OK(cudaEventRecord(stop, stream));
  CHECK_OK(cudaEventElapsedTime(&elapsed, start, stop));
  CHECK(elapsed >= 0);
  for (int i = 0; i < COUNT; i++) {
    if (host[i] != amount) {
      failed(__FILE__, __LINE__, "element %d is %d and should be %d", i, host[i], amount);
      break;
    }
  }
  CHECK_OK(cudaPointerGetAttributes(&attributes, device));
  CHECK_NUMBER(attributes.type, cudaMemoryTypeDevice);
  CHECK_OK(cudaGetSymbolSize(&bytes, counter));
  CHECK_NUMBER(bytes, sizeof counter);
  CHECK_OK(cudaGetDeviceProperties(&prop, 0));
  CHECK_OK(cudaMemGetInfo(&bytes, &total));
  CHECK_OK(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)amount));
  CHECK_OK(cudaFuncSetAttribute(ADDRESS(add_stub), cudaFuncAttributeMaxDynamicSharedMemorySize, amount));
  CHECK_ERROR(cudaFree(host), cudaErrorInvalidValue);
  CHECK_OK(cudaFreeAsync(pooled, stream));
  CHECK_OK(cudaFreeHost(pinned));
  CHECK_OK(cudaFree(device));
  CHECK_OK(cudaEventDestroy(start));
  CHECK_OK(cudaEventDestroy(stop));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void *worker(void *argument) {
  int number = (int)(uintptr_t)argument;
  pthread_barrier_wait(&gate);
  for (int i = 0; i < ITERATIONS; i++) {
    work(number * ITERATIONS + i);
    if (number == 0) { /* an object comes and goes meanwhile */
      uwrt_register(&late_module);
      uwrt_unregister(&late_module);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int used = -1;
  cudaMemPool_t pool;
  uint64_t bytes = 1;
  uwrt_register(&module);
  pthread_barrier_init(&gate, NULL, THREADS);
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, worker, (void *)i);
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&gate);
  CHECK_OK(cudaMemcpyFromSymbol(&used, counter, sizeof used, 0, cudaMemcpyDeviceToHost));
  CHECK_NUMBER(used, THREADS * ITERATIONS);
  CHECK_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
  CHECK_NUMBER(bytes, 0);
  uwrt_unregister(&module);
  return finish();
}
