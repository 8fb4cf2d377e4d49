/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * texture<…> and surface<…>, variables of a file that CUDA had until version 11. (CUDA C++ Programming Guide 11,
 * "Texture Reference API", "Surface Reference API".) The driver asks for this file when a program's text has them.
 *
 * clang knows such variables by their types' attribute: kernels may use them though they are the host's. The compiler
 * makes the device's and the host's one object, so a fetch reads what the host bound.
 */
#ifndef UNWARP_OLD_REFERENCES_H
#define UNWARP_OLD_REFERENCES_H

#include "surfaces.h"
#include "textures.h"

/* CUDA has no references as parameters either: what a copy is bound to nobody could say. */
#define __UW_NO_COPIES                                                                                                 \
  __attribute__((                                                                                                      \
      unavailable("a texture or surface reference cannot be passed by value; pass a texture object, or use "           \
                  "the variable itself")))

template <class __Type, int __shape = cudaTextureType1D, enum cudaTextureReadMode __mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __UW_NO_COPIES __host__ __device__ texture(const texture &);
  texture() : texture(0, cudaFilterModePoint, cudaAddressModeClamp) {}
  texture(int __normalized, cudaTextureFilterMode __filter = cudaFilterModePoint,
          cudaTextureAddressMode __address = cudaAddressModeClamp)
      : texture(__normalized, __filter, __address, cudaCreateChannelDesc<__Type>()) {}
  texture(int __normalized, cudaTextureFilterMode __filter, cudaTextureAddressMode __address,
          cudaChannelFormatDesc __format)
      : textureReference{__normalized,
                         __filter,
                         {__address, __address, __address},
                         __format,
                         0,
                         0,
                         cudaFilterModePoint,
                         0,
                         0,
                         0,
                         0,
                         __mode,
                         0,
                         &uwrt_texture_unbound} {}
};

template <class __Type, int __shape = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __UW_NO_COPIES __host__ __device__ surface(const surface &);
  surface() : surfaceReference{{0, 0, 0, 0, cudaChannelFormatKindNone}, &uwrt_texture_unbound} {}
};

#undef __UW_NO_COPIES

/* --- binding ------------------------------------------------------------------------------------------------------ */

#define __UW_FOR_TEXTURE template <class __Type, int __shape, enum cudaTextureReadMode __mode> static inline cudaError_t
#define __UW_ANY_TEXTURE const texture<__Type, __shape, __mode> &__texture

__UW_FOR_TEXTURE cudaBindTexture(size_t *__offset, __UW_ANY_TEXTURE, const void *__memory,
                                 const cudaChannelFormatDesc &__format, size_t __bytes = UINT_MAX) {
  return ::cudaBindTexture(__offset, (const textureReference *)&__texture, __memory, &__format, __bytes);
}
__UW_FOR_TEXTURE cudaBindTexture(size_t *__offset, __UW_ANY_TEXTURE, const void *__memory, size_t __bytes = UINT_MAX) {
  return cudaBindTexture(__offset, __texture, __memory, __texture.channelDesc, __bytes);
}
__UW_FOR_TEXTURE cudaBindTexture2D(size_t *__offset, __UW_ANY_TEXTURE, const void *__memory,
                                   const cudaChannelFormatDesc &__format, size_t __width, size_t __height,
                                   size_t __pitch) {
  return ::cudaBindTexture2D(__offset, (const textureReference *)&__texture, __memory, &__format, __width, __height,
                             __pitch);
}
__UW_FOR_TEXTURE cudaBindTexture2D(size_t *__offset, __UW_ANY_TEXTURE, const void *__memory, size_t __width,
                                   size_t __height, size_t __pitch) {
  return cudaBindTexture2D(__offset, __texture, __memory, __texture.channelDesc, __width, __height, __pitch);
}
__UW_FOR_TEXTURE cudaBindTextureToArray(__UW_ANY_TEXTURE, cudaArray_const_t __array,
                                        const cudaChannelFormatDesc &__format) {
  return ::cudaBindTextureToArray((const textureReference *)&__texture, __array, &__format);
}
__UW_FOR_TEXTURE cudaBindTextureToArray(__UW_ANY_TEXTURE, cudaArray_const_t __array) {
  cudaChannelFormatDesc __format;
  cudaError_t __error = ::cudaGetChannelDesc(&__format, __array);
  return __error == cudaSuccess ? cudaBindTextureToArray(__texture, __array, __format) : __error;
}
__UW_FOR_TEXTURE cudaBindTextureToMipmappedArray(__UW_ANY_TEXTURE, cudaMipmappedArray_const_t __mipmap,
                                                 const cudaChannelFormatDesc &__format) {
  return ::cudaBindTextureToMipmappedArray((const textureReference *)&__texture, __mipmap, &__format);
}
__UW_FOR_TEXTURE cudaBindTextureToMipmappedArray(__UW_ANY_TEXTURE, cudaMipmappedArray_const_t __mipmap) {
  cudaArray_t __level;
  cudaChannelFormatDesc __format;
  cudaError_t __error = ::cudaGetMipmappedArrayLevel(&__level, __mipmap, 0);
  if (__error == cudaSuccess)
    __error = ::cudaGetChannelDesc(&__format, __level);
  return __error == cudaSuccess ? cudaBindTextureToMipmappedArray(__texture, __mipmap, __format) : __error;
}
__UW_FOR_TEXTURE cudaUnbindTexture(__UW_ANY_TEXTURE) {
  return ::cudaUnbindTexture((const textureReference *)&__texture);
}
__UW_FOR_TEXTURE cudaGetTextureAlignmentOffset(size_t *__offset, __UW_ANY_TEXTURE) {
  return ::cudaGetTextureAlignmentOffset(__offset, (const textureReference *)&__texture);
}
#undef __UW_ANY_TEXTURE
#undef __UW_FOR_TEXTURE

template <class __Type, int __shape>
static inline cudaError_t cudaBindSurfaceToArray(const surface<__Type, __shape> &__surface, cudaArray_const_t __array,
                                                 const cudaChannelFormatDesc &__format) {
  return ::cudaBindSurfaceToArray((const surfaceReference *)&__surface, __array, &__format);
}
template <class __Type, int __shape>
static inline cudaError_t cudaBindSurfaceToArray(const surface<__Type, __shape> &__surface, cudaArray_const_t __array) {
  cudaChannelFormatDesc __format;
  cudaError_t __error = ::cudaGetChannelDesc(&__format, __array);
  return __error == cudaSuccess ? cudaBindSurfaceToArray(__surface, __array, __format) : __error;
}

/* --- fetches ------------------------------------------------------------------------------------------------------ */

/* What a texture<__Texel, …> gives: its texels, or floats. */
#define __UW_FROM_REFERENCE_AS(name, type, fetch, mode, result, ...)                                                   \
  template <class __Texel> __UW_DEVICE__ result name(const texture<__Texel, type, mode> &__reference, __VA_ARGS__) {   \
    typedef result __Type;                                                                                             \
    const __uw_texture *__t = __reference.__bound;                                                                     \
    return fetch;                                                                                                      \
  }
#define __UW_FROM_REFERENCE(name, type, fetch, parameters)                                                             \
  __UW_FROM_REFERENCE_AS(name, type, fetch, cudaReadModeElementType, __Texel, __UW_LIST parameters)                    \
  __UW_FROM_REFERENCE_AS(name, type, fetch, cudaReadModeNormalizedFloat, typename __uw_fetched<__Texel>::normalized,   \
                         __UW_LIST parameters)
__UW_TEXTURE_SHAPES(__UW_FROM_REFERENCE)
__UW_FROM_REFERENCE(tex1Dfetch, cudaTextureType1D, __uw_fetch<__Type>(__t, __x), (int __x))
#undef __UW_FROM_REFERENCE

__UW_FROM_REFERENCE_AS(tex2Dgather, cudaTextureType2D, __uw_gather<__Type>(__t, __x, __y, __component),
                       cudaReadModeElementType, typename __uw_fetched<__Texel>::four, float __x, float __y,
                       int __component = 0)
__UW_FROM_REFERENCE_AS(tex2Dgather, cudaTextureType2D, __uw_gather<__Type>(__t, __x, __y, __component),
                       cudaReadModeNormalizedFloat, float4, float __x, float __y, int __component = 0)
#undef __UW_FROM_REFERENCE_AS

#define __UW_FROM_REFERENCE(name, type, parameters, places)                                                            \
  template <class __Type, class __Any>                                                                                 \
  __UW_DEVICE__ __Type name##read(const surface<__Any, type> &__reference, __UW_LIST parameters,                       \
                                  cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                             \
    return __uw_surface_read<__Type>(__reference.__bound, __mode, __UW_LIST places);                                   \
  }                                                                                                                    \
  template <class __Type, class __Any>                                                                                 \
  __UW_DEVICE__ void name##read(__Type *__result, const surface<__Any, type> &__reference, __UW_LIST parameters,       \
                                cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                               \
    *__result = __uw_surface_read<__Type>(__reference.__bound, __mode, __UW_LIST places);                              \
  }                                                                                                                    \
  template <class __Type, class __Any>                                                                                 \
  __UW_DEVICE__ void name##write(__Type __value, const surface<__Any, type> &__reference, __UW_LIST parameters,        \
                                 cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                              \
    __uw_surface_write<__Type>(__reference.__bound, __value, __mode, __UW_LIST places);                                \
  }
__UW_SURFACE_SHAPES(__UW_FROM_REFERENCE)
#undef __UW_FROM_REFERENCE

#endif
