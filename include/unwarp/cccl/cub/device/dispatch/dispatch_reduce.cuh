/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of a sequence and of its segments.
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
#include <unwarp/algorithms/reduce.h>

CUB_NAMESPACE_BEGIN

template <typename InputIteratorT, typename OutputIteratorT, typename OffsetT, typename ReductionOpT,
          typename OutputT = cub::detail::non_void_value_t<OutputIteratorT, cub::detail::value_t<InputIteratorT>>,
          typename...>
struct DispatchReduce {
  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   InputIteratorT d_in, OutputIteratorT d_out, OffsetT num_items,
                                                   ReductionOpT reduction_op, OutputT init, cudaStream_t stream, bool) {
    return unwarp::algorithms::reduce<OutputT>(d_temp_storage, temp_storage_bytes, d_in, d_out, long(num_items),
                                               reduction_op, init, stream);
  }
};

template <typename InputIteratorT, typename OutputIteratorT, typename BeginOffsetIteratorT, typename EndOffsetIteratorT,
          typename OffsetT, typename ReductionOpT,
          typename OutputT = cub::detail::non_void_value_t<OutputIteratorT, cub::detail::value_t<InputIteratorT>>,
          typename...>
struct DispatchSegmentedReduce {
  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   InputIteratorT d_in, OutputIteratorT d_out, int num_segments,
                                                   BeginOffsetIteratorT d_begin_offsets,
                                                   EndOffsetIteratorT d_end_offsets, ReductionOpT reduction_op,
                                                   OutputT init, cudaStream_t stream, bool) {
    return unwarp::algorithms::reduce_segments<OutputT>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_segments,
                                                        d_begin_offsets, d_end_offsets, reduction_op, init, stream);
  }
};

CUB_NAMESPACE_END
