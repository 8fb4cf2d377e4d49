/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where runs of at least two equal items stand.
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
#include <unwarp/algorithms/runs.h>

CUB_NAMESPACE_BEGIN

template <typename InputIteratorT, typename OffsetsOutputIteratorT, typename LengthsOutputIteratorT,
          typename NumRunsOutputIteratorT, typename EqualityOpT, typename OffsetT>
struct DeviceRleDispatch {
  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   InputIteratorT d_in, OffsetsOutputIteratorT d_offsets_out,
                                                   LengthsOutputIteratorT d_lengths_out,
                                                   NumRunsOutputIteratorT d_num_runs_out, EqualityOpT equality_op,
                                                   OffsetT num_items, cudaStream_t stream, bool) {
    return unwarp::algorithms::longer_runs(
        d_temp_storage, temp_storage_bytes, d_in, d_offsets_out, d_lengths_out, long(num_items), equality_op,
        [=] __device__(long total) mutable { *d_num_runs_out = total; }, stream);
  }
};

CUB_NAMESPACE_END
