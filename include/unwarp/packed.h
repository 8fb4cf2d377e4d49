/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two 16-bit or four 8-bit integers in one word. (CUDA Math API, "SIMD Intrinsics".)
 *
 * Each function is written once, for one lane in int, and made for both widths; s in a name is signed, u unsigned, a
 * second s saturation.
 */
#ifndef UNWARP_PACKED_H
#define UNWARP_PACKED_H

#define __UW_PACKED_WIDTH(name, bits, lane_type, least, most, expression)                                              \
  __UW_DEVICE__ unsigned int name(unsigned int __left, unsigned int __right) {                                         \
    unsigned int __result = 0;                                                                                         \
    for (int __shift = 0; __shift < 32; __shift += bits) {                                                             \
      const int __min = least, __max = most;                                                                           \
      int __l = (lane_type)(__left >> __shift), __r = (lane_type)(__right >> __shift);                                 \
      (void)__min, (void)__max, (void)__r;                                                                             \
      __result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << __shift;                                        \
    }                                                                                                                  \
    return __result;                                                                                                   \
  }
#define __UW_PACKED_SIGNED(name, expression)                                                                           \
  __UW_PACKED_WIDTH(name##2, 16, short, -0x8000, 0x7fff, expression)                                                   \
  __UW_PACKED_WIDTH(name##4, 8, signed char, -0x80, 0x7f, expression)
#define __UW_PACKED_UNSIGNED(name, expression)                                                                         \
  __UW_PACKED_WIDTH(name##2, 16, unsigned short, 0, 0xffff, expression)                                                \
  __UW_PACKED_WIDTH(name##4, 8, unsigned char, 0, 0xff, expression)
#define __UW_PACKED_UNARY(name, binary)                                                                                \
  __UW_DEVICE__ unsigned int name##2(unsigned int __value) { return binary##2(__value, 0); }                           \
  __UW_DEVICE__ unsigned int name##4(unsigned int __value) { return binary##4(__value, 0); }
#define __UW_CLAMPED(value) ((value) < __min ? __min : (value) > __max ? __max : (value))

__UW_PACKED_UNSIGNED(__vadd, __l + __r)
__UW_PACKED_UNSIGNED(__vsub, __l - __r)
__UW_PACKED_SIGNED(__vaddss, __UW_CLAMPED(__l + __r))
__UW_PACKED_SIGNED(__vsubss, __UW_CLAMPED(__l - __r))
__UW_PACKED_UNSIGNED(__vaddus, __UW_CLAMPED(__l + __r))
__UW_PACKED_UNSIGNED(__vsubus, __UW_CLAMPED(__l - __r))
__UW_PACKED_SIGNED(__uw_vabs, __l < 0 ? -__l : __l)
__UW_PACKED_SIGNED(__uw_vabsss, __l < 0 ? __UW_CLAMPED(-__l) : __l)
__UW_PACKED_SIGNED(__uw_vneg, -__l)
__UW_PACKED_SIGNED(__uw_vnegss, __UW_CLAMPED(-__l))
__UW_PACKED_UNARY(__vabs, __uw_vabs)
__UW_PACKED_UNARY(__vabsss, __uw_vabsss)
__UW_PACKED_UNARY(__vneg, __uw_vneg)
__UW_PACKED_UNARY(__vnegss, __uw_vnegss)
__UW_PACKED_SIGNED(__vabsdiffs, __l < __r ? __r - __l : __l - __r)
__UW_PACKED_UNSIGNED(__vabsdiffu, __l < __r ? __r - __l : __l - __r)
__UW_PACKED_SIGNED(__vavgs, (__l + __r + (__l + __r >= 0 ? 1 : 0)) >> 1)
__UW_PACKED_UNSIGNED(__vavgu, (__l + __r + 1) >> 1)
__UW_PACKED_UNSIGNED(__vhaddu, (__l + __r) >> 1)
__UW_PACKED_SIGNED(__vmaxs, __l < __r ? __r : __l)
__UW_PACKED_UNSIGNED(__vmaxu, __l < __r ? __r : __l)
__UW_PACKED_SIGNED(__vmins, __r < __l ? __r : __l)
__UW_PACKED_UNSIGNED(__vminu, __r < __l ? __r : __l)

/* cmp gives all ones where the comparison holds, set a one. */
#define __UW_PACKED_COMPARE(suffix, kind, symbol)                                                                      \
  __UW_PACKED_##kind(__vcmp##suffix, __l symbol __r ? -1 : 0) __UW_PACKED_##kind(__vset##suffix, __l symbol __r ? 1 : 0)
__UW_PACKED_COMPARE(eq, UNSIGNED, ==)
__UW_PACKED_COMPARE(ne, UNSIGNED, !=)
__UW_PACKED_COMPARE(ges, SIGNED, >=)
__UW_PACKED_COMPARE(geu, UNSIGNED, >=)
__UW_PACKED_COMPARE(gts, SIGNED, >)
__UW_PACKED_COMPARE(gtu, UNSIGNED, >)
__UW_PACKED_COMPARE(les, SIGNED, <=)
__UW_PACKED_COMPARE(leu, UNSIGNED, <=)
__UW_PACKED_COMPARE(lts, SIGNED, <)
__UW_PACKED_COMPARE(ltu, UNSIGNED, <)

/* Sums of absolute differences over the lanes. */
#define __UW_PACKED_SUM(name, differences)                                                                             \
  __UW_DEVICE__ unsigned int name##2(unsigned int __left, unsigned int __right) {                                      \
    unsigned int __lanes = differences##2(__left, __right);                                                            \
    return (__lanes & 0xffff) + (__lanes >> 16);                                                                       \
  }                                                                                                                    \
  __UW_DEVICE__ unsigned int name##4(unsigned int __left, unsigned int __right) {                                      \
    unsigned int __lanes = differences##4(__left, __right);                                                            \
    return (__lanes & 0xff) + (__lanes >> 8 & 0xff) + (__lanes >> 16 & 0xff) + (__lanes >> 24);                        \
  }
__UW_PACKED_SUM(__vsads, __vabsdiffs)
__UW_PACKED_SUM(__vsadu, __vabsdiffu)

#undef __UW_PACKED_SUM
#undef __UW_PACKED_COMPARE
#undef __UW_CLAMPED
#undef __UW_PACKED_UNARY
#undef __UW_PACKED_UNSIGNED
#undef __UW_PACKED_SIGNED
#undef __UW_PACKED_WIDTH

#endif
