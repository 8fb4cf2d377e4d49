// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvrtcGetPTX gives text: what is copied as a string loads, runs and has the names that NVRTC gave; where the module of the source is in the
// cache and where the text itself is compiled.
// link: -lcuda -lnvJitLink
#include "../check.h"
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <string>

#define OK(call) CHECK((int)(call) == 0)

static const char source[] = R"(
__constant__ int step;
static __device__ int calls;
__device__ float plain = 2.5f;
namespace { __global__ void hidden(int *x) { x[threadIdx.x] += step; atomicAdd(&calls, 1); } }
template <class T> __global__ void fill(T *x, T value) {
  __shared__ T last[64];
  last[threadIdx.x] = value + (T)threadIdx.x;
  __syncthreads();
  x[threadIdx.x] = last[blockDim.x - 1 - threadIdx.x];
}
static __global__ void count(int *x) { *x = calls + (int)(2 * plain); }
)";
static const char *const expressions[] = {"hidden", "fill<int>", "count", "&step", "&plain"};

static std::string compile(std::vector<std::string> *names, const char *more) {
  nvrtcProgram program;
  const char *options[] = {"-arch=compute_80", more};
  OK(nvrtcCreateProgram(&program, source, "text.cu", 0, nullptr, nullptr));
  for (const char *expression : expressions)
    OK(nvrtcAddNameExpression(program, expression));
  OK(nvrtcCompileProgram(program, 2, options));
  for (const char *expression : expressions) {
    const char *lowered = nullptr;
    OK(nvrtcGetLoweredName(program, expression, &lowered));
    names->push_back(lowered ? lowered : "");
  }
  size_t bytes = 0;
  OK(nvrtcGetPTXSize(program, &bytes));
  std::vector<char> text(bytes + 1, '?');
  OK(nvrtcGetPTX(program, text.data()));
  CHECK(text[bytes] == '?' && std::string(text.data()).size() == bytes - 1);
  CHECK(nvrtcGetLTOIRSize(program, &bytes) == NVRTC_ERROR_INVALID_PROGRAM);
  OK(nvrtcDestroyProgram(&program));
  return std::string(text.data());
}

static void run(const void *image, const std::vector<std::string> &names) {
  CUmodule module;
  CUfunction hidden, fill, count;
  CUdeviceptr step, plain, x;
  int n = 64, value = 100, two = 2, got[64];
  size_t bytes;
  OK(cuModuleLoadData(&module, image));
  OK(cuModuleGetFunction(&hidden, module, names[0].c_str()));
  OK(cuModuleGetFunction(&fill, module, names[1].c_str()));
  OK(cuModuleGetFunction(&count, module, names[2].c_str()));
  OK(cuModuleGetGlobal(&step, &bytes, module, names[3].c_str()));
  CHECK(bytes == sizeof(int));
  OK(cuModuleGetGlobal(&plain, &bytes, module, names[4].c_str()));
  OK(cuMemcpyHtoD(step, &two, sizeof two));
  OK(cuMemAlloc(&x, sizeof got));
  void *filled[] = {&x, &value}, *added[] = {&x};
  OK(cuLaunchKernel(fill, 1, 1, 1, n, 1, 1, 0, nullptr, filled, nullptr));
  OK(cuLaunchKernel(hidden, 1, 1, 1, n, 1, 1, 0, nullptr, added, nullptr));
  OK(cuMemcpyDtoH(got, x, sizeof got));
  for (int i = 0; i < n; i++)
    CHECK(got[i] == value + n - 1 - i + two);
  OK(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, nullptr, added, nullptr));
  OK(cuMemcpyDtoH(got, x, sizeof *got));
  CHECK(*got == n + 5);
  OK(cuMemFree(x));
  OK(cuModuleUnload(module));
}

static void link(const std::string &text, const std::vector<std::string> &names) {
  nvJitLinkHandle handle;
  const char *options[] = {"-arch=sm_80"};
  size_t bytes = 0;
  OK(nvJitLinkCreate(&handle, 1, options));
  OK(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, text.c_str(), text.size(), "text"));
  OK(nvJitLinkComplete(handle));
  OK(nvJitLinkGetLinkedCubinSize(handle, &bytes));
  std::vector<char> image(bytes);
  OK(nvJitLinkGetLinkedCubin(handle, image.data()));
  run(image.data(), names);
  OK(nvJitLinkDestroy(&handle));
}

int main() {
  CUdevice device;
  CUcontext context;
  char folder[] = P_tmpdir "/unwarp-text-XXXXXX";
  CHECK(mkdtemp(folder));
  setenv("UNWARP_CACHE_DIR", folder, 1);
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  std::vector<std::string> names, again;
  std::string text = compile(&names, "-fmad=true");
  run(text.c_str(), names); // the module of the source
  link(text, names);
  CHECK(compile(&again, "-fmad=true") == text && again == names);
  setenv("UNWARP_CACHE_SIZE", "0", 1);
  run(text.c_str(), names); // the text
  std::vector<std::string> others;
  run(compile(&others, "--device-as-default-execution-space").c_str(), others);
  CHECK(system((std::string("rm -rf ") + folder).c_str()) == 0);
  return report("text");
}
