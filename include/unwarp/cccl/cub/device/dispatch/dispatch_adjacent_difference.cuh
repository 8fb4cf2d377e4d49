/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Differences of neighbours.
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
#include <unwarp/algorithms/chunks.h>

CUB_NAMESPACE_BEGIN

template <typename InputIteratorT, typename OutputIteratorT, typename DifferenceOpT, typename OffsetT, bool MayAlias,
          bool ReadLeft, typename...>
struct DispatchAdjacentDifference {
  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, std::size_t &temp_storage_bytes,
                                                   InputIteratorT d_input, OutputIteratorT d_output, OffsetT num_items,
                                                   DifferenceOpT difference_op, cudaStream_t stream, bool) {
    using InputT = cub::detail::value_t<InputIteratorT>;
    using namespace unwarp::algorithms;
    chunks parts = divide(long(num_items));
    temporaries<1> memory = {{nullptr}, {parts.count * sizeof(InputT)}};
    cudaError_t error = CubDebug(memory.take(d_temp_storage, temp_storage_bytes));
    if (error != cudaSuccess || memory.asked_only || num_items == 0)
      return error;
    /* A chunk's neighbour is read before the chunk that it stands in is written. */
    InputT *neighbours = (InputT *)memory.part[0];
    error = for_each_chunk(
        1,
        [=] __device__(int) mutable {
          for (int chunk = 0; chunk < parts.count; chunk++) {
            if (ReadLeft && chunk > 0)
              construct_at(neighbours + chunk, d_input[parts.begin(chunk) - 1]);
            if (!ReadLeft && chunk + 1 < parts.count)
              construct_at(neighbours + chunk, d_input[parts.end(chunk)]);
          }
        },
        stream);
    if (error != cudaSuccess)
      return error;
    return for_each_chunk(
        parts.count,
        [=] __device__(int chunk) mutable {
          DifferenceOpT difference = difference_op;
          long begin = parts.begin(chunk), end = parts.end(chunk);
          if constexpr (ReadLeft) {
            InputT own = d_input[begin];
            if (chunk == 0)
              d_output[begin] = own;
            else
              d_output[begin] = difference(own, neighbours[chunk]);
            for (long i = begin + 1; i < end; i++) {
              InputT left = own;
              own = d_input[i];
              d_output[i] = difference(own, left);
            }
          } else {
            InputT own = d_input[begin];
            for (long i = begin; i + 1 < end; i++) {
              InputT right = d_input[i + 1];
              d_output[i] = difference(own, right);
              own = right;
            }
            if (chunk + 1 == parts.count)
              d_output[end - 1] = own;
            else
              d_output[end - 1] = difference(own, neighbours[chunk]);
          }
        },
        stream);
  }
};

CUB_NAMESPACE_END
