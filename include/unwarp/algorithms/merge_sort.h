/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stable sorting by the user's own order, and merging. Each chunk is sorted by one thread; then neighbours are merged,
 * in as many parts as there are chunks: where a part begins in either sequence, a binary search along the diagonal says
 * (Odeh et al., "Merge Path", 2012).
 */
#ifndef UNWARP_ALGORITHMS_MERGE_SORT_H
#define UNWARP_ALGORITHMS_MERGE_SORT_H

#include <type_traits>
#include <unwarp/algorithms/chunks.h>

namespace unwarp {
namespace algorithms {

/* How many of the first `diagonal` merged items come from the first sequence. Of equal items, the first sequence's come
 * first. */
template <typename A, typename B, typename Less>
__device__ long merge_path(A a, long a_items, B b, long b_items, long diagonal, Less less) {
  long low = diagonal > b_items ? diagonal - b_items : 0, high = diagonal < a_items ? diagonal : a_items;
  while (low < high) {
    long middle = (low + high) / 2;
    if (less(b[diagonal - 1 - middle], a[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Calls take_a(item of a, merged place) and take_b for the merged places [begin, end). */
template <typename A, typename B, typename Less, typename TakeA, typename TakeB>
__device__ void merge_part(A a, long a_items, B b, long b_items, long begin, long end, Less less, TakeA take_a,
                           TakeB take_b) {
  long i = merge_path(a, a_items, b, b_items, begin, less), j = begin - i;
  for (long place = begin; place < end; place++)
    if (j >= b_items || (i < a_items && !less(b[j], a[i])))
      take_a(i++, place);
    else
      take_b(j++, place);
}

/* Sequences of keys, with the values that belong to them or cub::NullType. */
template <typename Key, typename Value> struct key_values {
  Key *keys;
  Value *values;

  __device__ void copy(long to, const key_values &source, long from) const {
    keys[to] = source.keys[from];
    if constexpr (!std::is_same<Value, CUB_NS_QUALIFIER::NullType>::value)
      values[to] = source.values[from];
  }
  __device__ key_values at(long offset) const {
    if constexpr (std::is_same<Value, CUB_NS_QUALIFIER::NullType>::value)
      return {keys + offset, nullptr};
    else
      return {keys + offset, values + offset};
  }
};

/* Sorts [begin, end) of `items`, with `spare` for the other half of the iterations; afterwards all stand in `items`. */
template <typename Key, typename Value, typename Less>
__device__ void sort_serially(key_values<Key, Value> items, key_values<Key, Value> spare, long begin, long end,
                              Less less) {
  enum { insertion = 16 };
  for (long first = begin; first < end; first += insertion) {
    long last = first + insertion < end ? first + insertion : end;
    for (long i = first + 1; i < last; i++) {
      Key key = items.keys[i];
      long j = i;
      if constexpr (std::is_same<Value, CUB_NS_QUALIFIER::NullType>::value) {
        for (; j > first && less(key, items.keys[j - 1]); j--)
          items.keys[j] = items.keys[j - 1];
      } else {
        Value value = items.values[i];
        for (; j > first && less(key, items.keys[j - 1]); j--)
          items.copy(j, items, j - 1);
        items.values[j] = value;
      }
      items.keys[j] = key;
    }
  }
  key_values<Key, Value> from = items, to = spare;
  for (long width = insertion; width < end - begin; width *= 2) {
    for (long first = begin; first < end; first += 2 * width) {
      long middle = first + width < end ? first + width : end, last = middle + width < end ? middle + width : end;
      key_values<Key, Value> a = from.at(first), b = from.at(middle), out = to.at(first);
      merge_part(
          a.keys, middle - first, b.keys, last - middle, 0, last - first, less,
          [=] __device__(long i, long place) mutable { out.copy(place, a, i); },
          [=] __device__(long j, long place) mutable { out.copy(place, b, j); });
    }
    key_values<Key, Value> other = from;
    from = to;
    to = other;
  }
  if (from.keys != items.keys)
    for (long i = begin; i < end; i++)
      items.copy(i, from, i);
}

/* Key and Value are of trivially copyable kind or at least assignable to raw memory, as CUB asks. Input and output may
 * be the same. */
template <typename Key, typename Value, typename KeysIn, typename ValuesIn, typename KeysOut, typename ValuesOut,
          typename Less>
CUB_RUNTIME_FUNCTION cudaError_t merge_sort(void *storage, size_t &storage_bytes, KeysIn keys_in, ValuesIn values_in,
                                            KeysOut keys_out, ValuesOut values_out, long items, Less less,
                                            cudaStream_t stream) {
  constexpr bool keys_only = std::is_same<Value, CUB_NS_QUALIFIER::NullType>::value;
  size_t key_bytes = items * sizeof(Key), value_bytes = keys_only ? 0 : items * sizeof(Value);
  temporaries<4> memory = {{nullptr, nullptr, nullptr, nullptr}, {key_bytes, value_bytes, key_bytes, value_bytes}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only || items == 0)
    return error;
  key_values<Key, Value> from = {(Key *)memory.part[0], (Value *)memory.part[1]},
                         to = {(Key *)memory.part[2], (Value *)memory.part[3]};

  int sorted = 1; /* a power of two, so that all iterations merge pairs */
  while (2 * sorted <= divide(items).count)
    sorted *= 2;
  chunks parts(items, sorted);
  error = for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++) {
          construct_at(from.keys + i, keys_in[i]);
          if constexpr (!std::is_trivially_copyable<Key>::value)
            construct_at(to.keys + i, from.keys[i]);
          if constexpr (!keys_only) {
            construct_at(from.values + i, values_in[i]);
            if constexpr (!std::is_trivially_copyable<Value>::value)
              construct_at(to.values + i, from.values[i]);
          }
        }
        sort_serially(from, to, parts.begin(chunk), parts.end(chunk), less);
      },
      stream);
  for (int width = 1; width < sorted && error == cudaSuccess; width *= 2) {
    error = for_each_chunk(
        parts.count,
        [=] __device__(int chunk) mutable {
          int group = chunk / (2 * width) * 2 * width;
          long first = parts.begin(group), middle = parts.begin(group + width), last = parts.begin(group + 2 * width);
          key_values<Key, Value> a = from.at(first), b = from.at(middle), out = to.at(first);
          merge_part(
              a.keys, middle - first, b.keys, last - middle, parts.begin(chunk) - first, parts.end(chunk) - first, less,
              [=] __device__(long i, long place) mutable { out.copy(place, a, i); },
              [=] __device__(long j, long place) mutable { out.copy(place, b, j); });
        },
        stream);
    key_values<Key, Value> other = from;
    from = to;
    to = other;
  }
  if (error != cudaSuccess)
    return error;
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++) {
          keys_out[i] = from.keys[i];
          if constexpr (!keys_only)
            values_out[i] = from.values[i];
        }
      },
      stream);
}

} // namespace algorithms
} // namespace unwarp

#endif
