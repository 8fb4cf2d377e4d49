/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How Thrust's functions come to the algorithms: temporary storage of the policy's allocator, its stream, errors as
 * exceptions.
 */
#ifndef UNWARP_ALGORITHMS_THRUST_CALL_H
#define UNWARP_ALGORITHMS_THRUST_CALL_H

#include <thrust/detail/config.h>
#include <thrust/detail/cstdint.h>
#include <thrust/detail/raw_reference_cast.h>
#include <thrust/detail/temporary_array.h>
#include <thrust/distance.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/config.h>
#include <thrust/system/cuda/detail/get_value.h>
#include <thrust/system/cuda/detail/par_to_seq.h>
#include <thrust/system/cuda/detail/util.h>
#include <thrust/type_traits/is_contiguous_iterator.h>
#include <unwarp/algorithms/chunks.h>

/* What launches kernels, where that can be done; elsewhere (in a kernel that may not launch any) one thread does all.
 * The first is there in either case, since the kernels are made where it stands. */
#if __THRUST_HAS_CUDART__
#define UNWARP_LAUNCH_OR_ALONE(launch, alone) return launch
#else
#define UNWARP_LAUNCH_OR_ALONE(launch, alone)                                                                          \
  if (__THRUST_HAS_CUDART__)                                                                                           \
    return launch;                                                                                                     \
  else                                                                                                                 \
    return alone
#endif

namespace unwarp {
namespace algorithms {

/* call(storage, bytes), first to ask for the size. */
template <typename Policy, typename Call>
THRUST_RUNTIME_FUNCTION void with_storage(Policy &policy, const char *what, Call call) {
  size_t bytes = 0;
  THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(call((void *)nullptr, bytes), what);
  THRUST_NS_QUALIFIER::detail::temporary_array<THRUST_NS_QUALIFIER::detail::uint8_t, Policy> storage(policy, bytes);
  THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(call((void *)storage.data().get(), bytes), what);
}

/* As with_storage, of an algorithm that leaves a result in device memory: call(storage, bytes, address of the
 * result). */
template <typename Result, typename Policy, typename Call>
THRUST_RUNTIME_FUNCTION Result with_result(Policy &policy, const char *what, Call call) {
  size_t bytes = 0;
  THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(call((void *)nullptr, bytes, (Result *)nullptr), what);
  const size_t in_front = (sizeof(Result) + 255) / 256 * 256;
  THRUST_NS_QUALIFIER::detail::temporary_array<THRUST_NS_QUALIFIER::detail::uint8_t, Policy> storage(policy,
                                                                                                     in_front + bytes);
  char *memory = (char *)storage.data().get();
  Result *place = (Result *)memory;
  THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(call((void *)(memory + in_front), bytes, place), what);
  THRUST_NS_QUALIFIER::cuda_cub::throw_on_error(THRUST_NS_QUALIFIER::cuda_cub::synchronize(policy), what);
  return THRUST_NS_QUALIFIER::cuda_cub::get_value(policy, place);
}

/* Whether writing to `out` may change what is read through `in`: not where both are seen to be memory that lies apart,
 * or the input is no memory at all. */
template <typename Input, typename Output>
__host__ __device__ bool iterators_may_overlap(Input in, Output out, long items) {
  return may_overlap(THRUST_NS_QUALIFIER::detail::try_unwrap_contiguous_iterator(in), items,
                     THRUST_NS_QUALIFIER::detail::try_unwrap_contiguous_iterator(out), items);
}
template <typename Count, typename System, typename Traversal, typename Difference, typename Output>
__host__ __device__ bool
iterators_may_overlap(THRUST_NS_QUALIFIER::counting_iterator<Count, System, Traversal, Difference>, Output, long) {
  return false;
}

} // namespace algorithms
} // namespace unwarp

#endif
