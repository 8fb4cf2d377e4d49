// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC has no int64_t, so a program makes its own, a long long (PyTorch's jiterator does): in its names, too. Without one it is the host's.
// link: -lcuda
#include "../check.h"
#include <cuda.h>
#include <nvrtc.h>

#include <string.h>

#define OK(call) CHECK((int)(call) == 0)

static const char own[] = R"(
typedef long long int int64_t;
typedef unsigned int uint32_t;
typedef signed char int8_t;
typedef unsigned long long  uint64_t ;
static_assert(sizeof(int64_t) == 8 && sizeof(uint64_t) == 8, "sizes");
template <typename T> __global__ void sum(T *to, long long *as, int64_t by) { as = to; *as += by + (int64_t)(uint64_t)threadIdx.x; }
)";
static const char hosts[] = R"(
struct holds_typedef { int64_t int64_t_; };
template <typename T> __global__ void sum(T *to, long *as, int64_t by) { as = to; *as += by; }
)";

static void run(const char *source, const char *name) {
  nvrtcProgram program;
  OK(nvrtcCreateProgram(&program, source, "own.cu", 0, nullptr, nullptr));
  OK(nvrtcAddNameExpression(program, name));
  OK(nvrtcCompileProgram(program, 0, nullptr));
  const char *lowered = nullptr;
  OK(nvrtcGetLoweredName(program, name, &lowered));
  size_t bytes = 0;
  OK(nvrtcGetPTXSize(program, &bytes));
  char *text = new char[bytes];
  OK(nvrtcGetPTX(program, text));
  CUmodule module;
  CUfunction function;
  OK(cuModuleLoadData(&module, text));
  OK(cuModuleGetFunction(&function, module, lowered));
  CUdeviceptr at;
  OK(cuMemAlloc(&at, 8));
  long long value = 40, by = 2;
  OK(cuMemcpyHtoD(at, &value, 8));
  void *arguments[] = {&at, &at, &by};
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuMemcpyDtoH(&value, at, 8));
  CHECK(value == 42);
  OK(cuMemFree(at));
  OK(nvrtcDestroyProgram(&program));
  delete[] text;
}

int main() {
  CUdevice device;
  CUcontext context;
  OK(cuInit(0));
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
  run(own, "sum<int64_t>");
  run(hosts, "sum<int64_t>");
  return report("own_integers");
}
