/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that half and bfloat16 share, and those of their pairs. Included once for each type, with these defined:
 *   __UW_NUMBER, __UW_PAIR   the type and the pair of two
 *   __UW_ROUND               a function from float to the type, to nearest even
 *   __UW_FUSED               a function of three floats: their fused multiply-add, rounded once to the type
 *   __UW_NUMBER_OPERATORS, __UW_PAIR_OPERATORS   1, or 0 where the program brings its own operators
 * (CUDA Math API, "Half / Bfloat16 Arithmetic, Comparison, Math Functions".)
 *
 * A result is computed in float and rounded once more: float has more than twice the digits, so a sum, difference,
 * product, quotient or root comes out as if it were rounded only once.
 */

/* Arithmetic. sat clamps to [0, 1], NaN to 0; relu makes what is negative 0. */

__UW_BOTH__ __UW_NUMBER __uw_saturate(__UW_NUMBER __value) {
  float __wide = (float)__value;
  return __UW_ROUND(__wide > 0.0f ? (__wide < 1.0f ? __wide : 1.0f) : 0.0f);
}
__UW_BOTH__ __UW_NUMBER __uw_rectify(__UW_NUMBER __value) { return (float)__value < 0.0f ? __UW_ROUND(0.0f) : __value; }

#define __UW_ARITHMETIC(name, pair_name, symbol)                                                                       \
  __UW_BOTH__ __UW_NUMBER name(__UW_NUMBER __left, __UW_NUMBER __right) {                                              \
    return __UW_ROUND((float)__left symbol(float) __right);                                                            \
  }                                                                                                                    \
  __UW_BOTH__ __UW_PAIR pair_name(__UW_PAIR __left, __UW_PAIR __right) {                                               \
    return __UW_PAIR(name(__left.x, __right.x), name(__left.y, __right.y));                                            \
  }
__UW_ARITHMETIC(__hadd, __hadd2, +)
__UW_ARITHMETIC(__hsub, __hsub2, -)
__UW_ARITHMETIC(__hmul, __hmul2, *)
__UW_ARITHMETIC(__hadd_rn, __hadd2_rn, +)
__UW_ARITHMETIC(__hsub_rn, __hsub2_rn, -)
__UW_ARITHMETIC(__hmul_rn, __hmul2_rn, *)
__UW_ARITHMETIC(__hdiv, __h2div, /)
#undef __UW_ARITHMETIC

#define __UW_SATURATED(name)                                                                                           \
  __UW_BOTH__ __UW_NUMBER name##_sat(__UW_NUMBER __left, __UW_NUMBER __right) {                                        \
    return __uw_saturate(name(__left, __right));                                                                       \
  }                                                                                                                    \
  __UW_BOTH__ __UW_PAIR name##2_sat(__UW_PAIR __left, __UW_PAIR __right) {                                             \
    return __UW_PAIR(name##_sat(__left.x, __right.x), name##_sat(__left.y, __right.y));                                \
  }
__UW_SATURATED(__hadd)
__UW_SATURATED(__hsub)
__UW_SATURATED(__hmul)
#undef __UW_SATURATED

#define __UW_MULTIPLY_ADD(suffix, finish)                                                                              \
  __UW_BOTH__ __UW_NUMBER __hfma##suffix(__UW_NUMBER __left, __UW_NUMBER __right, __UW_NUMBER __addend) {              \
    return finish(__UW_FUSED((float)__left, (float)__right, (float)__addend));                                         \
  }                                                                                                                    \
  __UW_BOTH__ __UW_PAIR __hfma2##suffix(__UW_PAIR __left, __UW_PAIR __right, __UW_PAIR __addend) {                     \
    return __UW_PAIR(__hfma##suffix(__left.x, __right.x, __addend.x),                                                  \
                     __hfma##suffix(__left.y, __right.y, __addend.y));                                                 \
  }
__UW_MULTIPLY_ADD(, )
__UW_MULTIPLY_ADD(_sat, __uw_saturate)
__UW_MULTIPLY_ADD(_relu, __uw_rectify)
#undef __UW_MULTIPLY_ADD

/* The pairs as complex numbers: left * right + addend. */
__UW_BOTH__ __UW_PAIR __hcmadd(__UW_PAIR __left, __UW_PAIR __right, __UW_PAIR __addend) {
  __UW_NUMBER __real_part = __hfma(__left.x, __right.x, __addend.x),
              __imaginary_part = __hfma(__left.x, __right.y, __addend.y);
  return __UW_PAIR(__hfma(__UW_ROUND(-(float)__left.y), __right.y, __real_part),
                   __hfma(__left.y, __right.x, __imaginary_part));
}

/* Comparisons: false for NaN, the u forms true. The 2 forms give 1.0 or 0.0 in each half, the b forms say whether both
 * hold, the mask forms set all bits of a half. */

#define __UW_COMPARE(name, symbol, unordered)                                                                          \
  __UW_BOTH__ bool __h##name(__UW_NUMBER __left, __UW_NUMBER __right) {                                                \
    float __l = (float)__left, __r = (float)__right;                                                                   \
    return __l symbol __r || (unordered && (__l != __l || __r != __r));                                                \
  }                                                                                                                    \
  __UW_BOTH__ __UW_PAIR __h##name##2(__UW_PAIR __left, __UW_PAIR __right) {                                            \
    return __UW_PAIR(__UW_ROUND(__h##name(__left.x, __right.x) ? 1.0f : 0.0f),                                         \
                     __UW_ROUND(__h##name(__left.y, __right.y) ? 1.0f : 0.0f));                                        \
  }                                                                                                                    \
  __UW_BOTH__ bool __hb##name##2(__UW_PAIR __left, __UW_PAIR __right) {                                                \
    return __h##name(__left.x, __right.x) && __h##name(__left.y, __right.y);                                           \
  }                                                                                                                    \
  __UW_BOTH__ unsigned int __h##name##2_mask(__UW_PAIR __left, __UW_PAIR __right) {                                    \
    return (__h##name(__left.x, __right.x) ? 0xffffu : 0) | (__h##name(__left.y, __right.y) ? 0xffff0000u : 0);        \
  }
#define __UW_COMPARE_BOTH(name, symbol)                                                                                \
  __UW_COMPARE(name, symbol, false)                                                                                    \
  __UW_COMPARE(name##u, symbol, true)
__UW_COMPARE_BOTH(eq, ==)
__UW_COMPARE_BOTH(lt, <)
__UW_COMPARE_BOTH(le, <=)
__UW_COMPARE_BOTH(gt, >)
__UW_COMPARE_BOTH(ge, >=)
#undef __UW_COMPARE_BOTH
/* Not equal: only the u form is true for NaN, unlike C's operator. */
#define __uw_unequal < __r || __l >
__UW_COMPARE(ne, __uw_unequal, false)
__UW_COMPARE(neu, __uw_unequal, true)
#undef __uw_unequal
#undef __UW_COMPARE

__UW_BOTH__ bool __hisnan(__UW_NUMBER __value) { return (float)__value != (float)__value; }
__UW_BOTH__ int __hisinf(__UW_NUMBER __value) {
  return (float)__value == __builtin_inff() ? 1 : (float)__value == -__builtin_inff() ? -1 : 0;
}
__UW_BOTH__ __UW_PAIR __hisnan2(__UW_PAIR __value) {
  return __UW_PAIR(__UW_ROUND(__hisnan(__value.x) ? 1.0f : 0.0f), __UW_ROUND(__hisnan(__value.y) ? 1.0f : 0.0f));
}

/* The smaller and the larger: of a number and NaN the number, in the nan forms NaN. +0 is above -0. */
#define __UW_CHOOSE(name, left_wins, zero)                                                                             \
  __UW_BOTH__ __UW_NUMBER name(__UW_NUMBER __left, __UW_NUMBER __right) {                                              \
    float __l = (float)__left, __r = (float)__right;                                                                   \
    if (__l == 0.0f && __r == 0.0f)                                                                                    \
      return (__builtin_signbit(__l) != 0) == zero ? __left : __right;                                                 \
    return __r != __r || __l left_wins __r ? __left : __right;                                                         \
  }                                                                                                                    \
  __UW_BOTH__ __UW_NUMBER name##_nan(__UW_NUMBER __left, __UW_NUMBER __right) {                                        \
    return __hisnan(__left) ? __left : __hisnan(__right) ? __right : name(__left, __right);                            \
  }                                                                                                                    \
  __UW_BOTH__ __UW_PAIR name##2(__UW_PAIR __left, __UW_PAIR __right) {                                                 \
    return __UW_PAIR(name(__left.x, __right.x), name(__left.y, __right.y));                                            \
  }                                                                                                                    \
  __UW_BOTH__ __UW_PAIR name##2_nan(__UW_PAIR __left, __UW_PAIR __right) {                                             \
    return __UW_PAIR(name##_nan(__left.x, __right.x), name##_nan(__left.y, __right.y));                                \
  }
__UW_CHOOSE(__hmin, <, true)
__UW_CHOOSE(__hmax, >, false)
#undef __UW_CHOOSE

/* Functions of one number. */

#define __UW_FUNCTION(name, pair_name, expression)                                                                     \
  __UW_BOTH__ __UW_NUMBER name(__UW_NUMBER __value) {                                                                  \
    float __wide = (float)__value;                                                                                     \
    return __UW_ROUND(expression);                                                                                     \
  }                                                                                                                    \
  __UW_BOTH__ __UW_PAIR pair_name(__UW_PAIR __value) { return __UW_PAIR(name(__value.x), name(__value.y)); }
__UW_FUNCTION(__hneg, __hneg2, -__wide)
__UW_FUNCTION(__habs, __habs2, __builtin_fabsf(__wide))
#ifdef __CUDA__ /* of device code, which the host's compiler has no use for */
__UW_FUNCTION(hsqrt, h2sqrt, sqrtf(__wide))
__UW_FUNCTION(hrsqrt, h2rsqrt, rsqrtf(__wide))
__UW_FUNCTION(hrcp, h2rcp, 1.0f / __wide)
__UW_FUNCTION(hexp, h2exp, expf(__wide))
__UW_FUNCTION(hexp2, h2exp2, exp2f(__wide))
__UW_FUNCTION(hexp10, h2exp10, exp10f(__wide))
__UW_FUNCTION(hlog, h2log, logf(__wide))
__UW_FUNCTION(hlog2, h2log2, log2f(__wide))
__UW_FUNCTION(hlog10, h2log10, log10f(__wide))
__UW_FUNCTION(hsin, h2sin, sinf(__wide))
__UW_FUNCTION(hcos, h2cos, cosf(__wide))
__UW_FUNCTION(htanh, h2tanh, tanhf(__wide))
__UW_FUNCTION(htanh_approx, h2tanh_approx, tanhf(__wide))
__UW_FUNCTION(hceil, h2ceil, __builtin_ceilf(__wide))
__UW_FUNCTION(hfloor, h2floor, __builtin_floorf(__wide))
__UW_FUNCTION(hrint, h2rint, __builtin_rintf(__wide))
__UW_FUNCTION(htrunc, h2trunc, __builtin_truncf(__wide))
#endif
#undef __UW_FUNCTION

/* Operators. */

#define __UW_OPERATOR(type, symbol, name)                                                                              \
  __UW_BOTH__ type operator symbol(const type &__left, const type &__right) { return name(__left, __right); }          \
  __UW_BOTH__ type &operator symbol## = (type & __left, const type &__right) { return __left = name(__left, __right); }
#define __UW_RELATION(type, symbol, name)                                                                              \
  __UW_BOTH__ bool operator symbol(const type &__left, const type &__right) { return name(__left, __right); }
#define __UW_STEP(type, symbol, name, one)                                                                             \
  __UW_BOTH__ type &operator symbol(type &__value) { return __value = name(__value, one); }                            \
  __UW_BOTH__ type operator symbol(type &__value, int) {                                                               \
    type __before = __value;                                                                                           \
    __value = name(__value, one);                                                                                      \
    return __before;                                                                                                   \
  }
#if __UW_NUMBER_OPERATORS
__UW_OPERATOR(__UW_NUMBER, +, __hadd)
__UW_OPERATOR(__UW_NUMBER, -, __hsub)
__UW_OPERATOR(__UW_NUMBER, *, __hmul)
__UW_OPERATOR(__UW_NUMBER, /, __hdiv)
__UW_RELATION(__UW_NUMBER, ==, __heq)
__UW_RELATION(__UW_NUMBER, !=, __hneu)
__UW_RELATION(__UW_NUMBER, <, __hlt)
__UW_RELATION(__UW_NUMBER, <=, __hle)
__UW_RELATION(__UW_NUMBER, >, __hgt)
__UW_RELATION(__UW_NUMBER, >=, __hge)
__UW_BOTH__ __UW_NUMBER operator+(const __UW_NUMBER &__value) { return __value; }
__UW_BOTH__ __UW_NUMBER operator-(const __UW_NUMBER &__value) { return __hneg(__value); }
__UW_STEP(__UW_NUMBER, ++, __hadd, __UW_ROUND(1.0f))
__UW_STEP(__UW_NUMBER, --, __hsub, __UW_ROUND(1.0f))
#endif
#if __UW_PAIR_OPERATORS
__UW_OPERATOR(__UW_PAIR, +, __hadd2)
__UW_OPERATOR(__UW_PAIR, -, __hsub2)
__UW_OPERATOR(__UW_PAIR, *, __hmul2)
__UW_OPERATOR(__UW_PAIR, /, __h2div)
__UW_RELATION(__UW_PAIR, ==, __hbeq2)
__UW_RELATION(__UW_PAIR, !=, __hbneu2)
__UW_RELATION(__UW_PAIR, <, __hblt2)
__UW_RELATION(__UW_PAIR, <=, __hble2)
__UW_RELATION(__UW_PAIR, >, __hbgt2)
__UW_RELATION(__UW_PAIR, >=, __hbge2)
__UW_BOTH__ __UW_PAIR operator+(const __UW_PAIR &__value) { return __value; }
__UW_BOTH__ __UW_PAIR operator-(const __UW_PAIR &__value) { return __hneg2(__value); }
__UW_STEP(__UW_PAIR, ++, __hadd2, __UW_PAIR(__UW_ROUND(1.0f), __UW_ROUND(1.0f)))
__UW_STEP(__UW_PAIR, --, __hsub2, __UW_PAIR(__UW_ROUND(1.0f), __UW_ROUND(1.0f)))
#endif
#undef __UW_STEP
#undef __UW_RELATION
#undef __UW_OPERATOR

/* Warp shuffles and atomic additions. */
#ifdef __CUDA__

#define __UW_SHUFFLE(name, lane_type)                                                                                  \
  __UW_DEVICE__ __UW_NUMBER name##_sync(unsigned int __mask, __UW_NUMBER __value, lane_type __lane,                    \
                                        int __width = warpSize) {                                                      \
    unsigned int __bits = __builtin_bit_cast(unsigned short, __value);                                                 \
    return __builtin_bit_cast(__UW_NUMBER, (unsigned short)name##_sync(__mask, __bits, __lane, __width));              \
  }                                                                                                                    \
  __UW_DEVICE__ __UW_PAIR name##_sync(unsigned int __mask, __UW_PAIR __value, lane_type __lane,                        \
                                      int __width = warpSize) {                                                        \
    unsigned int __bits = __builtin_bit_cast(unsigned int, __value);                                                   \
    return __builtin_bit_cast(__UW_PAIR, name##_sync(__mask, __bits, __lane, __width));                                \
  }                                                                                                                    \
  __UW_DEVICE__ __UW_NUMBER name(__UW_NUMBER __value, lane_type __lane, int __width = warpSize) {                      \
    return name##_sync(__activemask(), __value, __lane, __width);                                                      \
  }                                                                                                                    \
  __UW_DEVICE__ __UW_PAIR name(__UW_PAIR __value, lane_type __lane, int __width = warpSize) {                          \
    return name##_sync(__activemask(), __value, __lane, __width);                                                      \
  }
__UW_SHUFFLE(__shfl, int)
__UW_SHUFFLE(__shfl_up, unsigned int)
__UW_SHUFFLE(__shfl_down, unsigned int)
__UW_SHUFFLE(__shfl_xor, int)
#undef __UW_SHUFFLE

__UW_DEVICE__ __UW_NUMBER atomicAdd(__UW_NUMBER *__address, __UW_NUMBER __value) {
  unsigned short *__bits = (unsigned short *)__address;
  unsigned short __expected = __scoped_atomic_load_n(__bits, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE), __desired;
  do
    __desired = __builtin_bit_cast(unsigned short, __hadd(__builtin_bit_cast(__UW_NUMBER, __expected), __value));
  while (!__scoped_atomic_compare_exchange_n(__bits, &__expected, __desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __MEMORY_SCOPE_DEVICE));
  return __builtin_bit_cast(__UW_NUMBER, __expected);
}
__UW_DEVICE__ __UW_PAIR atomicAdd(__UW_PAIR *__address, __UW_PAIR __value) {
  return __UW_PAIR(atomicAdd(&__address->x, __value.x), atomicAdd(&__address->y, __value.y));
}
#endif
