/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Texture and surface objects: what a program describes is checked as CUDA does and becomes the record that kernels
 * read. A handle is the record's address.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "texture.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uwrt_table textures; /* by handle; to uwrt_texture */
static uwrt_table surfaces;

/* --- where the texels are ----------------------------------------------------------------------------------------- */

static unsigned int at_least_one(size_t count) { return count ? (unsigned int)count : 1; }

static struct __uw_texture geometry_of(const struct cudaArray *array) {
  return (struct __uw_texture){.__data = array->data,
                               .__pitch = array->pitch,
                               .__slice = array->slice,
                               .__width = (unsigned int)array->extent.width,
                               .__height = at_least_one(array->extent.height),
                               .__depth = at_least_one(array->extent.depth),
                               .__bytes = array->texel_bytes};
}

/* A texture begins at an aligned address. A GPU has its variables at such addresses; those of a process are where the
 * linker put them. */
int uwrt_texture_memory(const void *memory, uwrt_allocation *found, size_t *misaligned) {
  int alignment;
  if (!memory || !uwrt_allocation_find(memory, found) ||
      cudaDeviceGetAttribute(&alignment, cudaDevAttrTextureAlignment, 0) != cudaSuccess)
    return 0;
  int is_variable = (found->space & (UWRT_SPACE_VARIABLE | UWRT_SPACE_MANAGED_VARIABLE)) != 0;
  *misaligned = is_variable ? 0 : (uintptr_t)memory % (size_t)alignment;
  return 1;
}

/* How many bytes there are from an address on. */
static cudaError_t check_memory(const void *memory, size_t *bytes) {
  uwrt_allocation found;
  size_t misaligned;
  if (!uwrt_texture_memory(memory, &found, &misaligned) || misaligned)
    return cudaErrorInvalidValue;
  *bytes = found.bytes - ((uintptr_t)memory - found.base);
  return cudaSuccess;
}

static cudaError_t take_linear(uwrt_texture *t, const struct cudaDeviceProp *device) {
  size_t bytes = t->resource.res.linear.sizeInBytes, there = 0;
  if (!uwrt_format_of(t->resource.res.linear.desc, &t->format))
    return cudaErrorInvalidChannelDescriptor;
  cudaError_t error = check_memory(t->resource.res.linear.devPtr, &there);
  if (error != cudaSuccess)
    return error;
  size_t texels = bytes / t->format.bytes, left = there / t->format.bytes;
  if (!texels || texels > (size_t)device->maxTexture1DLinear)
    return cudaErrorInvalidValue;
  texels = texels < left ? texels : left; /* a GPU reads what lies behind; here it is outside of the texture */
  t->seen = (struct __uw_texture){
      .__data = t->resource.res.linear.devPtr, .__width = (unsigned int)texels, .__height = 1, .__depth = 1};
  return cudaSuccess;
}

static cudaError_t take_pitched(uwrt_texture *t, const struct cudaDeviceProp *device) {
  size_t width = t->resource.res.pitch2D.width, height = t->resource.res.pitch2D.height;
  size_t pitch = t->resource.res.pitch2D.pitchInBytes, there = 0;
  const int *most = device->maxTexture2DLinear;
  if (!uwrt_format_of(t->resource.res.pitch2D.desc, &t->format))
    return cudaErrorInvalidChannelDescriptor;
  cudaError_t error = check_memory(t->resource.res.pitch2D.devPtr, &there);
  if (error != cudaSuccess)
    return error;
  if (!width || width > (size_t)most[0] || !height || height > (size_t)most[1] || pitch > (size_t)most[2] ||
      pitch % device->texturePitchAlignment || width * t->format.bytes > pitch)
    return cudaErrorInvalidValue;
  if ((height - 1) * pitch + width * t->format.bytes > there)
    return cudaErrorInvalidValue;
  t->seen = (struct __uw_texture){.__data = t->resource.res.pitch2D.devPtr,
                                  .__pitch = pitch,
                                  .__width = (unsigned int)width,
                                  .__height = (unsigned int)height,
                                  .__depth = 1};
  return cudaSuccess;
}

/* The levels from first to last of an array, or of a mipmap, which begins with level 0. */
static cudaError_t take_levels(uwrt_texture *t, unsigned int first, unsigned int last, struct cudaArray *base) {
  cudaMipmappedArray_t mipmap =
      t->resource.resType == cudaResourceTypeMipmappedArray ? t->resource.res.mipmap.mipmap : NULL;
  struct cudaArray level;
  if (!mipmap) {
    if (!uwrt_array_find(t->resource.res.array.array, base))
      return cudaErrorInvalidResourceHandle;
    t->seen = geometry_of(base);
    return first || last ? cudaErrorInvalidValue : cudaSuccess;
  }
  if (!uwrt_mipmap_find_level(mipmap, 0, base))
    return cudaErrorInvalidResourceHandle;
  if (first > last)
    return cudaErrorInvalidValue;
  t->level = calloc(last - first + 1, sizeof *t->level);
  if (!t->level)
    return cudaErrorMemoryAllocation;
  t->levels = 0;
  for (unsigned int i = first; i <= last; i++, t->levels++) {
    if (!uwrt_mipmap_find_level(mipmap, i, &level))
      return cudaErrorInvalidValue;
    *(i == first ? &t->seen : &t->level[i - first - 1]) = geometry_of(&level);
  }
  return cudaSuccess;
}

static unsigned int last_level(const uwrt_texture *t) {
  struct cudaArray level;
  unsigned int last = 0;
  if (t->resource.resType == cudaResourceTypeMipmappedArray)
    while (uwrt_mipmap_find_level(t->resource.res.mipmap.mipmap, last + 1, &level))
      last++;
  return last;
}

/* The channels that a view's format stands for: signedness and size go by threes of one, two and four components. */
static int channels_of_view(enum cudaResourceViewFormat format, struct cudaChannelFormatDesc *channels) {
  static const struct {
    enum cudaChannelFormatKind kind;
    int bits;
  } rows[] = {{cudaChannelFormatKindUnsigned, 8},  {cudaChannelFormatKindSigned, 8},
              {cudaChannelFormatKindUnsigned, 16}, {cudaChannelFormatKindSigned, 16},
              {cudaChannelFormatKindUnsigned, 32}, {cudaChannelFormatKindSigned, 32},
              {cudaChannelFormatKindFloat, 16},    {cudaChannelFormatKindFloat, 32}};
  unsigned int index = (unsigned int)format - cudaResViewFormatUnsignedChar1, row = index / 3, step = index % 3;
  if (format < cudaResViewFormatUnsignedChar1 || row >= sizeof rows / sizeof *rows)
    return 0;
  int bits = rows[row].bits;
  *channels = (struct cudaChannelFormatDesc){bits, step > 0 ? bits : 0, step > 1 ? bits : 0, step > 1 ? bits : 0,
                                             rows[row].kind};
  return 1;
}

/* The part of an array that a view shows. */
static cudaError_t apply_view(uwrt_texture *t, const struct cudaArray *base) {
  const struct cudaResourceViewDesc *view = &t->view;
  const struct cudaExtent size = base->extent;
  const int layered = (base->flags & cudaArrayLayered) != 0;
  struct cudaChannelFormatDesc channels;
  if (view->width != size.width || view->height != size.height || view->depth != size.depth)
    return cudaErrorInvalidValue;
  const unsigned int bytes = t->format.bytes;
  if (view->format >= cudaResViewFormatUnsignedBlockCompressed1)
    return cudaErrorNotSupported;
  if (!channels_of_view(view->format, &channels) || !uwrt_format_of(channels, &t->format) || t->format.bytes != bytes)
    return cudaErrorInvalidValue; /* cudaResViewFormatNone too, as CUDA does */
  if (view->firstLayer > view->lastLayer || (!layered && view->lastLayer) || (layered && view->lastLayer >= size.depth))
    return cudaErrorInvalidValue;
  for (unsigned int i = 0; layered && i < t->levels; i++) {
    struct __uw_texture *level = i ? &t->level[i - 1] : &t->seen;
    level->__data += view->firstLayer * level->__slice;
    level->__depth = view->lastLayer - view->firstLayer + 1;
  }
  return cudaSuccess;
}

static cudaError_t take_array(uwrt_texture *t) {
  struct cudaArray base;
  unsigned int first = t->has_view ? t->view.firstMipmapLevel : 0;
  cudaError_t error = take_levels(t, first, t->has_view ? t->view.lastMipmapLevel : last_level(t), &base);
  if (error != cudaSuccess)
    return error;
  uwrt_format_of(base.format, &t->format);
  return t->has_view ? apply_view(t, &base) : cudaSuccess;
}

static cudaError_t take_resource(uwrt_texture *t) {
  struct cudaDeviceProp device;
  t->levels = 1;
  if (t->has_view && t->resource.resType != cudaResourceTypeArray &&
      t->resource.resType != cudaResourceTypeMipmappedArray)
    return cudaErrorInvalidValue;
  cudaError_t error = cudaGetDeviceProperties(&device, 0);
  if (error != cudaSuccess)
    return error;
  switch (t->resource.resType) {
  case cudaResourceTypeArray:
  case cudaResourceTypeMipmappedArray: return take_array(t);
  case cudaResourceTypeLinear: return take_linear(t, &device);
  case cudaResourceTypePitch2D: return take_pitched(t, &device);
  default: return cudaErrorInvalidValue;
  }
}

/* --- how they are read -------------------------------------------------------------------------------------------- */

static cudaError_t check_sampler(uwrt_texture *t) {
  const struct cudaTextureDesc *s = &t->sampler;
  for (int i = 0; i < 3; i++)
    if ((unsigned int)s->addressMode[i] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
  if ((unsigned int)s->filterMode > cudaFilterModeLinear || (unsigned int)s->mipmapFilterMode > cudaFilterModeLinear ||
      (unsigned int)s->readMode > cudaReadModeNormalizedFloat)
    return cudaErrorInvalidValue;
  const int asked = s->readMode == cudaReadModeNormalizedFloat,
            may_be = !t->format.is_float && t->format.component != UWRT_COMPONENT_32;
  t->to_float = asked && may_be;
  if (s->filterMode == cudaFilterModeLinear && !t->format.is_float && !t->format.is_normalized && !t->to_float)
    return cudaErrorInvalidFilterSetting;
  if (asked != may_be && (asked || t->format.is_normalized))
    return cudaErrorInvalidNormSetting;
  if (t->format.is_normalized &&
      (t->resource.resType == cudaResourceTypeLinear || t->resource.resType == cudaResourceTypePitch2D))
    return cudaErrorInvalidValue;
  if (s->sRGB)
    uwrt_texture_prepare_srgb();
  return cudaSuccess;
}

/* What the kernel may do by itself. */
static void set_shortcuts(uwrt_texture *t) {
  const struct cudaTextureDesc *s = &t->sampler;
  const uwrt_format *f = &t->format;
  t->seen.__bytes = f->bytes;
  t->is_plane = uwrt_texture_is_plane(t);
  if (t->to_float || f->component == UWRT_COMPONENT_HALF)
    return;
  t->seen.__plain = __UW_TEXEL(f->components, f->bytes / f->components);
  if (t->levels > 1 || s->filterMode != cudaFilterModePoint || s->normalizedCoords)
    return;
  for (int i = 0; i < 3; i++)
    if (s->addressMode[i] == cudaAddressModeBorder)
      return;
  t->seen.__nearest = t->seen.__plain;
}

cudaError_t uwrt_texture_create(const struct cudaResourceDesc *resource, const struct cudaTextureDesc *sampler,
                                const struct cudaResourceViewDesc *view, uwrt_texture **made) {
  uwrt_texture *t = calloc(1, sizeof *t);
  if (!t)
    return cudaErrorMemoryAllocation;
  t->resource = *resource;
  t->sampler = *sampler;
  t->has_view = view != NULL;
  if (view)
    t->view = *view;
  cudaError_t error = take_resource(t);
  if (error == cudaSuccess)
    error = check_sampler(t);
  if (error != cudaSuccess) {
    uwrt_texture_free(t);
    return error;
  }
  set_shortcuts(t);
  *made = t;
  return cudaSuccess;
}

void uwrt_texture_free(uwrt_texture *texture) {
  if (texture)
    free(texture->level);
  free(texture);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

static int add(uwrt_table *table, uwrt_texture *texture) {
  pthread_mutex_lock(&lock);
  int added = uwrt_table_insert(table, texture, texture);
  pthread_mutex_unlock(&lock);
  return added;
}

static cudaError_t destroy(uwrt_table *table, unsigned long long object) {
  pthread_mutex_lock(&lock);
  uwrt_texture *taken = uwrt_table_remove(table, (void *)(uintptr_t)object);
  pthread_mutex_unlock(&lock);
  uwrt_texture_free(taken);
  return taken ? cudaSuccess : cudaErrorInvalidValue;
}

/* Copies one part of an object. False without such an object, and with nowhere to put the copy. */
static int read_part(uwrt_table *table, unsigned long long object, size_t offset, void *to, size_t bytes) {
  pthread_mutex_lock(&lock);
  const uwrt_texture *found = uwrt_table_find(table, (void *)(uintptr_t)object);
  if (found && to)
    memcpy(to, (const char *)found + offset, bytes);
  pthread_mutex_unlock(&lock);
  return found && to;
}
#define READ_PART(table, object, part, to) read_part(table, object, offsetof(uwrt_texture, part), to, sizeof *(to))

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *pTexObject, const struct cudaResourceDesc *pResDesc,
                                    const struct cudaTextureDesc *pTexDesc,
                                    const struct cudaResourceViewDesc *pResViewDesc) {
  uwrt_texture *made = NULL;
  UWRT_ENTER;
  UWRT_REQUIRE(pTexObject && pResDesc && pTexDesc, cudaErrorInvalidValue);
  UWRT_TRY(uwrt_texture_create(pResDesc, pTexDesc, pResViewDesc, &made));
  if (!add(&textures, made)) {
    uwrt_texture_free(made);
    error = cudaErrorMemoryAllocation;
    goto out;
  }
  *pTexObject = (cudaTextureObject_t)(uintptr_t)made;
  UWRT_LEAVE;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject) {
  UWRT_ENTER;
  if (texObject) /* as free takes null */
    UWRT_TRY(destroy(&textures, texObject));
  UWRT_LEAVE;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaTextureObject_t texObject) {
  UWRT_ENTER;
  UWRT_REQUIRE(READ_PART(&textures, texObject, resource, pResDesc), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject) {
  UWRT_ENTER;
  UWRT_REQUIRE(READ_PART(&textures, texObject, sampler, pTexDesc), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *pResViewDesc,
                                                 cudaTextureObject_t texObject) {
  int has_view;
  UWRT_ENTER;
  UWRT_REQUIRE(READ_PART(&textures, texObject, has_view, &has_view) && has_view, cudaErrorInvalidValue);
  UWRT_REQUIRE(READ_PART(&textures, texObject, view, pResViewDesc), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements,
                                                 const struct cudaChannelFormatDesc *fmtDesc, int device) {
  uwrt_format format;
  int texels;
  UWRT_ENTER;
  UWRT_REQUIRE(maxWidthInElements && fmtDesc && uwrt_format_of(*fmtDesc, &format), cudaErrorInvalidValue);
  UWRT_TRY(cudaDeviceGetAttribute(&texels, cudaDevAttrMaxTexture1DLinearWidth, device));
  *maxWidthInElements = (size_t)texels;
  UWRT_LEAVE;
}

cudaError_t uwrt_surface_create(cudaArray_const_t array, uwrt_texture **made) {
  struct cudaArray found;
  if (!uwrt_array_find(array, &found))
    return cudaErrorInvalidResourceHandle;
  if (!(found.flags & cudaArraySurfaceLoadStore) &&
      !found.level_of) /* CUDA lets levels of mipmaps pass without the flag */
    return cudaErrorInvalidValue;
  *made = calloc(1, sizeof **made);
  if (!*made)
    return cudaErrorMemoryAllocation;
  (*made)->resource.resType = cudaResourceTypeArray;
  (*made)->resource.res.array.array = (cudaArray_t)array;
  (*made)->seen = geometry_of(&found);
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *pSurfObject, const struct cudaResourceDesc *pResDesc) {
  uwrt_texture *made;
  UWRT_ENTER;
  UWRT_REQUIRE(pSurfObject && pResDesc && pResDesc->resType == cudaResourceTypeArray, cudaErrorInvalidValue);
  UWRT_TRY(uwrt_surface_create(pResDesc->res.array.array, &made));
  if (!add(&surfaces, made)) {
    uwrt_texture_free(made);
    error = cudaErrorMemoryAllocation;
    goto out;
  }
  *pSurfObject = (cudaSurfaceObject_t)(uintptr_t)made;
  UWRT_LEAVE;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) {
  UWRT_ENTER;
  if (surfObject)
    UWRT_TRY(destroy(&surfaces, surfObject));
  UWRT_LEAVE;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject) {
  UWRT_ENTER;
  UWRT_REQUIRE(READ_PART(&surfaces, surfObject, resource, pResDesc), cudaErrorInvalidValue);
  UWRT_LEAVE;
}

static void free_all(uwrt_table *table) {
  for (size_t i = 0; i < table->capacity; i++)
    uwrt_texture_free(table->entries[i].value);
  uwrt_table_free(table);
}

void uwrt_texture_reset(void) {
  pthread_mutex_lock(&lock);
  free_all(&textures);
  free_all(&surfaces);
  pthread_mutex_unlock(&lock);
}
