/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Scans, plain and by key. What comes before each chunk is found first; then each chunk is scanned from there. Input
 * and output may be the same memory.
 */
#ifndef UNWARP_ALGORITHMS_SCAN_H
#define UNWARP_ALGORITHMS_SCAN_H

#include <unwarp/algorithms/reduce.h>

namespace unwarp {
namespace algorithms {

/* An inclusive scan has cub::NullType for its initial value. */
template <typename T, typename Input, typename Output, typename Op, typename Init>
CUB_RUNTIME_FUNCTION cudaError_t scan(void *storage, size_t &storage_bytes, Input in, Output out, long items, Op op,
                                      Init init, cudaStream_t stream) {
  constexpr bool inclusive = std::is_same<Init, CUB_NS_QUALIFIER::NullType>::value;
  chunks parts = divide(items);
  temporaries<1> memory = {{nullptr}, {parts.count * sizeof(T)}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only || items == 0)
    return error;
  T *before = (T *)memory.part[0]; /* a chunk's sum, then the sum of what stands in front of it */
  if (parts.count > 1) {
    error = for_each_chunk(
        parts.count - 1,
        [=] __device__(int chunk) mutable {
          construct_at(before + chunk, reduce_in_order<T>(in, parts.begin(chunk), parts.end(chunk), op));
        },
        stream);
    if (error == cudaSuccess)
      error = for_each_chunk(
          1,
          [=] __device__(int) mutable {
            T sum = before[0];
            if constexpr (!inclusive)
              sum = op(T(Init(init)), sum);
            for (int chunk = 1; chunk + 1 < parts.count; chunk++) {
              T next = op(sum, before[chunk]);
              before[chunk] = sum;
              sum = next;
            }
            construct_at(before + parts.count - 1, sum);
          },
          stream);
    if (error != cudaSuccess)
      return error;
  }
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long i = parts.begin(chunk), end = parts.end(chunk);
        if constexpr (inclusive) {
          T sum = chunk == 0 ? T(in[i]) : T(op(before[chunk], in[i]));
          out[i] = sum;
          for (i++; i < end; i++)
            out[i] = sum = op(sum, in[i]);
        } else {
          T sum = chunk == 0 ? T(Init(init)) : before[chunk];
          for (; i + 1 < end; i++) {
            T next = op(sum, in[i]);
            out[i] = sum;
            sum = next;
          }
          out[i] = sum;
        }
      },
      stream);
}

/* Within each run of equal neighbouring keys a scan of its own. */
template <typename T, typename Keys, typename Input, typename Output, typename Equal, typename Op, typename Init>
CUB_RUNTIME_FUNCTION cudaError_t scan_by_key(void *storage, size_t &storage_bytes, Keys keys, Input in, Output out,
                                             long items, Equal equal, Op op, Init init, cudaStream_t stream) {
  constexpr bool inclusive = std::is_same<Init, CUB_NS_QUALIFIER::NullType>::value;
  chunks parts = divide(items);
  temporaries<2> memory = {{nullptr, nullptr}, {parts.count * sizeof(T), parts.count * sizeof(char)}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only || items == 0)
    return error;
  T *carried = (T *)memory.part[0]; /* the sum of a chunk's last run, then of what runs into the chunk */
  char *state = (char *)memory.part[1];
  enum { begins_run = 1, has_head = 2 };

  error = for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long begin = parts.begin(chunk), end = parts.end(chunk), head = end - 1;
        while (head > begin && equal(keys[head - 1], keys[head]))
          head--;
        bool begins = begin == 0 || !equal(keys[begin - 1], keys[begin]);
        state[chunk] = char((begins ? begins_run : 0) | (begins || head > begin ? has_head : 0));
        construct_at(carried + chunk, reduce_in_order<T>(in, head, end, op));
      },
      stream);
  if (error == cudaSuccess && parts.count > 1)
    error = for_each_chunk(
        1,
        [=] __device__(int) mutable {
          T sum = carried[0];
          for (int chunk = 1; chunk < parts.count; chunk++) {
            T own = carried[chunk], next = state[chunk] & has_head ? own : T(op(sum, own));
            carried[chunk] = sum;
            sum = next;
          }
        },
        stream);
  if (error != cudaSuccess)
    return error;
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long begin = parts.begin(chunk), end = parts.end(chunk);
        bool head = state[chunk] & begins_run;
        /* The exclusive scan's initial value stands before each run; what is carried into a chunk lacks it. */
        T sum = carried[chunk];
        if constexpr (!inclusive)
          sum = head ? T(init) : T(op(T(init), carried[chunk]));
        CUB_NS_QUALIFIER::detail::value_t<Keys> key = keys[begin]; /* kept, as the keys' memory may be the output's */
        for (long i = begin;;) {
          T value = in[i];
          if constexpr (inclusive) {
            sum = head ? value : T(op(sum, value));
            out[i] = sum;
          } else {
            if (head)
              sum = T(init);
            T next = op(sum, value);
            out[i] = sum;
            sum = next;
          }
          if (++i == end)
            break;
          CUB_NS_QUALIFIER::detail::value_t<Keys> next_key = keys[i];
          head = !equal(key, next_key);
          key = next_key;
        }
      },
      stream);
}

} // namespace algorithms
} // namespace unwarp

#endif
