// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API on the runtime's objects: contexts and their stack, memory of all kinds and its attributes, copies and arrays, streams,
// events, graphs, virtual memory, textures, functions by name, and codes for what is wrong.
#include "../check.h"
#include <cuda.h>
#include <string>
#include <thread>

#define OK(call) CHECK((call) == CUDA_SUCCESS)

__global__ void add(int *x, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += by;
}

static CUfunction add_function() {
  cudaFunction_t found = nullptr;
  cudaGetFuncBySymbol(&found, (const void *)add);
  return (CUfunction)found;
}

static void before_the_start() {
  int count;
  CUdeviceptr p;
  CUcontext context = (CUcontext)&p;
  CHECK(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  OK(cuInit(0));
  OK(cuDeviceGetCount(&count));
  CHECK(count >= 1 && cuDeviceGetCount(nullptr) == CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxGetCurrent(&context));
  CHECK(context == nullptr && cuMemAlloc(&p, 4) == CUDA_ERROR_INVALID_CONTEXT);
}

static void contexts() {
  CUcontext primary, own, found;
  CUdevice device;
  unsigned int flags;
  int active;
  CHECK(cuDeviceGet(&device, 99) == CUDA_ERROR_INVALID_DEVICE && cuDeviceGet(nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK(!active && cuDevicePrimaryCtxRelease(device) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuDevicePrimaryCtxRetain(&primary, device));
  OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK(active);
  OK(cuCtxSetCurrent(primary));
  OK(cuCtxCreate(&own, CU_CTX_SCHED_BLOCKING_SYNC, device));
  OK(cuCtxGetFlags(&flags));
  CHECK(flags == CU_CTX_SCHED_BLOCKING_SYNC);
  OK(cuCtxGetCurrent(&found));
  CHECK(found == own && own != primary);
  OK(cuCtxPopCurrent(&found));
  CHECK(found == own);
  OK(cuCtxGetCurrent(&found));
  CHECK(found == primary);
  OK(cuCtxPushCurrent(own));
  CUstream stream;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuStreamGetCtx(stream, &found));
  CHECK(found == own);
  OK(cuStreamDestroy(stream));
  OK(cuCtxDestroy(own));
  OK(cuCtxGetCurrent(&found));
  CHECK(found == primary && cuCtxSetCurrent(own) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxPushCurrent((CUcontext)&found) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxCreate(&own, 3, device) == CUDA_ERROR_INVALID_VALUE &&
        cuCtxCreate(&own, 0, 99) == CUDA_ERROR_INVALID_DEVICE);
  std::thread([&] { /* a thread begins without one */
                    CUcontext there = primary;
                    OK(cuCtxGetCurrent(&there));
                    CHECK(there == nullptr);
                    CHECK(cuCtxPopCurrent(&there) == CUDA_ERROR_INVALID_CONTEXT);
  })
      .join();
}

static void devices() {
  char name[100], runtime_name[256];
  int major, minor, value;
  size_t bytes;
  cudaDeviceProp properties;
  CUuuid uuid;
  cudaGetDeviceProperties(&properties, 0);
  snprintf(runtime_name, sizeof runtime_name, "%.99s", properties.name);
  OK(cuDeviceGetName(name, sizeof name, 0));
  CHECK(std::string(name) == runtime_name);
  OK(cuDeviceTotalMem(&bytes, 0));
  CHECK(bytes == properties.totalGlobalMem);
  OK(cuDeviceComputeCapability(&major, &minor, 0));
  CHECK(major == properties.major && minor == properties.minor);
  OK(cuDeviceGetUuid(&uuid, 0));
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  CHECK(value == 32);
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CHECK(value == 1);
  for (int i = 1; i < CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID; i++) /* values that CUDA has */
    CHECK(cuDeviceGetAttribute(&value, (CUdevice_attribute)i, 0) == CUDA_SUCCESS || i == 94 + 1000);
  CHECK(cuDeviceGetAttribute(&value, (CUdevice_attribute)5000, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99) == CUDA_ERROR_INVALID_DEVICE);
}

static void memory() {
  CUdeviceptr p, base, managed;
  size_t size, pitch;
  void *host, *pinned;
  unsigned int type, flags;
  CUcontext context;
  CHECK(cuMemAlloc(&p, 0) == CUDA_ERROR_INVALID_VALUE && cuMemAlloc(nullptr, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAlloc(&p, (size_t)1 << 60) == CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemAlloc(&p, 1000));
  OK(cuMemGetAddressRange(&base, &size, p + 500));
  CHECK(base == p && size == 1000 && cuMemGetAddressRange(&base, &size, 16) == CUDA_ERROR_NOT_FOUND);
  CUipcMemHandle shared;
  OK(cuIpcGetMemHandle(&shared, p));
  CHECK(cuIpcGetMemHandle(&shared, 16) == CUDA_ERROR_INVALID_VALUE &&
        cuIpcOpenMemHandle(&base, shared, 9) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuIpcOpenMemHandle(&base, shared, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) ==
        CUDA_ERROR_INVALID_CONTEXT); /* this process made it */
  CHECK(cuIpcCloseMemHandle(p) == CUDA_ERROR_INVALID_VALUE);
  CUevent between;
  CUipcEventHandle event;
  OK(cuEventCreate(&between, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  OK(cuIpcGetEventHandle(&event, between));
  CHECK(cuIpcOpenEventHandle(&between, event) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuEventDestroy(between));
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
  OK(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, p));
  CHECK(type == CU_MEMORYTYPE_DEVICE && context != nullptr);
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)&type) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  CHECK(type == 1);
  OK(cuMemHostAlloc(&pinned, 4000, CU_MEMHOSTALLOC_DEVICEMAP));
  OK(cuMemHostGetFlags(&flags, pinned));
  OK(cuMemHostGetDevicePointer(&base, pinned, 0));
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, base));
  CHECK(flags == (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP) && type == CU_MEMORYTYPE_HOST);
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  unsigned int kind = 9;
  CUdeviceptr there = 9;
  void *answers[] = {&kind, &there};
  OK(cuPointerGetAttributes(2, asked, answers, (CUdeviceptr)&kind));
  CHECK(kind == 0 && there == 0);
  host = malloc(4096);
  OK(cuMemHostRegister(host, 4096, 0));
  CHECK(cuMemHostRegister(host, 4096, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  OK(cuMemHostUnregister(host));
  CHECK(cuMemHostUnregister(host) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  free(host);
  OK(cuMemsetD16(p, 0x1234, 500));
  std::vector<unsigned short> shorts(500);
  OK(cuMemcpyDtoH(shorts.data(), p, 1000));
  CHECK(shorts[0] == 0x1234 && shorts[499] == 0x1234);
  CHECK(cuMemsetD32(p, 1, 251) == CUDA_ERROR_INVALID_VALUE && cuMemsetD32(p + 1, 1, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoH(shorts.data(), p, 1001) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAllocPitch(&base, &pitch, 100, 10, 4));
  OK(cuMemsetD2D32(base, pitch, 7, 25, 10));
  CUDA_MEMCPY2D rows = {};
  int found[10][25];
  rows.srcMemoryType = CU_MEMORYTYPE_DEVICE, rows.srcDevice = base, rows.srcPitch = pitch;
  rows.dstMemoryType = CU_MEMORYTYPE_HOST, rows.dstHost = found, rows.dstPitch = 100;
  rows.WidthInBytes = 100, rows.Height = 10;
  OK(cuMemcpy2D(&rows));
  CHECK(found[0][0] == 7 && found[9][24] == 7);
  rows.dstPitch = 50;
  CHECK(cuMemcpy2D(&rows) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(base));
  OK(cuMemFree(managed));
  OK(cuMemFreeHost(pinned));
  OK(cuMemFree(p));
  CHECK(cuMemFree(p) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(0));
}

static void arrays() {
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR wanted = {16, 8, CU_AD_FORMAT_FLOAT, 1}, told;
  OK(cuArrayCreate(&array, &wanted));
  OK(cuArrayGetDescriptor(&told, array));
  CHECK(told.Width == 16 && told.Height == 8 && told.Format == CU_AD_FORMAT_FLOAT && told.NumChannels == 1);
  std::vector<float> in(128), out(128);
  for (int i = 0; i < 128; i++)
    in[i] = i;
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = in.data(), copy.srcPitch = 64, copy.srcHeight = 8;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
  copy.WidthInBytes = 64, copy.Height = 8, copy.Depth = 1;
  OK(cuMemcpy3D(&copy));
  CUDA_MEMCPY2D part = {};
  part.srcMemoryType = CU_MEMORYTYPE_ARRAY, part.srcArray = array, part.srcXInBytes = 8, part.srcY = 3;
  part.dstMemoryType = CU_MEMORYTYPE_HOST, part.dstHost = out.data(), part.dstPitch = 16;
  part.WidthInBytes = 16, part.Height = 2;
  OK(cuMemcpy2D(&part));
  CHECK(out[0] == 50 && out[3] == 53 && out[4] == 66 && out[7] == 69);
  part.srcXInBytes = 2;
  CHECK(cuMemcpy2D(&part) == CUDA_ERROR_INVALID_VALUE);
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC how = {}, back = {};
  CUtexObject texture;
  resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP, how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  OK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  OK(cuTexObjectGetTextureDesc(&back, texture));
  CHECK(back.filterMode == CU_TR_FILTER_MODE_LINEAR && (back.flags & CU_TRSF_NORMALIZED_COORDINATES));
  OK(cuTexObjectDestroy(texture));
  OK(cuArrayDestroy(array));
  CHECK(cuArrayCreate(&array, nullptr) == CUDA_ERROR_INVALID_VALUE);
  wanted.NumChannels = 3;
  CHECK(cuArrayCreate(&array, &wanted) == CUDA_ERROR_INVALID_VALUE);
}

static void streams_and_graphs() {
  CUstream stream;
  CUevent start, end;
  CUdeviceptr x;
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode node, second;
  float ms;
  int n = 64, by = 5, out[64];
  void *params[] = {&x, &n, &by};
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&start, 0));
  OK(cuEventCreate(&end, 0));
  OK(cuMemAllocAsync(&x, 256, stream));
  OK(cuEventRecord(start, stream));
  OK(cuMemsetD32Async(x, 1, 64, stream));
  OK(cuLaunchKernel(add_function(), 2, 1, 1, 32, 1, 1, 0, stream, params, nullptr));
  OK(cuEventRecord(end, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(cuStreamQuery(stream) == CUDA_SUCCESS && cuEventQuery(end) == CUDA_SUCCESS);
  OK(cuEventElapsedTime(&ms, start, end));
  OK(cuMemcpyDtoH(out, x, 256));
  CHECK(out[0] == 6 && out[63] == 6 && ms >= 0);
  OK(cuStreamWriteValue32(stream, x, 77, 0));
  OK(cuStreamWaitValue32(stream, x, 77, CU_STREAM_WAIT_VALUE_EQ));
  OK(cuStreamWriteValue64(stream, x + 8, 78, 0));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(out, x, 256));
  CHECK(out[0] == 77 && out[2] == 78 && out[3] == 0);
  CHECK(cuStreamWaitValue32(stream, x + 1, 1, 0) == CUDA_ERROR_INVALID_VALUE);

  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD32Async(x, 10, 64, stream));
  OK(cuLaunchKernel(add_function(), 2, 1, 1, 32, 1, 1, 0, stream, params, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  OK(cuGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 2);
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(out, x, 256));
  CHECK(out[0] == 15 && out[63] == 15);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));

  OK(cuGraphCreate(&graph, 0));
  struct {
    CUdeviceptr x;
    int n, by;
  } packed = {x, n, 3};
  size_t size = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = add_function(), kernel.gridDimX = 2, kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 32, kernel.blockDimY = kernel.blockDimZ = 1, kernel.extra = extra;
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = x, copy.srcPitch = 256;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = out, copy.dstPitch = 256;
  copy.WidthInBytes = 256, copy.Height = copy.Depth = 1;
  CUcontext context;
  OK(cuCtxGetCurrent(&context));
  OK(cuGraphAddMemcpyNode(&second, graph, &node, 1, &copy, context));
  CUgraphNodeType type;
  OK(cuGraphNodeGetType(second, &type));
  CHECK(type == CU_GRAPH_NODE_TYPE_MEMCPY);
  OK(cuGraphInstantiate(&exec, graph, 0));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(out[0] == 18 && out[63] == 18);
  CUDA_KERNEL_NODE_PARAMS told;
  OK(cuGraphKernelNodeGetParams(node, &told));
  CHECK(told.func == add_function() && told.gridDimX == 2 && told.kern != nullptr);
  OK(cuGraphExecDestroy(exec));
  OK(cuGraphDestroy(graph));
  OK(cuMemFreeAsync(x, stream));
  OK(cuEventDestroy(start));
  OK(cuEventDestroy(end));
  OK(cuStreamDestroy(stream));
  CHECK(cuStreamSynchronize((CUstream)&stream) == CUDA_ERROR_INVALID_HANDLE);
}

static void virtual_memory() {
  const size_t unit = 2 << 20;
  CUmemAllocationProp wanted = {};
  size_t granularity;
  CUdeviceptr place;
  CUmemGenericAllocationHandle one, two, again;
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  OK(cuMemGetAllocationGranularity(&granularity, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(unit % granularity == 0);
  OK(cuMemAddressReserve(&place, 8 * unit, 0, 0, 0));
  OK(cuMemCreate(&one, unit, &wanted, 0));
  OK(cuMemCreate(&two, unit, &wanted, 0));
  CHECK(cuMemCreate(&again, unit + 1, &wanted, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemMap(place, unit, 0, one, 0));
  OK(cuMemMap(place + unit, unit, 0, two, 0));
  CHECK(cuMemMap(place, unit, 0, two, 0) == CUDA_ERROR_INVALID_VALUE);
  CUmemAccessDesc access = {wanted.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  OK(cuMemSetAccess(place, 2 * unit, &access, 1));
  CHECK(cuMemSetAccess(place, 3 * unit, &access, 1) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD32(place, 3, 2 * unit / 4)); /* across both */
  int n = (int)(2 * unit / 4), by = 4, last;
  void *params[] = {&place, &n, &by};
  OK(cuLaunchKernel(add_function(), n / 256, 1, 1, 256, 1, 1, 0, 0, params, nullptr));
  OK(cuMemcpyDtoH(&last, place + 2 * unit - 4, 4));
  CHECK(last == 7);
  unsigned long long flags;
  OK(cuMemGetAccess(&flags, &wanted.location, place));
  CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  OK(cuMemMap(place + 4 * unit, unit, 0, one, 0)); /* one memory at two addresses */
  OK(cuMemSetAccess(place + 4 * unit, unit, &access, 1));
  OK(cuMemcpyDtoH(&last, place + 4 * unit, 4));
  CHECK(last == 7);
  int file = -1;
  OK(cuMemExportToShareableHandle(&file, one, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  OK(cuMemImportFromShareableHandle(&again, (void *)(uintptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  OK(cuMemRelease(again));
  OK(cuMemUnmap(place, 2 * unit));
  CHECK(cuMemcpyDtoH(&last, place, 4) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressFree(place, 8 * unit) == CUDA_ERROR_INVALID_VALUE); /* something is mapped */
  OK(cuMemUnmap(place + 4 * unit, unit));
  OK(cuMemRelease(one));
  OK(cuMemRelease(two));
  CHECK(cuMemRelease(two) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAddressFree(place, 8 * unit));
}

static void names() {
  void *function = nullptr;
  const char *text;
  CUdriverProcAddressQueryResult status;
  OK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
  CHECK(std::string(text) == "CUDA_ERROR_INVALID_CONTEXT");
  OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK(std::string(text) == "out of memory");
  CHECK(cuGetErrorName((CUresult)12345, &text) == CUDA_ERROR_INVALID_VALUE && text == nullptr);
  OK(cuGetProcAddress("cuMemAlloc", &function, 12040, 0, &status));
  CHECK(function == (void *)cuMemAlloc && status == CU_GET_PROC_ADDRESS_SUCCESS);
  OK(cuGetProcAddress("cuGraphAddNode", &function, 12020, 0, &status));
  void *before = function;
  OK(cuGetProcAddress("cuGraphAddNode", &function, 13000, 0, &status));
  CHECK(before && function && function != before);
  OK(cuGetProcAddress("cuStreamQuery", &function, 12040, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  CHECK(function && function != (void *)cuStreamQuery);
  OK(cuGetProcAddress("cuNothing", &function, 12040, 0, &status));
  CHECK(!function && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(cuGetProcAddress("cuNothing", &function, 12040, 0, nullptr) == CUDA_ERROR_NOT_FOUND);
  cudaDriverEntryPointQueryResult said;
  CHECK(cudaGetDriverEntryPoint("cuMemAlloc", &function, cudaEnableDefault, &said) == cudaSuccess);
  CHECK(function != nullptr && said == cudaDriverEntryPointSuccess);
  CHECK(cudaGetDriverEntryPointByVersion("cuStreamGetCtx_v2", &function, 12000, cudaEnableDefault, &said) ==
        cudaSuccess);
  CHECK(function == nullptr);
  CHECK(cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, cudaEnableDefault, &said) == cudaSuccess &&
        function);
}

static void beside_the_runtime() {
  CUdeviceptr p;
  int *q, out = 0;
  CUcontext context;
  CHECK(cudaMalloc(&q, 4) == cudaSuccess);
  OK(cuMemsetD32((CUdeviceptr)q, 9, 1));
  CHECK(cudaMemcpy(&out, q, 4, cudaMemcpyDeviceToHost) == cudaSuccess && out == 9);
  OK(cuMemAlloc(&p, 4));
  CHECK(cudaFree((void *)p) == cudaSuccess && cuMemFree((CUdeviceptr)q) == CUDA_SUCCESS);
  CHECK(cudaMalloc(&q, (size_t)1 << 60) == cudaErrorMemoryAllocation);
  CHECK(cuMemFree(12345) == CUDA_ERROR_INVALID_VALUE); /* leaves the runtime's last error alone */
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  std::thread([&] {
    cudaFree(0);
    OK(cuCtxGetCurrent(&context)); /* the primary one, since the runtime is in use */
    CHECK(context != nullptr);
  }).join();
}

/* Of the table of what is declared alone. */
static void not_done() {
  CUlogIterator logs;
  CUprocessState state;
  unsigned int can;
  CUatomicOperation add = CU_ATOMIC_OPERATION_INTEGER_ADD;
  CHECK(cuLogsCurrent(&logs, 0) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuCheckpointProcessGetState(1, &state) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuDeviceGetHostAtomicCapabilities(&can, &add, 1, 0) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuMemBatchDecompressAsync(nullptr, 0, 0, nullptr, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cudaLogsCurrent(&logs, 0) == cudaErrorNotSupported && cudaGetLastError() == cudaErrorNotSupported);
  cudaMemPool_t pool, same;
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  CHECK(cudaMemGetMemPool(&pool, &device, cudaMemAllocationTypePinned) == cudaSuccess);
  CHECK(cudaMemGetDefaultMemPool(&same, &device, cudaMemAllocationTypePinned) == cudaSuccess && same == pool);
  CHECK(cudaMemGetMemPool(&pool, &host, cudaMemAllocationTypePinned) == cudaErrorNotSupported);
  CHECK(cudaMemSetMemPool(&device, cudaMemAllocationTypePinned, same) == cudaSuccess);
  cudaGetLastError();
}

int main() {
  before_the_start();
  contexts();
  devices();
  memory();
  arrays();
  streams_and_graphs();
  virtual_memory();
  names();
  beside_the_runtime();
  not_done();
  return report("calls");
}
