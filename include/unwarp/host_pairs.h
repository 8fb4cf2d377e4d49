/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For the host's compiler: pairs, arithmetic and comparisons of a type of 16 bits, by way of float. Included by
 * half_host.h and bf16_host.h, once for each type, with __UW_NUMBER, __UW_RAW, __UW_PAIR and __UW_PAIR_RAW set. */

struct __attribute__((aligned(4))) __UW_PAIR {
  __UW_NUMBER x, y;
  __UW_PAIR() = default;
  __UW_PAIR(const __UW_NUMBER &__x, const __UW_NUMBER &__y) : x(__x), y(__y) {}
  __UW_PAIR(const __UW_PAIR_RAW &__raw) : x(__UW_RAW{__raw.x}), y(__UW_RAW{__raw.y}) {}
  operator __UW_PAIR_RAW() const {
    __UW_PAIR_RAW __raw = {((__UW_RAW)x).x, ((__UW_RAW)y).x};
    return __raw;
  }
};

#define __UW_ARITHMETIC(op)                                                                                            \
  inline __UW_NUMBER operator op(const __UW_NUMBER &__a, const __UW_NUMBER &__b) {                                     \
    return __UW_NUMBER((float)__a op(float) __b);                                                                      \
  }                                                                                                                    \
  inline __UW_NUMBER &operator op## = (__UW_NUMBER & __a, const __UW_NUMBER &__b) { return __a = __a op __b; }
#define __UW_COMPARISON(op)                                                                                            \
  inline bool operator op(const __UW_NUMBER &__a, const __UW_NUMBER &__b) { return (float)__a op(float) __b; }
__UW_ARITHMETIC(+)
__UW_ARITHMETIC(-)
__UW_ARITHMETIC(*)
__UW_ARITHMETIC(/)
__UW_COMPARISON(==)
__UW_COMPARISON(!=)
__UW_COMPARISON(<)
__UW_COMPARISON(>)
__UW_COMPARISON(<=)
__UW_COMPARISON(>=)
#undef __UW_ARITHMETIC
#undef __UW_COMPARISON
inline __UW_NUMBER operator-(const __UW_NUMBER &__a) { return __UW_NUMBER(-(float)__a); }

inline float __low2float(__UW_PAIR __value) { return (float)__value.x; }
inline float __high2float(__UW_PAIR __value) { return (float)__value.y; }
#undef __UW_NUMBER
#undef __UW_RAW
#undef __UW_PAIR
#undef __UW_PAIR_RAW
