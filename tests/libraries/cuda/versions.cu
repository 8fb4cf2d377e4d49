// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime under CUDA 13's, 11's and 10's names beside the program's own: one runtime, with those versions' forms.
#include "../check.h"
#include <cuda.h>
#include <dlfcn.h>

template <class T> static T function(void *library, const char *name, const char *version = "libcudart.so.13") {
  void *found = dlvsym(library, name, version);
  CHECK(found);
  return (T)found;
}

static std::string folder_of_libraries() {
  const char *unwarp = getenv("UNWARP");
  std::string path = unwarp ? unwarp : "";
  return path.substr(0, path.rfind('/') + 1) + "../lib/";
}

__global__ void kernel(int *x) { *x += 1; }

// Members came into the middle of a structure, went from another, and pointers that nobody knows are an error there.
static void version_10(const char *version, int number) {
  void *older = dlopen((folder_of_libraries() + version).c_str(), RTLD_NOW | RTLD_LOCAL);
  CHECK(older);
  if (!older)
    return;
  struct {
    char name[256];
    char other[712 - 256];
    unsigned guard;
  } properties = {};
  struct {
    int memory_type, type, device;
    void *of_device, *of_host;
    int is_managed, unused, guard;
  } attributes = {};
  properties.guard = attributes.guard = 4711;
  cudaDeviceProp own;
  int found, threads, last, device = -1;
  CHECK(function<cudaError_t (*)(int *)>(older, "cudaRuntimeGetVersion", version)(&found) == cudaSuccess &&
        found == number);
  CHECK(cudaGetDeviceProperties(&own, 0) == cudaSuccess);
  CHECK(function<cudaError_t (*)(void *, int)>(older, "cudaGetDeviceProperties", version)(&properties, 0) ==
            cudaSuccess &&
        properties.guard == 4711 && strcmp(properties.name, own.name) == 0);
  memcpy(&threads, (char *)&properties + 620, sizeof threads);
  memcpy(&last, (char *)&properties + 708, sizeof last);
  CHECK(threads == own.maxThreadsPerMultiProcessor && last == own.directManagedMemAccessFromHost);
  CHECK(function<cudaError_t (*)(int *, const void *)>(older, "cudaChooseDevice", version)(&device, &properties) ==
            cudaSuccess &&
        device == 0);
  auto ask = function<cudaError_t (*)(void *, const void *)>(older, "cudaPointerGetAttributes", version);
  int *x, here;
  CHECK(cudaMallocManaged(&x, 4) == cudaSuccess && ask(&attributes, x) == cudaSuccess && attributes.guard == 4711);
  CHECK(attributes.memory_type == cudaMemoryTypeDevice && attributes.type == cudaMemoryTypeManaged &&
        attributes.is_managed == 1 && attributes.of_host == x);
  CHECK(ask(&attributes, &here) == cudaErrorInvalidValue && cudaFree(x) == cudaSuccess);
}

static void version_11() {
  static const char version[] = "libcudart.so.11.0";
  void *older = dlopen((folder_of_libraries() + version).c_str(), RTLD_NOW | RTLD_LOCAL);
  CHECK(older);
  if (!older)
    return;
  // Structures end earlier there, and functions have fewer parameters or others.
  struct {
    char name[256];
    char other[728 - 256];
    unsigned guard;
  } properties = {};
  properties.guard = 4711;
  struct {
    char all[56];
    unsigned guard;
  } attributes = {};
  attributes.guard = 4711;
  cudaDeviceProp own;
  cudaFuncAttributes own_attributes;
  int number, device = -1;
  CHECK(cudaGetDeviceProperties(&own, 0) == cudaSuccess &&
        cudaFuncGetAttributes(&own_attributes, kernel) == cudaSuccess);
  CHECK(function<cudaError_t (*)(void *, int)>(older, "cudaGetDeviceProperties", version)(&properties, 0) ==
            cudaSuccess &&
        properties.guard == 4711);
  memcpy(&number, (char *)&properties + 388, sizeof number); // multiProcessorCount
  CHECK(strcmp(properties.name, own.name) == 0 && number == own.multiProcessorCount &&
        memcmp(&properties, &own, 728) == 0);
  CHECK(function<cudaError_t (*)(int *, const void *)>(older, "cudaChooseDevice", version)(&device, &properties) ==
            cudaSuccess &&
        device == 0);
  CHECK(function<cudaError_t (*)(void *, const void *)>(older, "cudaFuncGetAttributes",
                                                        version)(&attributes, (const void *)kernel) == cudaSuccess);
  CHECK(attributes.guard == 4711 && memcmp(&attributes, &own_attributes, 52) == 0);

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node = (cudaGraphNode_t)8;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  char log[4] = "abc";
  int *x;
  CHECK(cudaMallocManaged(&x, 4) == cudaSuccess && cudaStreamCreate(&stream) == cudaSuccess);
  *x = 41;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  kernel<<<1, 1, 0, stream>>>(x);
  auto info = function<cudaError_t (*)(cudaStream_t, cudaStreamCaptureStatus *, unsigned long long *)>(
      older, "cudaStreamGetCaptureInfo", version);
  CHECK(info(stream, &status, &id) == cudaSuccess && status == cudaStreamCaptureStatusActive && id != 0);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  auto instantiate = function<cudaError_t (*)(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t)>(
      older, "cudaGraphInstantiate", version);
  CHECK(instantiate(&exec, graph, &node, log, sizeof log) == cudaSuccess && !node && !*log);
  auto update = function<cudaError_t (*)(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *, cudaGraphExecUpdateResult *)>(
      older, "cudaGraphExecUpdate", version);
  CHECK(update(exec, graph, &node, &result) == cudaSuccess && result == cudaGraphExecUpdateSuccess);
  CHECK(function<cudaError_t (*)(cudaGraphExec_t, cudaStream_t)>(older, "cudaGraphLaunch", version)(exec, stream) ==
        cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess && *x == 42);
}

int main() {
  version_10("libcudart.so.10.1", 10010);
  version_10("libcudart.so.10.2", 10020);
  version_11();
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
  struct {
    char name[256];
    char other[1008 - 256];
    unsigned guard;
  } properties = {};
  properties.guard = 4711;
  cudaDeviceProp own;
  int number;
  CHECK(cudaGetDeviceProperties(&own, 0) == cudaSuccess);
  CHECK(function<cudaError_t (*)(void *, int)>(newer, "cudaGetDeviceProperties")(&properties, 0) == cudaSuccess &&
        properties.guard == 4711);
  CHECK(strcmp(properties.name, own.name) == 0);
  memcpy(&number, (char *)&properties + 360, sizeof number); // major
  CHECK(number == own.major);
  memcpy(&number, (char *)&properties + 384, sizeof number); // multiProcessorCount
  CHECK(number == own.multiProcessorCount);
  CHECK(function<cudaError_t (*)(void *, int)>(newer, "cudaGetDeviceProperties")(&properties, 1000) ==
        cudaErrorInvalidDevice);
  cudaGetLastError();

  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  void *managed;
  CHECK(cudaMallocManaged(&managed, 1000) == cudaSuccess);
  CHECK(function<cudaError_t (*)(const void *, size_t, cudaMemoryAdvise, cudaMemLocation)>(newer, "cudaMemAdvise")(
            managed, 1000, cudaMemAdviseSetReadMostly, here) == cudaSuccess);
  CHECK(function<cudaError_t (*)(const void *, size_t, cudaMemLocation, unsigned int, cudaStream_t)>(
            newer, "cudaMemPrefetchAsync")(managed, 1000, here, 0, nullptr) == cudaSuccess);
  // Batches of copies do not tell what failed.
  cudaMemcpyAttributes in_order = {};
  in_order.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  int five = 5, copied = 0;
  void *from[] = {&five}, *to[] = {managed};
  size_t bytes[] = {sizeof five}, starts[] = {0};
  auto batch =
      function<cudaError_t (*)(void *const *, const void *const *, const size_t *, size_t, cudaMemcpyAttributes *,
                               size_t *, size_t, cudaStream_t)>(newer, "cudaMemcpyBatchAsync");
  CHECK(batch(to, from, bytes, 1, &in_order, starts, 1, cudaStreamPerThread) == cudaSuccess);
  CHECK(cudaMemcpy(&copied, managed, sizeof copied, cudaMemcpyDefault) == cudaSuccess && copied == 5);
  CHECK(cudaFree(managed) == cudaSuccess &&
        function<cudaError_t (*)(void *)>(newer, "cudaFree")(memory) == cudaSuccess);
  CHECK(dlsym(RTLD_DEFAULT, "cudaGetDeviceProperties_v2") && dlsym(RTLD_DEFAULT, "cudaStreamGetCaptureInfo_v2"));

  // Programs that open the library by hand look up names without a version, too: the first forms, which want a context of CUDA 3.1.
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  CHECK(driver);
  for (const char *name : {"cuMemAlloc", "cuMemFree", "cuMemcpyHtoD", "cuMemcpyDtoDAsync", "cuMemsetD2D32",
                           "cuArrayCreate", "cuTexRefSetAddress"}) {
    auto first = (CUresult (*)(void *, unsigned int, unsigned int))dlsym(driver, name);
    CHECK(first && first(nullptr, 0, 0) == CUDA_ERROR_INVALID_CONTEXT);
  }
  void *newest = nullptr;
  CHECK(cuGetProcAddress("cuMemAlloc", &newest, 12040, 0, nullptr) == CUDA_SUCCESS &&
        newest == dlsym(driver, "cuMemAlloc_v2"));
  return report("versions");
}
