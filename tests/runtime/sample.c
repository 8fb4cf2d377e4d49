/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Samples at every kind of position, also far outside, at infinity and at no number: whatever the shape, format and modes,
 * only texels are read. Every texel is one, and so is what is read; under a sanitizer, a read beyond is seen.
 */
#include "check.h"

#include <math.h>

enum { SIZE = 5, LAYERS = 2 };

static const float places[] = {0.5f,  0,     -0.0f,    1,       -1,      0.999999f, 1.000001f, -1e-9f,
                               2.5f,  SIZE,  SIZE - 1, 4.5f,    5.5f,    1e6f,      -1e6f,     3e9f,
                               -3e9f, 1e30f, -1e30f,   8388607, 8388609, INFINITY,  -INFINITY, NAN};

static cudaTextureObject_t make(enum __uw_shape shape, int layered, int mipmap, const struct cudaTextureDesc *sampler,
                                struct cudaChannelFormatDesc format, struct cudaResourceDesc *resource) {
  cudaTextureObject_t texture = 0;
  const size_t faces = shape == __UW_CUBE ? 6 : 1, height = shape == __UW_1D ? 0 : SIZE;
  const size_t depth = shape == __UW_3D ? SIZE : layered ? LAYERS * faces : shape == __UW_CUBE ? faces : 0;
  const unsigned int flags = (layered ? cudaArrayLayered : 0) | (shape == __UW_CUBE ? cudaArrayCubemap : 0);
  const struct cudaExtent extent = {SIZE, height, depth};
  memset(resource, 0, sizeof *resource);
  if (mipmap) {
    resource->resType = cudaResourceTypeMipmappedArray;
    CHECK_OK(cudaMallocMipmappedArray(&resource->res.mipmap.mipmap, &format, extent, 3, flags));
  } else {
    resource->resType = cudaResourceTypeArray;
    CHECK_OK(cudaMalloc3DArray(&resource->res.array.array, &format, extent, flags));
  }
  for (unsigned int level = 0; level < (mipmap ? 3 : 1); level++) {
    static unsigned char texels[SIZE * SIZE * SIZE * LAYERS * 6 * 4];
    cudaArray_t array = resource->res.array.array;
    struct cudaExtent size;
    if (mipmap)
      CHECK_OK(cudaGetMipmappedArrayLevel(&array, resource->res.mipmap.mipmap, level));
    CHECK_OK(cudaArrayGetInfo(NULL, &size, NULL, array));
    const size_t rows = size.height ? size.height : 1, slices = size.depth ? size.depth : 1;
    const size_t bytes = (size_t)format.x / 8;
    for (size_t i = 0; i < size.width * rows * slices; i++) {
      const float one = 1;
      const unsigned char byte = 255;
      memcpy(texels + i * bytes, bytes == 4 ? (const void *)&one : &byte, bytes);
    }
    struct cudaMemcpy3DParms copy = {.srcPtr = {texels, size.width * bytes, size.width, rows},
                                     .dstArray = array,
                                     .extent = {size.width, rows, slices},
                                     .kind = cudaMemcpyHostToDevice};
    CHECK_OK(cudaMemcpy3D(&copy));
  }
  CHECK_OK(cudaCreateTextureObject(&texture, resource, sampler, NULL));
  return texture;
}

static void read_everywhere(cudaTextureObject_t object, enum __uw_shape shape) {
  const struct __uw_texture *texture = (const struct __uw_texture *)(uintptr_t)object;
  for (size_t i = 0; i < COUNT_OF(places); i++)
    for (size_t j = 0; j < COUNT_OF(places); j++) {
      const float x = places[i], y = places[j], z = places[(i + j) % COUNT_OF(places)];
      const float dx[3] = {y, z, x}, dy[3] = {z, x, y};
      const int layer = (int)(i % 7) - 2;
      const __uw_texel read[] = {uwrt_texture_sample(texture, shape, x, y, z, layer, z),
                                 uwrt_texture_sample_gradient(texture, shape, x, y, z, layer, dx, dy),
                                 uwrt_texture_gather(texture, x, y, 0)};
      for (size_t k = 0; k < (shape == __UW_2D ? 3 : 2); k++) {
        const unsigned int bits = read[k][0];
        float value;
        memcpy(&value, &bits, sizeof value);
        if (value != 1)
          failed(__FILE__, __LINE__, "shape %d at %g, %g, %g: read %zu gives %g", shape, x, y, z, k, value);
      }
    }
}

int main(void) {
  const struct cudaChannelFormatDesc formats[] = {{32, 0, 0, 0, cudaChannelFormatKindFloat},
                                                  {8, 0, 0, 0, cudaChannelFormatKindUnsigned}};
  const enum __uw_shape shapes[] = {__UW_1D, __UW_2D, __UW_3D, __UW_CUBE};
  for (size_t s = 0; s < COUNT_OF(shapes); s++)
    for (unsigned int bits = 0; bits < 256; bits++) {
      const int layered = bits & 1, mipmap = bits >> 1 & 1, address = bits >> 6;
      const struct cudaTextureDesc sampler = {.addressMode = {address, address, address},
                                              .filterMode = bits >> 2 & 1,
                                              .readMode = bits >> 5 & 1, /* bytes as floats */
                                              .normalizedCoords = bits >> 3 & 1,
                                              .mipmapFilterMode = bits >> 4 & 1,
                                              .maxMipmapLevelClamp = 10,
                                              .borderColor = {1, 1, 1, 1},
                                              .seamlessCubemap = bits >> 3 & 1};
      struct cudaResourceDesc resource;
      if (layered && shapes[s] == __UW_3D)
        continue;
      cudaTextureObject_t texture = make(shapes[s], layered, mipmap, &sampler, formats[bits >> 5 & 1], &resource);
      read_everywhere(texture, shapes[s]);
      CHECK_OK(cudaDestroyTextureObject(texture));
      if (mipmap)
        CHECK_OK(cudaFreeMipmappedArray(resource.res.mipmap.mipmap));
      else
        CHECK_OK(cudaFreeArray(resource.res.array.array));
    }
  return finish();
}
