// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the self-checking programs share. A program computes something on the device, computes it again on the host with
// other code, and compares element by element. The first mismatch ends it: index, got, expected, exit status 1.
// The block size is the first argument, else the environment variable UW_BLOCK, else 256.
#ifndef TESTS_RUN_CHECK_H
#define TESTS_RUN_CHECK_H

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t check_status = (call);                                                                                 \
    if (check_status != cudaSuccess) {                                                                                 \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(check_status));                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

// What a launch gives whose grid or block no device takes. (CUDA 13's runtime does not look at them itself.)
static const cudaError_t bad_shape = CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue;

static inline int block_size(int argc, char **argv) {
  const char *text = argc > 1 ? argv[1] : getenv("UW_BLOCK");
  int size = text ? atoi(text) : 256;
  if (size < 1 || size > 1024) {
    printf("block size must be 1 to 1024, got '%s'\n", text);
    exit(1);
  }
  return size;
}

static inline int blocks_for(int count, int block) { return (count + block - 1) / block; }

static inline unsigned next_random(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

// An array on the device and its twin on the host. The device side starts as garbage, so that an element which a kernel
// forgets to write cannot look right by chance; the host side starts as zeros.
template <typename T> struct buffer {
  size_t count;
  T *host;
  T *device;

  explicit buffer(size_t elements) : count(elements) {
    host = (T *)calloc(count + 1, sizeof(T));
    CHECK(cudaMalloc((void **)&device, (count + 1) * sizeof(T)));
    CHECK(cudaMemset(device, 0xA5, (count + 1) * sizeof(T)));
  }
  ~buffer() {
    cudaFree(device);
    free(host);
  }
  buffer(const buffer &) = delete;
  buffer &operator=(const buffer &) = delete;

  void upload() { CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice)); }
  // Waits for the kernels, reports their errors, and fetches the array.
  void download() {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  T &operator[](size_t i) { return host[i]; }
};

static inline void print_value(double value) { printf("%.17g", value); }
static inline void print_value(float value) { printf("%.9g", value); }
static inline void print_value(int value) { printf("%d", value); }
static inline void print_value(unsigned value) { printf("%u (0x%x)", value, value); }
static inline void print_value(long value) { printf("%ld", value); }
static inline void print_value(unsigned long value) { printf("%lu (0x%lx)", value, value); }
static inline void print_value(long long value) { printf("%lld", value); }
static inline void print_value(unsigned long long value) { printf("%llu (0x%llx)", value, value); }

template <typename T> static void fail_at(long long index, T got, T expected) {
  printf("mismatch at index %lld: got ", index);
  print_value(got);
  printf(", expected ");
  print_value(expected);
  printf("\n");
  exit(1);
}

template <typename T> struct same_type {
  typedef T type;
};

template <typename T> static void expect(long long index, T got, typename same_type<T>::type expected) {
  if (!(got == expected))
    fail_at(index, got, (T)expected);
}

// Equal within a relative tolerance; NaN equals NaN, an infinity only itself.
template <typename T>
static void expect_near(long long index, T got, typename same_type<T>::type expected, double tolerance) {
  if (got == expected || (got != got && expected != expected))
    return;
  double scale = std::fabs((double)expected) > 1e-30 ? std::fabs((double)expected) : 1e-30;
  if (!(std::fabs((double)got - (double)expected) <= tolerance * scale))
    fail_at(index, got, (T)expected);
}

static inline int passed() {
  printf("ok\n");
  return 0;
}

#endif
