/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of libdevice share. The functions carry the names that clang gives to device math (__nv_sinf, …);
 * the compiler links them as bitcode into each device module and inlines them, and the runtime library carries them
 * natively for host code. They assume the default floating point environment and never set errno.
 */
#ifndef UW_LIBDEVICE_H
#define UW_LIBDEVICE_H

#include <stdint.h>

/* A function short enough to be inlined wherever it is called. */
#define UW_SHORT __attribute__((always_inline))
/* One that stays a call, as there is another form of it for vectors (compiler/analysis/vector_math.h). */
#define UW_CALLED __attribute__((noinline, const))
#define UW_LOCAL static inline __attribute__((always_inline))

UW_LOCAL uint32_t float_bits(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
UW_LOCAL float float_of_bits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
UW_LOCAL uint64_t double_bits(double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
UW_LOCAL double double_of_bits(uint64_t bits) {
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

/* Comparisons, which vectorise like any other, unlike the class test that the builtin can become. */
UW_LOCAL int is_finite(double value) { return __builtin_fabs(value) < __builtin_inf(); }

#endif
