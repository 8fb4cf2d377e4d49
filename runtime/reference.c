/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The old texture and surface references. Binding makes a texture as cudaCreateTextureObject does, from the reference's
 * own fields, and the reference owns it until it is bound anew or unbound.
 */
#include <pthread.h>

#include "texture.h"

const struct __uw_texture uwrt_texture_unbound;

/* By what it is: a library that was linked with a runtime that it hides has an address of its own for it. */
static int is_unbound(const struct __uw_texture *texture) { return !texture->__width; }

/* A variable of the program that some object registered. References are const in CUDA's interface, and never are. */
static int is_variable(const void *symbol) {
  size_t bytes;
  return symbol && uwrt_variable_find(symbol, &bytes);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* two threads may bind one reference at the same time */

/* Each takes away what the one before it has bound. */
static void rebind(const struct __uw_texture **bound, const struct __uw_texture *texture, size_t *offset_of,
                   size_t offset) {
  pthread_mutex_lock(&lock);
  const struct __uw_texture *before = *bound;
  *bound = texture;
  if (offset_of)
    *offset_of = offset;
  pthread_mutex_unlock(&lock);
  if (!is_unbound(before))
    uwrt_texture_free((uwrt_texture *)before);
}

static cudaError_t bind(const struct textureReference *reference, const struct cudaResourceDesc *resource,
                        size_t offset) {
  uwrt_texture *made;
  struct textureReference *r = (struct textureReference *)reference;
  if (!is_variable(r))
    return cudaErrorInvalidTexture;
  struct cudaTextureDesc sampler = {.addressMode = {r->addressMode[0], r->addressMode[1], r->addressMode[2]},
                                    .filterMode = r->filterMode,
                                    .readMode = r->__read_mode,
                                    .sRGB = r->sRGB,
                                    .normalizedCoords = r->normalized,
                                    .maxAnisotropy = r->maxAnisotropy,
                                    .mipmapFilterMode = r->mipmapFilterMode,
                                    .mipmapLevelBias = r->mipmapLevelBias,
                                    .minMipmapLevelClamp = r->minMipmapLevelClamp,
                                    .maxMipmapLevelClamp = r->maxMipmapLevelClamp,
                                    .disableTrilinearOptimization = r->disableTrilinearOptimization};
  cudaError_t error = uwrt_texture_create(resource, &sampler, NULL, &made);
  if (error != cudaSuccess)
    return error;
  rebind(&r->__bound, &made->seen, &r->__offset, offset);
  return cudaSuccess;
}

/* A program that binds memory which begins elsewhere wants to know by how much to add to its indices. */
static cudaError_t align(const void **memory, size_t *offset, uwrt_allocation *found, size_t *misaligned) {
  if (!uwrt_texture_memory(*memory, found, misaligned) || (*misaligned && !offset))
    return cudaErrorInvalidValue;
  *memory = (const char *)*memory - *misaligned;
  return cudaSuccess;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texref, const void *devPtr,
                            const struct cudaChannelFormatDesc *desc, size_t size) {
  size_t misaligned;
  uwrt_format format;
  uwrt_allocation found;
  UWRT_ENTER;
  UWRT_REQUIRE(texref && desc, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_format_of(*desc, &format), cudaErrorInvalidChannelDescriptor);
  UWRT_TRY(align(&devPtr, offset, &found, &misaligned));
  if (size == UINT_MAX) /* all of it */
    size = found.bytes - ((uintptr_t)devPtr - found.base);
  else
    size += misaligned;
  struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear, .res.linear = {(void *)devPtr, *desc, size}};
  UWRT_TRY(bind(texref, &resource, misaligned));
  if (offset)
    *offset = misaligned;
  UWRT_LEAVE;
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texref, const void *devPtr,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch) {
  size_t misaligned;
  uwrt_format format;
  uwrt_allocation found;
  UWRT_ENTER;
  UWRT_REQUIRE(texref && desc, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_format_of(*desc, &format), cudaErrorInvalidChannelDescriptor);
  UWRT_TRY(align(&devPtr, offset, &found, &misaligned));
  struct cudaResourceDesc resource = {
      .resType = cudaResourceTypePitch2D,
      .res.pitch2D = {(void *)devPtr, *desc, width + misaligned / format.bytes, height, pitch}};
  UWRT_TRY(bind(texref, &resource, misaligned));
  if (offset)
    *offset = misaligned;
  UWRT_LEAVE;
}

static int same_format(struct cudaChannelFormatDesc a, struct cudaChannelFormatDesc b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && a.f == b.f;
}

cudaError_t cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc) {
  struct cudaArray found;
  UWRT_ENTER;
  UWRT_REQUIRE(texref && desc, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_array_find(array, &found), cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(same_format(found.format, *desc), cudaErrorInvalidChannelDescriptor);
  struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray, .res.array.array = (cudaArray_t)array};
  UWRT_TRY(bind(texref, &resource, 0));
  UWRT_LEAVE;
}

cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *texref,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const struct cudaChannelFormatDesc *desc) {
  struct cudaArray found;
  UWRT_ENTER;
  UWRT_REQUIRE(texref && desc, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_mipmap_find_level(mipmappedArray, 0, &found), cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(same_format(found.format, *desc), cudaErrorInvalidChannelDescriptor);
  struct cudaResourceDesc resource = {.resType = cudaResourceTypeMipmappedArray,
                                      .res.mipmap.mipmap = (cudaMipmappedArray_t)mipmappedArray};
  UWRT_TRY(bind(texref, &resource, 0));
  UWRT_LEAVE;
}

cudaError_t cudaUnbindTexture(const struct textureReference *texref) {
  UWRT_ENTER;
  UWRT_REQUIRE(is_variable(texref), cudaErrorInvalidTexture);
  rebind(&((struct textureReference *)texref)->__bound, &uwrt_texture_unbound, NULL, 0);
  UWRT_LEAVE;
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref) {
  UWRT_ENTER;
  UWRT_REQUIRE(offset, cudaErrorInvalidValue);
  UWRT_REQUIRE(is_variable(texref), cudaErrorInvalidTexture);
  UWRT_REQUIRE(!is_unbound(texref->__bound), cudaErrorInvalidTextureBinding);
  *offset = texref->__offset;
  UWRT_LEAVE;
}

cudaError_t cudaGetTextureReference(const struct textureReference **texref, const void *symbol) {
  UWRT_ENTER;
  UWRT_REQUIRE(texref && is_variable(symbol), cudaErrorInvalidTexture);
  *texref = symbol;
  UWRT_LEAVE;
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc) {
  uwrt_texture *made;
  struct cudaArray found;
  UWRT_ENTER;
  UWRT_REQUIRE(desc, cudaErrorInvalidValue);
  UWRT_REQUIRE(is_variable(surfref), cudaErrorInvalidSurface);
  UWRT_REQUIRE(uwrt_array_find(array, &found), cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(same_format(found.format, *desc), cudaErrorInvalidChannelDescriptor);
  UWRT_TRY(uwrt_surface_create(array, &made));
  rebind(&((struct surfaceReference *)surfref)->__bound, &made->seen, NULL, 0);
  ((struct surfaceReference *)surfref)->channelDesc = *desc;
  UWRT_LEAVE;
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol) {
  UWRT_ENTER;
  UWRT_REQUIRE(surfref && is_variable(symbol), cudaErrorInvalidSurface);
  *surfref = symbol;
  UWRT_LEAVE;
}
