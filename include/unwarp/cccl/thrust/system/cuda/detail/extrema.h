/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The least and the largest element: of equal ones, the first.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <thrust/extrema.h>
#include <unwarp/algorithms/thrust_call.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

struct extreme_places {
  long least, largest;
};

template <class Derived, class ItemsIt, class Less>
THRUST_RUNTIME_FUNCTION extreme_places extremes(execution_policy<Derived> &policy, ItemsIt first, long items,
                                                Less less) {
  using namespace unwarp::algorithms;
  cudaStream_t stream = cuda_cub::stream(policy);
  auto in = thrust::detail::try_unwrap_contiguous_iterator(first);
  using value_type = typename iterator_traits<ItemsIt>::value_type;
  chunks parts = divide(items);
  return with_result<extreme_places>(derived_cast(policy), "extrema",
                                     [=](void *storage, size_t &bytes, extreme_places *result) {
                                       temporaries<1> memory = {{nullptr}, {parts.count * sizeof(extreme_places)}};
                                       cudaError_t error = memory.take(storage, bytes);
                                       if (error != cudaSuccess || memory.asked_only)
                                         return error;
                                       extreme_places *found = (extreme_places *)memory.part[0];
                                       error = for_each_chunk(
                                           parts.count,
                                           [=] __device__(int chunk) mutable {
                                             extreme_places places = {parts.begin(chunk), parts.begin(chunk)};
                                             value_type least = in[places.least], largest = least;
                                             for (long i = places.least + 1; i < parts.end(chunk); i++) {
                                               value_type value = in[i];
                                               if (less(value, least))
                                                 least = value, places.least = i;
                                               if (less(largest, value))
                                                 largest = value, places.largest = i;
                                             }
                                             found[chunk] = places;
                                           },
                                           stream);
                                       if (error != cudaSuccess)
                                         return error;
                                       return for_each_chunk(
                                           1,
                                           [=] __device__(int) mutable {
                                             extreme_places places = found[0];
                                             value_type least = in[places.least], largest = in[places.largest];
                                             for (int chunk = 1; chunk < parts.count; chunk++) {
                                               value_type low = in[found[chunk].least], high = in[found[chunk].largest];
                                               if (less(low, least))
                                                 least = low, places.least = found[chunk].least;
                                               if (less(largest, high))
                                                 largest = high, places.largest = found[chunk].largest;
                                             }
                                             *result = places;
                                           },
                                           stream);
                                     });
}

template <class Derived, class ItemsIt, class Less>
THRUST_RUNTIME_FUNCTION pair<ItemsIt, ItemsIt> extreme_elements(execution_policy<Derived> &policy, ItemsIt first,
                                                                ItemsIt last, Less less) {
  if (first == last)
    return thrust::make_pair(last, last);
  extreme_places places = extremes(policy, first, long(thrust::distance(first, last)), less);
  return thrust::make_pair(first + places.least, first + places.largest);
}

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class ItemsIt, class BinaryPred>
ItemsIt __host__ __device__ min_element(execution_policy<Derived> &policy, ItemsIt first, ItemsIt last,
                                        BinaryPred binary_pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::extreme_elements(policy, first, last, binary_pred).first,
                         thrust::min_element(cvt_to_seq(derived_cast(policy)), first, last, binary_pred));
}

template <class Derived, class ItemsIt>
ItemsIt __host__ __device__ min_element(execution_policy<Derived> &policy, ItemsIt first, ItemsIt last) {
  return cuda_cub::min_element(policy, first, last, less<typename iterator_value<ItemsIt>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class ItemsIt, class BinaryPred>
ItemsIt __host__ __device__ max_element(execution_policy<Derived> &policy, ItemsIt first, ItemsIt last,
                                        BinaryPred binary_pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::extreme_elements(policy, first, last, binary_pred).second,
                         thrust::max_element(cvt_to_seq(derived_cast(policy)), first, last, binary_pred));
}

template <class Derived, class ItemsIt>
ItemsIt __host__ __device__ max_element(execution_policy<Derived> &policy, ItemsIt first, ItemsIt last) {
  return cuda_cub::max_element(policy, first, last, less<typename iterator_value<ItemsIt>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class ItemsIt, class BinaryPred>
pair<ItemsIt, ItemsIt> __host__ __device__ minmax_element(execution_policy<Derived> &policy, ItemsIt first,
                                                          ItemsIt last, BinaryPred binary_pred) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::extreme_elements(policy, first, last, binary_pred),
                         thrust::minmax_element(cvt_to_seq(derived_cast(policy)), first, last, binary_pred));
}

template <class Derived, class ItemsIt>
pair<ItemsIt, ItemsIt> __host__ __device__ minmax_element(execution_policy<Derived> &policy, ItemsIt first,
                                                          ItemsIt last) {
  return cuda_cub::minmax_element(policy, first, last, less<typename iterator_value<ItemsIt>::type>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
