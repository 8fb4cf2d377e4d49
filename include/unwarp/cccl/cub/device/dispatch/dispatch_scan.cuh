/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Scans.
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
#include <unwarp/algorithms/scan.h>

CUB_NAMESPACE_BEGIN

template <typename InputIteratorT, typename OutputIteratorT, typename ScanOpT, typename InitValueT, typename OffsetT,
          typename...>
struct DispatchScan {
  template <typename Init, typename Input> struct result_of {
    using type = typename Init::value_type;
  };
  template <typename Input> struct result_of<NullType, Input> {
    using type = Input;
  };
  using OutputT = typename result_of<InitValueT, cub::detail::value_t<InputIteratorT>>::type;

  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   InputIteratorT d_in, OutputIteratorT d_out, ScanOpT scan_op,
                                                   InitValueT init_value, OffsetT num_items, cudaStream_t stream,
                                                   bool) {
    return unwarp::algorithms::scan<OutputT>(d_temp_storage, temp_storage_bytes, d_in, d_out, long(num_items), scan_op,
                                             init_value, stream);
  }
};

CUB_NAMESPACE_END
