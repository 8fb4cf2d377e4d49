/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <cub/device/device_reduce.cuh>
#include <thrust/system/cuda/detail/dispatch.h>
#include <unwarp/algorithms/reduce.h>
#include <unwarp/algorithms/thrust_call.h>
#include <thrust/detail/type_traits/iterator/is_output_iterator.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

template <typename Derived, typename InputIt, typename T, typename BinaryOp>
THRUST_RUNTIME_FUNCTION T reduce_n(execution_policy<Derived> &policy, InputIt first, long items, T init, BinaryOp op) {
  auto in = thrust::detail::try_unwrap_contiguous_iterator(first);
  cudaStream_t stream = cuda_cub::stream(policy);
  return unwarp::algorithms::with_result<T>(
      derived_cast(policy), "reduce", [=](void *storage, size_t &bytes, T *result) {
        return unwarp::algorithms::reduce<T>(storage, bytes, in, result, items, op, init, stream);
      });
}

} // namespace detail

__thrust_exec_check_disable__ template <typename Derived, typename InputIt, typename Size, typename T,
                                        typename BinaryOp>
__host__ __device__ T reduce_n(execution_policy<Derived> &policy, InputIt first, Size num_items, T init,
                               BinaryOp binary_op) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::reduce_n(policy, first, long(num_items), init, binary_op),
                         thrust::reduce(cvt_to_seq(derived_cast(policy)), first, first + num_items, init, binary_op));
}

template <class Derived, class InputIt, class T, class BinaryOp>
__host__ __device__ T reduce(execution_policy<Derived> &policy, InputIt first, InputIt last, T init,
                             BinaryOp binary_op) {
  return cuda_cub::reduce_n(policy, first, thrust::distance(first, last), init, binary_op);
}

template <class Derived, class InputIt, class T>
__host__ __device__ T reduce(execution_policy<Derived> &policy, InputIt first, InputIt last, T init) {
  return cuda_cub::reduce(policy, first, last, init, plus<T>());
}

template <class Derived, class InputIt>
__host__ __device__ typename iterator_traits<InputIt>::value_type reduce(execution_policy<Derived> &policy,
                                                                         InputIt first, InputIt last) {
  using value_type = typename iterator_traits<InputIt>::value_type;
  return cuda_cub::reduce(policy, first, last, value_type(0));
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#include <thrust/memory.h>
#include <thrust/reduce.h>
#endif
