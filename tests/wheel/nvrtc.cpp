// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that is compiled while the program runs, by the compiler that the libraries find.
#include <cstdio>
#include <cuda.h>
#include <nvrtc.h>
#include <vector>

static const char source[] = "extern \"C\" __global__ void twice(int *data) { data[threadIdx.x] *= 2; }";

int main() {
  nvrtcProgram program;
  size_t size = 0;
  if (nvrtcCreateProgram(&program, source, "twice.cu", 0, nullptr, nullptr) || nvrtcCompileProgram(program, 0, nullptr) ||
      nvrtcGetPTXSize(program, &size))
    return puts("NVRTC failed"), 1;
  std::vector<char> ptx(size);
  nvrtcGetPTX(program, ptx.data());
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction twice;
  CUdeviceptr data;
  int values[32];
  for (int i = 0; i < 32; i++)
    values[i] = i;
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device) || cuModuleLoadData(&module, ptx.data()) ||
      cuModuleGetFunction(&twice, module, "twice") || cuMemAlloc(&data, sizeof values))
    return puts("the driver API failed"), 1;
  void *arguments[] = {&data};
  cuMemcpyHtoD(data, values, sizeof values);
  if (cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr))
    return puts("the launch failed"), 1;
  cuMemcpyDtoH(values, data, sizeof values);
  for (int i = 0; i < 32; i++)
    if (values[i] != 2 * i)
      return puts("wrong"), 1;
  puts("right");
}
