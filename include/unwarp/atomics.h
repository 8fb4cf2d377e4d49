/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Atomic functions. (CUDA C++ Programming Guide, "Atomic Functions".)
 *
 * All of them are LLVM's own atomicrmw and cmpxchg, relaxed as CUDA says, so that the compiler may treat them like any
 * memory operation: plain ones where no other worker can see the address. The _block and _system forms are the same
 * instructions; their scope is only a promise of the program, which the checker is told.
 *
 * For the types that CUDA's headers have and no others: programs write what is missing there themselves, as those of
 * unsigned long (uint64_t).
 */
#ifndef UNWARP_ATOMICS_H
#define UNWARP_ATOMICS_H

#include "scopes.h"

#define __UW_ATOMIC_SCOPES(define, ...)                                                                                \
  define(, __MEMORY_SCOPE_DEVICE, __VA_ARGS__) define(_block, __MEMORY_SCOPE_WRKGRP, __VA_ARGS__)                      \
      define(_system, __MEMORY_SCOPE_SYSTEM, __VA_ARGS__)

#define __UW_ATOMIC_RMW(suffix, scope, name, operation, type)                                                          \
  __UW_DEVICE__ type name##suffix(type *__address, type __value) {                                                     \
    __UW_NOTE_SCOPE(scope);                                                                                            \
    return __scoped_atomic_##operation(__address, __value, __ATOMIC_RELAXED, scope);                                   \
  }
#define __UW_ATOMIC(name, operation, type) __UW_ATOMIC_SCOPES(__UW_ATOMIC_RMW, name, operation, type)

__UW_ATOMIC(atomicAdd, fetch_add, int)
__UW_ATOMIC(atomicAdd, fetch_add, unsigned int)
__UW_ATOMIC(atomicAdd, fetch_add, unsigned long long)
__UW_ATOMIC(atomicAdd, fetch_add, float)
__UW_ATOMIC_RMW(_block, __MEMORY_SCOPE_WRKGRP, atomicAdd, fetch_add, double)
__UW_ATOMIC_RMW(_system, __MEMORY_SCOPE_SYSTEM, atomicAdd, fetch_add, double)
/* Programs bring their own for devices that lacked it; a plain function is preferred to this one. */
template <int = 0>
__UW_ATOMIC_RMW(, __MEMORY_SCOPE_DEVICE, atomicAdd, fetch_add, double)
__UW_ATOMIC(atomicSub, fetch_sub, int) __UW_ATOMIC(atomicSub, fetch_sub, unsigned int)
    __UW_ATOMIC(atomicExch, exchange_n, int) __UW_ATOMIC(atomicExch, exchange_n, unsigned int)
        __UW_ATOMIC(atomicExch, exchange_n, unsigned long long)

// clang-format off
#define __UW_ATOMIC_INTEGERS(name, operation)                                                                          \
  __UW_ATOMIC(name, operation, int)                                                                                    \
  __UW_ATOMIC(name, operation, unsigned int)                                                                           \
  __UW_ATOMIC(name, operation, long long)                                                                              \
  __UW_ATOMIC(name, operation, unsigned long long)
    // clang-format on
    __UW_ATOMIC_INTEGERS(atomicMin, fetch_min) __UW_ATOMIC_INTEGERS(atomicMax, fetch_max)
        __UW_ATOMIC_INTEGERS(atomicAnd, fetch_and) __UW_ATOMIC_INTEGERS(atomicOr, fetch_or)
            __UW_ATOMIC_INTEGERS(atomicXor, fetch_xor)

                __UW_ATOMIC(atomicInc, fetch_uinc, unsigned int) __UW_ATOMIC(atomicDec, fetch_udec, unsigned int)

#define __UW_ATOMIC_EXCHANGE_BITS(suffix, scope, type, bits)                                                           \
  __UW_DEVICE__ type atomicExch##suffix(type *__address, type __value) {                                               \
    bits __new_bits, __old_bits;                                                                                       \
    __builtin_memcpy(&__new_bits, &__value, sizeof(bits));                                                             \
    __UW_NOTE_SCOPE(scope);                                                                                            \
    __old_bits = __scoped_atomic_exchange_n((bits *)__address, __new_bits, __ATOMIC_RELAXED, scope);                   \
    __builtin_memcpy(&__value, &__old_bits, sizeof(bits));                                                             \
    return __value;                                                                                                    \
  }
                    __UW_ATOMIC_SCOPES(__UW_ATOMIC_EXCHANGE_BITS, float, unsigned int)

#define __UW_ATOMIC_CAS(suffix, scope, type)                                                                           \
  __UW_DEVICE__ type atomicCAS##suffix(type *__address, type __compare, type __value) {                                \
    __UW_NOTE_SCOPE(scope);                                                                                            \
    __scoped_atomic_compare_exchange_n(__address, &__compare, __value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,      \
                                       scope);                                                                         \
    return __compare;                                                                                                  \
  }
                            __UW_ATOMIC_SCOPES(__UW_ATOMIC_CAS, int) __UW_ATOMIC_SCOPES(__UW_ATOMIC_CAS, unsigned int)
                                    __UW_ATOMIC_SCOPES(__UW_ATOMIC_CAS, unsigned long long)
                                        __UW_ATOMIC_SCOPES(__UW_ATOMIC_CAS, unsigned short)

#undef __UW_ATOMIC_CAS
#undef __UW_ATOMIC_EXCHANGE_BITS
#undef __UW_ATOMIC_INTEGERS
#undef __UW_ATOMIC

/* The vector forms are atomic element by element. */
#define __UW_ATOMIC_VECTOR_ADD(suffix, scope)                                                                          \
  __UW_DEVICE__ float2 atomicAdd##suffix(float2 *__address, float2 __value) {                                          \
    __value.x = atomicAdd##suffix(&__address->x, __value.x);                                                           \
    __value.y = atomicAdd##suffix(&__address->y, __value.y);                                                           \
    return __value;                                                                                                    \
  }                                                                                                                    \
  __UW_DEVICE__ float4 atomicAdd##suffix(float4 *__address, float4 __value) {                                          \
    __value.x = atomicAdd##suffix(&__address->x, __value.x);                                                           \
    __value.y = atomicAdd##suffix(&__address->y, __value.y);                                                           \
    __value.z = atomicAdd##suffix(&__address->z, __value.z);                                                           \
    __value.w = atomicAdd##suffix(&__address->w, __value.w);                                                           \
    return __value;                                                                                                    \
  }
    // clang-format off
__UW_ATOMIC_VECTOR_ADD(, __MEMORY_SCOPE_DEVICE)
__UW_ATOMIC_VECTOR_ADD(_block, __MEMORY_SCOPE_WRKGRP)
__UW_ATOMIC_VECTOR_ADD(_system, __MEMORY_SCOPE_SYSTEM)
// clang-format on
#undef __UW_ATOMIC_VECTOR_ADD

    /* Any type of 16 bytes, aligned so. */
    template <typename __Type, bool = sizeof(__Type) == 16 && alignof(__Type) >= 16 && __is_trivially_copyable(__Type)>
    struct __uw_if_16_bytes {
};
template <typename __Type> struct __uw_if_16_bytes<__Type, true> {
  typedef __Type type;
};
#define __UW_ATOMIC_16(suffix, scope)                                                                                  \
  template <typename __Type>                                                                                           \
  __UW_DEVICE__ typename __uw_if_16_bytes<__Type>::type atomicExch##suffix(__Type *__address, __Type __value) {        \
    __Type __old;                                                                                                      \
    __UW_NOTE_SCOPE(scope);                                                                                            \
    __scoped_atomic_exchange(__address, &__value, &__old, __ATOMIC_RELAXED, scope);                                    \
    return __old;                                                                                                      \
  }                                                                                                                    \
  template <typename __Type>                                                                                           \
  __UW_DEVICE__ typename __uw_if_16_bytes<__Type>::type atomicCAS##suffix(__Type *__address, __Type __compare,         \
                                                                          __Type __value) {                            \
    __UW_NOTE_SCOPE(scope);                                                                                            \
    __scoped_atomic_compare_exchange(__address, &__compare, &__value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,       \
                                     scope);                                                                           \
    return __compare;                                                                                                  \
  }
__UW_ATOMIC_16(, __MEMORY_SCOPE_DEVICE)
__UW_ATOMIC_16(_block, __MEMORY_SCOPE_WRKGRP)
__UW_ATOMIC_16(_system, __MEMORY_SCOPE_SYSTEM)
#undef __UW_ATOMIC_16

/* The __nv_atomic_* functions, which take an order and (optionally) a scope. Macros, so that the order reaches the
 * instruction as a constant. ("Atomic Functions", part "__nv_atomic".) */
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD __MEMORY_SCOPE_SINGLE
#define __NV_THREAD_SCOPE_BLOCK __MEMORY_SCOPE_WRKGRP
#define __NV_THREAD_SCOPE_CLUSTER __MEMORY_SCOPE_CLUSTR
#define __NV_THREAD_SCOPE_DEVICE __MEMORY_SCOPE_DEVICE
#define __NV_THREAD_SCOPE_SYSTEM __MEMORY_SCOPE_SYSTEM
#define __UW_ORDER_SCOPE(order, scope, ...) order, scope
#define __UW_WITH_SCOPE(...) __UW_ORDER_SCOPE(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __UW_ORDERS_SCOPE(success, failure, scope, ...) success, failure, scope
#define __UW_WITH_SCOPE2(...) __UW_ORDERS_SCOPE(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __UW_THE_SCOPE(order, scope, ...) scope
#define __UW_SCOPE_OF(...) __UW_THE_SCOPE(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __UW_THE_SCOPE2(success, failure, scope, ...) scope
#define __UW_SCOPE_OF2(...) __UW_THE_SCOPE2(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM, )
#define __nv_atomic_load_n(address, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_load_n(address, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_load(address, result, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_load(address, result, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_store_n(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_store_n(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_store(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_store(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_exchange_n(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_exchange_n(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_exchange(address, value, result, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_exchange(address, value, result, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_compare_exchange_n(address, expected, desired, weak, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF2(__VA_ARGS__)), __scoped_atomic_compare_exchange_n(address, expected, desired, weak, __UW_WITH_SCOPE2(__VA_ARGS__)))
#define __nv_atomic_compare_exchange(address, expected, desired, weak, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF2(__VA_ARGS__)), __scoped_atomic_compare_exchange(address, expected, desired, weak, __UW_WITH_SCOPE2(__VA_ARGS__)))
#define __nv_atomic_fetch_add(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_fetch_add(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_fetch_sub(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_fetch_sub(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_fetch_and(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_fetch_and(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_fetch_or(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_fetch_or(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_fetch_xor(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_fetch_xor(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_fetch_min(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_fetch_min(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_fetch_max(address, value, ...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_fetch_max(address, value, __UW_WITH_SCOPE(__VA_ARGS__)))
#define __nv_atomic_add(...) ((void)__nv_atomic_fetch_add(__VA_ARGS__))
#define __nv_atomic_sub(...) ((void)__nv_atomic_fetch_sub(__VA_ARGS__))
#define __nv_atomic_and(...) ((void)__nv_atomic_fetch_and(__VA_ARGS__))
#define __nv_atomic_or(...) ((void)__nv_atomic_fetch_or(__VA_ARGS__))
#define __nv_atomic_xor(...) ((void)__nv_atomic_fetch_xor(__VA_ARGS__))
#define __nv_atomic_min(...) ((void)__nv_atomic_fetch_min(__VA_ARGS__))
#define __nv_atomic_max(...) ((void)__nv_atomic_fetch_max(__VA_ARGS__))
#define __nv_atomic_thread_fence(...) \
  (__UW_NOTE_SCOPE(__UW_SCOPE_OF(__VA_ARGS__)), __scoped_atomic_thread_fence(__UW_WITH_SCOPE(__VA_ARGS__)))

#endif
