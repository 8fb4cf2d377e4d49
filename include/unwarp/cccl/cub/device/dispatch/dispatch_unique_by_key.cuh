/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first of equal neighbouring keys, and its value.
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
#include <unwarp/algorithms/select.h>

CUB_NAMESPACE_BEGIN

template <typename KeyInputIteratorT, typename ValueInputIteratorT, typename KeyOutputIteratorT,
          typename ValueOutputIteratorT, typename NumSelectedIteratorT, typename EqualityOpT, typename OffsetT,
          typename...>
struct DispatchUniqueByKey {
  using KeyT = cub::detail::value_t<KeyInputIteratorT>;
  using ValueT = cub::detail::value_t<ValueInputIteratorT>;
  struct item {
    KeyT key;
    ValueT value;
  };

  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   KeyInputIteratorT d_keys_in, ValueInputIteratorT d_values_in,
                                                   KeyOutputIteratorT d_keys_out, ValueOutputIteratorT d_values_out,
                                                   NumSelectedIteratorT d_num_selected_out, EqualityOpT equality_op,
                                                   OffsetT num_items, cudaStream_t stream, bool) {
    return unwarp::algorithms::select_in_place<item>(
        d_temp_storage, temp_storage_bytes, long(num_items),
        [=] __device__(long i) mutable -> item { return {d_keys_in[i], d_values_in[i]}; },
        [=] __device__(long i) mutable -> bool { return i == 0 || !equality_op(d_keys_in[i - 1], d_keys_in[i]); },
        [=] __device__(const item &pair, long, long before, bool keep) mutable {
          if (keep) {
            d_keys_out[before] = pair.key;
            d_values_out[before] = pair.value;
          }
        },
        [=] __device__(long total) mutable { *d_num_selected_out = total; }, stream);
  }
};

CUB_NAMESPACE_END
