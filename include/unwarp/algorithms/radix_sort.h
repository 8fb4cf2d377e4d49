/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sorting of values by their bits, eight at a time from the lowest: each chunk counts how often each digit occurs in
 * it, the counts say where each chunk's items of each digit go, and they are put there in order. Stable, up and down.
 */
#ifndef UNWARP_ALGORITHMS_RADIX_SORT_H
#define UNWARP_ALGORITHMS_RADIX_SORT_H

#include <unwarp/algorithms/merge_sort.h>

namespace unwarp {
namespace algorithms {

enum { radix_bits = 8, radix_digits = 1 << radix_bits };

/* The digit of a key at `bit`, in the order of CUB: -0.0 is taken for 0.0. */
template <bool Descending, typename Key> struct digit_of {
  using traits = CUB_NS_QUALIFIER::Traits<Key>;
  using bits_type = typename traits::UnsignedBits;
  int bit, width;

  __device__ int operator()(const Key &key) const {
    bits_type bits = ordered_bits(key);
    int digit = int(bits >> bit) & ((1 << width) - 1);
    return Descending ? (1 << width) - 1 - digit : digit;
  }

  static __device__ bits_type ordered_bits(const Key &key) {
    bits_type bits = reinterpret_cast<const bits_type &>(key);
    if (traits::CATEGORY == CUB_NS_QUALIFIER::FLOATING_POINT &&
        bits == bits_type(bits_type(1) << (8 * sizeof(bits_type) - 1)))
      bits = 0;
    return traits::TwiddleIn(bits);
  }
};

/* One iteration over all chunks. `counts` holds radix_digits counts for each chunk. */
template <bool Descending, typename Key, typename Value>
CUB_RUNTIME_FUNCTION cudaError_t sort_by_digit(key_values<Key, Value> from, key_values<Key, Value> to, chunks parts,
                                               long *counts, int bit, int width, cudaStream_t stream) {
  digit_of<Descending, Key> digit = {bit, width};
  cudaError_t error = for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long *own = counts + long(chunk) * radix_digits;
        for (int i = 0; i < radix_digits; i++)
          own[i] = 0;
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++)
          own[digit(from.keys[i])]++;
      },
      stream);
  if (error == cudaSuccess)
    error = for_each_chunk(
        1,
        [=] __device__(int) mutable {
          long sum = 0;
          for (int i = 0; i < radix_digits; i++)
            for (int chunk = 0; chunk < parts.count; chunk++) {
              long *count = counts + long(chunk) * radix_digits + i, own = *count;
              *count = sum;
              sum += own;
            }
        },
        stream);
  if (error != cudaSuccess)
    return error;
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long *places = counts + long(chunk) * radix_digits;
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++)
          to.copy(places[digit(from.keys[i])]++, from, i);
      },
      stream);
}

/* Sorts by the bits [begin_bit, end_bit). The keys stand in keys.Current(); afterwards they do so again, in the other
 * buffer or the same; without overwrite_input in what was the other one, and the input is as it was. */
template <bool Descending, typename Key, typename Value>
CUB_RUNTIME_FUNCTION cudaError_t radix_sort(void *storage, size_t &storage_bytes,
                                            CUB_NS_QUALIFIER::DoubleBuffer<Key> &keys,
                                            CUB_NS_QUALIFIER::DoubleBuffer<Value> &values, long items, int begin_bit,
                                            int end_bit, bool overwrite_input, cudaStream_t stream) {
  constexpr bool keys_only = std::is_same<Value, CUB_NS_QUALIFIER::NullType>::value;
  if (begin_bit < 0 || end_bit > int(8 * sizeof(Key)) || begin_bit > end_bit)
    return CubDebug(cudaErrorInvalidValue);
  chunks parts = divide(items);
  int iterations = (end_bit - begin_bit + radix_bits - 1) / radix_bits;
  bool needs_third = !overwrite_input && iterations > 1;
  temporaries<3> memory = {{nullptr, nullptr, nullptr},
                           {parts.count * radix_digits * sizeof(long), needs_third ? items * sizeof(Key) : 0,
                            needs_third && !keys_only ? items * sizeof(Value) : 0}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only || (items == 0 && overwrite_input))
    return error;
  long *counts = (long *)memory.part[0];
  key_values<Key, Value> from = {keys.Current(), values.Current()}, alternate = {keys.Alternate(), values.Alternate()};
  key_values<Key, Value> third = {(Key *)memory.part[1], (Value *)memory.part[2]};

  if (iterations == 0 && !overwrite_input)
    error = for_each_chunk(
        parts.count,
        [=] __device__(int chunk) mutable {
          for (long i = parts.begin(chunk); i < parts.end(chunk); i++)
            alternate.copy(i, from, i);
        },
        stream);
  for (int iteration = 0; iteration < iterations && error == cudaSuccess; iteration++) {
    key_values<Key, Value> to;
    if (overwrite_input)
      to = iteration % 2 ? key_values<Key, Value>{keys.Current(), values.Current()} : alternate;
    else
      to = (iterations - iteration) % 2 ? alternate : third; /* so that the last iteration ends in the other buffer */
    int bit = begin_bit + iteration * radix_bits, width = end_bit - bit < radix_bits ? end_bit - bit : radix_bits;
    error = sort_by_digit<Descending>(from, to, parts, counts, bit, width, stream);
    from = to;
  }
  if (!overwrite_input || iterations % 2) {
    keys.selector ^= 1;
    values.selector ^= 1;
  }
  return error;
}

/* The order of radix_sort between two keys, over the bits [begin_bit, end_bit). */
template <bool Descending, typename Key> struct bits_less {
  int begin_bit, end_bit;
  __device__ bool operator()(const Key &a, const Key &b) const {
    using bits_type = typename digit_of<Descending, Key>::bits_type;
    constexpr int all = 8 * sizeof(bits_type);
    bits_type x =
        bits_type(digit_of<Descending, Key>::ordered_bits(a) << (all - end_bit)) >> (all - end_bit + begin_bit);
    bits_type y =
        bits_type(digit_of<Descending, Key>::ordered_bits(b) << (all - end_bit)) >> (all - end_bit + begin_bit);
    return Descending ? y < x : x < y;
  }
};

/* Each segment for itself, one thread a segment, as radix_sort does with all. What lies in no segment is left as it is
 * in either buffer. */
template <bool Descending, typename Key, typename Value, typename Begins, typename Ends>
CUB_RUNTIME_FUNCTION cudaError_t sort_segments(void *storage, size_t &storage_bytes,
                                               CUB_NS_QUALIFIER::DoubleBuffer<Key> &keys,
                                               CUB_NS_QUALIFIER::DoubleBuffer<Value> &values, long items, long segments,
                                               Begins begins, Ends ends, int begin_bit, int end_bit,
                                               bool overwrite_input, cudaStream_t stream) {
  constexpr bool keys_only = std::is_same<Value, CUB_NS_QUALIFIER::NullType>::value;
  bool needs_third = !overwrite_input;
  temporaries<2> memory = {
      {nullptr, nullptr},
      {needs_third ? items * sizeof(Key) : 0, needs_third && !keys_only ? items * sizeof(Value) : 0}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only)
    return error;
  key_values<Key, Value> from = {keys.Current(), values.Current()}, to = {keys.Alternate(), values.Alternate()},
                         spare = from;
  if (needs_third)
    spare = {(Key *)memory.part[0], (Value *)memory.part[1]};
  bits_less<Descending, Key> less = {begin_bit, end_bit};
  keys.selector ^= 1;
  values.selector ^= 1;
  if (segments <= 0 || items <= 0)
    return cudaSuccess;
  chunks parts = divide(segments, 1);
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        for (long segment = parts.begin(chunk); segment < parts.end(chunk); segment++) {
          long begin = begins[segment], end = ends[segment];
          for (long i = begin; i < end; i++)
            to.copy(i, from, i);
          if (end_bit > begin_bit && end > begin)
            sort_serially(to, spare, begin, end, less);
        }
      },
      stream);
}

} // namespace algorithms
} // namespace unwarp

#endif
