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
// 8 bits. Sums are in single precision: at most 8 terms, an error below 8 * 2^-24 of the largest.
static inline double linear_weight(double x, int index) {
  double base = std::floor(x - 0.5), fraction = std::floor((x - 0.5 - base) * 256 + 0.5) / 256;
  return index == (int)base ? 1 - fraction : index == (int)base + 1 ? fraction : 0;
}
static const double linear_tolerance = 8.0 / (1 << 24);

// The weight of a corner of a solid's texels, bit d of whose index says which of two texels on axis d. Products have 8 bits too,
// and the eight weights add up to one: as measured on an H100.
static inline double corner_weight(const double place[3], int corner) {
  int second[3], whole = 256;
  for (int d = 0; d < 3; d++)
    second[d] = (int)(linear_weight(place[d], (int)std::floor(place[d] - 0.5) + 1) * 256);
  auto share = [](int of, int part) { return (of * part + 128) / 256; };
  whole = corner & 4 ? share(whole, second[2]) : whole - share(whole, second[2]);
  whole = corner & 1 ? share(whole, second[0]) : whole - share(whole, second[0]);
  int part = corner & 1 ? second[1] : 256 - second[1]; // of the second row beside the second column, else of the first
  return (!(corner & 1) == !(corner & 2) ? share(whole, part) : whole - share(whole, part)) / 256.0;
}

#endif
