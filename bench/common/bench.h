// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both programs of a pair share: arguments, a random generator with a fixed start, the clock, and the report.
// C and CUDA C++ alike. A program prints three lines, which bench/run reads:
//
//   time_ms 123.456        the computing part alone
//   checksum 1.5e9 7.2e8   one or more values (or one word in hex) that digest the result
//   tolerance 1e-5         how far the values of the two may be apart, relatively; 0: they must be the same text
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Argument `place` (from 1), or `usual` where it is not given.
static inline long bench_argument(int argc, char **argv, int place, long usual, long lowest, const char *what) {
  long value = usual;
  if (argc > place) {
    char *end;
    value = strtol(argv[place], &end, 10);
    if (*end != 0 || value < lowest) {
      fprintf(stderr, "%s: %s must be a number of at least %ld, not '%s'\n", argv[0], what, lowest, argv[place]);
      exit(2);
    }
  }
  return value;
}

// Memory whose pages are there (written) and which starts at a cache line.
static inline void *bench_allocate(size_t bytes) {
  bytes = (bytes + 63) / 64 * 64;
  void *memory = aligned_alloc(64, bytes ? bytes : 64);
  if (!memory) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(2);
  }
  memset(memory, 0, bytes);
  return memory;
}

static inline uint32_t bench_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8; // 24 good bits
}

// In [0, 1).
static inline float bench_random_float(uint32_t *state) { return (float)bench_random(state) * (1.0f / 16777216.0f); }

// Memory for that many random floats between two bounds.
static inline float *bench_random_floats(size_t count, uint32_t seed, float low, float high) {
  float *values = (float *)bench_allocate(count * sizeof(float));
  for (size_t i = 0; i < count; i++)
    values[i] = low + (high - low) * bench_random_float(&seed);
  return values;
}

// With BENCH_CLOCK=processor in the environment what the process computes counts, whatever else the machine does.
static inline double bench_now_ms(void) {
  struct timespec now;
  const char *clock = getenv("BENCH_CLOCK");
  clock_gettime(clock && strcmp(clock, "processor") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// Two sums of terms that cannot cancel: of sizes, and of positive parts weighted by position.
static inline void bench_report_floats(double time_ms, const float *values, size_t count, double tolerance) {
  double sizes = 0, weighted = 0;
  for (size_t i = 0; i < count; i++) {
    double size = fabs((double)values[i]);
    sizes += size;
    weighted += ((double)values[i] + size) * (1.0 + (double)(i * 2654435761u % 1024) / 1024.0);
  }
  printf("time_ms %.3f\nchecksum %.9e %.9e\ntolerance %g\n", time_ms, sizes, weighted, tolerance);
}

// A hash of all values: any difference shows.
static inline void bench_report_words(double time_ms, const uint32_t *values, size_t count) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ values[i]) * 1099511628211u;
  printf("time_ms %.3f\nchecksum %016llx\ntolerance 0\n", time_ms, (unsigned long long)hash);
}

#ifdef __CUDACC__
#include <cuda_runtime.h>

#define BENCH_CHECK(call)                                                                                              \
  do {                                                                                                                 \
    cudaError_t bench_status = (call);                                                                                 \
    if (bench_status != cudaSuccess) {                                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(bench_status));                 \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

// A device copy of host memory.
template <typename T> static T *bench_to_device(const T *host, size_t count) {
  T *device;
  BENCH_CHECK(cudaMalloc((void **)&device, count * sizeof(T)));
  BENCH_CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <typename T> static void bench_to_host(T *host, const T *device, size_t count) {
  BENCH_CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}
#endif

#endif
