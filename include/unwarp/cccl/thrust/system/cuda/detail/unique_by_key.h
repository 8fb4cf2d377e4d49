/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first of equal neighbouring keys, and its value.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <unwarp/algorithms/select.h>
#include <unwarp/algorithms/thrust_call.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

template <class Key, class Value> struct unique_item {
  Key key;
  Value value;
};

template <class Derived, class KeyInputIt, class ValInputIt, class KeyOutputIt, class ValOutputIt, class BinaryPred>
THRUST_RUNTIME_FUNCTION pair<KeyOutputIt, ValOutputIt>
copy_unique_by_key(execution_policy<Derived> &policy, KeyInputIt keys_first, KeyInputIt keys_last,
                   ValInputIt values_first, KeyOutputIt keys_result, ValOutputIt values_result, BinaryPred equal) {
  using namespace unwarp::algorithms;
  using key_type = typename iterator_traits<KeyInputIt>::value_type;
  using value_type = typename iterator_traits<ValInputIt>::value_type;
  using item_type = unique_item<key_type, value_type>;
  cudaStream_t stream = cuda_cub::stream(policy);
  long items = long(thrust::distance(keys_first, keys_last));
  if (items == 0)
    return thrust::make_pair(keys_result, values_result);
  long total = with_result<long>(derived_cast(policy), "unique_by_key", [=](void *storage, size_t &bytes, long *count) {
    return select_in_place<item_type>(
        storage, bytes, items,
        [=] __device__(long i) mutable -> item_type { return {key_type(keys_first[i]), value_type(values_first[i])}; },
        [=] __device__(long i) mutable -> bool {
          if (i == 0)
            return true;
          key_type left = keys_first[i - 1], own = keys_first[i];
          return !equal(left, own);
        },
        [=] __device__(const item_type &item, long, long before, bool keep) mutable {
          if (keep) {
            keys_result[before] = item.key;
            values_result[before] = item.value;
          }
        },
        [=] __device__(long sum) mutable { *count = sum; }, stream);
  });
  return thrust::make_pair(keys_result + total, values_result + total);
}

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class KeyInputIt, class ValInputIt, class KeyOutputIt,
                                        class ValOutputIt, class BinaryPred>
pair<KeyOutputIt, ValOutputIt>
    __host__ __device__ unique_by_key_copy(execution_policy<Derived> &policy, KeyInputIt keys_first,
                                           KeyInputIt keys_last, ValInputIt values_first, KeyOutputIt keys_result,
                                           ValOutputIt values_result, BinaryPred binary_pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::copy_unique_by_key(policy, keys_first, keys_last, values_first, keys_result,
                                                              values_result, binary_pred),
                         thrust::unique_by_key_copy(cvt_to_seq(derived_cast(policy)), keys_first, keys_last,
                                                    values_first, keys_result, values_result, binary_pred));
}

template <class Derived, class KeyInputIt, class ValInputIt, class KeyOutputIt, class ValOutputIt>
pair<KeyOutputIt, ValOutputIt> __host__ __device__ unique_by_key_copy(execution_policy<Derived> &policy,
                                                                      KeyInputIt keys_first, KeyInputIt keys_last,
                                                                      ValInputIt values_first, KeyOutputIt keys_result,
                                                                      ValOutputIt values_result) {
  return cuda_cub::unique_by_key_copy(policy, keys_first, keys_last, values_first, keys_result, values_result,
                                      equal_to<typename iterator_traits<KeyInputIt>::value_type>());
}

__thrust_exec_check_disable__ template <class Derived, class KeyInputIt, class ValInputIt, class BinaryPred>
pair<KeyInputIt, ValInputIt> __host__ __device__ unique_by_key(execution_policy<Derived> &policy, KeyInputIt keys_first,
                                                               KeyInputIt keys_last, ValInputIt values_first,
                                                               BinaryPred binary_pred) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::copy_unique_by_key(policy, keys_first, keys_last, values_first, keys_first, values_first,
                                           binary_pred),
      thrust::unique_by_key(cvt_to_seq(derived_cast(policy)), keys_first, keys_last, values_first, binary_pred));
}

template <class Derived, class KeyInputIt, class ValInputIt>
pair<KeyInputIt, ValInputIt> __host__ __device__ unique_by_key(execution_policy<Derived> &policy, KeyInputIt keys_first,
                                                               KeyInputIt keys_last, ValInputIt values_first) {
  return cuda_cub::unique_by_key(policy, keys_first, keys_last, values_first,
                                 equal_to<typename iterator_traits<KeyInputIt>::value_type>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#include <thrust/memory.h>
#include <thrust/unique.h>
#endif
