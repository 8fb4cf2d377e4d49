// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libNVVM: NVVM IR as old and new LLVMs write it becomes PTX that loads and runs, several modules become one, libdevice may be among
// them; options, mistakes and logs.
// link: -lcuda
#include "../check.h"
#include <cmath>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <nvvm.h>

static const char *const kernel = R"(
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @shifted(float %x)
declare double @__nv_sin(double)
define void @compute(float* %a, double* %b) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %tid to i64
  %pa = getelementptr float, float* %a, i64 %i
  %pb = getelementptr double, double* %b, i64 %i
  %x = load float, float* %pa
  %y = call float @shifted(float %x)
  store float %y, float* %pa
  %u = load double, double* %pb
  %v = call double @__nv_sin(double %u)
  store double %v, double* %pb
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (float*, double*)* @compute, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0, i32 3, i32 1}
)";
static const char *const other = R"(
target triple = "nvptx64-unknown-cuda"
define float @shifted(float %x) {
  %y = fmul float %x, 3.0
  %z = fadd float %y, 1.0
  ret float %z
}
)";

// Nothing in the module reads the variable: llvm.used keeps it for the host.
static const char *const kept = R"(
target triple = "nvptx64-nvidia-cuda"
@counter = internal addrspace(1) global i32 10, align 4
@llvm.used = appending global [1 x i8*] [i8* bitcast (i8* addrspacecast (i32 addrspace(1)* @counter to i8*) to i8*)], section "llvm.metadata"
define void @more(i32* %at) {
  %old = load i32, i32* %at, align 4
  %new = add i32 %old, 20
  store i32 %new, i32* %at, align 4
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{i32 addrspace(1)* @counter, !"managed", i32 1}
!1 = !{void (i32*)* @more, !"kernel", i32 1}
)";

static std::string folder_of_compiler() {
  const char *unwarp = getenv("UNWARP");
  std::string path = unwarp ? unwarp : "";
  return path.substr(0, path.rfind('/') + 1);
}

static void runs(const void *image) {
  CUmodule module;
  CUfunction function;
  CHECK(cuModuleLoadData(&module, image) == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&function, module, "compute") == CUDA_SUCCESS);
  device<float> a(32);
  device<double> b(32);
  for (int i = 0; i < 32; i++)
    a[i] = (float)i, b[i] = i * 0.25;
  void *arguments[] = {&a.at, &b.at};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS);
  for (int i = 0; i < 32; i++)
    CHECK(a[i] == 3.0f * i + 1 && std::fabs(b[i] - std::sin(i * 0.25)) < 1e-14);
  CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
}

static std::string log_of(nvvmProgram program) {
  size_t size = 0;
  CHECK(nvvmGetProgramLogSize(program, &size) == NVVM_SUCCESS && size >= 1);
  std::string text(size, 'x');
  CHECK(nvvmGetProgramLog(program, &text[0]) == NVVM_SUCCESS && text[size - 1] == 0);
  return text.c_str();
}

static std::string result_of(nvvmProgram program) {
  size_t size = 0;
  CHECK(nvvmGetCompiledResultSize(program, &size) == NVVM_SUCCESS && size > 1);
  std::string text(size, 'x');
  CHECK(nvvmGetCompiledResult(program, &text[0]) == NVVM_SUCCESS);
  return text;
}

static void keeps_used_variables() {
  nvvmProgram program;
  CHECK(nvvmCreateProgram(&program) == NVVM_SUCCESS &&
        nvvmAddModuleToProgram(program, kept, strlen(kept), "kept") == NVVM_SUCCESS);
  CHECK(nvvmCompileProgram(program, 0, nullptr) == NVVM_SUCCESS);
  std::string ptx = result_of(program);
  CHECK(nvvmDestroyProgram(&program) == NVVM_SUCCESS);
  CUmodule module;
  CUfunction function;
  CUdeviceptr counter = 0;
  size_t bytes = 0;
  CHECK(cuModuleLoadData(&module, ptx.data()) == CUDA_SUCCESS &&
        cuModuleGetFunction(&function, module, "more") == CUDA_SUCCESS);
  CHECK(cuModuleGetGlobal(&counter, &bytes, module, "counter") == CUDA_SUCCESS && bytes == sizeof(int));
  unsigned int managed = 7;
  CHECK(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, counter) == CUDA_SUCCESS && managed == 1);
  void *arguments[] = {&counter};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(counter && *(volatile int *)counter == 30);
  CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
}

int main() {
  CUdevice device;
  CUcontext context;
  int a, b, c, d;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
        cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  CHECK(nvvmVersion(&a, &b) == NVVM_SUCCESS && a == 2 && nvvmVersion(&a, nullptr) == NVVM_ERROR_INVALID_INPUT);
  CHECK(nvvmIRVersion(&a, &b, &c, &d) == NVVM_SUCCESS && a == 2 && c == 3);
  CHECK(nvvmLLVMVersion("compute_80", &a) == NVVM_SUCCESS && a >= 7);
  CHECK(std::string(nvvmGetErrorString(NVVM_ERROR_INVALID_IR)) == "NVVM_ERROR_INVALID_IR");

  nvvmProgram program;
  CHECK(nvvmCreateProgram(&program) == NVVM_SUCCESS && nvvmCreateProgram(nullptr) == NVVM_ERROR_INVALID_INPUT);
  CHECK(nvvmCompileProgram(program, 0, nullptr) == NVVM_ERROR_NO_MODULE_IN_PROGRAM);
  CHECK(nvvmAddModuleToProgram(program, kernel, strlen(kernel), "kernel") == NVVM_SUCCESS);
  CHECK(nvvmAddModuleToProgram(program, other, strlen(other), nullptr) == NVVM_SUCCESS);
  CHECK(nvvmAddModuleToProgram(program, nullptr, 3, "x") == NVVM_ERROR_INVALID_INPUT);
  const char *options[] = {"-arch=compute_75", "-opt=3", "-fma=1", "-prec-div=1", "-ftz=0"};
  CHECK(nvvmVerifyProgram(program, 5, options) == NVVM_SUCCESS);
  std::ifstream file(folder_of_compiler() + "../nvvm/libdevice/libdevice.10.bc", std::ios::binary);
  std::string libdevice(std::istreambuf_iterator<char>(file), {});
  CHECK(libdevice.size() > 1000);
  CHECK(nvvmLazyAddModuleToProgram(program, libdevice.data(), libdevice.size(), "libdevice") == NVVM_SUCCESS);
  CHECK(nvvmCompileProgram(program, 5, options) == NVVM_SUCCESS && log_of(program).empty());
  std::string ptx = result_of(program);
  CHECK(ptx.back() == 0 && ptx.find(".target sm_75") != ptx.npos && ptx.find(".entry compute") != ptx.npos);
  CHECK(ptx.find("fma.rn.f32") != ptx.npos); // -fma
  runs(ptx.data());

  const char *unfused[] = {"-fma", "0"};
  CHECK(nvvmCompileProgram(program, 2, unfused) == NVVM_SUCCESS && result_of(program).find("fma.rn.f32") == ptx.npos);
  const char *unknown[] = {"-no-such-option"}, *no_value[] = {"-ftz=maybe"}, *lto[] = {"-gen-lto"};
  CHECK(nvvmCompileProgram(program, 1, unknown) == NVVM_ERROR_INVALID_OPTION);
  CHECK(log_of(program).find("-no-such-option") != std::string::npos);
  CHECK(nvvmCompileProgram(program, 1, no_value) == NVVM_ERROR_INVALID_OPTION);
  CHECK(nvvmCompileProgram(program, 1, lto) == NVVM_SUCCESS);
  std::string bitcode = result_of(program);
  CHECK(bitcode.compare(0, 2, "BC") == 0);
  CUlinkState link;
  void *linked;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_NVVM, &bitcode[0], bitcode.size(), "lto", 0, nullptr, nullptr) ==
        CUDA_SUCCESS);
  CHECK(cuLinkComplete(link, &linked, nullptr) == CUDA_SUCCESS);
  runs(linked);
  CHECK(cuLinkDestroy(link) == CUDA_SUCCESS);
  CHECK(nvvmDestroyProgram(&program) == NVVM_SUCCESS && !program &&
        nvvmDestroyProgram(&program) == NVVM_ERROR_INVALID_PROGRAM);

  CHECK(nvvmCreateProgram(&program) == NVVM_SUCCESS);
  const char *mistake = "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @f() {\n  ret i32 %x\n}\n";
  CHECK(nvvmAddModuleToProgram(program, mistake, strlen(mistake), "mistake") == NVVM_SUCCESS);
  CHECK(nvvmVerifyProgram(program, 0, nullptr) == NVVM_ERROR_INVALID_IR);
  CHECK(log_of(program).find("mistake") != std::string::npos);
  CHECK(nvvmCompileProgram(program, 0, nullptr) == NVVM_ERROR_COMPILATION);
  size_t size;
  CHECK(nvvmGetCompiledResultSize(program, &size) == NVVM_ERROR_INVALID_PROGRAM);
  CHECK(nvvmDestroyProgram(&program) == NVVM_SUCCESS);
  keeps_used_variables();
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  return report("programs");
}
