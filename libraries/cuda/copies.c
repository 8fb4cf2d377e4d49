/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The driver's description of a copy, and the runtime's. Where an array takes part, the runtime counts along x in
 * elements. */
#include "internal.h"

typedef struct side {
  CUmemorytype type;
  void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
} side;

/* The start of a side that is linear memory. */
static int linear(struct cudaPitchedPtr *to, const side *from, const CUDA_MEMCPY3D *copy) {
  void *start = from->type == CU_MEMORYTYPE_HOST ? from->host : (void *)from->device;
  size_t pitch = from->pitch, height = from->height ? from->height : copy->Height;
  if (pitch == 0) /* one row may leave it out */
    pitch = from->x + copy->WidthInBytes;
  if (!start || from->x + copy->WidthInBytes > pitch || (copy->Depth > 1 && from->y + copy->Height > height))
    return CUDA_ERROR_INVALID_VALUE;
  if (copy->Height > 1 && from->pitch == 0 && from->x)
    return CUDA_ERROR_INVALID_VALUE;
  char *first = (char *)start + (from->z * height + from->y) * pitch + from->x;
  *to = (struct cudaPitchedPtr){first, pitch, pitch, height};
  return CUDA_SUCCESS;
}

static int array(cudaArray_t *to, struct cudaPos *position, size_t *element, const side *from) {
  size_t bytes = uwcu_element_bytes(from->array);
  if (!bytes)
    return CUDA_ERROR_INVALID_HANDLE;
  if (from->x % bytes)
    return CUDA_ERROR_INVALID_VALUE;
  *to = (cudaArray_t)from->array;
  *position = (struct cudaPos){from->x / bytes, from->y, from->z};
  *element = bytes;
  return CUDA_SUCCESS;
}

int uwcu_copy_of(struct cudaMemcpy3DParms *to, const CUDA_MEMCPY3D *from) {
  if (!from)
    return CUDA_ERROR_INVALID_VALUE;
  side source = {from->srcMemoryType, (void *)from->srcHost, from->srcDevice,
                 from->srcArray,      from->srcXInBytes,     from->srcY,
                 from->srcZ,          from->srcPitch,        from->srcHeight};
  side target = {from->dstMemoryType, from->dstHost, from->dstDevice, from->dstArray, from->dstXInBytes,
                 from->dstY,          from->dstZ,    from->dstPitch,  from->dstHeight};
  size_t element = 1;
  *to =
      (struct cudaMemcpy3DParms){.extent = {from->WidthInBytes, from->Height, from->Depth}, .kind = cudaMemcpyDefault};
  if (source.type < CU_MEMORYTYPE_HOST || source.type > CU_MEMORYTYPE_UNIFIED || target.type < CU_MEMORYTYPE_HOST ||
      target.type > CU_MEMORYTYPE_UNIFIED || from->srcLOD || from->dstLOD)
    return CUDA_ERROR_INVALID_VALUE;
  int error = source.type == CU_MEMORYTYPE_ARRAY ? array(&to->srcArray, &to->srcPos, &element, &source)
                                                 : linear(&to->srcPtr, &source, from);
  if (error == CUDA_SUCCESS)
    error = target.type == CU_MEMORYTYPE_ARRAY ? array(&to->dstArray, &to->dstPos, &element, &target)
                                               : linear(&to->dstPtr, &target, from);
  if (error == CUDA_SUCCESS && from->WidthInBytes % element)
    error = CUDA_ERROR_INVALID_VALUE;
  to->extent.width = from->WidthInBytes / element;
  return error;
}

void uwcu_copy_from(CUDA_MEMCPY3D *to, const struct cudaMemcpy3DParms *from) {
  size_t element = uwcu_element_bytes((CUarray)(from->srcArray ? from->srcArray : from->dstArray));
  if (!element)
    element = 1;
  *to = (CUDA_MEMCPY3D){.srcXInBytes = from->srcPos.x * (from->srcArray ? element : 1),
                        .srcY = from->srcPos.y,
                        .srcZ = from->srcPos.z,
                        .srcMemoryType = from->srcArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED,
                        .srcDevice = (CUdeviceptr)from->srcPtr.ptr,
                        .srcArray = (CUarray)from->srcArray,
                        .srcPitch = from->srcPtr.pitch,
                        .srcHeight = from->srcPtr.ysize,
                        .dstXInBytes = from->dstPos.x * (from->dstArray ? element : 1),
                        .dstY = from->dstPos.y,
                        .dstZ = from->dstPos.z,
                        .dstMemoryType = from->dstArray ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_UNIFIED,
                        .dstDevice = (CUdeviceptr)from->dstPtr.ptr,
                        .dstArray = (CUarray)from->dstArray,
                        .dstPitch = from->dstPtr.pitch,
                        .dstHeight = from->dstPtr.ysize,
                        .WidthInBytes = from->extent.width * element,
                        .Height = from->extent.height,
                        .Depth = from->extent.depth};
}
