/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs of equal neighbouring keys: a sum for each of them, or where those of more than one key stand.
 */
#ifndef UNWARP_ALGORITHMS_RUNS_H
#define UNWARP_ALGORITHMS_RUNS_H

#include <unwarp/algorithms/reduce.h>
#include <unwarp/algorithms/select.h>

namespace unwarp {
namespace algorithms {

/* For each run its key and op over its values; the number of runs to store_total. */
template <typename T, typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Equal, typename Op,
          typename Store>
CUB_RUNTIME_FUNCTION cudaError_t reduce_by_key(void *storage, size_t &storage_bytes, Keys keys, Values values,
                                               KeysOut keys_out, ValuesOut values_out, long items, Equal equal, Op op,
                                               Store store_total, cudaStream_t stream) {
  chunks parts = divide(items);
  temporaries<4> memory = {
      {nullptr, nullptr, nullptr, nullptr},
      {parts.count * sizeof(long), parts.count * sizeof(long), parts.count * sizeof(T), parts.count * sizeof(T)}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only)
    return error;
  long *places = (long *)memory.part[0], *first_heads = (long *)memory.part[1];
  T *leading = (T *)memory.part[2];   /* over the items in front of a chunk's first head */
  T *following = (T *)memory.part[3]; /* over what the last run of a chunk has in the chunks after it */
  auto is_head = [=] __device__(long i) mutable { return i == 0 || !equal(keys[i - 1], keys[i]); };

  error = for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long begin = parts.begin(chunk), end = parts.end(chunk), first = begin, heads = 0;
        while (first < end && !is_head(first))
          first++;
        for (long i = first; i < end; i++)
          heads += is_head(i);
        places[chunk] = heads;
        first_heads[chunk] = first;
        if (first > begin)
          construct_at(leading + chunk, reduce_in_order<T>(values, begin, first, op));
      },
      stream);
  if (error == cudaSuccess)
    error = for_each_chunk(
        1,
        [=] __device__(int) mutable {
          /* From the back: what runs on from chunk to chunk. */
          for (int chunk = parts.count - 1; chunk > 0; chunk--) {
            bool enters = first_heads[chunk] > parts.begin(chunk), passes = first_heads[chunk] == parts.end(chunk);
            if (!enters)
              continue;
            bool goes_on = passes && chunk + 1 < parts.count && first_heads[chunk + 1] > parts.begin(chunk + 1);
            construct_at(following + chunk - 1, goes_on ? T(op(leading[chunk], following[chunk])) : leading[chunk]);
          }
          sum_up_places(places, parts.count, store_total);
        },
        stream);
  if (error != cudaSuccess || items == 0)
    return error;
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long begin = first_heads[chunk], end = parts.end(chunk), place = places[chunk];
        while (begin < end) {
          keys_out[place] = keys[begin];
          T sum = values[begin];
          long i = begin + 1;
          for (; i < end && !is_head(i); i++)
            sum = op(sum, values[i]);
          if (i == end && chunk + 1 < parts.count && first_heads[chunk + 1] > end)
            sum = op(sum, following[chunk]);
          values_out[place++] = sum;
          begin = i;
        }
      },
      stream);
}

/* Offset and length of each run of at least two; their count to store_total. */
template <typename Input, typename Offsets, typename Lengths, typename Equal, typename Store>
CUB_RUNTIME_FUNCTION cudaError_t longer_runs(void *storage, size_t &storage_bytes, Input in, Offsets offsets,
                                             Lengths lengths, long items, Equal equal, Store store_total,
                                             cudaStream_t stream) {
  return select(
      storage, storage_bytes, items,
      [=] __device__(long i) mutable {
        return i + 1 < items && equal(in[i], in[i + 1]) && (i == 0 || !equal(in[i - 1], in[i]));
      },
      [=] __device__(long i, long place, bool kept) mutable {
        if (!kept)
          return;
        long end = i + 2;
        while (end < items && equal(in[end - 1], in[end]))
          end++;
        offsets[place] = i;
        lengths[place] = end - i;
      },
      store_total, stream);
}

} // namespace algorithms
} // namespace unwarp

#endif
