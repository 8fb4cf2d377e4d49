/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays and textures inside the runtime: array.c makes arrays, texture.c textures and surfaces over them, sample.c
 * reads textures, reference.c binds the old references.
 */
#ifndef UWRT_TEXTURE_H
#define UWRT_TEXTURE_H

#include "internal.h"

/* Rows lie one after the other, padded to whole cache lines, and slices likewise. */
struct cudaArray {
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent; /* texels; 0 for a dimension that there is not; depth counts layers and faces too */
  unsigned int flags;
  unsigned int texel_bytes;
  unsigned char *data;
  size_t pitch, slice;
  cudaMipmappedArray_t level_of; /* whose level it is, or null */
};

struct cudaMipmappedArray {
  unsigned int levels;
  struct cudaArray level[]; /* level 0 is the finest */
};

/* How one component of a texel is stored. */
typedef enum uwrt_component {
  UWRT_COMPONENT_NONE,
  UWRT_COMPONENT_U8,
  UWRT_COMPONENT_S8,
  UWRT_COMPONENT_U16,
  UWRT_COMPONENT_S16,
  UWRT_COMPONENT_32, /* integers and floats alike */
  UWRT_COMPONENT_HALF
} uwrt_component;

typedef struct uwrt_format {
  uwrt_component component;
  unsigned int components; /* 1, 2 or 4 */
  unsigned int bytes;      /* of a texel */
  int is_float;            /* a fetch gives floats without any conversion being asked for */
  int is_normalized;       /* integers that always read as [0, 1] or [-1, 1] */
} uwrt_format;
/* False for what no texture can have: three components, unequal ones, compressed blocks. */
int uwrt_format_of(struct cudaChannelFormatDesc channels, uwrt_format *format);

typedef struct uwrt_texture {
  struct __uw_texture seen; /* by kernels; first, since the object's handle is its address */
  uwrt_format format;
  int to_float; /* components are converted to normalized floats */
  int is_plane; /* sampled by the short way */
  struct cudaTextureDesc sampler;
  unsigned int levels; /* mipmap levels beyond the first have their geometry here */
  struct __uw_texture *level;
  struct cudaResourceDesc resource;
  struct cudaResourceViewDesc view;
  int has_view;
} uwrt_texture;

/* array.c: fill in a copy. False if the handle is not of an array, and for a level that there is not. */
int uwrt_array_find(cudaArray_const_t handle, struct cudaArray *found);
int uwrt_mipmap_find_level(cudaMipmappedArray_const_t handle, unsigned int level, struct cudaArray *found);

/* texture.c: without noting the error. */
cudaError_t uwrt_texture_create(const struct cudaResourceDesc *resource, const struct cudaTextureDesc *sampler,
                                const struct cudaResourceViewDesc *view, uwrt_texture **made);
cudaError_t uwrt_surface_create(cudaArray_const_t array, uwrt_texture **made);
void uwrt_texture_free(uwrt_texture *texture);
int uwrt_texture_memory(const void *memory, uwrt_allocation *found, size_t *misaligned); /* 0: not the device's */

/* sample.c */
int uwrt_texture_is_plane(const uwrt_texture *texture);
void uwrt_texture_prepare_srgb(void); /* before a texture with sRGB components is read */

#endif
