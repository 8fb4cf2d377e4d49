// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs on textures share: arrays filled from the host, and objects over them.
#ifndef TESTS_RUN_TEXTURES_H
#define TESTS_RUN_TEXTURES_H

#include "check.h"

static inline cudaTextureDesc sampler(cudaTextureFilterMode filter, cudaTextureAddressMode address, bool normalized,
                                      cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc s;
  memset(&s, 0, sizeof s);
  s.filterMode = filter;
  s.addressMode[0] = s.addressMode[1] = s.addressMode[2] = address;
  s.normalizedCoords = normalized;
  s.readMode = read;
  return s;
}

// An array with the host's texels. Extents as cudaMalloc3DArray takes them: 0 for a dimension that there is not.
template <typename T>
static cudaArray_t array_of(const T *texels, size_t width, size_t height = 0, size_t depth = 0, unsigned flags = 0) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void *)texels, width * sizeof(T), width, height ? height : 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height ? height : 1, depth ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

static inline cudaTextureObject_t texture_over(cudaArray_t array, const cudaTextureDesc &sampler) {
  cudaTextureObject_t object;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CHECK(cudaCreateTextureObject(&object, &resource, &sampler, nullptr));
  return object;
}

static inline cudaSurfaceObject_t surface_over(cudaArray_t array) {
  cudaSurfaceObject_t object;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CHECK(cudaCreateSurfaceObject(&object, &resource));
  return object;
}

// The weight of the texel at `index` for a linear sample at x, in texels: the Programming Guide's formula, with a fraction of
// 8 bits. The device's sums are in single precision, with exact weights: at most 8 terms, an error below 8 * 2^-24 of the
// largest.
static inline double linear_weight(double x, int index) {
  double base = std::floor(x - 0.5), fraction = std::floor((x - 0.5 - base) * 256 + 0.5) / 256;
  return index == (int)base ? 1 - fraction : index == (int)base + 1 ? fraction : 0;
}
static const double linear_tolerance = 8.0 / (1 << 24);

#endif
