/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What SYCL's headers ask of the device, by way of the CUDA runtime, which knows it. */
#define _GNU_SOURCE
#include "sycl.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../include/cuda_runtime_api.h"

static struct cudaDeviceProp properties;
static pthread_once_t asked = PTHREAD_ONCE_INIT;
static void ask(void) { cudaGetDeviceProperties(&properties, 0); }

static const struct cudaDeviceProp *device(void) {
  pthread_once(&asked, ask);
  return &properties;
}

uint32_t uwrt_sycl_cores(void) { return (uint32_t)device()->multiProcessorCount; }
uint32_t uwrt_sycl_megahertz(void) { return (uint32_t)device()->clockRate / 1000; }
uint64_t uwrt_sycl_memory(void) { return device()->totalGlobalMem; }
uint64_t uwrt_sycl_free_memory(void) {
  size_t unused = 0, all = 0;
  cudaMemGetInfo(&unused, &all);
  return unused;
}
uint64_t uwrt_sycl_cache_bytes(void) { return (uint64_t)device()->l2CacheSize; }
const char *uwrt_sycl_cpu_name(void) { return device()->name; }

uint64_t uwrt_sycl_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int uwrt_sycl_pointer_kind(const void *pointer) {
  enum { HOST, DEVICE, SHARED, UNKNOWN }; /* sycl::usm::alloc */
  struct cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess)
    return UNKNOWN;
  switch (attributes.type) {
  case cudaMemoryTypeHost: return HOST;
  case cudaMemoryTypeDevice: return DEVICE;
  case cudaMemoryTypeManaged: return SHARED;
  default: return UNKNOWN;
  }
}

/* SYCL leaves open what a failed assertion of a kernel does; a program that went on would compute with what is
 * missing. */
void uwrt_sycl_check(void) {
  cudaError_t error = cudaPeekAtLastError();
  if (error != cudaErrorAssert && error != cudaErrorLaunchFailure)
    return;
  fprintf(stderr, "sycl: a kernel ended by %s\n", error == cudaErrorAssert ? "an assertion" : "a trap");
  abort();
}
