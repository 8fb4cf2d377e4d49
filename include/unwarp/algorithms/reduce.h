/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions. The operator is associative and, as CUB and Thrust ask of it, commutative: values are taken in several
 * sums at once, which become lanes of vectors. Scans ask for less, and take each element after the other.
 */
#ifndef UNWARP_ALGORITHMS_REDUCE_H
#define UNWARP_ALGORITHMS_REDUCE_H

#include <type_traits>
#include <unwarp/algorithms/chunks.h>

namespace unwarp {
namespace algorithms {

/* Sums at once, for values: four vectors of 64 bytes hide the latency of an addition. */
template <typename T> constexpr int sums_at_once() { return std::is_arithmetic<T>::value ? 256 / int(sizeof(T)) : 1; }

/* op over [begin, end), which is not empty, in order. */
template <typename T, typename Input, typename Op> __device__ T reduce_in_order(Input in, long begin, long end, Op op) {
  T sum = in[begin];
  for (long i = begin + 1; i < end; i++)
    sum = op(sum, in[i]);
  return sum;
}

/* op over [begin, end), which is not empty, in any order. */
template <typename T, typename Input, typename Op>
__device__ T reduce_in_any_order(Input in, long begin, long end, Op op) {
  constexpr int lanes = sums_at_once<T>();
  if constexpr (lanes > 1) {
    if (end - begin >= 2 * lanes) {
      T sums[lanes];
#pragma clang loop vectorize(enable)
      for (int lane = 0; lane < lanes; lane++)
        sums[lane] = in[begin + lane];
      long i = begin + lanes;
      for (; i + lanes <= end; i += lanes)
#pragma clang loop vectorize(enable)
        for (int lane = 0; lane < lanes; lane++)
          sums[lane] = op(sums[lane], T(in[i + lane]));
      T sum = sums[0];
      for (int lane = 1; lane < lanes; lane++)
        sum = op(sum, sums[lane]);
      for (; i < end; i++)
        sum = op(sum, T(in[i]));
      return sum;
    }
  }
  return reduce_in_order<T>(in, begin, end, op);
}

/* *out = op(init, op over all items), or init where there are none. */
template <typename T, typename Input, typename Output, typename Op, typename Init>
CUB_RUNTIME_FUNCTION cudaError_t reduce(void *storage, size_t &storage_bytes, Input in, Output out, long items, Op op,
                                        Init init, cudaStream_t stream) {
  chunks parts = divide(items);
  temporaries<1> memory = {{nullptr}, {parts.count * sizeof(T)}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only)
    return error;
  T *sums = (T *)memory.part[0];
  if (parts.count > 1) {
    error = for_each_chunk(
        parts.count,
        [=] __device__(int chunk) mutable {
          construct_at(sums + chunk, reduce_in_any_order<T>(in, parts.begin(chunk), parts.end(chunk), op));
        },
        stream);
    if (error != cudaSuccess)
      return error;
  }
  return for_each_chunk(
      1,
      [=] __device__(int) mutable {
        if (items == 0)
          *out = T(init);
        else if (parts.count == 1)
          *out = T(op(T(init), reduce_in_any_order<T>(in, 0, items, op)));
        else
          *out = T(op(T(init), reduce_in_order<T>(sums, 0, parts.count, op)));
      },
      stream);
}

/* As reduce, without an initial value, of at least one item. */
template <typename T, typename Input, typename Op>
CUB_RUNTIME_FUNCTION cudaError_t reduce_without_initial(void *storage, size_t &storage_bytes, Input in, T *out,
                                                        long items, Op op, cudaStream_t stream) {
  chunks parts = divide(items);
  temporaries<1> memory = {{nullptr}, {parts.count * sizeof(T)}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only)
    return error;
  T *sums = (T *)memory.part[0];
  error = for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        construct_at(sums + chunk, reduce_in_any_order<T>(in, parts.begin(chunk), parts.end(chunk), op));
      },
      stream);
  if (error != cudaSuccess)
    return error;
  return for_each_chunk(
      1, [=] __device__(int) mutable { construct_at(out, reduce_in_order<T>(sums, 0, parts.count, op)); }, stream);
}

/* out[s] = op(init, op over segment s). */
template <typename T, typename Input, typename Output, typename Begins, typename Ends, typename Op, typename Init>
CUB_RUNTIME_FUNCTION cudaError_t reduce_segments(void *storage, size_t &storage_bytes, Input in, Output out,
                                                 long segments, Begins begins, Ends ends, Op op, Init init,
                                                 cudaStream_t stream) {
  if (storage == nullptr) {
    storage_bytes = 1;
    return cudaSuccess;
  }
  if (segments <= 0)
    return cudaSuccess;
  chunks parts = divide(segments, 1);
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        for (long segment = parts.begin(chunk); segment < parts.end(chunk); segment++) {
          long begin = begins[segment], end = ends[segment];
          out[segment] = end <= begin ? T(init) : T(op(T(init), reduce_in_any_order<T>(in, begin, end, op)));
        }
      },
      stream);
}

} // namespace algorithms
} // namespace unwarp

#endif
