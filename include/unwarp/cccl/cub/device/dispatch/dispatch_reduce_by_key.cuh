/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sum for each run of equal keys.
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
#include <cub/iterator/constant_input_iterator.cuh>
#include <unwarp/algorithms/runs.h>

CUB_NAMESPACE_BEGIN

template <typename KeysInputIteratorT, typename UniqueOutputIteratorT, typename ValuesInputIteratorT,
          typename AggregatesOutputIteratorT, typename NumRunsOutputIteratorT, typename EqualityOpT,
          typename ReductionOpT, typename OffsetT>
struct DispatchReduceByKey {
  using ValueOutputT =
      cub::detail::non_void_value_t<AggregatesOutputIteratorT, cub::detail::value_t<ValuesInputIteratorT>>;

  CUB_RUNTIME_FUNCTION static cudaError_t
  Dispatch(void *d_temp_storage, size_t &temp_storage_bytes, KeysInputIteratorT d_keys_in,
           UniqueOutputIteratorT d_unique_out, ValuesInputIteratorT d_values_in,
           AggregatesOutputIteratorT d_aggregates_out, NumRunsOutputIteratorT d_num_runs_out, EqualityOpT equality_op,
           ReductionOpT reduction_op, OffsetT num_items, cudaStream_t stream, bool) {
    return unwarp::algorithms::reduce_by_key<ValueOutputT>(
        d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in, d_unique_out, d_aggregates_out, long(num_items),
        equality_op, reduction_op, [=] __device__(long total) mutable { *d_num_runs_out = total; }, stream);
  }
};

CUB_NAMESPACE_END
