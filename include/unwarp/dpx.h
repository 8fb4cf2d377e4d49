/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The smallest or largest of two or three integers or sums, for dynamic programming. (CUDA Math API, "SIMD Intrinsics";
 * CUDA C++ Programming Guide, "DPX".)
 *
 * Each is written once for one integer and made for s32, u32 and, lane by lane, s16x2 and u16x2. A sum wraps around in
 * the width of its lane; relu is a floor of 0, which only the signed forms have.
 */
#ifndef UNWARP_DPX_H
#define UNWARP_DPX_H

#define __UW_DPX_1(name, word, type, first, relu)                                                                      \
  __UW_BOTH__ word name(word __a, word __b, word __c) {                                                                \
    type __value = first, __third = __c;                                                                               \
    __value = __UW_DPX_BETTER(__value, __third);                                                                       \
    return relu && __value < 0 ? 0 : __value;                                                                          \
  }
#define __UW_DPX_2(name, one)                                                                                          \
  __UW_BOTH__ unsigned int name(unsigned int __a, unsigned int __b, unsigned int __c) {                                \
    return ((unsigned int)one(__a >> 16, __b >> 16, __c >> 16) << 16) | (one(__a, __b, __c) & 0xffffu);                \
  }
/* Three operands: the pick of a and b, or their sum, against c. */
// clang-format off
#define __UW_DPX_3(name, first)                                                                                        \
  __UW_DPX_1(name##_s32, int, int, first(int), 0)                                                                      \
  __UW_DPX_1(name##_s32_relu, int, int, first(int), 1)                                                                 \
  __UW_DPX_1(name##_u32, unsigned int, unsigned int, first(unsigned int), 0)                                           \
  __UW_DPX_1(__uw##name##_s16, unsigned int, short, first(short), 0)                                                   \
  __UW_DPX_1(__uw##name##_s16_relu, unsigned int, short, first(short), 1)                                              \
  __UW_DPX_1(__uw##name##_u16, unsigned int, unsigned short, first(unsigned short), 0)                                 \
  __UW_DPX_2(name##_s16x2, __uw##name##_s16)                                                                           \
  __UW_DPX_2(name##_s16x2_relu, __uw##name##_s16_relu)                                                                 \
  __UW_DPX_2(name##_u16x2, __uw##name##_u16)
// clang-format on
#define __UW_DPX_PICK(type) (__UW_DPX_BETTER((type)__a, (type)__b))
#define __UW_DPX_SUM(type) ((type)((unsigned int)__a + (unsigned int)__b))
/* Two operands with relu: a third that is the second again changes nothing. */
#define __UW_DPX_RELU(name, three)                                                                                     \
  __UW_BOTH__ int name##_s32_relu(int __a, int __b) { return three##_s32_relu(__a, __b, __b); }                        \
  __UW_BOTH__ unsigned int name##_s16x2_relu(unsigned int __a, unsigned int __b) {                                     \
    return three##_s16x2_relu(__a, __b, __b);                                                                          \
  }
/* Two operands, and whether the first was taken (which it is of equals). */
#define __UW_DPX_TOLD(name, three, symbol, suffix, type, lane)                                                         \
  __UW_BOTH__ type name##_##suffix##32(type __a, type __b, bool *__first) {                                            \
    *__first = __a symbol __b;                                                                                         \
    return three##_##suffix##32(__a, __b, __b);                                                                        \
  }                                                                                                                    \
  __UW_BOTH__ unsigned int name##_##suffix##16x2(unsigned int __a, unsigned int __b, bool *__first_high,               \
                                                 bool *__first_low) {                                                  \
    *__first_high = (lane)(__a >> 16) symbol(lane)(__b >> 16);                                                         \
    *__first_low = (lane)__a symbol(lane) __b;                                                                         \
    return three##_##suffix##16x2(__a, __b, __b);                                                                      \
  }

#define __UW_DPX_BETTER(left, right) ((left) < (right) ? (right) : (left))
__UW_DPX_3(__vimax3, __UW_DPX_PICK)
__UW_DPX_3(__viaddmax, __UW_DPX_SUM)
#undef __UW_DPX_BETTER
#define __UW_DPX_BETTER(left, right) ((right) < (left) ? (right) : (left))
__UW_DPX_3(__vimin3, __UW_DPX_PICK)
__UW_DPX_3(__viaddmin, __UW_DPX_SUM)
#undef __UW_DPX_BETTER
__UW_DPX_RELU(__vimax, __vimax3)
__UW_DPX_RELU(__vimin, __vimin3)
__UW_DPX_TOLD(__vibmax, __vimax3, >=, s, int, short)
__UW_DPX_TOLD(__vibmax, __vimax3, >=, u, unsigned int, unsigned short)
__UW_DPX_TOLD(__vibmin, __vimin3, <=, s, int, short)
__UW_DPX_TOLD(__vibmin, __vimin3, <=, u, unsigned int, unsigned short)

#undef __UW_DPX_TOLD
#undef __UW_DPX_RELU
#undef __UW_DPX_SUM
#undef __UW_DPX_PICK
#undef __UW_DPX_3
#undef __UW_DPX_2
#undef __UW_DPX_1

#endif
