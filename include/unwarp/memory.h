/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads and stores with a cache hint, and questions about an address. (CUDA C++ Programming Guide, "Read-Only Data
 * Cache Load Function", "Load / Store Functions Using Cache Hints", "Address Space Predicate Functions".)
 *
 * A CPU has no such hints: these are plain accesses of any type that the program passes. __ldcv and __stwt promise to
 * reach memory, so they are volatile.
 */
#ifndef UNWARP_MEMORY_H
#define UNWARP_MEMORY_H

template <typename __Type> struct __uw_same {
  typedef __Type type;
};

#define __UW_LOAD(name)                                                                                                \
  template <typename __Type> __UW_DEVICE__ __Type name(const __Type *__address) { return *__address; }
#define __UW_STORE(name)                                                                                               \
  template <typename __Type> __UW_DEVICE__ void name(__Type *__address, typename __uw_same<__Type>::type __value) {    \
    *__address = __value;                                                                                              \
  }
__UW_LOAD(__ldg)
__UW_LOAD(__ldca)
__UW_LOAD(__ldcg)
__UW_LOAD(__ldcs)
__UW_LOAD(__ldlu)
__UW_STORE(__stwb)
__UW_STORE(__stcg)
__UW_STORE(__stcs)
#undef __UW_LOAD
#undef __UW_STORE

template <typename __Type> __UW_DEVICE__ __Type __ldcv(const __Type *__address) {
  if constexpr (__is_scalar(__Type)) {
    return *(const volatile __Type *)__address;
  } else {
    typedef decltype(__builtin_choose_expr(alignof(__Type) % 4 == 0, 0u, (unsigned char)0)) __word;
    __word __words[sizeof(__Type) / sizeof(__word)];
    for (unsigned int __i = 0; __i < sizeof(__Type) / sizeof(__word); ++__i)
      __words[__i] = ((const volatile __word *)__address)[__i];
    __Type __value;
    __builtin_memcpy(&__value, __words, sizeof(__Type));
    return __value;
  }
}
template <typename __Type> __UW_DEVICE__ void __stwt(__Type *__address, typename __uw_same<__Type>::type __value) {
  if constexpr (__is_scalar(__Type)) {
    *(volatile __Type *)__address = __value;
  } else {
    typedef decltype(__builtin_choose_expr(alignof(__Type) % 4 == 0, 0u, (unsigned char)0)) __word;
    __word __words[sizeof(__Type) / sizeof(__word)];
    __builtin_memcpy(__words, &__value, sizeof(__Type));
    for (unsigned int __i = 0; __i < sizeof(__Type) / sizeof(__word); ++__i)
      ((volatile __word *)__address)[__i] = __words[__i];
  }
}

__UW_DEVICE__ __attribute__((const)) unsigned int __isGlobal(const void *__address) {
  return __nvvm_isspacep_global(__address);
}
__UW_DEVICE__ __attribute__((const)) unsigned int __isShared(const void *__address) {
  return __nvvm_isspacep_shared(__address);
}
__UW_DEVICE__ __attribute__((const)) unsigned int __isConstant(const void *__address) {
  return __nvvm_isspacep_const(__address);
}
__UW_DEVICE__ __attribute__((const)) unsigned int __isLocal(const void *__address) {
  return __nvvm_isspacep_local(__address);
}
__UW_DEVICE__ __attribute__((const)) unsigned int __isGridConstant(const void *__address) {
  return __nvvm_isspacep_const(__address);
}

#define __UW_CONVERT_ADDRESS(space, number)                                                                            \
  __UW_DEVICE__ size_t __cvta_generic_to_##space(const void *__address) {                                              \
    return (size_t)(__attribute__((address_space(number))) const void *)__address;                                     \
  }                                                                                                                    \
  __UW_DEVICE__ void *__cvta_##space##_to_generic(size_t __address) {                                                  \
    return (void *)(__attribute__((address_space(number))) void *)__address;                                           \
  }
__UW_CONVERT_ADDRESS(global, 1)
__UW_CONVERT_ADDRESS(shared, 3)
__UW_CONVERT_ADDRESS(constant, 4)
__UW_CONVERT_ADDRESS(local, 5)
__UW_CONVERT_ADDRESS(grid_constant, 4)
#undef __UW_CONVERT_ADDRESS

#endif
