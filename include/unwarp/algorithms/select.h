/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Selections keep some items of a sequence, in order: each chunk counts what it keeps, the counts are summed up, each
 * chunk writes to its position. `kept(i)` says whether item i is kept, `write(i, kept_before, count)` puts it (or, of
 * what is not kept, puts it elsewhere). Where the output may lie in the input's memory, the items are set aside before
 * anything is written.
 */
#ifndef UNWARP_ALGORITHMS_SELECT_H
#define UNWARP_ALGORITHMS_SELECT_H

#include <unwarp/algorithms/chunks.h>

namespace unwarp {
namespace algorithms {

/* places[chunk] becomes the sum of what stands in front of it; store_total(sum of all). In one thread. */
template <typename Size, typename Store> __device__ void sum_up_places(Size *places, int count, Store store_total) {
  Size sum = 0;
  for (int chunk = 0; chunk < count; chunk++) {
    Size own = places[chunk];
    places[chunk] = sum;
    sum += own;
  }
  store_total(sum);
}

/* Each item goes to write(item index, items kept before it, whether it is kept); the count of all that are kept to
 * store_total. */
template <typename Kept, typename Write, typename Store>
CUB_RUNTIME_FUNCTION cudaError_t select(void *storage, size_t &storage_bytes, long items, Kept kept, Write write,
                                        Store store_total, cudaStream_t stream) {
  chunks parts = divide(items);
  temporaries<1> memory = {{nullptr}, {parts.count * sizeof(long)}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only)
    return error;
  long *places = (long *)memory.part[0];
  error = for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long sum = 0;
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++)
          sum += kept(i) ? 1 : 0;
        places[chunk] = sum;
      },
      stream);
  if (error == cudaSuccess)
    error = for_each_chunk(1, [=] __device__(int) mutable { sum_up_places(places, parts.count, store_total); }, stream);
  if (error != cudaSuccess)
    return error;
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long place = places[chunk];
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++) {
          bool keep = kept(i) ? true : false;
          write(i, place, keep);
          place += keep;
        }
      },
      stream);
}

/* As select, of items that `read(i)` copies out of their positions before anything is written: `write(item, i,
 * kept_before, keep)`. The items must be no more than can be held a second time. */
template <typename Item, typename Read, typename Kept, typename Write, typename Store>
CUB_RUNTIME_FUNCTION cudaError_t select_in_place(void *storage, size_t &storage_bytes, long items, Read read, Kept kept,
                                                 Write write, Store store_total, cudaStream_t stream) {
  chunks parts = divide(items);
  temporaries<3> memory = {{nullptr, nullptr, nullptr},
                           {parts.count * sizeof(long), items * sizeof(Item), items * sizeof(char)}};
  cudaError_t error = CubDebug(memory.take(storage, storage_bytes));
  if (error != cudaSuccess || memory.asked_only)
    return error;
  long *places = (long *)memory.part[0];
  Item *aside = (Item *)memory.part[1];
  char *keeps = (char *)memory.part[2];
  error = for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long sum = 0;
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++) {
          construct_at(aside + i, read(i));
          char keep = kept(i) ? 1 : 0;
          keeps[i] = keep;
          sum += keep;
        }
        places[chunk] = sum;
      },
      stream);
  if (error == cudaSuccess)
    error = for_each_chunk(1, [=] __device__(int) mutable { sum_up_places(places, parts.count, store_total); }, stream);
  if (error != cudaSuccess)
    return error;
  return for_each_chunk(
      parts.count,
      [=] __device__(int chunk) mutable {
        long place = places[chunk];
        for (long i = parts.begin(chunk); i < parts.end(chunk); i++) {
          write(aside[i], i, place, bool(keeps[i]));
          place += keeps[i];
        }
      },
      stream);
}

} // namespace algorithms
} // namespace unwarp

#endif
