// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime under CUDA 13's name beside the program's own: one runtime, with that version's forms.
#include "../check.h"
#include <cuda.h>
#include <dlfcn.h>

template <class T> static T function(void *library, const char *name) {
  void *found = dlvsym(library, name, "libcudart.so.13");
  CHECK(found);
  return (T)found;
}

static std::string folder_of_libraries() {
  const char *unwarp = getenv("UNWARP");
  std::string path = unwarp ? unwarp : "";
  return path.substr(0, path.rfind('/') + 1) + "../lib/";
}

int main() {
  void *newer = dlopen((folder_of_libraries() + "libcudart.so.13").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!newer) {
    printf("%s\n", dlerror());
    return 1;
  }
  void *memory;
  cudaPointerAttributes attributes;
  CHECK(function<cudaError_t (*)(void **, size_t)>(newer, "cudaMalloc")(&memory, 1000) == cudaSuccess);
  CHECK(cudaPointerGetAttributes(&attributes, memory) == cudaSuccess && attributes.type == cudaMemoryTypeDevice);

  // cudaDeviceProp has other members; what lies behind it stays as it is.
  struct { char name[256]; char other[1008 - 256]; unsigned guard; } properties = {};
  properties.guard = 4711;
  cudaDeviceProp own;
  int number;
  CHECK(cudaGetDeviceProperties(&own, 0) == cudaSuccess);
  CHECK(function<cudaError_t (*)(void *, int)>(newer, "cudaGetDeviceProperties")(&properties, 0) == cudaSuccess && properties.guard == 4711);
  CHECK(strcmp(properties.name, own.name) == 0);
  memcpy(&number, (char *)&properties + 360, sizeof number); // major
  CHECK(number == own.major);
  memcpy(&number, (char *)&properties + 384, sizeof number); // multiProcessorCount
  CHECK(number == own.multiProcessorCount);
  CHECK(function<cudaError_t (*)(void *, int)>(newer, "cudaGetDeviceProperties")(&properties, 1000) == cudaErrorInvalidDevice);
  cudaGetLastError();

  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  void *managed;
  CHECK(cudaMallocManaged(&managed, 1000) == cudaSuccess);
  CHECK(function<cudaError_t (*)(const void *, size_t, cudaMemoryAdvise, cudaMemLocation)>(newer, "cudaMemAdvise")(managed, 1000, cudaMemAdviseSetReadMostly, here) == cudaSuccess);
  CHECK(function<cudaError_t (*)(const void *, size_t, cudaMemLocation, unsigned int, cudaStream_t)>(newer, "cudaMemPrefetchAsync")(managed, 1000, here, 0, nullptr) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess && function<cudaError_t (*)(void *)>(newer, "cudaFree")(memory) == cudaSuccess);
  CHECK(dlsym(RTLD_DEFAULT, "cudaGetDeviceProperties_v2") && dlsym(RTLD_DEFAULT, "cudaStreamGetCaptureInfo_v2"));
  return report("versions");
}
