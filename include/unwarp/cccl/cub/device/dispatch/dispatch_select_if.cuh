/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Selections and partitions: by flags, by a function, or the first of equal neighbours.
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

template <typename InputIteratorT, typename FlagsInputIteratorT, typename SelectedOutputIteratorT,
          typename NumSelectedIteratorT, typename SelectOpT, typename EqualityOpT, typename OffsetT, bool KEEP_REJECTS>
struct DispatchSelectIf {
  CUB_RUNTIME_FUNCTION static cudaError_t
  Dispatch(void *d_temp_storage, size_t &temp_storage_bytes, InputIteratorT d_in, FlagsInputIteratorT d_flags,
           SelectedOutputIteratorT d_selected_out, NumSelectedIteratorT d_num_selected_out, SelectOpT select_op,
           EqualityOpT equality_op, OffsetT num_items, cudaStream_t stream, bool) {
    using InputT = cub::detail::value_t<InputIteratorT>;
    long items = long(num_items);
    auto kept = [=] __device__(long i) mutable -> bool {
      if constexpr (!std::is_same<SelectOpT, NullType>::value)
        return select_op(d_in[i]);
      else if constexpr (!std::is_same<EqualityOpT, NullType>::value)
        return i == 0 || !equality_op(d_in[i - 1], d_in[i]);
      else
        return d_flags[i] ? true : false;
    };
    /* What is not selected stands behind, the last first. */
    auto place_of = [=] __device__(long i, long before, bool keep) mutable {
      return keep ? before : items - 1 - (i - before);
    };
    auto store_total = [=] __device__(long total) mutable { *d_num_selected_out = total; };
    if (unwarp::algorithms::may_overlap(d_in, items, d_selected_out, items))
      return unwarp::algorithms::select_in_place<InputT>(
          d_temp_storage, temp_storage_bytes, items, [=] __device__(long i) mutable -> InputT { return d_in[i]; }, kept,
          [=] __device__(const InputT &item, long i, long before, bool keep) mutable {
            if (keep || KEEP_REJECTS)
              d_selected_out[place_of(i, before, keep)] = item;
          },
          store_total, stream);
    return unwarp::algorithms::select(
        d_temp_storage, temp_storage_bytes, items, kept,
        [=] __device__(long i, long before, bool keep) mutable {
          if (keep || KEEP_REJECTS)
            d_selected_out[place_of(i, before, keep)] = d_in[i];
        },
        store_total, stream);
  }
};

CUB_NAMESPACE_END
