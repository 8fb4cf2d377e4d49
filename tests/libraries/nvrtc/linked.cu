// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC's programs for a link: with -rdc=true PTX that is text, with -dlto bitcode, which nvJitLink links with each other and with PTX.
// link: -lcuda -lnvJitLink
#include "../check.h"
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

static std::string compile(const char *source, const char *option, bool lto) {
  nvrtcProgram program;
  size_t size = 0, other;
  const char *options[] = {"-arch=compute_80", option};
  CHECK(nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  CHECK(nvrtcCompileProgram(program, 2, options) == NVRTC_SUCCESS);
  CHECK((lto ? nvrtcGetLTOIRSize(program, &size) : nvrtcGetPTXSize(program, &size)) == NVRTC_SUCCESS);
  CHECK((lto ? nvrtcGetPTXSize(program, &other) : nvrtcGetLTOIRSize(program, &other)) == NVRTC_ERROR_INVALID_PROGRAM);
  CHECK(nvrtcGetCUBINSize(program, &other) == NVRTC_ERROR_INVALID_PROGRAM);
  std::string result(size, 0);
  CHECK((lto ? nvrtcGetLTOIR(program, &result[0]) : nvrtcGetPTX(program, &result[0])) == NVRTC_SUCCESS);
  CHECK(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return result;
}

int main() {
  static const char kernel[] =
      "extern \"C\" __device__ float shifted(const float *); extern __device__ int factor;"
      "extern \"C\" __global__ void k(float *x) { x[threadIdx.x] = shifted(x + threadIdx.x) * factor; }";
  static const char function[] =
      "__device__ int factor = 3; extern \"C\" __device__ float shifted(const float *x) { return *x + cosf(0); }";
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
        cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  for (int which = 0; which < 3; which++) { // both as text, as bitcode, one of each
    std::string parts[] = {compile(kernel, which == 1 ? "-dlto" : "-rdc=true", which == 1),
                           compile(function, which ? "-dlto" : "-rdc=true", which > 0)};
    CHECK(which == 1 || parts[0].find(".entry k") != std::string::npos);
    nvJitLinkHandle link;
    const char *options[] = {"-arch=sm_80", "-lto"};
    size_t size = 0;
    CHECK(nvJitLinkCreate(&link, 2, options) == NVJITLINK_SUCCESS);
    for (int i = 0; i < 2; i++)
      CHECK(nvJitLinkAddData(link, which == 1 || (which == 2 && i) ? NVJITLINK_INPUT_LTOIR : NVJITLINK_INPUT_PTX,
                             parts[i].data(), parts[i].size(), "part") == NVJITLINK_SUCCESS);
    CHECK(nvJitLinkComplete(link) == NVJITLINK_SUCCESS &&
          nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_SUCCESS);
    std::string cubin(size, 0);
    CHECK(nvJitLinkGetLinkedCubin(link, &cubin[0]) == NVJITLINK_SUCCESS &&
          nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
    CUmodule module;
    CUfunction function;
    ::device<float> x(32);
    x[31] = 4;
    void *arguments[] = {&x.at};
    CHECK(cuModuleLoadData(&module, cubin.data()) == CUDA_SUCCESS &&
          cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
          cuCtxSynchronize() == CUDA_SUCCESS && x[31] == 15);
    CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
  }
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  return report("linked");
}
