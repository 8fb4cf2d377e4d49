/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The pipeline primitives as a class, by the name that CUDA 11 gave it. A copy is done when its call returns.
 */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__) && defined(__cplusplus)

namespace nvcuda {
namespace experimental {

template <size_t __Count, typename __Type> __UW_DEVICE__ auto segment(__Type *__from) -> __Type (*)[__Count] {
  return (__Type(*)[__Count])__from;
}

class pipeline {
  size_t __batches;

public:
  __attribute__((device)) pipeline() : __batches(0) {}
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __attribute__((device)) size_t commit() { return __batches++; }
  __attribute__((device)) void commit_and_wait() { commit(); }
  __attribute__((device)) void wait(size_t) {}
  template <unsigned int __Batches> __attribute__((device)) void wait_prior() {}
  /* The barrier expects one arrival more, and gets it once the copies are done. */
  __attribute__((device)) void arrive_on(awbarrier &) {}
};

template <typename __Type> __UW_DEVICE__ void memcpy_async(__Type &__to, const __Type &__from, pipeline &) {
  __to = __from;
}
/* What the source does not fill becomes zero. */
template <typename __Type, size_t __To, size_t __From>
__UW_DEVICE__ void memcpy_async(__Type (*__to)[__To], const __Type (*__from)[__From], pipeline &) {
  static_assert(sizeof(*__to) == 4 || sizeof(*__to) == 8 || sizeof(*__to) == 16, "a copy has 4, 8 or 16 bytes");
  static_assert(__From <= __To, "the source is not larger than the destination");
  __pipeline_memcpy_async(*__to, *__from, sizeof(*__to), sizeof(*__to) - sizeof(*__from));
}

} // namespace experimental
} // namespace nvcuda

#endif
#endif
