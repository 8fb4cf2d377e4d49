/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuda::memcpy_async() onto a barrier or a pipeline: the copy is done when the call returns, so that neither waits for
 * anything but the threads' arrivals.
 */
#ifndef __UW_LIBCUXX_COPIES_H__
#define __UW_LIBCUXX_COPIES_H__

#include "unwarp/libcuxx.h"

namespace cuda {
namespace __uw {
/* The part of a copy that one of so many threads makes. Words of four bytes where both addresses allow it. */
__device__ inline void __copy_part(void *__to, const void *__from, ::std::size_t __bytes, ::std::size_t __rank,
                                   ::std::size_t __count) {
  ::std::size_t __words = (((::std::size_t)__to | (::std::size_t)__from) & 3) == 0 ? __bytes / 4 : 0;
  for (::std::size_t __i = __rank; __i < __words; __i += __count)
    __builtin_memcpy((char *)__to + __i * 4, (const char *)__from + __i * 4, 4);
  for (::std::size_t __i = __words * 4 + __rank; __i < __bytes; __i += __count)
    ((char *)__to)[__i] = ((const char *)__from)[__i];
}
template <::std::size_t __Alignment>
__device__ inline void __copy_aligned(void *__to, const void *__from, ::std::size_t __bytes) {
  if (__Alignment >= 16 && __bytes == 16)
    __builtin_memcpy(__builtin_assume_aligned(__to, __Alignment), __builtin_assume_aligned(__from, __Alignment), 16);
  else if (__Alignment >= 8 && __bytes == 8)
    __builtin_memcpy(__builtin_assume_aligned(__to, __Alignment), __builtin_assume_aligned(__from, __Alignment), 8);
  else if (__Alignment >= 4 && __bytes == 4)
    __builtin_memcpy(__builtin_assume_aligned(__to, __Alignment), __builtin_assume_aligned(__from, __Alignment), 4);
  else
    __copy_part(__to, __from, __bytes, 0, 1);
}
} // namespace __uw

/* Onto a barrier or a pipeline: by one thread, then by the threads of a group. */
#define __UW_COPIES(sync_parameters, sync)                                                                             \
  template <sync_parameters>                                                                                           \
  __device__ void memcpy_async(void *__to, const void *__from, ::std::size_t __bytes, sync &) {                        \
    __uw::__copy_part(__to, __from, __bytes, 0, 1);                                                                    \
  }                                                                                                                    \
  template <::std::size_t __Alignment, sync_parameters>                                                                \
  __device__ void memcpy_async(void *__to, const void *__from, aligned_size_t<__Alignment> __bytes, sync &) {          \
    __uw::__copy_aligned<__Alignment>(__to, __from, __bytes.value);                                                    \
  }                                                                                                                    \
  template <typename __Group, sync_parameters>                                                                         \
  __device__ void memcpy_async(const __Group &__group, void *__to, const void *__from, ::std::size_t __bytes,          \
                               sync &) {                                                                               \
    __uw::__copy_part(__to, __from, __bytes, __group.thread_rank(), __group.size());                                   \
  }                                                                                                                    \
  template <typename __Group, ::std::size_t __Alignment, sync_parameters>                                              \
  __device__ void memcpy_async(const __Group &__group, void *__to, const void *__from,                                 \
                               aligned_size_t<__Alignment> __bytes, sync &) {                                          \
    __uw::__copy_part(__to, __from, __bytes.value, __group.thread_rank(), __group.size());                             \
  }

} // namespace cuda

#endif
