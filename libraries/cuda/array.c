/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays: the runtime's, described as the driver describes them. */
#include "internal.h"

#define ARRAY(handle) ((cudaArray_t)(handle))

/* A channel of each format: bits, and how they are read. */
static const struct {
  CUarray_format format;
  int bits;
  enum cudaChannelFormatKind kind;
} formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

int uwcu_channels(struct cudaChannelFormatDesc *channels, CUarray_format format, unsigned int count) {
  if (count != 1 && count != 2 && count != 4)
    return 0;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].format == format) {
      int bits = formats[i].bits;
      *channels = (struct cudaChannelFormatDesc){bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0,
                                                 formats[i].kind};
      return 1;
    }
  return 0;
}

CUarray_format uwcu_format(const struct cudaChannelFormatDesc *channels, unsigned int *count) {
  *count = channels->w ? 4 : channels->y ? 2 : 1;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].bits == channels->x && formats[i].kind == channels->f)
      return formats[i].format;
  return CU_AD_FORMAT_MAX;
}

size_t uwcu_element_bytes(CUarray array) {
  struct cudaChannelFormatDesc channels;
  if (!array || cudaGetChannelDesc(&channels, ARRAY(array)) != cudaSuccess)
    return 0;
  return (size_t)(channels.x + channels.y + channels.z + channels.w) / 8;
}

static int is_known_format(CUarray_format format) {
  struct cudaChannelFormatDesc channels;
  return uwcu_channels(&channels, format, 1) ||
         (format >= CU_AD_FORMAT_UNORM_INT_101010_2 && format <= CU_AD_FORMAT_SNORM_INT16X4);
}

static int describe(const CUDA_ARRAY3D_DESCRIPTOR *from, struct cudaChannelFormatDesc *channels) {
  if (uwcu_channels(channels, from->Format, from->NumChannels))
    return CUDA_SUCCESS;
  return uwcu_channels(channels, CU_AD_FORMAT_FLOAT, from->NumChannels) && is_known_format(from->Format)
             ? CUDA_ERROR_NOT_SUPPORTED
             : CUDA_ERROR_INVALID_VALUE;
}

static int create(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *from) {
  struct cudaChannelFormatDesc channels;
  if (!array || !from)
    return CUDA_ERROR_INVALID_VALUE;
  int error = describe(from, &channels);
  return error ? error
               : (int)cudaMalloc3DArray((cudaArray_t *)array, &channels,
                                        (struct cudaExtent){from->Width, from->Height, from->Depth}, from->Flags);
}

CUresult cuArray3DCreate(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray) {
  RUN(create(pHandle, pAllocateArray));
}

CUresult cuArrayCreate(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *from) {
  CUDA_ARRAY3D_DESCRIPTOR whole = {0};
  if (from)
    whole = (CUDA_ARRAY3D_DESCRIPTOR){from->Width, from->Height, 0, from->Format, from->NumChannels, 0};
  RUN(create(pHandle, from ? &whole : NULL));
}

static int description_of(CUDA_ARRAY3D_DESCRIPTOR *to, CUarray array) {
  struct cudaChannelFormatDesc channels;
  struct cudaExtent extent;
  unsigned int flags;
  if (!to)
    return CUDA_ERROR_INVALID_VALUE;
  int error = (int)cudaArrayGetInfo(&channels, &extent, &flags, ARRAY(array));
  if (error)
    return error == cudaErrorInvalidResourceHandle ? CUDA_ERROR_INVALID_HANDLE : error;
  *to = (CUDA_ARRAY3D_DESCRIPTOR){extent.width, extent.height, extent.depth, 0, 0, flags};
  to->Format = uwcu_format(&channels, &to->NumChannels);
  return CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *to, CUarray hArray) { RUN(description_of(to, hArray)); }

static int flat_description(CUDA_ARRAY_DESCRIPTOR *to, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR whole;
  int error = to ? description_of(&whole, array) : CUDA_ERROR_INVALID_VALUE;
  if (error == CUDA_SUCCESS)
    *to = (CUDA_ARRAY_DESCRIPTOR){whole.Width, whole.Height, whole.Format, whole.NumChannels};
  return error;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *to, CUarray hArray) { RUN(flat_description(to, hArray)); }
CUresult cuArrayDestroy(CUarray hArray) { RUN(hArray ? (int)cudaFreeArray(ARRAY(hArray)) : CUDA_ERROR_INVALID_HANDLE); }

static int create_mipmap(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *from, unsigned int levels) {
  struct cudaChannelFormatDesc channels;
  if (!array || !from)
    return CUDA_ERROR_INVALID_VALUE;
  int error = describe(from, &channels);
  return error ? error
               : (int)cudaMallocMipmappedArray((cudaMipmappedArray_t *)array, &channels,
                                               (struct cudaExtent){from->Width, from->Height, from->Depth}, levels,
                                               from->Flags);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *from, unsigned int levels) {
  RUN(create_mipmap(pHandle, from, levels));
}

CUresult cuMipmappedArrayGetLevel(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level) {
  RUN(cudaGetMipmappedArrayLevel((cudaArray_t *)pLevelArray, (cudaMipmappedArray_t)hMipmappedArray, level));
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray) {
  RUN(hMipmappedArray ? (int)cudaFreeMipmappedArray((cudaMipmappedArray_t)hMipmappedArray) : CUDA_ERROR_INVALID_HANDLE);
}
