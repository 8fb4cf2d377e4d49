/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * make_TYPE functions of the built-in vector types, for host and device code. (CUDA C++ Programming Guide, "Built-in
 * Vector Types".)
 */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define __UW_MAKE(name, type)                                                                                          \
  static __inline__ __host__ __device__ __attribute__((always_inline, unused)) name##1 make_##name##1(type __x) {      \
    name##1 __vector = {__x};                                                                                          \
    return __vector;                                                                                                   \
  }                                                                                                                    \
  static __inline__ __host__ __device__                                                                                \
      __attribute__((always_inline, unused)) name##2 make_##name##2(type __x, type __y) {                              \
    name##2 __vector = {__x, __y};                                                                                     \
    return __vector;                                                                                                   \
  }                                                                                                                    \
  static __inline__ __host__ __device__                                                                                \
      __attribute__((always_inline, unused)) name##3 make_##name##3(type __x, type __y, type __z) {                    \
    name##3 __vector = {__x, __y, __z};                                                                                \
    return __vector;                                                                                                   \
  }                                                                                                                    \
  static __inline__ __host__ __device__                                                                                \
      __attribute__((always_inline, unused)) name##4 make_##name##4(type __x, type __y, type __z, type __w) {          \
    name##4 __vector = {__x, __y, __z, __w};                                                                           \
    return __vector;                                                                                                   \
  }
__UW_MAKE(char, signed char)
__UW_MAKE(uchar, unsigned char)
__UW_MAKE(short, short)
__UW_MAKE(ushort, unsigned short)
__UW_MAKE(int, int)
__UW_MAKE(uint, unsigned int)
__UW_MAKE(long, long)
__UW_MAKE(ulong, unsigned long)
__UW_MAKE(longlong, long long)
__UW_MAKE(ulonglong, unsigned long long)
__UW_MAKE(float, float)
__UW_MAKE(double, double)
#undef __UW_MAKE

#define __UW_MAKE_FOUR(name, type)                                                                                     \
  static __inline__ __host__ __device__ __attribute__((always_inline, unused)) name make_##name(type __x, type __y,    \
                                                                                                type __z, type __w) {  \
    name __vector = {__x, __y, __z, __w};                                                                              \
    return __vector;                                                                                                   \
  }
#define __UW_MAKE_FOURS(name, type) __UW_MAKE_FOUR(name##4_16a, type) __UW_MAKE_FOUR(name##4_32a, type)
__UW_MAKE_FOURS(long, long)
__UW_MAKE_FOURS(ulong, unsigned long)
__UW_MAKE_FOURS(longlong, long long)
__UW_MAKE_FOURS(ulonglong, unsigned long long)
__UW_MAKE_FOURS(double, double)
#undef __UW_MAKE_FOURS
#undef __UW_MAKE_FOUR

#endif
