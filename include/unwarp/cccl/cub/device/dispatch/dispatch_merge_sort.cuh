/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sorting by the user's own order.
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
#include <unwarp/algorithms/merge_sort.h>

CUB_NAMESPACE_BEGIN

template <typename KeyInputIteratorT, typename ValueInputIteratorT, typename KeyIteratorT, typename ValueIteratorT,
          typename OffsetT, typename CompareOpT, typename...>
struct DispatchMergeSort {
  using KeyT = cub::detail::value_t<KeyIteratorT>;
  using ValueT = cub::detail::value_t<ValueIteratorT>;

  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, std::size_t &temp_storage_bytes,
                                                   KeyInputIteratorT d_input_keys, ValueInputIteratorT d_input_items,
                                                   KeyIteratorT d_output_keys, ValueIteratorT d_output_items,
                                                   OffsetT num_items, CompareOpT compare_op, cudaStream_t stream,
                                                   bool) {
    return unwarp::algorithms::merge_sort<KeyT, ValueT>(d_temp_storage, temp_storage_bytes, d_input_keys, d_input_items,
                                                        d_output_keys, d_output_items, long(num_items), compare_op,
                                                        stream);
  }
};

CUB_NAMESPACE_END
