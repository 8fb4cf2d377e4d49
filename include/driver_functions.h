/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * make_ functions of the runtime API's own types. (CUDA Runtime API, "Memory Management".)
 */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static __inline__ __attribute__((unused)) struct cudaPitchedPtr make_cudaPitchedPtr(void *__pointer, size_t __pitch,
                                                                                    size_t __width, size_t __height) {
  struct cudaPitchedPtr __result;
  __result.ptr = __pointer;
  __result.pitch = __pitch;
  __result.xsize = __width;
  __result.ysize = __height;
  return __result;
}
static __inline__ __attribute__((unused)) struct cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z) {
  struct cudaPos __result;
  __result.x = __x;
  __result.y = __y;
  __result.z = __z;
  return __result;
}
static __inline__ __attribute__((unused)) struct cudaExtent make_cudaExtent(size_t __width, size_t __height,
                                                                            size_t __depth) {
  struct cudaExtent __result;
  __result.width = __width;
  __result.height = __height;
  __result.depth = __depth;
  return __result;
}

#endif
