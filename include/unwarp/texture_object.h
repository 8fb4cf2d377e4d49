/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a cudaTextureObject_t and a cudaSurfaceObject_t point to, for the fetches that are a few instructions in the
 * kernel itself. The runtime makes these objects, and keeps what only its own sampling needs after this part.
 */
#ifndef UNWARP_TEXTURE_OBJECT_H
#define UNWARP_TEXTURE_OBJECT_H

#include <stddef.h>

/* A format whose texels in memory are bit for bit what a fetch of a type gives: the number of components and the
 * bytes of each. */
#define __UW_TEXEL(components, bytes) ((unsigned int)(components) << 8 | (unsigned int)(bytes))

struct __uw_texture {
  unsigned char *__data;                   /* the first texel, of mipmap level 0 */
  size_t __pitch, __slice;                 /* bytes from row to row, and from slice or layer to the next */
  unsigned int __width, __height, __depth; /* texels, at least 1; depth counts slices or layers, and a cube's faces */
  unsigned int __plain;                    /* __UW_TEXEL of the format if a fetch of one texel is a load, else 0 */
  unsigned int __nearest; /* the same if moreover it samples the nearest texel, unnormalized and clamped; else 0 */
  unsigned int __bytes;   /* of a texel */
};

/* What a reference has until something is bound to it: nothing to read, nowhere to write. */
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    const struct __uw_texture uwrt_texture_unbound;

/* Four 32-bit components, as a texture unit returns them: integers extended, floats by their bits. */
typedef unsigned int __uw_texel __attribute__((vector_size(16)));

enum __uw_shape { __UW_1D = 1, __UW_2D = 2, __UW_3D = 3, __UW_CUBE = 4 };

#endif
