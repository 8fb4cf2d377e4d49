/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Texture fetches. (CUDA C++ Programming Guide, "Texture Functions".)
 *
 * Two cases are a few instructions in the kernel: the texel at an index of linear memory, and the nearest texel to an
 * unnormalized, clamped position, when the texture's format is the fetched type's. All others are the runtime's
 * (runtime/sample.c).
 */
#ifndef UNWARP_TEXTURES_H
#define UNWARP_TEXTURES_H

#include "texture_object.h"
#include "texture_types.h"

extern "C" {
#define __UW_TEXTURE_UNIT __attribute__((device, nothrow, pure)) __uw_texel
__UW_TEXTURE_UNIT uwrt_texture_fetch(const __uw_texture *, int);
__UW_TEXTURE_UNIT uwrt_texture_sample(const __uw_texture *, __uw_shape, float, float, float, int, float);
__UW_TEXTURE_UNIT uwrt_texture_sample_gradient(const __uw_texture *, __uw_shape, float, float, float, int,
                                               const float *, const float *);
__UW_TEXTURE_UNIT uwrt_texture_gather(const __uw_texture *, float, float, int);
#undef __UW_TEXTURE_UNIT
}

/* --- the types that a fetch may give ------------------------------------------------------------------------------ */

template <class __Element> __UW_DEVICE__ __Element __uw_component(unsigned int __bits) { return (__Element)__bits; }
template <> __UW_DEVICE__ float __uw_component<float>(unsigned int __bits) { return __builtin_bit_cast(float, __bits); }

/* plain is the format whose texels are this type's bits; four has as many components as a gather gives; normalized
 * is what a reference with cudaReadModeNormalizedFloat gives. */
template <class __Type> struct __uw_fetched;

#define __UW_FETCHED(type, element, count, vector, reals, make)                                                        \
  template <> struct __uw_fetched<type> {                                                                              \
    static constexpr unsigned int plain = __UW_TEXEL(count, sizeof(element));                                          \
    typedef vector four;                                                                                               \
    typedef reals normalized;                                                                                          \
    static __attribute__((device, always_inline)) type from(__uw_texel __t) { return make; }                           \
  };
#define __UW_AT(element, index) __uw_component<element>(__t[index])
#define __UW_FETCHED_FAMILY(scalar, vector)                                                                            \
  __UW_FETCHED(scalar, scalar, 1, vector##4, float, __UW_AT(scalar, 0))                                                \
  __UW_FETCHED_VECTORS(scalar, vector)
#define __UW_FETCHED_VECTORS(scalar, vector)                                                                           \
  __UW_FETCHED(vector##1, scalar, 1, vector##4, float1, (vector##1 {__UW_AT(scalar, 0)}))                              \
  __UW_FETCHED(vector##2, scalar, 2, vector##4, float2, (vector##2 {__UW_AT(scalar, 0), __UW_AT(scalar, 1)}))          \
  __UW_FETCHED(vector##4, scalar, 4, vector##4, float4,                                                                \
               (vector##4 {__UW_AT(scalar, 0), __UW_AT(scalar, 1), __UW_AT(scalar, 2), __UW_AT(scalar, 3)}))
__UW_FETCHED(char, char, 1, char4, float, __UW_AT(char, 0))
__UW_FETCHED_FAMILY(signed char, char)
__UW_FETCHED_FAMILY(unsigned char, uchar)
__UW_FETCHED_FAMILY(short, short)
__UW_FETCHED_FAMILY(unsigned short, ushort)
__UW_FETCHED_FAMILY(int, int)
__UW_FETCHED_FAMILY(unsigned int, uint)
__UW_FETCHED_FAMILY(float, float)
#undef __UW_FETCHED_VECTORS
#undef __UW_FETCHED_FAMILY
#undef __UW_AT
#undef __UW_FETCHED

/* --- the fetches -------------------------------------------------------------------------------------------------- */

/* The texel that a coordinate lies in; outside, and for no number, that at the edge. */
__UW_DEVICE__ unsigned int __uw_nearest(float __x, unsigned int __count) {
  const float __far = 1.0e9f;
  unsigned int __index = (unsigned int)(int)__builtin_fminf(__builtin_fmaxf(__x, 0.0f), __far);
  return __index < __count ? __index : __count - 1;
}
/* Outside, and so below 0 too, the last one. */
__UW_DEVICE__ unsigned int __uw_layer(int __layer, unsigned int __count) {
  return (unsigned int)__layer < __count ? (unsigned int)__layer : __count - 1;
}

template <class __Type> __UW_DEVICE__ __Type __uw_fetch(const __uw_texture *__t, int __index) {
  if (__t->__plain != __uw_fetched<__Type>::plain)
    return __uw_fetched<__Type>::from(uwrt_texture_fetch(__t, __index));
  if ((unsigned int)__index < __t->__width)
    return ((const __Type *)__t->__data)[__index];
  return __Type();
}

template <class __Type, __uw_shape __shape>
__UW_DEVICE__ __Type __uw_sample(const __uw_texture *__t, float __x, float __y = 0, float __z = 0, int __layer = 0,
                                 float __level = -__builtin_inff()) {
  if (__shape == __UW_CUBE || __t->__nearest != __uw_fetched<__Type>::plain)
    return __uw_fetched<__Type>::from(uwrt_texture_sample(__t, __shape, __x, __y, __z, __layer, __level));
  const unsigned char *__at = __t->__data;
  __at += __t->__slice * (__shape == __UW_3D ? __uw_nearest(__z, __t->__depth)
                          : __layer          ? __uw_layer(__layer, __t->__depth)
                                             : 0);
  if (__shape != __UW_1D)
    __at += __t->__pitch * __uw_nearest(__y, __t->__height);
  return ((const __Type *)__at)[__uw_nearest(__x, __t->__width)];
}

/* How far the next pixel is, in coordinates. */
struct __uw_step {
  float __by[3];
  __attribute__((device)) __uw_step(float __d) : __by{__d, 0, 0} {}
  __attribute__((device)) __uw_step(float2 __d) : __by{__d.x, __d.y, 0} {}
  __attribute__((device)) __uw_step(float4 __d) : __by{__d.x, __d.y, __d.z} {}
};

template <class __Type, __uw_shape __shape>
__UW_DEVICE__ __Type __uw_sample_gradient(const __uw_texture *__t, __uw_step __dx, __uw_step __dy, float __x,
                                          float __y = 0, float __z = 0, int __layer = 0) {
  return __uw_fetched<__Type>::from(
      uwrt_texture_sample_gradient(__t, __shape, __x, __y, __z, __layer, __dx.__by, __dy.__by));
}

template <class __Type>
__UW_DEVICE__ __Type __uw_gather(const __uw_texture *__t, float __x, float __y, int __component) {
  return __uw_fetched<__Type>::from(uwrt_texture_gather(__t, __x, __y, __component));
}

/* --- their names -------------------------------------------------------------------------------------------------- */

/* ROW(name, shape of a reference, the fetch of a __Type from __t, parameters) */
#define __UW_TEXTURE_SHAPE(ROW, name, type, shape, step, parameters, ...)                                              \
  ROW(name, type, (__uw_sample<__Type, shape>(__t, __VA_ARGS__)), parameters)                                          \
  ROW(name##Lod, type, (__uw_sample_at_level<__Type, shape>(__t, __level, __VA_ARGS__)),                               \
      (__UW_LIST parameters, float __level))                                                                           \
  ROW(name##Grad, type, (__uw_sample_gradient<__Type, shape>(__t, __dx, __dy, __VA_ARGS__)),                           \
      (__UW_LIST parameters, step __dx, step __dy))
#define __UW_TEXTURE_SHAPES(ROW)                                                                                       \
  __UW_TEXTURE_SHAPE(ROW, tex1D, cudaTextureType1D, __UW_1D, float, (float __x), __x)                                  \
  __UW_TEXTURE_SHAPE(ROW, tex2D, cudaTextureType2D, __UW_2D, float2, (float __x, float __y), __x, __y)                 \
  __UW_TEXTURE_SHAPE(ROW, tex3D, cudaTextureType3D, __UW_3D, float4, (float __x, float __y, float __z), __x, __y, __z) \
  __UW_TEXTURE_SHAPE(ROW, tex1DLayered, cudaTextureType1DLayered, __UW_1D, float, (float __x, int __layer), __x, 0, 0, \
                     __layer)                                                                                          \
  __UW_TEXTURE_SHAPE(ROW, tex2DLayered, cudaTextureType2DLayered, __UW_2D, float2,                                     \
                     (float __x, float __y, int __layer), __x, __y, 0, __layer)                                        \
  __UW_TEXTURE_SHAPE(ROW, texCubemap, cudaTextureTypeCubemap, __UW_CUBE, float4, (float __x, float __y, float __z),    \
                     __x, __y, __z)                                                                                    \
  __UW_TEXTURE_SHAPE(ROW, texCubemapLayered, cudaTextureTypeCubemapLayered, __UW_CUBE, float4,                         \
                     (float __x, float __y, float __z, int __layer), __x, __y, __z, __layer)
#define __UW_LIST(...) __VA_ARGS__

template <class __Type, __uw_shape __shape>
__UW_DEVICE__ __Type __uw_sample_at_level(const __uw_texture *__t, float __level, float __x, float __y = 0,
                                          float __z = 0, int __layer = 0) {
  return __uw_sample<__Type, __shape>(__t, __x, __y, __z, __layer, __level);
}

/* From an object: the value returned, stored, and returned with the news that the memory after it is there (a
 * sparse array that had holes could not be made). */
#define __UW_FROM_OBJECT(name, type, fetch, parameters)                                                                \
  template <class __Type> __UW_DEVICE__ __Type name(cudaTextureObject_t __object, __UW_LIST parameters) {              \
    const __uw_texture *__t = (const __uw_texture *)__object;                                                          \
    return fetch;                                                                                                      \
  }                                                                                                                    \
  template <class __Type>                                                                                              \
  __UW_DEVICE__ void name(__Type *__result, cudaTextureObject_t __object, __UW_LIST parameters) {                      \
    const __uw_texture *__t = (const __uw_texture *)__object;                                                          \
    *__result = fetch;                                                                                                 \
  }                                                                                                                    \
  template <class __Type>                                                                                              \
  __UW_DEVICE__ __Type name(cudaTextureObject_t __object, __UW_LIST parameters, bool *__is_resident) {                 \
    const __uw_texture *__t = (const __uw_texture *)__object;                                                          \
    *__is_resident = true;                                                                                             \
    return fetch;                                                                                                      \
  }
__UW_TEXTURE_SHAPES(__UW_FROM_OBJECT)
#undef __UW_FROM_OBJECT

template <class __Type> __UW_DEVICE__ __Type tex1Dfetch(cudaTextureObject_t __object, int __x) {
  return __uw_fetch<__Type>((const __uw_texture *)__object, __x);
}
template <class __Type> __UW_DEVICE__ void tex1Dfetch(__Type *__result, cudaTextureObject_t __object, int __x) {
  *__result = __uw_fetch<__Type>((const __uw_texture *)__object, __x);
}
template <class __Type>
__UW_DEVICE__ __Type tex2Dgather(cudaTextureObject_t __object, float __x, float __y, int __component = 0) {
  return __uw_gather<__Type>((const __uw_texture *)__object, __x, __y, __component);
}
template <class __Type>
__UW_DEVICE__ void tex2Dgather(__Type *__result, cudaTextureObject_t __object, float __x, float __y,
                               int __component = 0) {
  *__result = __uw_gather<__Type>((const __uw_texture *)__object, __x, __y, __component);
}
template <class __Type>
__UW_DEVICE__ __Type tex2Dgather(cudaTextureObject_t __object, float __x, float __y, bool *__is_resident,
                                 int __component = 0) {
  *__is_resident = true;
  return __uw_gather<__Type>((const __uw_texture *)__object, __x, __y, __component);
}

#endif
