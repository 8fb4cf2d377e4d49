/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the headers of small floating point numbers are written with, so that one text serves kernels' files and C++ files
 * that the host's compiler compiles. There it is C++11 and uses nothing that only clang or new compilers know.
 */
#ifndef UNWARP_BOTH_SIDES_H
#define UNWARP_BOTH_SIDES_H

#ifdef __CUDA__
#define __UW_CONSTEXPR__ constexpr
#define __uw_bit_cast(type, value) __builtin_bit_cast(type, value)
#else
#include <string.h>
#define __UW_BOTH__ inline
#define __UW_CONSTEXPR__
#define __uw_bit_cast(type, value) __uw_same_bits<type>(value)
template <typename __To, typename __From> inline __To __uw_same_bits(const __From &__from) {
  static_assert(sizeof(__To) == sizeof(__From), "as many bytes");
  __To __to;
  memcpy((void *)&__to, (const void *)&__from, sizeof __to);
  return __to;
}
#endif

#endif
