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

#endif
