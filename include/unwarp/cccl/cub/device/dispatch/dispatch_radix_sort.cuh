/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sorting of values, all of them and by segments.
 * In the place of CUB 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is CUB's, what it does
 * is in include/unwarp/algorithms.
 */
#pragma once

#include <cub/config.cuh>
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/util_debug.cuh>
#include <cub/util_device.cuh>
#include <cub/util_math.cuh>
#include <cub/util_type.cuh>
#include <iterator>
#include <unwarp/algorithms/radix_sort.h>

CUB_NAMESPACE_BEGIN

template <bool IS_DESCENDING, typename KeyT, typename ValueT, typename OffsetT, typename...> struct DispatchRadixSort {
  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   DoubleBuffer<KeyT> &d_keys, DoubleBuffer<ValueT> &d_values,
                                                   OffsetT num_items, int begin_bit, int end_bit,
                                                   bool is_overwrite_okay, cudaStream_t stream, bool) {
    return unwarp::algorithms::radix_sort<IS_DESCENDING>(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                                         long(num_items), begin_bit, end_bit, is_overwrite_okay,
                                                         stream);
  }
};

template <bool IS_DESCENDING, typename KeyT, typename ValueT, typename BeginOffsetIteratorT,
          typename EndOffsetIteratorT, typename OffsetT, typename...>
struct DispatchSegmentedRadixSort {
  CUB_RUNTIME_FUNCTION static cudaError_t
  Dispatch(void *d_temp_storage, size_t &temp_storage_bytes, DoubleBuffer<KeyT> &d_keys, DoubleBuffer<ValueT> &d_values,
           int num_items, int num_segments, BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets,
           int begin_bit, int end_bit, bool is_overwrite_okay, cudaStream_t stream, bool) {
    return unwarp::algorithms::sort_segments<IS_DESCENDING>(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                                            num_items, num_segments, d_begin_offsets, d_end_offsets,
                                                            begin_bit, end_bit, is_overwrite_okay, stream);
  }
};

CUB_NAMESPACE_END
