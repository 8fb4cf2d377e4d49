/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads and writes of surfaces: an array's texels by their bytes, x in bytes, whatever the format. (CUDA C++
 * Programming Guide, "Surface Functions".)
 */
#ifndef UNWARP_SURFACES_H
#define UNWARP_SURFACES_H

#include "surface_types.h"
#include "texture_object.h"

/* Says which error the trap after it is. */
extern "C" __attribute__((device, nothrow, cold)) void uwrt_trap_is(int __error);

__UW_DEVICE__ unsigned int __uw_into(int __index, unsigned int __count) {
  return __index < 0 ? 0 : (unsigned int)__index < __count ? (unsigned int)__index : __count - 1;
}

/* Where so many bytes are, or null: outside, with nothing to read or write. x is a multiple of their number. */
__UW_DEVICE__ unsigned char *__uw_surface_place(const __uw_texture *__s, int __x, int __y, int __z,
                                                unsigned int __bytes, cudaSurfaceBoundaryMode __mode) {
  const unsigned int __row = __s->__width * __s->__bytes, __places = __row < __bytes ? 0 : __row - __bytes + 1;
  if ((unsigned int)__x % __bytes) {
    uwrt_trap_is(cudaErrorMisalignedAddress);
    __trap();
  }
  if ((unsigned int)__x >= __places || (unsigned int)__y >= __s->__height || (unsigned int)__z >= __s->__depth) {
    if (__mode == cudaBoundaryModeTrap) {
      uwrt_trap_is(cudaErrorIllegalAddress);
      __trap();
    }
    if (__mode != cudaBoundaryModeClamp || !__places)
      return nullptr;
    __x = (int)__uw_into(__x, __places);
    __y = (int)__uw_into(__y, __s->__height);
    __z = (int)__uw_into(__z, __s->__depth);
  }
  return __s->__data + (size_t)__z * __s->__slice + (size_t)__y * __s->__pitch + (size_t)__x;
}

template <class __Type>
__UW_DEVICE__ __Type __uw_surface_read(const __uw_texture *__s, cudaSurfaceBoundaryMode __mode, int __x, int __y = 0,
                                       int __z = 0) {
  const unsigned char *__at = __uw_surface_place(__s, __x, __y, __z, sizeof(__Type), __mode);
  __Type __value = __Type();
  if (__at)
    __builtin_memcpy(&__value, __at, sizeof(__Type));
  return __value;
}
template <class __Type>
__UW_DEVICE__ void __uw_surface_write(const __uw_texture *__s, __Type __value, cudaSurfaceBoundaryMode __mode, int __x,
                                      int __y = 0, int __z = 0) {
  unsigned char *__at = __uw_surface_place(__s, __x, __y, __z, sizeof(__Type), __mode);
  if (__at)
    __builtin_memcpy(__at, &__value, sizeof(__Type));
}

/* ROW(name, shape of a reference, parameters, places) */
// clang-format off
#define __UW_SURFACE_SHAPES(ROW)                                                                                       \
  ROW(surf1D, cudaSurfaceType1D, (int __x), (__x))                                                                     \
  ROW(surf2D, cudaSurfaceType2D, (int __x, int __y), (__x, __y))                                                       \
  ROW(surf3D, cudaSurfaceType3D, (int __x, int __y, int __z), (__x, __y, __z))                                         \
  ROW(surf1DLayered, cudaSurfaceType1DLayered, (int __x, int __layer), (__x, 0, __layer))                              \
  ROW(surf2DLayered, cudaSurfaceType2DLayered, (int __x, int __y, int __layer), (__x, __y, __layer))                   \
  ROW(surfCubemap, cudaSurfaceTypeCubemap, (int __x, int __y, int __face), (__x, __y, __face))                         \
  ROW(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, (int __x, int __y, int __face), (__x, __y, __face))
// clang-format on
#define __UW_LIST(...) __VA_ARGS__

#define __UW_FROM_OBJECT(name, type, parameters, places)                                                               \
  template <class __Type>                                                                                              \
  __UW_DEVICE__ __Type name##read(cudaSurfaceObject_t __object, __UW_LIST parameters,                                  \
                                  cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                             \
    return __uw_surface_read<__Type>((const __uw_texture *)__object, __mode, __UW_LIST places);                        \
  }                                                                                                                    \
  template <class __Type>                                                                                              \
  __UW_DEVICE__ void name##read(__Type *__result, cudaSurfaceObject_t __object, __UW_LIST parameters,                  \
                                cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                               \
    *__result = __uw_surface_read<__Type>((const __uw_texture *)__object, __mode, __UW_LIST places);                   \
  }                                                                                                                    \
  template <class __Type>                                                                                              \
  __UW_DEVICE__ void name##write(__Type __value, cudaSurfaceObject_t __object, __UW_LIST parameters,                   \
                                 cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                              \
    __uw_surface_write<__Type>((const __uw_texture *)__object, __value, __mode, __UW_LIST places);                     \
  }
__UW_SURFACE_SHAPES(__UW_FROM_OBJECT)
#undef __UW_FROM_OBJECT

#endif
