/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device-wide algorithms in the form that suits a CPU: a sequence is cut into a few chunks, each of which one thread
 * walks from its beginning to its end. CUB and Thrust keep their interfaces; what stands behind their dispatch layer is
 * this (include/unwarp/cccl, which the driver lays over the files of CUB and Thrust 1.17).
 *
 * A chunk is a block of one thread, so kernels and streams, captures and nested launches are those of any other
 * program, and the functions of the user run as device code.
 */
#ifndef UNWARP_ALGORITHMS_CHUNKS_H
#define UNWARP_ALGORITHMS_CHUNKS_H

#include <cub/config.cuh>
#include <cub/detail/type_traits.cuh>
#include <cub/util_arch.cuh>
#include <cub/util_device.cuh>
#include <cub/util_type.cuh>
#include <new>
#include <thrust/system/cuda/detail/core/triple_chevron_launch.h>

namespace unwarp {
namespace algorithms {

/* Elements below which another chunk is not worth a worker's attention. */
enum { items_per_chunk = 4096 };

/* A sequence of `items` in `count` chunks of nearly the same length. */
struct chunks {
  long items;
  int count;

  __host__ __device__ chunks(long all, int parts) : items(all), count(parts) {}
  __host__ __device__ long begin(int chunk) const { return items / count * chunk + min_of(items % count, chunk); }
  __host__ __device__ long end(int chunk) const { return begin(chunk + 1); }

private:
  static __host__ __device__ long min_of(long a, long b) { return a < b ? a : b; }
};

/* Four for each worker, so that one that started late is no loss. */
CUB_RUNTIME_FUNCTION inline chunks divide(long items, long smallest = items_per_chunk) {
  int workers = 0, device = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&workers, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    workers = 1;
  long most = workers > 256 ? 1024 : 4l * workers, count = items / smallest;
  return chunks(items, count < 1 ? 1 : count < most ? int(count) : int(most));
}

template <typename Body> __global__ void __launch_bounds__(1) run_chunk(Body body) { body(int(blockIdx.x)); }

/* body(chunk) for each chunk, in no order. */
template <typename Body> CUB_RUNTIME_FUNCTION cudaError_t for_each_chunk(int count, Body body, cudaStream_t stream) {
  THRUST_NS_QUALIFIER::cuda_cub::launcher::triple_chevron(dim3(count), dim3(1), 0, stream).doit(run_chunk<Body>, body);
  return CubDebug(cudaPeekAtLastError());
}

/* Temporary storage, as CUB's callers hand it over: they ask for its size with a null pointer first. */
template <int Parts> struct temporaries {
  void *part[Parts];
  size_t bytes[Parts];
  bool asked_only;

  CUB_RUNTIME_FUNCTION cudaError_t take(void *storage, size_t &storage_bytes) {
    asked_only = storage == nullptr;
    return CUB_NS_QUALIFIER::AliasTemporaries(storage, storage_bytes, part, bytes);
  }
};

/* Raw storage has no object to assign to. */
template <typename T, typename V> __device__ inline void construct_at(T *place, const V &value) {
  ::new ((void *)place) T(value);
}

/* Whether [a, a + a_items) and [b, b + b_items) may have memory in common: what is no pair of pointers may. */
template <typename A, typename B> __host__ __device__ inline bool may_overlap(A, long, B, long) { return true; }
template <typename A, typename B> __host__ __device__ inline bool may_overlap(A *a, long a_items, B *b, long b_items) {
  const char *a_begin = (const char *)a, *b_begin = (const char *)b;
  return a_begin < b_begin + b_items * sizeof(B) && b_begin < a_begin + a_items * sizeof(A);
}

} // namespace algorithms
} // namespace unwarp

#endif
