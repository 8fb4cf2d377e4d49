/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libcudart.so.10.1 and .10.2: what has another form in CUDA 10 than in 12. All other functions are jumps to
 * libcudart.so.12 (scripts/cudart-forwarders.sh). Of two structures members in the middle came later.
 */
#include "before12.h"

/* Up to the level-2 cache's size as 12 has it. */
enum { HEAD_BYTES = offsetof(struct cudaDeviceProp, l2CacheSize) + sizeof(int) };
typedef struct properties10 {
  char head[HEAD_BYTES];
  int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
      singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,
      canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
} properties10;
_Static_assert(sizeof(properties10) == 712, "as CUDA 10 has it");

/* What lies alike in both, behind the head. */
#define COPY_TAIL(to, from)                                                                                            \
  memcpy(&(to)->maxThreadsPerMultiProcessor, &(from)->maxThreadsPerMultiProcessor, 4 * sizeof(int));                   \
  memcpy(&(to)->sharedMemPerMultiprocessor, &(from)->sharedMemPerMultiprocessor,                                       \
         offsetof(properties10, directManagedMemAccessFromHost) + sizeof(int) -                                        \
             offsetof(properties10, sharedMemPerMultiprocessor))
#define RUN_OF(type) (offsetof(type, directManagedMemAccessFromHost) - offsetof(type, sharedMemPerMultiprocessor))
_Static_assert(RUN_OF(properties10) == RUN_OF(struct cudaDeviceProp), "they lie alike");

typedef struct pointer10 {
  enum cudaMemoryType memory_type, type; /* the first of them has no managed and no unregistered memory */
  int device;
  void *of_device, *of_host;
  int is_managed;
} pointer10;

enum { TEXTURE_BYTES = offsetof(struct cudaTextureDesc, seamlessCubemap) };

#pragma GCC visibility push(default)
cudaError_t properties(void *prop, int device) {
  struct cudaDeviceProp all;
  properties10 *to = prop;
  cudaError_t error = cudaGetDeviceProperties_in_12(prop ? &all : NULL, device);
  if (error != cudaSuccess)
    return error;
  memset(to, 0, sizeof *to);
  memcpy(to, &all, HEAD_BYTES);
  COPY_TAIL(to, &all);
  return cudaSuccess;
}

cudaError_t choose(int *device, const void *prop) {
  struct cudaDeviceProp all = {0};
  const properties10 *from = prop;
  if (from) {
    memcpy(&all, from, HEAD_BYTES);
    COPY_TAIL(&all, from);
  }
  return cudaChooseDevice_in_12(device, prop ? &all : NULL);
}

OF_12(cudaPointerGetAttributes, (struct cudaPointerAttributes *, const void *));
cudaError_t pointer_attributes(pointer10 *to, const void *pointer) NAMED(cudaPointerGetAttributes);
cudaError_t pointer_attributes(pointer10 *to, const void *pointer) {
  struct cudaPointerAttributes from;
  cudaError_t error = cudaPointerGetAttributes_in_12(to ? &from : NULL, pointer);
  if (error != cudaSuccess)
    return error;
  *to = (pointer10){.memory_type = from.type == cudaMemoryTypeManaged ? cudaMemoryTypeDevice : from.type,
                    .type = from.type,
                    .device = from.device,
                    .of_device = from.devicePointer,
                    .of_host = from.hostPointer,
                    .is_managed = from.type == cudaMemoryTypeManaged};
  return from.type == cudaMemoryTypeUnregistered ? cudaErrorInvalidValue : cudaSuccess;
}

OF_12(cudaCreateTextureObject, (cudaTextureObject_t *, const struct cudaResourceDesc *, const struct cudaTextureDesc *,
                                const struct cudaResourceViewDesc *));
cudaError_t create_texture(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                           const void *texture_desc, const struct cudaResourceViewDesc *view)
    NAMED(cudaCreateTextureObject);
cudaError_t create_texture(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                           const void *texture_desc, const struct cudaResourceViewDesc *view) {
  struct cudaTextureDesc all = {0};
  if (texture_desc)
    memcpy(&all, texture_desc, TEXTURE_BYTES);
  return cudaCreateTextureObject_in_12(texture, resource, texture_desc ? &all : NULL, view);
}

OF_12(cudaGetTextureObjectTextureDesc, (struct cudaTextureDesc *, cudaTextureObject_t));
cudaError_t texture_desc(void *to, cudaTextureObject_t texture) NAMED(cudaGetTextureObjectTextureDesc);
cudaError_t texture_desc(void *to, cudaTextureObject_t texture) {
  struct cudaTextureDesc all;
  cudaError_t error = cudaGetTextureObjectTextureDesc_in_12(to ? &all : NULL, texture);
  if (error == cudaSuccess)
    memcpy(to, &all, TEXTURE_BYTES);
  return error;
}

cudaError_t runtime_version(int *version) {
  if (!version)
    return cudaErrorInvalidValue;
  *version = 10000 + 10 * UWCUDART_MINOR;
  return cudaSuccess;
}
#pragma GCC visibility pop
