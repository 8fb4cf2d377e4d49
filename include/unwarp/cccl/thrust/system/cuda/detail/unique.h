/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first of equal neighbours.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <thrust/advance.h>
#include <thrust/iterator/zip_iterator.h>
#include <unwarp/algorithms/select.h>
#include <unwarp/algorithms/thrust_call.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

template <class Derived, class InputIt, class OutputIt, class BinaryPred>
THRUST_RUNTIME_FUNCTION OutputIt copy_unique(execution_policy<Derived> &policy, InputIt first, InputIt last,
                                             OutputIt result, BinaryPred equal) {
  using namespace unwarp::algorithms;
  using value_type = typename iterator_traits<InputIt>::value_type;
  cudaStream_t stream = cuda_cub::stream(policy);
  long items = long(thrust::distance(first, last));
  if (items == 0)
    return result;
  auto in = thrust::detail::try_unwrap_contiguous_iterator(first);
  auto out = thrust::detail::try_unwrap_contiguous_iterator(result);
  bool aside = iterators_may_overlap(first, result, items);
  long total = with_result<long>(derived_cast(policy), "unique", [=](void *storage, size_t &bytes, long *count) {
    auto kept = [=] __device__(long i) mutable -> bool {
      if (i == 0)
        return true;
      value_type left = in[i - 1], own = in[i];
      return !equal(left, own);
    };
    auto store_total = [=] __device__(long sum) mutable { *count = sum; };
    if (aside)
      return select_in_place<value_type>(
          storage, bytes, items, [=] __device__(long i) mutable -> value_type { return in[i]; }, kept,
          [=] __device__(const value_type &item, long, long before, bool keep) mutable {
            if (keep)
              out[before] = item;
          },
          store_total, stream);
    return select(
        storage, bytes, items, kept,
        [=] __device__(long i, long before, bool keep) mutable {
          if (keep)
            out[before] = value_type(in[i]);
        },
        store_total, stream);
  });
  return result + total;
}

template <typename BinaryPred> struct neighbours_differ {
  BinaryPred equal;
  template <typename TupleType> bool __host__ __device__ operator()(TupleType &&neighbours) {
    return !equal(thrust::get<0>(neighbours), thrust::get<1>(neighbours));
  }
};

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class InputIt, class OutputIt, class BinaryPred>
OutputIt __host__ __device__ unique_copy(execution_policy<Derived> &policy, InputIt first, InputIt last,
                                         OutputIt result, BinaryPred binary_pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::copy_unique(policy, first, last, result, binary_pred),
                         thrust::unique_copy(cvt_to_seq(derived_cast(policy)), first, last, result, binary_pred));
}

template <class Derived, class InputIt, class OutputIt>
OutputIt __host__ __device__ unique_copy(execution_policy<Derived> &policy, InputIt first, InputIt last,
                                         OutputIt result) {
  return cuda_cub::unique_copy(policy, first, last, result, equal_to<typename iterator_traits<InputIt>::value_type>());
}

__thrust_exec_check_disable__ template <class Derived, class ForwardIt, class BinaryPred>
ForwardIt __host__ __device__ unique(execution_policy<Derived> &policy, ForwardIt first, ForwardIt last,
                                     BinaryPred binary_pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::copy_unique(policy, first, last, first, binary_pred),
                         thrust::unique(cvt_to_seq(derived_cast(policy)), first, last, binary_pred));
}

template <class Derived, class ForwardIt>
ForwardIt __host__ __device__ unique(execution_policy<Derived> &policy, ForwardIt first, ForwardIt last) {
  return cuda_cub::unique(policy, first, last, equal_to<typename iterator_traits<ForwardIt>::value_type>());
}

__thrust_exec_check_disable__ template <class Derived, class ForwardIt, class BinaryPred>
typename thrust::iterator_traits<ForwardIt>::difference_type __host__ __device__
unique_count(execution_policy<Derived> &policy, ForwardIt first, ForwardIt last, BinaryPred binary_pred) {
  if (first == last)
    return 0;
  auto neighbours = thrust::make_zip_iterator(thrust::make_tuple(first, thrust::next(first)));
  return 1 + thrust::count_if(policy, neighbours, thrust::next(neighbours, thrust::distance(first, last) - 1),
                              cuda_cub::detail::neighbours_differ<BinaryPred>{binary_pred});
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#include <thrust/memory.h>
#include <thrust/unique.h>
#endif
