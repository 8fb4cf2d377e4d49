// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: what -cubin, -fatbin and -ptx make is loaded, found by name, launched and unloaded; two modules with the same kernel keep
// their own; what is no module is refused by the right code.
#include "../check.h"
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

static const char *const source = R"(
OWN __constant__ float factor = 2; // nvcc calls a file's own variable by its name alone
OWN __device__ int counter;
__managed__ int shared_count = 7;
extern "C" __global__ void scale(float *x, int n) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) x[i] = s[threadIdx.x] * factor + ADDED;
  if (i == 0) counter++;
}
struct pair { char c; double d; };
template <class T> __global__ void fill(T *x, pair p, T v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = v + (T)p.d;
}
template __global__ void fill<int>(int *, pair, int, int);
int host_function_that_is_not_there();
int of_no_use = host_function_that_is_not_there();  // host code stays behind
int main() { return host_function_that_is_not_there(); }
)";

static const std::string &folder() {
  static const std::string made = new_folder("modules");
  return made;
}

static std::string compile(const char *form, const char *options) {
  std::string name = folder() + "/m.cu", result = folder() + "/m" + form;
  std::ofstream(name) << source;
  const char *unwarp = getenv("UNWARP");
  std::string command =
      std::string(unwarp ? unwarp : "unwarp") + " " + form + " " + options + " " + name + " -o " + result;
  CHECK(system(command.c_str()) == 0);
  return result;
}

static std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

static void launches(CUmodule module, float added) {
  CUfunction scale, fill;
  CUdeviceptr x, counter, factor;
  size_t bytes;
  int n = 100, count;
  CHECK(cuModuleGetFunction(&scale, module, "scale") == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&fill, module, "_Z4fillIiEvPT_4pairS0_i") == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&fill, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetFunction(&fill, module, "_Z4fillIiEvPT_4pairS0_i") == CUDA_SUCCESS);
  CHECK(cuModuleGetGlobal(&counter, &bytes, module, "counter") == CUDA_SUCCESS && bytes == 4);
  CHECK(cuModuleGetGlobal(&factor, &bytes, module, "factor") == CUDA_SUCCESS && bytes == 4);
  CHECK(cuModuleGetGlobal(&factor, &bytes, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuMemAlloc(&x, 400) == CUDA_SUCCESS);
  CHECK(cuMemsetD32(x, 0x3f800000, 100) == CUDA_SUCCESS);
  void *params[] = {&x, &n};
  CHECK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 128, 0, params, nullptr) == CUDA_SUCCESS);
  std::vector<float> back(100);
  CHECK(cuMemcpyDtoH(back.data(), x, 400) == CUDA_SUCCESS);
  CHECK(back[0] == 2 + added && back[99] == 2 + added);
  float five = 5;
  cuModuleGetGlobal(&factor, nullptr, module, "factor");
  CHECK(cuMemcpyHtoD(factor, &five, 4) == CUDA_SUCCESS);
  struct {
    CUdeviceptr x;
    int n;
  } packed = {x, n};
  size_t size = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 128, 0, nullptr, extra) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(back.data(), x, 400) == CUDA_SUCCESS);
  CHECK(back[50] == (2 + added) * 5 + added);
  CHECK(cuMemcpyDtoH(&count, counter, 4) == CUDA_SUCCESS && count == 2);
  size = 8;
  CHECK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 128, 0, nullptr, extra) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLaunchKernel(scale, 4, 1, 1, 32, 1, 1, 128, 0, params, extra) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLaunchKernel(scale, 4, 1, 1, 2000, 1, 1, 0, 0, params, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuLaunchKernel((CUfunction)&n, 4, 1, 1, 32, 1, 1, 0, 0, params, nullptr) == CUDA_ERROR_INVALID_HANDLE);
  struct {
    char c;
    double d;
  } pair = {'x', 3};
  int v = 39;
  void *of_fill[] = {&x, &pair, &v, &n};
  CHECK(cuLaunchKernel(fill, 4, 1, 1, 32, 1, 1, 0, 0, of_fill, nullptr) == CUDA_SUCCESS);
  std::vector<int> ints(100);
  CHECK(cuMemcpyDtoH(ints.data(), x, 400) == CUDA_SUCCESS && ints[0] == 42 && ints[99] == 42);
  size_t offset, parameter;
  CHECK(cuFuncGetParamInfo(fill, 1, &offset, &parameter) == CUDA_SUCCESS && offset == 8 && parameter == 16);
  CHECK(cuFuncGetParamInfo(fill, 4, &offset, &parameter) == CUDA_ERROR_INVALID_VALUE);
  const char *name;
  CHECK(cuFuncGetName(&name, fill) == CUDA_SUCCESS && std::string(name) == "_Z4fillIiEvPT_4pairS0_i");
  CUmodule of;
  CHECK(cuFuncGetModule(&of, fill) == CUDA_SUCCESS && of == module);
  unsigned int functions;
  CHECK(cuModuleGetFunctionCount(&functions, module) == CUDA_SUCCESS && functions == 2);
  int most;
  CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale) == CUDA_SUCCESS && most == 1024);
  CHECK(cuOccupancyMaxPotentialBlockSize(&count, &v, scale, nullptr, 0, 0) == CUDA_SUCCESS && v >= 32 && count > 0);
  cuMemFree(x);
}

static void refusals(const std::string &good) {
  CUmodule module;
  char log[512] = "untouched";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  std::string elf = std::string("\177ELF\2\1\1") + std::string(200, '\0'), bad = good;
  bad[bad.size() / 2] ^= 1;
  CHECK(cuModuleLoad(&module, "/nonexistent/x.cubin") == CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(cuModuleLoadData(&module, "neither this nor that, but long enough") == CUDA_ERROR_INVALID_IMAGE);
  CHECK(cuModuleLoadDataEx(&module, elf.data(), 2, options, values) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(strstr(log, "GPU code") && (size_t)values[1] == strlen(log) + 1);
  CHECK(cuModuleLoadData(&module, bad.data()) == CUDA_ERROR_INVALID_IMAGE);
  CHECK(cuModuleLoadData(nullptr, good.data()) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleLoadData(&module, nullptr) == CUDA_ERROR_INVALID_VALUE);
  std::ofstream(folder() + "/short.cubin", std::ios::binary) << good.substr(0, good.size() / 2);
  CHECK(cuModuleLoad(&module, (folder() + "/short.cubin").c_str()) == CUDA_ERROR_INVALID_IMAGE);
  CHECK(cuModuleUnload((CUmodule)&module) == CUDA_ERROR_INVALID_HANDLE);
}

/* What another version of unwarp made: the error is CUDA's, and the log and the terminal say what to do. */
static void stale(std::string image) {
  enum { WORD_OF_VERSION = 12 };
  CUmodule module;
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  std::string said = folder() + "/said", line;
  image[WORD_OF_VERSION] ^= 1;
  int terminal = dup(2);
  CHECK(freopen(said.c_str(), "w", stderr));
  CHECK(cuModuleLoadData(&module, image.data()) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(cuModuleLoadDataEx(&module, image.data(), 2, options, values) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  fflush(stderr);
  dup2(terminal, 2);
  close(terminal);
  std::ifstream reading(said);
  std::getline(reading, line);
  CHECK(line.find("unwarp: the module is stale") == 0 && line.find("again") != line.npos);
  CHECK(strstr(log, "the module is stale"));
}

static void runtime_libraries(const std::string &data) {
  cudaLibrary_t library;
  cudaKernel_t kernels[2], scale;
  unsigned int count;
  void *address;
  size_t bytes;
  CHECK(cudaLibraryLoadData(&library, data.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == cudaSuccess);
  CHECK(cudaLibraryGetKernelCount(&count, library) == cudaSuccess && count == 2);
  CHECK(cudaLibraryEnumerateKernels(kernels, 2, library) == cudaSuccess && kernels[0] != kernels[1]);
  CHECK(cudaLibraryGetKernel(&scale, library, "scale") == cudaSuccess);
  CHECK(cudaLibraryGetKernel(&scale, library, "nothing") == cudaErrorSymbolNotFound &&
        cudaGetLastError() == cudaErrorSymbolNotFound);
  CHECK(cudaLibraryGetKernel(&scale, library, "scale") == cudaSuccess);
  CHECK(cudaLibraryGetGlobal(&address, &bytes, library, "factor") == cudaSuccess && bytes == 4);
  CHECK(cudaLibraryGetManaged(&address, &bytes, library, "shared_count") == cudaSuccess && *(int *)address == 7);
  CHECK(cudaLibraryGetUnifiedFunction(&address, library, "scale") == cudaErrorSymbolNotFound);
  CHECK(cudaKernelSetAttributeForDevice(scale, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000, 0) == cudaSuccess);
  float *x;
  int n = 32;
  CHECK(cudaMallocManaged(&x, 128) == cudaSuccess);
  x[31] = 4;
  void *params[] = {&x, &n};
  CHECK(cudaLaunchKernel((const void *)scale, dim3(1), dim3(32), params, 90000, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && x[31] == 4 * 2 + 1);
  CHECK(cudaFree(x) == cudaSuccess && cudaLibraryUnload(library) == cudaSuccess);
  CHECK(cudaLibraryUnload(library) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLibraryLoadFromFile(&library, "/nonexistent", nullptr, nullptr, 0, nullptr, nullptr, 0) ==
        cudaErrorFileNotFound);
  cudaGetLastError();
}

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  CHECK(cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  CUmodule one, two, three;
  std::string first = compile("-cubin", "-DADDED=0 -DOWN=static"),
              second = compile("-fatbin", "-DADDED=1 -DOWN=static");
  CHECK(cuModuleLoad(&one, first.c_str()) == CUDA_SUCCESS);
  std::string data = contents(second);
  CHECK(cuModuleLoadFatBinary(&two, data.data()) == CUDA_SUCCESS);
  CHECK(cuModuleLoadData(&three, contents(compile("-ptx", "-DADDED=2 -DOWN=")).data()) == CUDA_SUCCESS);
  launches(one, 0);
  launches(two, 1);
  launches(three, 2);
  refusals(data);
  stale(data);
  runtime_libraries(data);
  CUdeviceptr managed;
  size_t bytes;
  CUlibrary library;
  CUkernel kernel;
  CHECK(cuLibraryLoadData(&library, data.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == CUDA_SUCCESS);
  CHECK(cuLibraryGetManaged(&managed, &bytes, library, "shared_count") == CUDA_SUCCESS && *(int *)managed == 7);
  CHECK(cuLibraryGetManaged(&managed, &bytes, library, "counter") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuLibraryGetKernel(&kernel, library, "scale") == CUDA_SUCCESS);
  CUfunction function;
  CHECK(cuKernelGetFunction(&function, kernel) == CUDA_SUCCESS);
  CHECK(cuLibraryUnload(library) == CUDA_SUCCESS);
  CHECK(cuModuleUnload(one) == CUDA_SUCCESS && cuModuleUnload(one) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuModuleGetFunction(&function, one, "scale") == CUDA_ERROR_INVALID_HANDLE);
  CUlinkState link;
  void *linked;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, (void *)data.data(), data.size(), "m", 0, nullptr, nullptr) ==
        CUDA_SUCCESS);
  CHECK(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, first.c_str(), 0, nullptr, nullptr) == CUDA_SUCCESS);
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, (void *)"not one", 8, "m", 0, nullptr, nullptr) ==
        CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(cuLinkComplete(link, &linked, &bytes) == CUDA_SUCCESS && bytes > data.size());
  CHECK(cuModuleLoadData(&one, linked) == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&function, one, "scale") == CUDA_SUCCESS && cuLinkDestroy(link) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS); /* and its modules with it */
  CHECK(cuModuleUnload(two) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(system(("rm -r " + folder()).c_str()) == 0);
  return report("modules");
}
