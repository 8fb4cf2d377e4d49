/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Set operations on sorted sequences.
 * In the place of Thrust 1.17's file of this name (include/unwarp/cccl/overlay.yaml): the interface is Thrust's, what
 * it does is in include/unwarp/algorithms.
 */
#pragma once

#include <thrust/detail/config.h>

#if THRUST_DEVICE_COMPILER == THRUST_DEVICE_COMPILER_NVCC
#include <thrust/extrema.h>
#include <thrust/set_operations.h>
#include <thrust/system/cuda/detail/execution_policy.h>
#include <unwarp/algorithms/merge_sort.h>
#include <unwarp/algorithms/thrust_call.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace detail {

/* Which items a set operation keeps: of what stands in one sequence alone, and of what stands in both (the first
 * one's). */
struct difference {
  enum { first = 1, second = 0, both = 0 };
};
struct intersection {
  enum { first = 0, second = 0, both = 1 };
};
struct symmetric_difference {
  enum { first = 1, second = 1, both = 0 };
};
struct either {
  enum { first = 1, second = 1, both = 1 };
};

/* Walks both sequences in [begin1, end1) and [begin2, end2). Of m and n equal items the first min(m, n) pairs stand in
 * both. */
template <class Operation, class Keys1, class Keys2, class Less, class TakeFirst, class TakeSecond>
__device__ void walk_sets(Keys1 keys1, long i, long end1, Keys2 keys2, long j, long end2, Less less,
                          TakeFirst take_first, TakeSecond take_second) {
  while (i < end1 && j < end2) {
    if (less(keys1[i], keys2[j])) {
      if (Operation::first)
        take_first(i);
      i++;
    } else if (less(keys2[j], keys1[i])) {
      if (Operation::second)
        take_second(j);
      j++;
    } else {
      if (Operation::both)
        take_first(i);
      i++, j++;
    }
  }
  if (Operation::first)
    for (; i < end1; i++)
      take_first(i);
  if (Operation::second)
    for (; j < end2; j++)
      take_second(j);
}

/* The first position in [0, end) whose item is not less than `key`. */
template <class Keys, class Key, class Less>
__device__ long first_not_less(Keys keys, long end, const Key &key, Less less) {
  long low = 0;
  while (low < end) {
    long middle = (low + end) / 2;
    if (less(keys[middle], key))
      low = middle + 1;
    else
      end = middle;
  }
  return low;
}

struct set_places {
  long first, second, kept;
};

/* write_first(i, place) and write_second(j, place) put what is kept. */
template <class Operation, class Derived, class Keys1, class Keys2, class Less, class WriteFirst, class WriteSecond>
THRUST_RUNTIME_FUNCTION long set_operation(execution_policy<Derived> &policy, Keys1 keys1, long items1, Keys2 keys2,
                                           long items2, Less less, WriteFirst write_first, WriteSecond write_second) {
  using namespace unwarp::algorithms;
  using key1_type = typename iterator_traits<Keys1>::value_type;
  using key2_type = typename iterator_traits<Keys2>::value_type;
  if (items1 + items2 == 0)
    return 0;
  chunks parts = divide(items1 + items2);
  cudaStream_t stream = cuda_cub::stream(policy);
  return with_result<long>(derived_cast(policy), "set operation", [=](void *storage, size_t &bytes, long *count) {
    temporaries<1> memory = {{nullptr}, {(parts.count + 1) * sizeof(set_places)}};
    cudaError_t error = memory.take(storage, bytes);
    if (error != cudaSuccess || memory.asked_only)
      return error;
    set_places *places = (set_places *)memory.part[0];
    /* A part begins in both sequences where an item of the merged sequence stands for the first time. */
    error = for_each_chunk(
        parts.count + 1,
        [=] __device__(int chunk) mutable {
          long i = items1, j = items2;
          if (chunk < parts.count) {
            i = merge_path(keys1, items1, keys2, items2, parts.begin(chunk), less);
            j = parts.begin(chunk) - i;
            if (j >= items2 || (i < items1 && !less(keys2[j], keys1[i]))) {
              key1_type key = keys1[i];
              i = first_not_less(keys1, i, key, less);
              j = first_not_less(keys2, j, key, less);
            } else {
              key2_type key = keys2[j];
              i = first_not_less(keys1, i, key, less);
              j = first_not_less(keys2, j, key, less);
            }
          }
          places[chunk] = {i, j, 0};
        },
        stream);
    if (error == cudaSuccess)
      error = for_each_chunk(
          parts.count,
          [=] __device__(int chunk) mutable {
            long kept = 0;
            walk_sets<Operation>(
                keys1, places[chunk].first, places[chunk + 1].first, keys2, places[chunk].second,
                places[chunk + 1].second, less, [&](long) { kept++; }, [&](long) { kept++; });
            places[chunk].kept = kept;
          },
          stream);
    if (error == cudaSuccess)
      error = for_each_chunk(
          1,
          [=] __device__(int) mutable {
            long sum = 0;
            for (int chunk = 0; chunk < parts.count; chunk++) {
              long own = places[chunk].kept;
              places[chunk].kept = sum;
              sum += own;
            }
            *count = sum;
          },
          stream);
    if (error != cudaSuccess)
      return error;
    return for_each_chunk(
        parts.count,
        [=] __device__(int chunk) mutable {
          long place = places[chunk].kept;
          walk_sets<Operation>(
              keys1, places[chunk].first, places[chunk + 1].first, keys2, places[chunk].second,
              places[chunk + 1].second, less, [&](long i) { write_first(i, place++); },
              [&](long j) { write_second(j, place++); });
        },
        stream);
  });
}

template <class Operation, class Derived, class ItemsIt1, class ItemsIt2, class OutputIt, class Less>
THRUST_RUNTIME_FUNCTION OutputIt set_of_keys(execution_policy<Derived> &policy, ItemsIt1 items1_first,
                                             ItemsIt1 items1_last, ItemsIt2 items2_first, ItemsIt2 items2_last,
                                             OutputIt result, Less less) {
  return result + set_operation<Operation>(
                      policy, items1_first, long(thrust::distance(items1_first, items1_last)), items2_first,
                      long(thrust::distance(items2_first, items2_last)), less,
                      [=] __device__(long i, long place) mutable { result[place] = items1_first[i]; },
                      [=] __device__(long j, long place) mutable { result[place] = items2_first[j]; });
}

template <class Operation, class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2,
          class KeysOutputIt, class ItemsOutputIt, class Less>
THRUST_RUNTIME_FUNCTION pair<KeysOutputIt, ItemsOutputIt>
set_with_items(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last, KeysIt2 keys2_first,
               KeysIt2 keys2_last, ItemsIt1 items1_first, ItemsIt2 items2_first, KeysOutputIt keys_result,
               ItemsOutputIt items_result, Less less) {
  long kept = set_operation<Operation>(
      policy, keys1_first, long(thrust::distance(keys1_first, keys1_last)), keys2_first,
      long(thrust::distance(keys2_first, keys2_last)), less,
      [=] __device__(long i, long place) mutable {
        keys_result[place] = keys1_first[i], items_result[place] = items1_first[i];
      },
      [=] __device__(long j, long place) mutable {
        keys_result[place] = keys2_first[j], items_result[place] = items2_first[j];
      });
  return thrust::make_pair(keys_result + kept, items_result + kept);
}

} // namespace detail

__thrust_exec_check_disable__ template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt, class CompareOp>
OutputIt __host__ __device__ set_difference(execution_policy<Derived> &policy, ItemsIt1 items1_first,
                                            ItemsIt1 items1_last, ItemsIt2 items2_first, ItemsIt2 items2_last,
                                            OutputIt result, CompareOp compare) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::set_of_keys<cuda_cub::detail::difference>(
                             policy, items1_first, items1_last, items2_first, items2_last, result, compare),
                         thrust::set_difference(cvt_to_seq(derived_cast(policy)), items1_first, items1_last,
                                                items2_first, items2_last, result, compare));
}

template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt>
OutputIt __host__ __device__ set_difference(execution_policy<Derived> &policy, ItemsIt1 items1_first,
                                            ItemsIt1 items1_last, ItemsIt2 items2_first, ItemsIt2 items2_last,
                                            OutputIt result) {
  return cuda_cub::set_difference(policy, items1_first, items1_last, items2_first, items2_last, result,
                                  less<typename thrust::iterator_value<ItemsIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt, class CompareOp>
OutputIt __host__ __device__ set_intersection(execution_policy<Derived> &policy, ItemsIt1 items1_first,
                                              ItemsIt1 items1_last, ItemsIt2 items2_first, ItemsIt2 items2_last,
                                              OutputIt result, CompareOp compare) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::set_of_keys<cuda_cub::detail::intersection>(
                             policy, items1_first, items1_last, items2_first, items2_last, result, compare),
                         thrust::set_intersection(cvt_to_seq(derived_cast(policy)), items1_first, items1_last,
                                                  items2_first, items2_last, result, compare));
}

template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt>
OutputIt __host__ __device__ set_intersection(execution_policy<Derived> &policy, ItemsIt1 items1_first,
                                              ItemsIt1 items1_last, ItemsIt2 items2_first, ItemsIt2 items2_last,
                                              OutputIt result) {
  return cuda_cub::set_intersection(policy, items1_first, items1_last, items2_first, items2_last, result,
                                    less<typename thrust::iterator_value<ItemsIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt, class CompareOp>
OutputIt __host__ __device__ set_symmetric_difference(execution_policy<Derived> &policy, ItemsIt1 items1_first,
                                                      ItemsIt1 items1_last, ItemsIt2 items2_first, ItemsIt2 items2_last,
                                                      OutputIt result, CompareOp compare) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::set_of_keys<cuda_cub::detail::symmetric_difference>(
                             policy, items1_first, items1_last, items2_first, items2_last, result, compare),
                         thrust::set_symmetric_difference(cvt_to_seq(derived_cast(policy)), items1_first, items1_last,
                                                          items2_first, items2_last, result, compare));
}

template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt>
OutputIt __host__ __device__ set_symmetric_difference(execution_policy<Derived> &policy, ItemsIt1 items1_first,
                                                      ItemsIt1 items1_last, ItemsIt2 items2_first, ItemsIt2 items2_last,
                                                      OutputIt result) {
  return cuda_cub::set_symmetric_difference(policy, items1_first, items1_last, items2_first, items2_last, result,
                                            less<typename thrust::iterator_value<ItemsIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt, class CompareOp>
OutputIt __host__ __device__ set_union(execution_policy<Derived> &policy, ItemsIt1 items1_first, ItemsIt1 items1_last,
                                       ItemsIt2 items2_first, ItemsIt2 items2_last, OutputIt result,
                                       CompareOp compare) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::set_of_keys<cuda_cub::detail::either>(
                             policy, items1_first, items1_last, items2_first, items2_last, result, compare),
                         thrust::set_union(cvt_to_seq(derived_cast(policy)), items1_first, items1_last, items2_first,
                                           items2_last, result, compare));
}

template <class Derived, class ItemsIt1, class ItemsIt2, class OutputIt>
OutputIt __host__ __device__ set_union(execution_policy<Derived> &policy, ItemsIt1 items1_first, ItemsIt1 items1_last,
                                       ItemsIt2 items2_first, ItemsIt2 items2_last, OutputIt result) {
  return cuda_cub::set_union(policy, items1_first, items1_last, items2_first, items2_last, result,
                             less<typename thrust::iterator_value<ItemsIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2,
                                        class KeysOutputIt, class ItemsOutputIt, class CompareOp>
pair<KeysOutputIt, ItemsOutputIt>
    __host__ __device__ set_difference_by_key(execution_policy<Derived> &policy, KeysIt1 keys1_first,
                                              KeysIt1 keys1_last, KeysIt2 keys2_first, KeysIt2 keys2_last,
                                              ItemsIt1 items1_first, ItemsIt2 items2_first, KeysOutputIt keys_result,
                                              ItemsOutputIt items_result, CompareOp compare_op) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::set_with_items<cuda_cub::detail::difference>(policy, keys1_first, keys1_last, keys2_first,
                                                                     keys2_last, items1_first, items2_first,
                                                                     keys_result, items_result, compare_op),
      thrust::set_difference_by_key(cvt_to_seq(derived_cast(policy)), keys1_first, keys1_last, keys2_first, keys2_last,
                                    items1_first, items2_first, keys_result, items_result, compare_op));
}

template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2, class KeysOutputIt,
          class ItemsOutputIt>
pair<KeysOutputIt, ItemsOutputIt> __host__ __device__ set_difference_by_key(
    execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last, KeysIt2 keys2_first, KeysIt2 keys2_last,
    ItemsIt1 items1_first, ItemsIt2 items2_first, KeysOutputIt keys_result, ItemsOutputIt items_result) {
  return cuda_cub::set_difference_by_key(policy, keys1_first, keys1_last, keys2_first, keys2_last, items1_first,
                                         items2_first, keys_result, items_result,
                                         thrust::less<typename thrust::iterator_value<KeysIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class KeysOutputIt,
                                        class ItemsOutputIt, class CompareOp>
pair<KeysOutputIt, ItemsOutputIt> __host__ __device__ set_intersection_by_key(
    execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last, KeysIt2 keys2_first, KeysIt2 keys2_last,
    ItemsIt1 items1_first, KeysOutputIt keys_result, ItemsOutputIt items_result, CompareOp compare_op) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::set_with_items<cuda_cub::detail::intersection>(policy, keys1_first, keys1_last, keys2_first,
                                                                       keys2_last, items1_first, items1_first,
                                                                       keys_result, items_result, compare_op),
      thrust::set_intersection_by_key(cvt_to_seq(derived_cast(policy)), keys1_first, keys1_last, keys2_first,
                                      keys2_last, items1_first, keys_result, items_result, compare_op));
}

template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class KeysOutputIt, class ItemsOutputIt>
pair<KeysOutputIt, ItemsOutputIt> __host__ __device__ set_intersection_by_key(
    execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last, KeysIt2 keys2_first, KeysIt2 keys2_last,
    ItemsIt1 items1_first, KeysOutputIt keys_result, ItemsOutputIt items_result) {
  return cuda_cub::set_intersection_by_key(policy, keys1_first, keys1_last, keys2_first, keys2_last, items1_first,
                                           keys_result, items_result,
                                           thrust::less<typename thrust::iterator_value<KeysIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2,
                                        class KeysOutputIt, class ItemsOutputIt, class CompareOp>
pair<KeysOutputIt, ItemsOutputIt> __host__ __device__
set_symmetric_difference_by_key(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                KeysIt2 keys2_first, KeysIt2 keys2_last, ItemsIt1 items1_first, ItemsIt2 items2_first,
                                KeysOutputIt keys_result, ItemsOutputIt items_result, CompareOp compare_op) {
  UNWARP_LAUNCH_OR_ALONE(cuda_cub::detail::set_with_items<cuda_cub::detail::symmetric_difference>(
                             policy, keys1_first, keys1_last, keys2_first, keys2_last, items1_first, items2_first,
                             keys_result, items_result, compare_op),
                         thrust::set_symmetric_difference_by_key(cvt_to_seq(derived_cast(policy)), keys1_first,
                                                                 keys1_last, keys2_first, keys2_last, items1_first,
                                                                 items2_first, keys_result, items_result, compare_op));
}

template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2, class KeysOutputIt,
          class ItemsOutputIt>
pair<KeysOutputIt, ItemsOutputIt> __host__ __device__ set_symmetric_difference_by_key(
    execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last, KeysIt2 keys2_first, KeysIt2 keys2_last,
    ItemsIt1 items1_first, ItemsIt2 items2_first, KeysOutputIt keys_result, ItemsOutputIt items_result) {
  return cuda_cub::set_symmetric_difference_by_key(policy, keys1_first, keys1_last, keys2_first, keys2_last,
                                                   items1_first, items2_first, keys_result, items_result,
                                                   thrust::less<typename thrust::iterator_value<KeysIt1>::type>());
}

__thrust_exec_check_disable__ template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2,
                                        class KeysOutputIt, class ItemsOutputIt, class CompareOp>
pair<KeysOutputIt, ItemsOutputIt>
    __host__ __device__ set_union_by_key(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                         KeysIt2 keys2_first, KeysIt2 keys2_last, ItemsIt1 items1_first,
                                         ItemsIt2 items2_first, KeysOutputIt keys_result, ItemsOutputIt items_result,
                                         CompareOp compare_op) {
  UNWARP_LAUNCH_OR_ALONE(
      cuda_cub::detail::set_with_items<cuda_cub::detail::either>(policy, keys1_first, keys1_last, keys2_first,
                                                                 keys2_last, items1_first, items2_first, keys_result,
                                                                 items_result, compare_op),
      thrust::set_union_by_key(cvt_to_seq(derived_cast(policy)), keys1_first, keys1_last, keys2_first, keys2_last,
                               items1_first, items2_first, keys_result, items_result, compare_op));
}

template <class Derived, class KeysIt1, class KeysIt2, class ItemsIt1, class ItemsIt2, class KeysOutputIt,
          class ItemsOutputIt>
pair<KeysOutputIt, ItemsOutputIt>
    __host__ __device__ set_union_by_key(execution_policy<Derived> &policy, KeysIt1 keys1_first, KeysIt1 keys1_last,
                                         KeysIt2 keys2_first, KeysIt2 keys2_last, ItemsIt1 items1_first,
                                         ItemsIt2 items2_first, KeysOutputIt keys_result, ItemsOutputIt items_result) {
  return cuda_cub::set_union_by_key(policy, keys1_first, keys1_last, keys2_first, keys2_last, items1_first,
                                    items2_first, keys_result, items_result,
                                    thrust::less<typename thrust::iterator_value<KeysIt1>::type>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
