/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of what a function selects.
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

/* The stencil may be the input itself. Removal within a sequence comes here too: output and input are the same then. */
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
THRUST_RUNTIME_FUNCTION OutputIt copy_selected(execution_policy<Derived> &policy, InputIt first, InputIt last,
                                               StencilIt stencil, OutputIt result, Predicate predicate) {
  using namespace unwarp::algorithms;
  using value_type = typename iterator_traits<InputIt>::value_type;
  using stencil_type = typename iterator_traits<StencilIt>::value_type;
  cudaStream_t stream = cuda_cub::stream(policy);
  long items = long(thrust::distance(first, last));
  if (items == 0)
    return result;
  auto in = thrust::detail::try_unwrap_contiguous_iterator(first);
  auto out = thrust::detail::try_unwrap_contiguous_iterator(result);
  auto asked = thrust::detail::try_unwrap_contiguous_iterator(stencil);
  bool aside = iterators_may_overlap(first, result, items);
  long total = with_result<long>(derived_cast(policy), "copy_if", [=](void *storage, size_t &bytes, long *count) {
    auto kept = [=] __device__(long i) mutable -> bool {
      stencil_type value = asked[i];
      return predicate(value) ? true : false;
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

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class InputIterator, class OutputIterator, class Predicate>
OutputIterator __host__ __device__ copy_if(execution_policy<Derived> &policy, InputIterator first, InputIterator last,
                                           OutputIterator result, Predicate pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::copy_selected(policy, first, last, first, result, pred),
                         thrust::copy_if(cvt_to_seq(derived_cast(policy)), first, last, result, pred));
}

__thrust_exec_check_disable__ template <class Derived, class InputIterator, class StencilIterator, class OutputIterator,
                                        class Predicate>
OutputIterator __host__ __device__ copy_if(execution_policy<Derived> &policy, InputIterator first, InputIterator last,
                                           StencilIterator stencil, OutputIterator result, Predicate pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::copy_selected(policy, first, last, stencil, result, pred),
                         thrust::copy_if(cvt_to_seq(derived_cast(policy)), first, last, stencil, result, pred));
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#include <thrust/copy.h>
#endif
