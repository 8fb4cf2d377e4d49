/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sum for each run of equal keys.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <thrust/detail/type_traits.h>
#include <thrust/detail/type_traits/iterator/is_output_iterator.h>
#include <unwarp/algorithms/runs.h>
#include <unwarp/algorithms/thrust_call.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

template <class Derived, class KeyInputIt, class ValInputIt, class KeyOutputIt, class ValOutputIt, class BinaryPred,
          class BinaryOp>
THRUST_RUNTIME_FUNCTION pair<KeyOutputIt, ValOutputIt>
sums_by_key(execution_policy<Derived> &policy, KeyInputIt keys_first, KeyInputIt keys_last, ValInputIt values_first,
            KeyOutputIt keys_output, ValOutputIt values_output, BinaryPred equal, BinaryOp op) {
  using sum_type =
      typename thrust::detail::eval_if<thrust::detail::is_output_iterator<ValOutputIt>::value,
                                       thrust::iterator_value<ValInputIt>, thrust::iterator_value<ValOutputIt>>::type;
  cudaStream_t stream = cuda_cub::stream(policy);
  long items = long(thrust::distance(keys_first, keys_last));
  if (items == 0)
    return thrust::make_pair(keys_output, values_output);
  using key_type = typename iterator_traits<KeyInputIt>::value_type;
  auto equal_keys = [=] __device__(const key_type &left, const key_type &right) mutable -> bool {
    return equal(left, right);
  };
  long total = unwarp::algorithms::with_result<long>(
      derived_cast(policy), "reduce_by_key", [=](void *storage, size_t &bytes, long *count) {
        return unwarp::algorithms::reduce_by_key<sum_type>(
            storage, bytes, keys_first, values_first, keys_output, values_output, items, equal_keys, op,
            [=] __device__(long sum) mutable { *count = sum; }, stream);
      });
  return thrust::make_pair(keys_output + total, values_output + total);
}

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class KeyInputIt, class ValInputIt, class KeyOutputIt,
                                        class ValOutputIt, class BinaryPred, class BinaryOp>
pair<KeyOutputIt, ValOutputIt>
    __host__ __device__ reduce_by_key(execution_policy<Derived> &policy, KeyInputIt keys_first, KeyInputIt keys_last,
                                      ValInputIt values_first, KeyOutputIt keys_output, ValOutputIt values_output,
                                      BinaryPred binary_pred, BinaryOp binary_op) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::sums_by_key(policy, keys_first, keys_last, values_first, keys_output,
                                                       values_output, binary_pred, binary_op),
                         thrust::reduce_by_key(cvt_to_seq(derived_cast(policy)), keys_first, keys_last, values_first,
                                               keys_output, values_output, binary_pred, binary_op));
}

template <class Derived, class KeyInputIt, class ValInputIt, class KeyOutputIt, class ValOutputIt, class BinaryPred>
pair<KeyOutputIt, ValOutputIt> __host__ __device__ reduce_by_key(execution_policy<Derived> &policy,
                                                                 KeyInputIt keys_first, KeyInputIt keys_last,
                                                                 ValInputIt values_first, KeyOutputIt keys_output,
                                                                 ValOutputIt values_output, BinaryPred binary_pred) {
  using value_type =
      typename thrust::detail::eval_if<thrust::detail::is_output_iterator<ValOutputIt>::value,
                                       thrust::iterator_value<ValInputIt>, thrust::iterator_value<ValOutputIt>>::type;
  return cuda_cub::reduce_by_key(policy, keys_first, keys_last, values_first, keys_output, values_output, binary_pred,
                                 plus<value_type>());
}

template <class Derived, class KeyInputIt, class ValInputIt, class KeyOutputIt, class ValOutputIt>
pair<KeyOutputIt, ValOutputIt>
    __host__ __device__ reduce_by_key(execution_policy<Derived> &policy, KeyInputIt keys_first, KeyInputIt keys_last,
                                      ValInputIt values_first, KeyOutputIt keys_output, ValOutputIt values_output) {
  return cuda_cub::reduce_by_key(policy, keys_first, keys_last, values_first, keys_output, values_output,
                                 equal_to<typename thrust::iterator_value<KeyInputIt>::type>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#include <thrust/memory.h>
#include <thrust/reduce.h>
#endif
