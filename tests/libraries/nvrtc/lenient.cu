// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC takes what the compiler takes of files: long double as double, in literals, variables, functions and structures; and what else nvcc
// takes and clang does not, whatever the program is called.
// link: -lcuda
#include "../check.h"
#include <cuda.h>
#include <nvrtc.h>

static void run(const char *source, const char *name, double wanted, const char *header = nullptr) {
  static const char *const included[] = {"part.h"};
  nvrtcProgram program;
  size_t size = 0;
  CHECK(nvrtcCreateProgram(&program, source, name, header ? 1 : 0, header ? &header : nullptr,
                           header ? included : nullptr) == NVRTC_SUCCESS);
  nvrtcResult result = nvrtcCompileProgram(program, 0, nullptr);
  CHECK(nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS);
  std::string log(size, 0);
  CHECK(nvrtcGetProgramLog(program, &log[0]) == NVRTC_SUCCESS);
  if (result != NVRTC_SUCCESS)
    fprintf(stderr, "%s: %s\n", source, log.c_str());
  CHECK(result == NVRTC_SUCCESS);
  for (int form = 0; form < 2; form++) {
    CHECK((form ? nvrtcGetPTXSize(program, &size) : nvrtcGetCUBINSize(program, &size)) == NVRTC_SUCCESS);
    std::string image(size, 0);
    CHECK((form ? nvrtcGetPTX(program, &image[0]) : nvrtcGetCUBIN(program, &image[0])) == NVRTC_SUCCESS);
    CUmodule module;
    CUfunction function;
    ::device<double> x(1);
    x[0] = 3;
    void *arguments[] = {&x.at};
    CHECK(cuModuleLoadData(&module, image.data()) == CUDA_SUCCESS &&
          cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
          cuCtxSynchronize() == CUDA_SUCCESS);
    if (x[0] != wanted)
      fprintf(stderr, "%s: %g, not %g\n", source, (double)x[0], wanted);
    CHECK(x[0] == wanted && cuModuleUnload(module) == CUDA_SUCCESS);
  }
  CHECK(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
}

#define KERNEL "extern \"C\" __global__ void k(double *x) "

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
        cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  run(KERNEL "{ *x = 0.5l * *x + 1.0L; }", "turn.cu", 2.5);
  run("__device__ long double half_of(long double y) { return y / 2; }\n"
      "struct two { long double a, b; };\n" KERNEL
      "{ long double y = *x; two t = {y, 0.25L}; t.a += half_of(y); *x = t.a + t.b; }",
      "folder/other.cu", 4.75);
  run("#include \"part.h\"\n" KERNEL "{ *x = part(*x); }", nullptr, 6.5,
      "__device__ double part(double y) { return 2.0l * y + 0.5l; }");

  // By #line, in another form of the text: built-in variables, shared objects, operands without a comma, templates that nobody instantiates.
  run("extern const dim3 blockDim;\n" KERNEL "{ *x += blockDim.x; }", "turn.cu", 4);
  run("struct own { double v; __device__ own() : v(1) {} };\n"
      "#line 77 \"made.y\"\n" KERNEL "{ __shared__ own o; o.v = *x; *x = o.v * 2; }",
      "turn.cu", 6);
  run("template <class T> __device__ T never(T y) { return nowhere(7, nothing); }\n" KERNEL "{ *x += 4; }", "turn.cu",
      7);
  puts("passed");
}
