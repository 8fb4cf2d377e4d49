/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The device language in the order in which its parts need one another. Read builtins.h first.
 */
#ifndef UNWARP_DEVICE_H
#define UNWARP_DEVICE_H

#include "version.h"

/* Under a name of our own before anything else is included: libcu++ makes _Float16 a macro. */
typedef _Float16 __uw_float16;

#include "builtins.h"

#ifdef __cplusplus
/* Room for an object in shared memory that nobody constructs: see driver/leniency.h. */
template <typename __Type> struct __uw_unconstructed {
  alignas(__Type) char __room[sizeof(__Type)];
  __attribute__((host, device, always_inline)) __Type &object() { return *(__Type *)__room; }
};

/* What a constant of type long double is in device code. */
template <typename __Type> constexpr __Type __uw_as_double(__Type __x) { return __x; }
constexpr double __uw_as_double(long double __x) { return double(__x); }

/* The type of a variable in a switch that a label after it jumps past: it gets its value by an assignment. */
template <typename __Type> struct __uw_jumped_past_type {
  static_assert(__is_trivially_constructible(__Type),
                "cannot jump past the initialization of an object with a constructor");
  typedef __Type __type;
};
template <typename __Type> using __uw_jumped_past = typename __uw_jumped_past_type<__Type>::__type;

/* Stands for a default argument that names its own parameter, which is wrong where it is used. */
struct __uw_own_default {
  template <typename __Type> __attribute__((host, device)) operator __Type() const {
    static_assert(sizeof(__Type) == 0, "default argument references its own parameter");
    return __Type();
  }
};
#endif

#include <__clang_cuda_libdevice_declares.h>

#include "intrinsics.h"

#include "math.h"

#include "atomics.h"
#include "memory.h"
#include "packed.h"
#include "dpx.h"
#include "surfaces.h"
#include "textures.h"
#include "warp.h"

#include "clusters.h"

#endif
