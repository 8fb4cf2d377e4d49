/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C++ forms of the batches (CUDA Runtime API, "C++ API Routines"): typed pointers, one attribute or place for all of a
 * batch, and CUDA 13's copies under CUDA 12, where they have another name (batch_api.h).
 */
#ifndef UNWARP_BATCH_OVERLOADS_H
#define UNWARP_BATCH_OVERLOADS_H

#if UNWARP_CUDA_VERSION < 13000
static inline cudaError_t cudaMemcpyBatchAsync(void *const *__to, const void *const *__from, const size_t *__sizes,
                                               size_t __count, struct cudaMemcpyAttributes *__attributes,
                                               size_t *__starts, size_t __attribute_count, cudaStream_t __stream) {
  return ::cudaMemcpyBatchAsync_v2(__to, __from, __sizes, __count, __attributes, __starts, __attribute_count, __stream);
}
static inline cudaError_t cudaMemcpy3DBatchAsync(size_t __count, struct cudaMemcpy3DBatchOp *__list,
                                                 unsigned long long __flags, cudaStream_t __stream) {
  return ::cudaMemcpy3DBatchAsync_v2(__count, __list, __flags, __stream);
}
template <class __To, class __From>
static inline cudaError_t cudaMemcpyBatchAsync(__To **__to, __From **__from, size_t *__sizes, size_t __count,
                                               struct cudaMemcpyAttributes *__attributes, size_t *__starts,
                                               size_t __attribute_count, size_t *__failed, cudaStream_t __stream) {
  return ::cudaMemcpyBatchAsync((void **)__to, (void **)__from, __sizes, __count, __attributes, __starts,
                                __attribute_count, __failed, __stream);
}
template <class __To, class __From>
static inline cudaError_t cudaMemcpyBatchAsync(__To **__to, __From **__from, size_t *__sizes, size_t __count,
                                               struct cudaMemcpyAttributes __attributes, size_t *__failed,
                                               cudaStream_t __stream) {
  size_t __start = 0;
  return ::cudaMemcpyBatchAsync((void **)__to, (void **)__from, __sizes, __count, &__attributes, &__start, 1, __failed,
                                __stream);
}
#endif
template <class __To, class __From>
static inline cudaError_t cudaMemcpyBatchAsync(__To *const *__to, const __From *const *__from, const size_t *__sizes,
                                               size_t __count, struct cudaMemcpyAttributes *__attributes,
                                               size_t *__starts, size_t __attribute_count, cudaStream_t __stream) {
  return ::cudaMemcpyBatchAsync_v2((void *const *)__to, (const void *const *)__from, __sizes, __count, __attributes,
                                   __starts, __attribute_count, __stream);
}
template <class __To, class __From>
static inline cudaError_t cudaMemcpyBatchAsync(__To *const *__to, const __From *const *__from, const size_t *__sizes,
                                               size_t __count, struct cudaMemcpyAttributes __attributes,
                                               cudaStream_t __stream) {
  size_t __start = 0;
  return ::cudaMemcpyBatchAsync_v2((void *const *)__to, (const void *const *)__from, __sizes, __count, &__attributes,
                                   &__start, 1, __stream);
}

#define UNWARP_PLACED_BATCH(name)                                                                                      \
  template <class __Type>                                                                                              \
  static inline cudaError_t name(__Type **__pointers, size_t *__sizes, size_t __count,                                 \
                                 struct cudaMemLocation *__places, size_t *__starts, size_t __place_count,             \
                                 unsigned long long __flags, cudaStream_t __stream) {                                  \
    return ::name((void **)__pointers, __sizes, __count, __places, __starts, __place_count, __flags, __stream);        \
  }                                                                                                                    \
  template <class __Type>                                                                                              \
  static inline cudaError_t name(__Type **__pointers, size_t *__sizes, size_t __count, struct cudaMemLocation __place, \
                                 unsigned long long __flags, cudaStream_t __stream) {                                  \
    size_t __start = 0;                                                                                                \
    return ::name((void **)__pointers, __sizes, __count, &__place, &__start, 1, __flags, __stream);                    \
  }
UNWARP_PLACED_BATCH(cudaMemPrefetchBatchAsync)
UNWARP_PLACED_BATCH(cudaMemDiscardAndPrefetchBatchAsync)
#undef UNWARP_PLACED_BATCH
template <class __Type>
static inline cudaError_t cudaMemDiscardBatchAsync(__Type **__pointers, size_t *__sizes, size_t __count,
                                                   unsigned long long __flags, cudaStream_t __stream) {
  return ::cudaMemDiscardBatchAsync((void **)__pointers, __sizes, __count, __flags, __stream);
}

#endif
