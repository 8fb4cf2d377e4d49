/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Partitions into three.
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

template <typename InputIteratorT, typename FirstOutputIteratorT, typename SecondOutputIteratorT,
          typename UnselectedOutputIteratorT, typename NumSelectedIteratorT, typename SelectFirstPartOp,
          typename SelectSecondPartOp, typename OffsetT>
struct DispatchThreeWayPartitionIf {
  CUB_RUNTIME_FUNCTION static cudaError_t
  Dispatch(void *d_temp_storage, std::size_t &temp_storage_bytes, InputIteratorT d_in,
           FirstOutputIteratorT d_first_part_out, SecondOutputIteratorT d_second_part_out,
           UnselectedOutputIteratorT d_unselected_out, NumSelectedIteratorT d_num_selected_out,
           SelectFirstPartOp select_first_part_op, SelectSecondPartOp select_second_part_op, OffsetT num_items,
           cudaStream_t stream, bool) {
    /* Two selections of one sequence: the second, of what the first left, sees both kinds. */
    long items = long(num_items);
    auto in_first = [=] __device__(long i) mutable -> bool { return select_first_part_op(d_in[i]); };
    auto in_second = [=] __device__(long i) mutable -> bool {
      return !select_first_part_op(d_in[i]) && select_second_part_op(d_in[i]);
    };
    size_t bytes_each = 0;
    auto write_first = [=] __device__(long i, long before, bool keep) mutable {
      if (keep)
        d_first_part_out[before] = d_in[i];
    };
    auto write_second = [=] __device__(long i, long before, bool keep) mutable {
      if (keep)
        d_second_part_out[before] = d_in[i];
    };
    auto write_rest = [=] __device__(long i, long before, bool keep) mutable {
      if (!keep)
        d_unselected_out[i - before] = d_in[i];
    };
    auto store_first = [=] __device__(long total) mutable { d_num_selected_out[0] = total; };
    auto store_second = [=] __device__(long total) mutable { d_num_selected_out[1] = total; };
    auto store_nothing = [=] __device__(long) mutable {};
    auto in_either = [=] __device__(long i) mutable -> bool { return in_first(i) || in_second(i); };
    cudaError_t error =
        unwarp::algorithms::select(nullptr, bytes_each, items, in_first, write_first, store_first, stream);
    if (error != cudaSuccess || d_temp_storage == nullptr) {
      temp_storage_bytes = bytes_each;
      return error;
    }
    error = unwarp::algorithms::select(d_temp_storage, temp_storage_bytes, items, in_first, write_first, store_first,
                                       stream);
    if (error == cudaSuccess)
      error = unwarp::algorithms::select(d_temp_storage, temp_storage_bytes, items, in_second, write_second,
                                         store_second, stream);
    if (error == cudaSuccess)
      error = unwarp::algorithms::select(d_temp_storage, temp_storage_bytes, items, in_either, write_rest,
                                         store_nothing, stream);
    return error;
  }
};

CUB_NAMESPACE_END
