/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Partitions. All of them keep the order.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <thrust/partition.h>
#include <thrust/system/cuda/detail/find.h>
#include <thrust/system/cuda/detail/reverse.h>
#include <thrust/system/cuda/detail/uninitialized_copy.h>
#include <unwarp/algorithms/select.h>
#include <unwarp/algorithms/thrust_call.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

/* What is selected goes to one place and the rest to another, each in order. */
template <class Derived, class InputIt, class StencilIt, class SelectedOutIt, class RejectedOutIt, class Predicate>
THRUST_RUNTIME_FUNCTION pair<SelectedOutIt, RejectedOutIt>
partition_apart(execution_policy<Derived> &policy, InputIt first, InputIt last, StencilIt stencil,
                SelectedOutIt selected_result, RejectedOutIt rejected_result, Predicate predicate) {
  using namespace unwarp::algorithms;
  using value_type = typename iterator_traits<InputIt>::value_type;
  using stencil_type = typename iterator_traits<StencilIt>::value_type;
  cudaStream_t stream = cuda_cub::stream(policy);
  long items = long(thrust::distance(first, last));
  if (items == 0)
    return thrust::make_pair(selected_result, rejected_result);
  long total = with_result<long>(derived_cast(policy), "partition", [=](void *storage, size_t &bytes, long *count) {
    return select(
        storage, bytes, items,
        [=] __device__(long i) mutable -> bool {
          stencil_type value = stencil[i];
          return predicate(value) ? true : false;
        },
        [=] __device__(long i, long before, bool keep) mutable {
          if (keep)
            selected_result[before] = value_type(first[i]);
          else
            rejected_result[i - before] = value_type(first[i]);
        },
        [=] __device__(long sum) mutable { *count = sum; }, stream);
  });
  return thrust::make_pair(selected_result + total, rejected_result + (items - total));
}

/* Within a sequence, in order too: it is set aside first, and how many are selected is known before they are
 * written. */
template <class Derived, class Iterator, class StencilIt, class Predicate>
THRUST_RUNTIME_FUNCTION Iterator partition_within(execution_policy<Derived> &policy, Iterator first, Iterator last,
                                                  StencilIt stencil, Predicate predicate) {
  using namespace unwarp::algorithms;
  using value_type = typename iterator_traits<Iterator>::value_type;
  using stencil_type = typename iterator_traits<StencilIt>::value_type;
  cudaStream_t stream = cuda_cub::stream(policy);
  long items = long(thrust::distance(first, last));
  if (items == 0)
    return first;
  long total = with_result<long>(derived_cast(policy), "partition", [=](void *storage, size_t &bytes, long *count) {
    return select_in_place<value_type>(
        storage, bytes, items, [=] __device__(long i) mutable -> value_type { return first[i]; },
        [=] __device__(long i) mutable -> bool {
          stencil_type value = stencil[i];
          return predicate(value) ? true : false;
        },
        [=] __device__(const value_type &item, long i, long before, bool keep) mutable {
          first[keep ? before : *count + (i - before)] = item;
        },
        [=] __device__(long sum) mutable { *count = sum; }, stream);
  });
  return first + total;
}

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class InputIt, class StencilIt, class SelectedOutIt,
                                        class RejectedOutIt, class Predicate>
pair<SelectedOutIt, RejectedOutIt>
    __host__ __device__ partition_copy(execution_policy<Derived> &policy, InputIt first, InputIt last,
                                       StencilIt stencil, SelectedOutIt selected_result, RejectedOutIt rejected_result,
                                       Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::partition_apart(policy, first, last, stencil, selected_result, rejected_result, predicate),
      thrust::partition_copy(cvt_to_seq(derived_cast(policy)), first, last, stencil, selected_result, rejected_result,
                             predicate));
}

__thrust_exec_check_disable__ template <class Derived, class InputIt, class SelectedOutIt, class RejectedOutIt,
                                        class Predicate>
pair<SelectedOutIt, RejectedOutIt> __host__ __device__ partition_copy(execution_policy<Derived> &policy, InputIt first,
                                                                      InputIt last, SelectedOutIt selected_result,
                                                                      RejectedOutIt rejected_result,
                                                                      Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::partition_apart(policy, first, last, first, selected_result, rejected_result, predicate),
      thrust::partition_copy(cvt_to_seq(derived_cast(policy)), first, last, selected_result, rejected_result,
                             predicate));
}

__thrust_exec_check_disable__ template <class Derived, class InputIt, class StencilIt, class SelectedOutIt,
                                        class RejectedOutIt, class Predicate>
pair<SelectedOutIt, RejectedOutIt>
    __host__ __device__ stable_partition_copy(execution_policy<Derived> &policy, InputIt first, InputIt last,
                                              StencilIt stencil, SelectedOutIt selected_result,
                                              RejectedOutIt rejected_result, Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::partition_apart(policy, first, last, stencil, selected_result, rejected_result, predicate),
      thrust::stable_partition_copy(cvt_to_seq(derived_cast(policy)), first, last, stencil, selected_result,
                                    rejected_result, predicate));
}

__thrust_exec_check_disable__ template <class Derived, class InputIt, class SelectedOutIt, class RejectedOutIt,
                                        class Predicate>
pair<SelectedOutIt, RejectedOutIt>
    __host__ __device__ stable_partition_copy(execution_policy<Derived> &policy, InputIt first, InputIt last,
                                              SelectedOutIt selected_result, RejectedOutIt rejected_result,
                                              Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::partition_apart(policy, first, last, first, selected_result, rejected_result, predicate),
      thrust::stable_partition_copy(cvt_to_seq(derived_cast(policy)), first, last, selected_result, rejected_result,
                                    predicate));
}

__thrust_exec_check_disable__ template <class Derived, class Iterator, class StencilIt, class Predicate>
Iterator __host__ __device__ partition(execution_policy<Derived> &policy, Iterator first, Iterator last,
                                       StencilIt stencil, Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::partition_within(policy, first, last, stencil, predicate),
                         thrust::partition(cvt_to_seq(derived_cast(policy)), first, last, stencil, predicate));
}

__thrust_exec_check_disable__ template <class Derived, class Iterator, class Predicate>
Iterator __host__ __device__ partition(execution_policy<Derived> &policy, Iterator first, Iterator last,
                                       Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::partition_within(policy, first, last, first, predicate),
                         thrust::partition(cvt_to_seq(derived_cast(policy)), first, last, predicate));
}

__thrust_exec_check_disable__ template <class Derived, class Iterator, class StencilIt, class Predicate>
Iterator __host__ __device__ stable_partition(execution_policy<Derived> &policy, Iterator first, Iterator last,
                                              StencilIt stencil, Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::partition_within(policy, first, last, stencil, predicate),
                         thrust::stable_partition(cvt_to_seq(derived_cast(policy)), first, last, stencil, predicate));
}

__thrust_exec_check_disable__ template <class Derived, class Iterator, class Predicate>
Iterator __host__ __device__ stable_partition(execution_policy<Derived> &policy, Iterator first, Iterator last,
                                              Predicate predicate) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::partition_within(policy, first, last, first, predicate),
                         thrust::stable_partition(cvt_to_seq(derived_cast(policy)), first, last, predicate));
}

template <class Derived, class ItemsIt, class Predicate>
bool __host__ __device__ is_partitioned(execution_policy<Derived> &policy, ItemsIt first, ItemsIt last,
                                        Predicate predicate) {
  ItemsIt boundary = cuda_cub::find_if_not(policy, first, last, predicate);
  return cuda_cub::find_if(policy, boundary, last, predicate) == last;
}

} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
