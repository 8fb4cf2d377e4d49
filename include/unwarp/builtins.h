/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a running kernel may ask for or do besides arithmetic: its position in the grid, barriers of the block, fences,
 * clocks, trap, assert, printf, memory. (CUDA C++ Programming Guide, "C++ Language Extensions".)
 *
 * The built-in variables have no storage: each field is a property whose getter reads the special register. They can
 * be copied (`auto t = threadIdx;`), since a copy reads the same registers.
 */
#ifndef UNWARP_BUILTINS_H
#define UNWARP_BUILTINS_H

#include <assert.h>
#include <stddef.h>
#include <time.h>

#include "vector_types.h"

#define __UW_DEVICE_TWIN__ static __inline__ __attribute__((device, always_inline, unused)) /* the host has one, too */
/* In the device pass host functions may call it: there nvcc does not ask whose functions a body calls that macros chose
 * by __CUDA_ARCH__. The host pass does. */
#ifdef __CUDA_ARCH__
/* The driver puts these where they are needed in the program's own functions. What is not inline would be emitted. */
#define __UW_HOST_TOO __attribute__((host))
#define __UW_DEVICE_TOO __attribute__((host, device)) inline
#define __UW_CONSTANT(name, ...) static constexpr auto name = __uw_as_double(__VA_ARGS__);
#define __UW_DOUBLE(device, ...) device
#define __UW_DEVICE__ static __inline__ __attribute__((host, device, always_inline, unused))
#else
#define __UW_HOST_TOO
#define __UW_DEVICE_TOO
#define __UW_CONSTANT(name, ...)
#define __UW_DOUBLE(device, ...) __VA_ARGS__
#define __UW_DEVICE__ __UW_DEVICE_TWIN__
#endif
#define __UW_HOST__ static __inline__ __attribute__((host, always_inline, unused))
#define __UW_BOTH__ static __inline__ __attribute__((host, device, always_inline, unused))

#define __UW_PROPERTY(field, read)                                                                                     \
  __declspec(property(get = __get_##field)) unsigned int field;                                                        \
  static __inline__ __attribute__((device, always_inline)) unsigned int __get_##field() { return read(); }

#define __UW_INDEX_TYPE(type, sreg)                                                                                    \
  struct type {                                                                                                        \
    __UW_PROPERTY(x, __nvvm_read_ptx_sreg_##sreg##_x)                                                                  \
    __UW_PROPERTY(y, __nvvm_read_ptx_sreg_##sreg##_y)                                                                  \
    __UW_PROPERTY(z, __nvvm_read_ptx_sreg_##sreg##_z)                                                                  \
    __attribute__((device, always_inline)) operator uint3() const { return uint3{x, y, z}; }                           \
    __attribute__((device, always_inline)) operator dim3() const { return dim3(x, y, z); }                             \
  };

__UW_INDEX_TYPE(__uw_thread_index, tid)
__UW_INDEX_TYPE(__uw_block_index, ctaid)
__UW_INDEX_TYPE(__uw_block_extent, ntid)
__UW_INDEX_TYPE(__uw_grid_extent, nctaid)
#undef __UW_INDEX_TYPE
#undef __UW_PROPERTY

extern const __attribute__((device, weak)) __uw_thread_index threadIdx;
extern const __attribute__((device, weak)) __uw_block_index blockIdx;
extern const __attribute__((device, weak)) __uw_block_extent blockDim;
extern const __attribute__((device, weak)) __uw_grid_extent gridDim;
static __attribute__((device, unused)) constexpr int warpSize = 32;

/* Barriers of the block; __syncthreads() itself is built into the compiler. */
__UW_DEVICE__ int __syncthreads_count(int __predicate) { return __nvvm_bar0_popc(__predicate); }
__UW_DEVICE__ int __syncthreads_and(int __predicate) { return __nvvm_bar0_and(__predicate); }
__UW_DEVICE__ int __syncthreads_or(int __predicate) { return __nvvm_bar0_or(__predicate); }
__UW_DEVICE__ void __barrier_sync(unsigned int __id) { __nvvm_barrier_sync(__id); }
__UW_DEVICE__ void __barrier_sync_count(unsigned int __id, unsigned int __count) {
  __nvvm_barrier_sync_cnt(__id, __count);
}

__UW_DEVICE__ void __threadfence() { __nvvm_membar_gl(); }
__UW_DEVICE__ void __threadfence_block() { __nvvm_membar_cta(); }
__UW_DEVICE__ void __threadfence_system() { __nvvm_membar_sys(); }

extern "C" {
__attribute__((device, nothrow)) unsigned long long uwrt_clock64(void);

__attribute__((device)) int vprintf(const char *, const char *);
__attribute__((device)) int printf(const char *, ...) __attribute__((format(printf, 1, 2)));
__attribute__((device, nothrow)) void *malloc(size_t) __attribute__((malloc));
__attribute__((device, nothrow)) void free(void *);

/* Not noreturn: the compiler ends the calling thread after the call. */
__attribute__((device)) void __assertfail(const char *__expression, const char *__file, unsigned int __line,
                                          const char *__function, size_t __char_size);
}
/* A function apart from the C library's, and from one for both sides that a program declares, as libcu++ does with NDEBUG.
 * Device code takes this one, by enable_if; in the host pass, what is for both sides takes any other first. */
#ifdef __CUDA_ARCH__
#define __UW_APART static __inline__ __attribute__((device, always_inline, unused, enable_if(true, "in device code")))
#else
#define __UW_APART template <int = 0> static __inline__ __attribute__((device, always_inline, unused))
#endif
__UW_APART void __assert_fail(const char *__expression, const char *__file, unsigned int __line,
                              const char *__function) {
  __assertfail(__expression, __file, __line, __function, 1);
}
#undef __UW_APART

__UW_DEVICE_TWIN__ clock_t clock() { return (clock_t)uwrt_clock64(); }
__UW_DEVICE__ long long int clock64() { return (long long int)uwrt_clock64(); }
__UW_DEVICE__ void __nanosleep(unsigned int __time) { __nvvm_nanosleep(__time); } /* lets other blocks run */
__UW_DEVICE__ __attribute__((noreturn)) void __trap() { __builtin_trap(); }
__UW_DEVICE__ void __brkpt() { __builtin_trap(); } /* without a debugger a breakpoint ends the kernel */
__UW_DEVICE__ void __brkpt(int) { __builtin_trap(); }
#define __prof_trigger(counter) ((void)(counter))

__UW_DEVICE_TWIN__ void *memcpy(void *__to, const void *__from, size_t __bytes) {
  return __builtin_memcpy(__to, __from, __bytes);
}
__UW_DEVICE_TWIN__ void *memmove(void *__to, const void *__from, size_t __bytes) {
  return __builtin_memmove(__to, __from, __bytes);
}
__UW_DEVICE_TWIN__ void *memset(void *__to, int __byte, size_t __bytes) {
  return __builtin_memset(__to, __byte, __bytes);
}
__UW_DEVICE_TWIN__ int memcmp(const void *__left, const void *__right, size_t __bytes) {
  const unsigned char *__l = (const unsigned char *)__left, *__r = (const unsigned char *)__right;
  for (size_t __i = 0; __i < __bytes; ++__i)
    if (__l[__i] != __r[__i])
      return __l[__i] < __r[__i] ? -1 : 1;
  return 0;
}

namespace std {
__UW_DEVICE__ void *malloc(size_t __bytes) { return ::malloc(__bytes); }
__UW_DEVICE__ void free(void *__pointer) { ::free(__pointer); }
} // namespace std

/* clang's wrapper of <new> defines the operators for device code, once malloc and __device__ are there. */
#include <new>

#endif
