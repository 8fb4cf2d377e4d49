/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cudaCreateChannelDesc<T>(): the texture format that an element type stands for. (CUDA Runtime API, "C++ API
 * Routines".)
 */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"
#include "vector_types.h"

#ifdef __cplusplus

template <class __Type> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

/* The formats that are normalized by themselves come in threes: one, two and four components, of 8 bits and of 16. */
template <enum cudaChannelFormatKind __kind> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  const int __index = (int)__kind - (int)cudaChannelFormatKindUnsignedNormalized8X1, __step = __index % 3;
  if (__index < 0 || __kind > cudaChannelFormatKindSignedNormalized16X4)
    return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
  const int __bits = __index / 3 % 2 ? 16 : 8, __more = __step > 1 ? __bits : 0;
  return ::cudaCreateChannelDesc(__bits, __step > 0 ? __bits : 0, __more, __more, __kind);
}

#define __UW_CHANNELS(type, count, element, kind)                                                                      \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                                             \
    int __bits = (int)sizeof(element) * 8;                                                                             \
    return ::cudaCreateChannelDesc(__bits, count > 1 ? __bits : 0, count > 2 ? __bits : 0, count > 3 ? __bits : 0,     \
                                   kind);                                                                              \
  }
// clang-format off
#define __UW_CHANNEL_TYPES(scalar, vector, kind)                                                                       \
  __UW_CHANNELS(scalar, 1, scalar, kind)                                                                               \
  __UW_CHANNELS(vector##1, 1, scalar, kind)                                                                            \
  __UW_CHANNELS(vector##2, 2, scalar, kind)                                                                            \
  __UW_CHANNELS(vector##4, 4, scalar, kind)
// clang-format on
/* Halves have no type of their own here: cuda_fp16.h comes later. */
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return ::cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return ::cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
__UW_CHANNELS(char, 1, char, cudaChannelFormatKindSigned)
__UW_CHANNEL_TYPES(signed char, char, cudaChannelFormatKindSigned)
__UW_CHANNEL_TYPES(unsigned char, uchar, cudaChannelFormatKindUnsigned)
__UW_CHANNEL_TYPES(short, short, cudaChannelFormatKindSigned)
__UW_CHANNEL_TYPES(unsigned short, ushort, cudaChannelFormatKindUnsigned)
__UW_CHANNEL_TYPES(int, int, cudaChannelFormatKindSigned)
__UW_CHANNEL_TYPES(unsigned int, uint, cudaChannelFormatKindUnsigned)
__UW_CHANNEL_TYPES(float, float, cudaChannelFormatKindFloat)
#undef __UW_CHANNEL_TYPES
#undef __UW_CHANNELS

#endif
#endif
