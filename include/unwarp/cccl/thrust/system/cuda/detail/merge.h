/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Merging of sorted sequences.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <thrust/extrema.h>
#include <thrust/merge.h>
#include <unwarp/algorithms/merge_sort.h>
#include <unwarp/algorithms/thrust_call.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

/* take_first(i, place) puts item i of the first sequence to its merged place, take_second those of the second. */
template <class Derived, class KeysIt1, class KeysIt2, class CompareOp, class TakeFirst, class TakeSecond>
THRUST_RUNTIME_FUNCTION void merge_places(execution_policy<Derived> &policy, KeysIt1 keys1, long items1, KeysIt2 keys2,
                                          long items2, CompareOp less, TakeFirst take_first, TakeSecond take_second) {
  using namespace unwarp::algorithms;
  if (items1 + items2 == 0)
    return;
  chunks parts = divide(items1 + items2);
  cuda_cub::throw_on_error(for_each_chunk(
                               parts.count,
                               [=] __device__(int chunk) mutable {
                                 merge_part(keys1, items1, keys2, items2, parts.begin(chunk), parts.end(chunk), less,
                                            take_first, take_second);
                               },
                               cuda_cub::stream(policy)),
                           "merge");
  cuda_cub::throw_on_error(cuda_cub::synchronize_optional(policy), "merge: failed to synchronize");
}

template <class Derived, class KeysIt1, class KeysIt2, class ResultIt, class CompareOp>
THRUST_RUNTIME_FUNCTION ResultIt merge_keys(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                            KeysIt2 keys2_first, KeysIt2 keys2_last, ResultIt result,
                                            CompareOp compare_op) {
  long items1 = long(thrust::distance(keys1_first, keys1_last)),
       items2 = long(thrust::distance(keys2_first, keys2_last));
  merge_places(
      policy, keys1_first, items1, keys2_first, items2, compare_op,
      [=] __device__(long i, long place) mutable { result[place] = keys1_first[i]; },
      [=] __device__(long j, long place) mutable { result[place] = keys2_first[j]; });
  return result + (items1 + items2);
}

template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2, class KeysOutputIt,
          class ItemsOutputIt, class CompareOp>
THRUST_RUNTIME_FUNCTION pair<KeysOutputIt, ItemsOutputIt>
merge_with_items(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last, KeysIt2 keys2_first,
                 KeysIt2 keys2_last, ItemsIt1 items1_first, ItemsIt2 items2_first, KeysOutputIt keys_result,
                 ItemsOutputIt items_result, CompareOp compare_op) {
  long items1 = long(thrust::distance(keys1_first, keys1_last)),
       items2 = long(thrust::distance(keys2_first, keys2_last));
  merge_places(
      policy, keys1_first, items1, keys2_first, items2, compare_op,
      [=] __device__(long i, long place) mutable {
        keys_result[place] = keys1_first[i], items_result[place] = items1_first[i];
      },
      [=] __device__(long j, long place) mutable {
        keys_result[place] = keys2_first[j], items_result[place] = items2_first[j];
      });
  return thrust::make_pair(keys_result + (items1 + items2), items_result + (items1 + items2));
}

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class KeysIt1, class KeysIt2, class ResultIt, class CompareOp>
ResultIt __host__ __device__ merge(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                   KeysIt2 keys2_first, KeysIt2 keys2_last, ResultIt result, CompareOp compare_op) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::merge_keys(policy, keys1_first, keys1_last, keys2_first, keys2_last, result, compare_op),
      thrust::merge(cvt_to_seq(derived_cast(policy)), keys1_first, keys1_last, keys2_first, keys2_last, result,
                    compare_op));
}

template <class Derived, class KeysIt1, class KeysIt2, class ResultIt>
ResultIt __host__ __device__ merge(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                   KeysIt2 keys2_first, KeysIt2 keys2_last, ResultIt result) {
  return cuda_cub::merge(policy, keys1_first, keys1_last, keys2_first, keys2_last, result,
                         less<typename thrust::iterator_value<KeysIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2,
                                        class KeysOutputIt, class ItemsOutputIt, class CompareOp>
pair<KeysOutputIt, ItemsOutputIt>
    __host__ __device__ merge_by_key(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                     KeysIt2 keys2_first, KeysIt2 keys2_last, ItemsIt1 items1_first,
                                     ItemsIt2 items2_first, KeysOutputIt keys_result, ItemsOutputIt items_result,
                                     CompareOp compare_op) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::merge_with_items(policy, keys1_first, keys1_last, keys2_first, keys2_last, items1_first,
                                         items2_first, keys_result, items_result, compare_op),
      thrust::merge_by_key(cvt_to_seq(derived_cast(policy)), keys1_first, keys1_last, keys2_first, keys2_last,
                           items1_first, items2_first, keys_result, items_result, compare_op));
}

template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2, class KeysOutputIt,
          class ItemsOutputIt>
pair<KeysOutputIt, ItemsOutputIt>
    __host__ __device__ merge_by_key(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                     KeysIt2 keys2_first, KeysIt2 keys2_last, ItemsIt1 items1_first,
                                     ItemsIt2 items2_first, KeysOutputIt keys_result, ItemsOutputIt items_result) {
  return cuda_cub::merge_by_key(policy, keys1_first, keys1_last, keys2_first, keys2_last, items1_first, items2_first,
                                keys_result, items_result,
                                thrust::less<typename thrust::iterator_value<KeysIt1>::type>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
