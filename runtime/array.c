/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUDA arrays and mipmapped arrays: blocks of texels that only the API and textures reach. Their layout is the
 * program's to guess on a GPU; here it is plain rows.
 */
#include <pthread.h>
#include <stdlib.h>

#include "texture.h"

enum { ROW_ALIGNMENT = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uwrt_table arrays;  /* by handle, levels of mipmaps too; to struct cudaArray */
static uwrt_table mipmaps; /* by handle; to struct cudaMipmappedArray */

static void *find(uwrt_table *table, const void *handle) {
  pthread_mutex_lock(&lock);
  void *found = handle ? uwrt_table_find(table, handle) : NULL;
  pthread_mutex_unlock(&lock);
  return found;
}

/* Handles are the addresses of what they stand for. */
static int add(uwrt_table *table, void *made) {
  pthread_mutex_lock(&lock);
  int added = uwrt_table_insert(table, made, made);
  pthread_mutex_unlock(&lock);
  return added;
}

static void *take(uwrt_table *table, const void *handle) {
  pthread_mutex_lock(&lock);
  void *taken = uwrt_table_remove(table, handle);
  pthread_mutex_unlock(&lock);
  return taken;
}

int uwrt_array_find(cudaArray_const_t handle, struct cudaArray *array) {
  const struct cudaArray *found = find(&arrays, handle);
  if (found)
    *array = *found;
  return found != NULL;
}

int uwrt_mipmap_find_level(cudaMipmappedArray_const_t handle, unsigned int level, struct cudaArray *array) {
  const struct cudaMipmappedArray *found = find(&mipmaps, handle);
  if (!found || level >= found->levels)
    return 0;
  *array = found->level[level];
  return 1;
}

/* --- what may be made --------------------------------------------------------------------------------------------- */

int uwrt_format_of(struct cudaChannelFormatDesc channels, uwrt_format *format) {
  const int bits = channels.x;
  unsigned int components = channels.w ? 4 : channels.z ? 3 : channels.y ? 2 : 1;
  int equal = (components < 2 || channels.y == bits) && (components < 4 || (channels.z == bits && channels.w == bits));
  *format = (uwrt_format){UWRT_COMPONENT_NONE, components, components * (unsigned int)bits / 8, 0, 0};
  if (components == 3 || !equal)
    return 0;
  switch (channels.f) {
  case cudaChannelFormatKindSigned:
    format->component = bits == 8 ? UWRT_COMPONENT_S8 : bits == 16 ? UWRT_COMPONENT_S16 : UWRT_COMPONENT_32;
    return bits == 8 || bits == 16 || bits == 32;
  case cudaChannelFormatKindUnsigned:
    format->component = bits == 8 ? UWRT_COMPONENT_U8 : bits == 16 ? UWRT_COMPONENT_U16 : UWRT_COMPONENT_32;
    return bits == 8 || bits == 16 || bits == 32;
  case cudaChannelFormatKindFloat:
    format->component = bits == 16 ? UWRT_COMPONENT_HALF : UWRT_COMPONENT_32;
    format->is_float = 1;
    return bits == 16 || bits == 32;
  default: break;
  }
  /* The normalized formats come in threes: one, two and four components. */
  static const struct {
    enum cudaChannelFormatKind first;
    uwrt_component component;
    int bits;
  } normalized[] = {{cudaChannelFormatKindUnsignedNormalized8X1, UWRT_COMPONENT_U8, 8},
                    {cudaChannelFormatKindUnsignedNormalized16X1, UWRT_COMPONENT_U16, 16},
                    {cudaChannelFormatKindSignedNormalized8X1, UWRT_COMPONENT_S8, 8},
                    {cudaChannelFormatKindSignedNormalized16X1, UWRT_COMPONENT_S16, 16}};
  for (size_t i = 0; i < sizeof normalized / sizeof *normalized; i++) {
    unsigned int step = channels.f - normalized[i].first;
    if (channels.f < normalized[i].first || step > 2)
      continue;
    format->component = normalized[i].component;
    format->is_normalized = 1;
    return bits == normalized[i].bits && components == 1u << step;
  }
  return 0;
}

/* Whether extent has the dimensions that the flags ask for and none is larger than the device allows. */
static int fits_device(struct cudaExtent extent, unsigned int flags) {
  struct cudaDeviceProp device;
  int layered = (flags & cudaArrayLayered) != 0, cube = (flags & cudaArrayCubemap) != 0;
  int surface = (flags & cudaArraySurfaceLoadStore) != 0;
  if (!extent.width || cudaGetDeviceProperties(&device, 0) != cudaSuccess)
    return 0;
  if (layered || cube ? !extent.depth : extent.depth && !extent.height)
    return 0;
  if (cube && (extent.width != extent.height || (layered ? extent.depth % 6 : extent.depth != 6)))
    return 0;
  const int cubes = 6, none = 0;
  const int *width = surface ? &device.maxSurface1D : &device.maxTexture1D, *height = &none, *depth = &none;
  if (cube) {
    width = height = surface ? device.maxSurfaceCubemapLayered : device.maxTextureCubemapLayered;
    depth = layered ? width + 1 : &cubes;
  } else if (layered) {
    width = surface ? device.maxSurface2DLayered : device.maxTexture2DLayered;
    height = width + 1;
    depth = width + 2;
  } else if (extent.depth) {
    width = surface ? device.maxSurface3D : device.maxTexture3D;
    height = width + 1;
    depth = width + 2;
  } else if (extent.height) {
    width = surface ? device.maxSurface2D : device.maxTexture2D;
    if (flags & cudaArrayTextureGather)
      width = device.maxTexture2DGather;
    height = width + 1;
  }
  return extent.width <= (size_t)*width && extent.height <= (size_t)*height && extent.depth <= (size_t)*depth;
}

static cudaError_t check(const struct cudaChannelFormatDesc *channels, struct cudaExtent extent, unsigned int flags,
                         uwrt_format *format) {
  const unsigned int known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather |
                             cudaArrayColorAttachment;
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return cudaErrorNotSupported;
  if (flags & ~known)
    return cudaErrorInvalidValue;
  if (channels->f >= cudaChannelFormatKindUnsignedBlockCompressed1 || channels->f == cudaChannelFormatKindNV12)
    return cudaErrorNotSupported;
  if (!uwrt_format_of(*channels, format))
    return cudaErrorInvalidChannelDescriptor;
  if ((flags & cudaArrayTextureGather) && (!extent.height || extent.depth))
    return cudaErrorInvalidValue;
  return fits_device(extent, flags) ? cudaSuccess : cudaErrorInvalidValue;
}

static size_t at_least_one(size_t count) { return count ? count : 1; }

static cudaError_t make(struct cudaArray *array, const struct cudaChannelFormatDesc *channels, uwrt_format format,
                        struct cudaExtent extent, unsigned int flags) {
  void *memory;
  size_t row = (extent.width * format.bytes + (ROW_ALIGNMENT - 1)) / ROW_ALIGNMENT * ROW_ALIGNMENT;
  size_t slice = row * at_least_one(extent.height), bytes;
  if (__builtin_mul_overflow(slice, at_least_one(extent.depth), &bytes))
    return cudaErrorMemoryAllocation;
  cudaError_t error = uwrt_memory_allocate(&memory, bytes, UWRT_SPACE_DEVICE, 0, uwrt_current_device(), NULL);
  if (error == cudaSuccess)
    *array = (struct cudaArray){*channels, extent, flags, format.bytes, memory, row, slice, NULL};
  return error;
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags) {
  uwrt_format format;
  struct cudaArray *made = NULL;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(array && desc, cudaErrorInvalidValue);
  *array = NULL;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_TRY(check(desc, extent, flags, &format));
  UWRT_REQUIRE(made = calloc(1, sizeof *made), cudaErrorMemoryAllocation);
  UWRT_TRY(make(made, desc, format, extent, flags));
  if (!add(&arrays, made)) {
    cudaFree(made->data);
    error = cudaErrorMemoryAllocation;
    goto out;
  }
  *array = made;
  made = NULL;
out:
  free(made);
  return uwrt_note_error(error);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                            unsigned int flags) {
  UWRT_ENTER;
  /* Layers and faces need an extent in the third dimension. */
  UWRT_REQUIRE(!(flags & (cudaArrayLayered | cudaArrayCubemap)), cudaErrorInvalidValue);
  error = cudaMalloc3DArray(array, desc, (struct cudaExtent){width, height, 0}, flags);
  UWRT_LEAVE;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  struct cudaArray found;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_TRY(uwrt_wait_for_device());
  if (!array)
    goto out;
  UWRT_REQUIRE(uwrt_array_find(array, &found), cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(!found.level_of, cudaErrorInvalidValue); /* it goes with its mipmap */
  UWRT_TRY(uwrt_capture_unsafe());
  free(take(&arrays, array));
  error = cudaFree(found.data);
  UWRT_LEAVE;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array) {
  struct cudaArray found;
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_array_find(array, &found), cudaErrorInvalidResourceHandle);
  if (desc)
    *desc = found.format;
  if (extent)
    *extent = found.extent;
  if (flags)
    *flags = found.flags;
  UWRT_LEAVE;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  struct cudaArray found;
  UWRT_ENTER;
  UWRT_REQUIRE(desc, cudaErrorInvalidValue);
  UWRT_REQUIRE(uwrt_array_find(array, &found), cudaErrorInvalidResourceHandle);
  *desc = found.format;
  UWRT_LEAVE;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* --- mipmapped arrays --------------------------------------------------------------------------------------------- */

static size_t halved(size_t size, unsigned int level) { return size ? at_least_one(size >> level) : 0; }

static struct cudaExtent level_extent(struct cudaExtent extent, unsigned int flags, unsigned int level) {
  size_t depth = flags & (cudaArrayLayered | cudaArrayCubemap) ? extent.depth : halved(extent.depth, level);
  return (struct cudaExtent){halved(extent.width, level), halved(extent.height, level), depth};
}

/* Down to a level of a single texel. */
static unsigned int most_levels(struct cudaExtent extent, unsigned int flags) {
  unsigned int levels = 1;
  for (;; levels++) {
    struct cudaExtent last = level_extent(extent, flags, levels - 1);
    int flat = (flags & (cudaArrayLayered | cudaArrayCubemap)) || last.depth <= 1;
    if (last.width == 1 && last.height <= 1 && flat)
      return levels;
  }
}

static void free_levels(struct cudaMipmappedArray *mipmap) {
  for (unsigned int i = 0; i < mipmap->levels; i++) {
    take(&arrays, &mipmap->level[i]);
    cudaFree(mipmap->level[i].data);
  }
  free(mipmap);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int numLevels, unsigned int flags) {
  uwrt_format format;
  struct cudaMipmappedArray *made = NULL;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_REQUIRE(mipmappedArray && desc, cudaErrorInvalidValue);
  *mipmappedArray = NULL;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_TRY(check(desc, extent, flags, &format));
  unsigned int most = most_levels(extent, flags), levels = numLevels < 1 ? 1 : numLevels > most ? most : numLevels;
  UWRT_REQUIRE(made = calloc(1, sizeof *made + levels * sizeof *made->level), cudaErrorMemoryAllocation);
  for (; made->levels < levels; made->levels++) {
    struct cudaArray *level = &made->level[made->levels];
    UWRT_TRY(make(level, desc, format, level_extent(extent, flags, made->levels), flags));
    level->level_of = made;
    if (!add(&arrays, level)) {
      cudaFree(level->data);
      error = cudaErrorMemoryAllocation;
      goto out;
    }
  }
  UWRT_REQUIRE(add(&mipmaps, made), cudaErrorMemoryAllocation);
  *mipmappedArray = made;
  made = NULL;
out:
  if (made)
    free_levels(made);
  return uwrt_note_error(error);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray) {
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_unsafe());
  UWRT_TRY(uwrt_wait_for_device());
  if (!mipmappedArray)
    goto out;
  UWRT_TRY(uwrt_capture_unsafe());
  struct cudaMipmappedArray *taken = take(&mipmaps, mipmappedArray);
  UWRT_REQUIRE(taken, cudaErrorInvalidResourceHandle);
  free_levels(taken);
  UWRT_LEAVE;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level) {
  UWRT_ENTER;
  UWRT_REQUIRE(levelArray, cudaErrorInvalidValue);
  const struct cudaMipmappedArray *found = find(&mipmaps, mipmappedArray);
  UWRT_REQUIRE(found, cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(level < found->levels, cudaErrorInvalidValue);
  *levelArray = (cudaArray_t)&found->level[level];
  UWRT_LEAVE;
}

/* cudaDeviceReset, and the end of a context: the texels go with the rest of the memory. */
static int is_of(const struct cudaArray *array, int device, const void *context) {
  uwrt_allocation found;
  return uwrt_allocation_find(array->data, &found) && found.device == device && found.context == context;
}

void uwrt_array_reset(int device, const void *context) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < arrays.capacity;) { /* removing moves another entry here */
    struct cudaArray *array = arrays.entries[i].value;
    if (!array || !is_of(array, device, context)) {
      i++;
      continue;
    }
    uwrt_table_remove(&arrays, array);
    if (!array->level_of)
      free(array);
  }
  for (size_t i = 0; i < mipmaps.capacity;) {
    struct cudaMipmappedArray *mipmap = mipmaps.entries[i].value;
    if (mipmap && is_of(&mipmap->level[0], device, context))
      free(uwrt_table_remove(&mipmaps, mipmap));
    else
      i++;
  }
  if (!arrays.count)
    uwrt_table_free(&arrays);
  if (!mipmaps.count)
    uwrt_table_free(&mipmaps);
  pthread_mutex_unlock(&lock);
}
