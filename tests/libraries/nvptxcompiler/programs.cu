// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvPTXCompiler: PTX becomes a module that cuModuleLoadData takes; logs, options, and what each call refuses.
// link: -lcuda
#include "../check.h"
#include <cuda.h>
#include <nvPTXCompiler.h>
#include <string>
#include <vector>

static std::string ptx(const char *version, const char *body) {
  return std::string(".version ") + version +
         "\n.target sm_80\n.address_size 64\n.visible .entry set(.param .u64 p) {\n.reg .b64 %a;\n.reg .f32 %x, "
         "%y;\nld.param.u64 %a, [p];\n" +
         body + "ret;\n}\n";
}
static const char *const seven = "mov.f32 %x, 0f40e00000;\nst.global.f32 [%a], %x;\n";
// 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, of which rounding loses the last: it is left where the product is not rounded.
static const char *const product = "ld.global.f32 %x, [%a];\nmul.f32 %y, %x, %x;\nsub.f32 %y, %y, 0f3f801000;\n"
                                   "st.global.f32 [%a], %y;\n";

static std::string log_of(nvPTXCompilerHandle compiler, bool errors) {
  size_t size = 4711;
  CHECK((errors ? nvPTXCompilerGetErrorLogSize : nvPTXCompilerGetInfoLogSize)(compiler, &size) == NVPTXCOMPILE_SUCCESS);
  std::vector<char> text(size + 1);
  CHECK((errors ? nvPTXCompilerGetErrorLog : nvPTXCompilerGetInfoLog)(compiler, text.data()) == NVPTXCOMPILE_SUCCESS);
  CHECK(text[size] == 0 && strlen(text.data()) == size);
  return text.data();
}

static float run(const std::string &source, std::vector<const char *> options, float before) {
  nvPTXCompilerHandle compiler = nullptr;
  size_t size = 0;
  CHECK(nvPTXCompilerCreate(&compiler, source.size(), source.data()) == NVPTXCOMPILE_SUCCESS && compiler);
  CHECK(nvPTXCompilerGetCompiledProgramSize(compiler, &size) == NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
  CHECK(nvPTXCompilerCompile(compiler, (int)options.size(), options.data()) == NVPTXCOMPILE_SUCCESS);
  CHECK(log_of(compiler, true).empty());
  log_of(compiler, false);
  CHECK(nvPTXCompilerGetCompiledProgramSize(compiler, &size) == NVPTXCOMPILE_SUCCESS && size);
  std::vector<char> program(size);
  CHECK(nvPTXCompilerGetCompiledProgram(compiler, nullptr) == NVPTXCOMPILE_ERROR_INVALID_INPUT);
  CHECK(nvPTXCompilerGetCompiledProgram(compiler, program.data()) == NVPTXCOMPILE_SUCCESS);
  CHECK(nvPTXCompilerDestroy(&compiler) == NVPTXCOMPILE_SUCCESS);
  CUmodule module;
  CUfunction function;
  ::device<float> x(1);
  x[0] = before;
  void *arguments[] = {&x.at};
  CHECK(cuModuleLoadData(&module, program.data()) == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&function, module, "set") == CUDA_SUCCESS &&
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS && cuModuleUnload(module) == CUDA_SUCCESS);
  return x[0];
}

static void refused(const std::string &source, std::vector<const char *> options, nvPTXCompileResult expected,
                    const char *said) {
  nvPTXCompilerHandle compiler = nullptr;
  char byte;
  CHECK(nvPTXCompilerCreate(&compiler, source.size(), source.data()) == NVPTXCOMPILE_SUCCESS);
  CHECK(nvPTXCompilerCompile(compiler, (int)options.size(), options.data()) == expected);
  CHECK(log_of(compiler, true).find(said) != std::string::npos && log_of(compiler, false).empty());
  CHECK(nvPTXCompilerGetCompiledProgram(compiler, &byte) == NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
  CHECK(nvPTXCompilerDestroy(&compiler) == NVPTXCOMPILE_SUCCESS);
}

int main() {
  unsigned int major = 0, minor = 0;
  CHECK(cudaFree(nullptr) == cudaSuccess); // makes the primary context current
  CHECK(nvPTXCompilerGetVersion(&major, &minor) == NVPTXCOMPILE_SUCCESS);
  CHECK(major * 1000 + minor * 10 == CUDA_VERSION);
  CHECK(run(ptx("7.0", seven), {}, 0) == 7);
  CHECK(run(ptx("7.0", seven) + '\0', {"--gpu-name=sm_80", "-O3", "--verbose", "-lineinfo"}, 0) == 7);
  CHECK(run(ptx("7.0", seven), {"--gpu-name", "sm_80", "--maxrregcount=32", "-dlcm=cg"}, 0) == 7);
  float x = 1 + 1.0f / 4096;
  CHECK(run(ptx("7.0", product), {"--fmad=false"}, x) == 0);
  float fused = run(ptx("7.0", product), {"-fmad", "true"}, x); // may be, and need not
  CHECK(fused == 0 || fused == 1.0f / (1 << 24));

  refused(ptx("7.0", "ld.parm.u64 %a, [p];\n"), {"-arch=sm_80"}, NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, "parm");
  refused(ptx("99.0", seven), {}, NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION, "Unsupported .version 99.0");
  refused("nothing of the kind", {}, NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, "Missing .version");
  refused(ptx("7.0", seven), {"--wrong-option"}, NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, "--wrong-option");
  refused(ptx("7.0", seven), {"--gpu-name=none"}, NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, "--gpu-name=none");

  nvPTXCompilerHandle compiler = nullptr;
  size_t size;
  CHECK(nvPTXCompilerCreate(&compiler, 0, "") == NVPTXCOMPILE_ERROR_INVALID_INPUT);
  CHECK(nvPTXCompilerCreate(&compiler, 5, nullptr) == NVPTXCOMPILE_ERROR_INVALID_INPUT);
  CHECK(nvPTXCompilerDestroy(&compiler) == NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE);
  CHECK(nvPTXCompilerCompile(nullptr, 0, nullptr) == NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE);
  CHECK(nvPTXCompilerGetErrorLogSize(nullptr, &size) == NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE);
  return report("programs");
}
