/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Scans within runs of equal keys.
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

template <typename KeysInputIteratorT, typename ValuesInputIteratorT, typename ValuesOutputIteratorT,
          typename EqualityOp, typename ScanOpT, typename InitValueT, typename OffsetT, typename...>
struct DispatchScanByKey {
  using OutputT = cub::detail::conditional_t<std::is_same<InitValueT, NullType>::value,
                                             cub::detail::value_t<ValuesInputIteratorT>, InitValueT>;

  CUB_RUNTIME_FUNCTION static cudaError_t Dispatch(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   KeysInputIteratorT d_keys_in, ValuesInputIteratorT d_values_in,
                                                   ValuesOutputIteratorT d_values_out, EqualityOp equality_op,
                                                   ScanOpT scan_op, InitValueT init_value, OffsetT num_items,
                                                   cudaStream_t stream, bool) {
    return unwarp::algorithms::scan_by_key<OutputT>(d_temp_storage, temp_storage_bytes, d_keys_in, d_values_in,
                                                    d_values_out, long(num_items), equality_op, scan_op, init_value,
                                                    stream);
  }
};

CUB_NAMESPACE_END
