/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Texture and surface objects: the runtime's. A texture of whole numbers is read as numbers between 0 and 1, or -1 and
 * 1, unless its flags say otherwise: the runtime says the opposite. */
#include "internal.h"

#include <string.h>

static int resource_of(struct cudaResourceDesc *to, const CUDA_RESOURCE_DESC *from) {
  memset(to, 0, sizeof *to);
  to->resType = (enum cudaResourceType)from->resType;
  switch (from->resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to->res.array.array = (cudaArray_t)from->res.array.hArray;
    return uwcu_element_bytes(from->res.array.hArray) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to->res.mipmap.mipmap = (cudaMipmappedArray_t)from->res.mipmap.hMipmappedArray;
    return CUDA_SUCCESS;
  case CU_RESOURCE_TYPE_LINEAR:
    to->res.linear.devPtr = (void *)from->res.linear.devPtr;
    to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    return uwcu_channels(&to->res.linear.desc, from->res.linear.format, from->res.linear.numChannels)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  case CU_RESOURCE_TYPE_PITCH2D:
    to->res.pitch2D.devPtr = (void *)from->res.pitch2D.devPtr;
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    return uwcu_channels(&to->res.pitch2D.desc, from->res.pitch2D.format, from->res.pitch2D.numChannels)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

static void resource_from(CUDA_RESOURCE_DESC *to, const struct cudaResourceDesc *from) {
  memset(to, 0, sizeof *to);
  to->resType = (CUresourcetype)from->resType;
  switch (from->resType) {
  case cudaResourceTypeArray: to->res.array.hArray = (CUarray)from->res.array.array; break;
  case cudaResourceTypeMipmappedArray:
    to->res.mipmap.hMipmappedArray = (CUmipmappedArray)from->res.mipmap.mipmap;
    break;
  case cudaResourceTypeLinear:
    to->res.linear.devPtr = (CUdeviceptr)from->res.linear.devPtr;
    to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
    to->res.linear.format = uwcu_format(&from->res.linear.desc, &to->res.linear.numChannels);
    break;
  case cudaResourceTypePitch2D:
    to->res.pitch2D.devPtr = (CUdeviceptr)from->res.pitch2D.devPtr;
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
    to->res.pitch2D.format = uwcu_format(&from->res.pitch2D.desc, &to->res.pitch2D.numChannels);
    break;
  }
}

/* Bits and kind of what the resource's elements are. */
static int channels_of(struct cudaChannelFormatDesc *channels, const struct cudaResourceDesc *resource) {
  cudaArray_t level;
  switch (resource->resType) {
  case cudaResourceTypeArray: return cudaGetChannelDesc(channels, resource->res.array.array) == cudaSuccess;
  case cudaResourceTypeMipmappedArray:
    return cudaGetMipmappedArrayLevel(&level, resource->res.mipmap.mipmap, 0) == cudaSuccess &&
           cudaGetChannelDesc(channels, level) == cudaSuccess;
  case cudaResourceTypeLinear: *channels = resource->res.linear.desc; return 1;
  default: *channels = resource->res.pitch2D.desc; return 1;
  }
}

static int texture_of(struct cudaTextureDesc *to, const CUDA_TEXTURE_DESC *from,
                      const struct cudaResourceDesc *resource) {
  struct cudaChannelFormatDesc channels;
  const unsigned int known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                             CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  if ((from->flags & ~known) || !channels_of(&channels, resource))
    return CUDA_ERROR_INVALID_VALUE;
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 3; i++)
    to->addressMode[i] = (enum cudaTextureAddressMode)from->addressMode[i];
  to->filterMode = (enum cudaTextureFilterMode)from->filterMode;
  int is_small = channels.x <= 16 && channels.f != cudaChannelFormatKindFloat;
  to->readMode =
      is_small && !(from->flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  to->sRGB = (from->flags & CU_TRSF_SRGB) != 0;
  memcpy(to->borderColor, from->borderColor, sizeof to->borderColor);
  to->normalizedCoords = (from->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to->maxAnisotropy = from->maxAnisotropy;
  to->mipmapFilterMode = (enum cudaTextureFilterMode)from->mipmapFilterMode;
  to->mipmapLevelBias = from->mipmapLevelBias;
  to->minMipmapLevelClamp = from->minMipmapLevelClamp;
  to->maxMipmapLevelClamp = from->maxMipmapLevelClamp;
  to->disableTrilinearOptimization = (from->flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to->seamlessCubemap = (from->flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  return CUDA_SUCCESS;
}

static void texture_from(CUDA_TEXTURE_DESC *to, const struct cudaTextureDesc *from) {
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 3; i++)
    to->addressMode[i] = (CUaddress_mode)from->addressMode[i];
  to->filterMode = (CUfilter_mode)from->filterMode;
  to->flags = (from->readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
              (from->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (from->sRGB ? CU_TRSF_SRGB : 0) |
              (from->disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
              (from->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  memcpy(to->borderColor, from->borderColor, sizeof to->borderColor);
  to->maxAnisotropy = from->maxAnisotropy;
  to->mipmapFilterMode = (CUfilter_mode)from->mipmapFilterMode;
  to->mipmapLevelBias = from->mipmapLevelBias;
  to->minMipmapLevelClamp = from->minMipmapLevelClamp;
  to->maxMipmapLevelClamp = from->maxMipmapLevelClamp;
}

static struct cudaResourceViewDesc view_of(const CUDA_RESOURCE_VIEW_DESC *from) {
  return (struct cudaResourceViewDesc){(enum cudaResourceViewFormat)from->format,
                                       from->width,
                                       from->height,
                                       from->depth,
                                       from->firstMipmapLevel,
                                       from->lastMipmapLevel,
                                       from->firstLayer,
                                       from->lastLayer};
}

static int create(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                  const CUDA_RESOURCE_VIEW_DESC *view) {
  struct cudaResourceDesc own;
  struct cudaTextureDesc how;
  struct cudaResourceViewDesc seen;
  if (!object || !resource || !texture)
    return CUDA_ERROR_INVALID_VALUE;
  int error = resource_of(&own, resource);
  if (!error)
    error = texture_of(&how, texture, &own);
  if (!error && view)
    seen = view_of(view);
  return error ? error : (int)cudaCreateTextureObject(object, &own, &how, view ? &seen : NULL);
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
                           const CUDA_RESOURCE_VIEW_DESC *view) {
  RUN(create(object, resource, texture, view));
}
CUresult cuTexObjectDestroy(CUtexObject object) { RUN(cudaDestroyTextureObject(object)); }

static int get_resource(CUDA_RESOURCE_DESC *to, CUtexObject object, int is_surface) {
  struct cudaResourceDesc own;
  if (!to)
    return CUDA_ERROR_INVALID_VALUE;
  int error = (int)(is_surface ? cudaGetSurfaceObjectResourceDesc(&own, object)
                               : cudaGetTextureObjectResourceDesc(&own, object));
  if (!error)
    resource_from(to, &own);
  return error;
}

static int get_texture(CUDA_TEXTURE_DESC *to, CUtexObject object) {
  struct cudaTextureDesc own;
  int error = to ? (int)cudaGetTextureObjectTextureDesc(&own, object) : CUDA_ERROR_INVALID_VALUE;
  if (!error)
    texture_from(to, &own);
  return error;
}

static int get_view(CUDA_RESOURCE_VIEW_DESC *to, CUtexObject object) {
  struct cudaResourceViewDesc own;
  int error = to ? (int)cudaGetTextureObjectResourceViewDesc(&own, object) : CUDA_ERROR_INVALID_VALUE;
  if (!error)
    *to = (CUDA_RESOURCE_VIEW_DESC){(CUresourceViewFormat)own.format,
                                    own.width,
                                    own.height,
                                    own.depth,
                                    own.firstMipmapLevel,
                                    own.lastMipmapLevel,
                                    own.firstLayer,
                                    own.lastLayer,
                                    {0}};
  return error;
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *to, CUtexObject object) { RUN(get_resource(to, object, 0)); }
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *to, CUtexObject object) { RUN(get_texture(to, object)); }
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *to, CUtexObject object) { RUN(get_view(to, object)); }

static int create_surface(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  struct cudaResourceDesc own;
  int error = object && resource ? resource_of(&own, resource) : CUDA_ERROR_INVALID_VALUE;
  return error ? error : (int)cudaCreateSurfaceObject(object, &own);
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
  RUN(create_surface(object, resource));
}
CUresult cuSurfObjectDestroy(CUsurfObject object) { RUN(cudaDestroySurfaceObject(object)); }
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *to, CUsurfObject object) { RUN(get_resource(to, object, 1)); }
