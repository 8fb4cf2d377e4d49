/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several devices: what each host thread uses, what belongs to a device, peers, and device variables, of which each device
 * has its own values.
 */
#include "check.h"

#include <pthread.h>

int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

static int counter = 5, managed = 1, threads_of_last;

/* void bump(int by): what the compiled kernel does with a device variable. */
static void bump_entry(const uwrt_dims *dims, void **args) {
  (void)dims;
  counter += *(int *)args[0];
  managed += 1;
  __atomic_store_n(&threads_of_last, omp_get_max_threads(), __ATOMIC_RELAXED);
}
static void bump(void) {}

#define ADDRESS(function) ((const void *)(uintptr_t)(function))
static const uint32_t sizes[] = {sizeof(int)};
static const uwrt_kernel kernels[] = {{ADDRESS(bump), "bump", bump_entry, 0, 0, 0, 1, sizes, 0}};
static const uwrt_variable variables[] = {{&counter, "counter", sizeof counter, 0},
                                          {&managed, "managed", sizeof managed, UWRT_VARIABLE_MANAGED}};
static const uwrt_module module = {UWRT_ABI_VERSION, 1, 2, 0, kernels, variables};
static const dim3 one = {1, 1, 1};

static cudaError_t launch(int by, cudaStream_t stream) {
  void *args[] = {&by};
  return cudaLaunchKernel(ADDRESS(bump), one, one, args, 0, stream);
}

static int value(void) {
  int result = -1;
  CHECK_OK(cudaMemcpyFromSymbol(&result, &counter, sizeof result, 0, cudaMemcpyDeviceToHost));
  return result;
}

static void *other_thread(void *unused) {
  int device = -1;
  CHECK_OK(cudaGetDevice(&device));
  CHECK_NUMBER(device, 0); /* each thread begins with the first device */
  CHECK_OK(cudaSetDevice(1));
  return unused;
}

static void check_current(void) {
  int count = 0, device = -1, cores = 0, all = 0;
  struct cudaDeviceProp first, last;
  pthread_t thread;
  char bus[16];
  CHECK_OK(cudaGetDeviceCount(&count));
  CHECK_NUMBER(count, 3);
  CHECK_OK(cudaSetDevice(2));
  CHECK_ERROR(cudaSetDevice(3), cudaErrorInvalidDevice);
  pthread_create(&thread, NULL, other_thread, NULL);
  pthread_join(thread, NULL);
  CHECK_OK(cudaGetDevice(&device));
  CHECK_NUMBER(device, 2);
  for (int i = 0; i < 3; i++) {
    CHECK_OK(cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, i));
    CHECK(cores >= 1);
    all += cores;
  }
  CHECK(all >= sysconf(_SC_NPROCESSORS_ONLN) || all >= 3);
  CHECK_OK(cudaGetDeviceProperties(&first, 0));
  CHECK_OK(cudaGetDeviceProperties(&last, 2));
  CHECK(memcmp(&first.uuid, &last.uuid, sizeof first.uuid) != 0 && first.totalGlobalMem >= last.totalGlobalMem);
  CHECK(first.totalGlobalMem <= (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 3 + 4096);
  CHECK_OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 2));
  CHECK_OK(cudaDeviceGetByPCIBusId(&device, bus));
  CHECK_NUMBER(device, 2);
}

static void check_belongings(void) {
  void *memory[2], *host;
  cudaStream_t stream[2];
  cudaEvent_t event[2];
  cudaMemPool_t pool[2];
  struct cudaPointerAttributes attributes;
  float time;
  int device = -1;
  for (int i = 0; i < 2; i++) {
    CHECK_OK(cudaSetDevice(i));
    CHECK_OK(cudaMalloc(&memory[i], 1000));
    CHECK_OK(cudaStreamCreate(&stream[i]));
    CHECK_OK(cudaEventCreate(&event[i]));
    CHECK_OK(cudaDeviceGetDefaultMemPool(&pool[i], i));
  }
  CHECK_OK(cudaMallocHost(&host, 8)); /* device 1 is the current one */
  CHECK_OK(cudaPointerGetAttributes(&attributes, memory[0]));
  CHECK_NUMBER(attributes.device, 0);
  CHECK_OK(cudaPointerGetAttributes(&attributes, host));
  CHECK_NUMBER(attributes.device, 1);
  CHECK_OK(cudaMemcpyPeer(memory[1], 1, memory[0], 0, 1000));
  CHECK_ERROR(cudaMemcpyPeer(memory[1], 3, memory[0], 0, 1000), cudaErrorInvalidDevice);
  CHECK_OK(cudaMemcpyAsync(memory[1], memory[0], 10, cudaMemcpyDefault, stream[0])); /* any stream may copy */

  CHECK_OK(launch(0, stream[1]));
  CHECK_ERROR(launch(0, stream[0]), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaEventRecord(event[0], stream[0])); /* the current device does not matter */
  CHECK_OK(cudaEventRecord(event[1], stream[1]));
  CHECK_ERROR(cudaEventRecord(event[0], stream[1]), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventElapsedTime(&time, event[0], event[1]), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaStreamWaitEvent(stream[0], event[1], 0));
  CHECK_OK(cudaStreamGetDevice(stream[0], &device));
  CHECK_NUMBER(device, 0);
  CHECK_OK(cudaStreamGetDevice(cudaStreamPerThread, &device));
  CHECK_NUMBER(device, 1);

  enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtRead;
  struct cudaMemLocation one_of = {cudaMemLocationTypeDevice, 1};
  struct cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
  CHECK(pool[0] != pool[1]);
  CHECK_OK(cudaMemPoolGetAccess(&flags, pool[0], &one_of));
  CHECK_NUMBER(flags, cudaMemAccessFlagsProtNone);
  CHECK_OK(cudaMemPoolSetAccess(pool[0], &access, 1));
  CHECK_OK(cudaMemPoolGetAccess(&flags, pool[0], &one_of));
  CHECK_NUMBER(flags, cudaMemAccessFlagsProtReadWrite);
  CHECK_ERROR(cudaDeviceSetMemPool(1, pool[0]), cudaErrorInvalidValue);

  size_t limit = 0;
  CHECK_OK(cudaDeviceSetLimit(cudaLimitStackSize, 4321)); /* of device 1 */
  CHECK_OK(cudaSetDevice(0));
  CHECK_OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  CHECK(limit != 4321);

  CHECK_OK(cudaDeviceReset()); /* of device 0 alone */
  CHECK_ERROR(cudaFree(memory[0]), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamQuery(stream[0]), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventQuery(event[0]), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaStreamQuery(stream[1]));
  CHECK_OK(cudaEventQuery(event[1]));
  CHECK_OK(cudaFree(memory[1]));
  CHECK_OK(cudaFreeHost(host));
  CHECK_OK(cudaStreamDestroy(stream[1]));
  CHECK_OK(cudaEventDestroy(event[1]));
}

/* A kernel has its device's share of the threads; the host keeps its own. */
static void check_threads(void) {
  const int shares[3] = {3, 2, 2};
  int kept = omp_get_max_threads();
  omp_set_num_threads(7);
  for (int i = 0; i < 3; i++) {
    CHECK_OK(cudaSetDevice(i));
    CHECK_OK(launch(0, 0));
    CHECK_NUMBER(threads_of_last, shares[i]);
    CHECK_NUMBER(omp_get_max_threads(), 7);
  }
  omp_set_num_threads(2);
  CHECK_OK(launch(0, 0));
  CHECK_NUMBER(threads_of_last, 1);
  omp_set_num_threads(kept);
}

static void check_peers(void) {
  int can = -1, value_of = -1;
  CHECK_OK(cudaSetDevice(0));
  CHECK_OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  CHECK_NUMBER(can, 1);
  CHECK_OK(cudaDeviceCanAccessPeer(&can, 1, 1));
  CHECK_NUMBER(can, 0);
  CHECK_ERROR(cudaDeviceCanAccessPeer(&can, 0, 3), cudaErrorInvalidDevice);
  CHECK_OK(cudaDeviceEnablePeerAccess(1, 0));
  CHECK_ERROR(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  CHECK_ERROR(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceEnablePeerAccess(2, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceDisablePeerAccess(2), cudaErrorPeerAccessNotEnabled);
  CHECK_OK(cudaDeviceDisablePeerAccess(1));
  CHECK_OK(cudaDeviceGetP2PAttribute(&value_of, cudaDevP2PAttrAccessSupported, 0, 2));
  CHECK_NUMBER(value_of, 1);
  CHECK_ERROR(cudaDeviceGetP2PAttribute(&value_of, cudaDevP2PAttrAccessSupported, 1, 1), cudaErrorInvalidDevice);
}

static void *bump_often(void *device) {
  CHECK_OK(cudaSetDevice((int)(intptr_t)device));
  for (int i = 0; i < 300; i++)
    CHECK_OK(launch(1, 0));
  return NULL;
}

static void check_variables(void) {
  const int start[3] = {5, 5, 5};
  int hundred = 100, seen = 0, managed_before = managed;
  void *address;
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    CHECK_OK(cudaSetDevice(i));
    CHECK_NUMBER(value(), start[i]);
    CHECK_OK(launch(i + 1, 0));
  }
  CHECK_OK(cudaSetDevice(1));
  CHECK_OK(cudaMemcpyToSymbol(&counter, &hundred, sizeof hundred, 0, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaGetSymbolAddress(&address, &counter), cudaErrorNotSupported);
  CHECK_OK(launch(2, 0));
  CHECK_NUMBER(value(), 102);
  CHECK_OK(cudaSetDevice(0));
  CHECK_NUMBER(value(), 6);
  CHECK_OK(cudaSetDevice(2));
  CHECK_NUMBER(value(), 8);
  CHECK_NUMBER(managed, managed_before + 4);

  /* The address is that of device 0, whichever device ran last. */
  CHECK_OK(cudaSetDevice(0));
  CHECK_OK(cudaGetSymbolAddress(&address, &counter));
  CHECK_OK(cudaSetDevice(1));
  CHECK_OK(launch(1, 0));
  CHECK_OK(cudaMemcpy(&seen, address, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK_NUMBER(seen, 6);
  CHECK_OK(cudaMemset(address, 0, sizeof seen));
  CHECK_NUMBER(value(), 103);
  CHECK_OK(cudaSetDevice(0));
  CHECK_NUMBER(value(), 0);

  /* A graph remembers the device that each node is for. */
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, second;
  int by = 10;
  void *args[] = {&by};
  struct cudaKernelNodeParams params = {(void *)ADDRESS(bump), one, one, 0, args, NULL};
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddKernelNode(&first, graph, NULL, 0, &params));
  CHECK_OK(cudaSetDevice(1));
  by = 20;
  CHECK_OK(cudaGraphAddKernelNode(&second, graph, NULL, 0, &params));
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaSetDevice(2));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_NUMBER(value(), 8);
  CHECK_OK(cudaSetDevice(1));
  CHECK_NUMBER(value(), 123);
  CHECK_OK(cudaSetDevice(0));
  CHECK_NUMBER(value(), 10);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));

  /* Threads that launch on different devices at once do not see each other's values. */
  for (intptr_t i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, bump_often, (void *)i);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  const int after[3] = {310, 423, 308};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(cudaSetDevice(i));
    CHECK_NUMBER(value(), after[i]);
  }
  CHECK_OK(cudaSetDevice(1));
  CHECK_OK(cudaDeviceReset());
  CHECK_NUMBER(value(), 5);
  CHECK_OK(cudaSetDevice(0));
  CHECK_NUMBER(value(), 310);
}

int main(void) {
  setenv("UNWARP_DEVICES", "3", 1);
  uwrt_register(&module);
  check_current();
  check_belongings();
  check_threads();
  check_peers();
  check_variables();
  uwrt_unregister(&module);
  return finish();
}
