// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC: compiled from text, with headers from memory, options, names of templates and variables; errors as a log; the same text again comes
// from the cache, a damaged or foreign cache does no harm.
// link: -lcuda
#include "../check.h"
#include <chrono>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <nvrtc.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#define OK(call) CHECK((call) == NVRTC_SUCCESS)

static std::string log_of(nvrtcProgram program) {
  size_t bytes;
  OK(nvrtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, '?');
  OK(nvrtcGetProgramLog(program, &log[0]));
  return log;
}

static std::vector<char> image_of(nvrtcProgram program) {
  size_t bytes;
  OK(nvrtcGetCUBINSize(program, &bytes));
  std::vector<char> image(bytes);
  OK(nvrtcGetCUBIN(program, image.data()));
  return image;
}

static double compile(const char *source, std::vector<const char *> options, std::vector<char> *image,
                      nvrtcResult expected, std::string *log = nullptr) {
  nvrtcProgram program;
  auto start = std::chrono::steady_clock::now();
  OK(nvrtcCreateProgram(&program, source, "test.cu", 0, nullptr, nullptr));
  nvrtcResult result = nvrtcCompileProgram(program, (int)options.size(), options.data());
  CHECK(result == expected);
  if (result == NVRTC_SUCCESS && image)
    *image = image_of(program);
  if (log)
    *log = log_of(program);
  size_t bytes;
  CHECK(result == NVRTC_SUCCESS || nvrtcGetPTXSize(program, &bytes) != NVRTC_SUCCESS);
  OK(nvrtcDestroyProgram(&program));
  CHECK(program == nullptr);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static void names_and_headers() {
  static const char *const source = R"(
#include "deep/ten.h"
#include <cuda_fp16.h>
namespace inner { template <class T, int N> __global__ void fill(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = T(N * TEN + SEVEN);
}
__constant__ int numbers[4];
__device__ float plain; }
extern "C" __global__ void sum(int *to) { int s = 0; for (int i = 0; i < 4; i++) s += inner::numbers[i]; *to = helper(s); }
)";
  const char *headers[] = {"#pragma once\n#include \"two.h\"\n#define TEN (2 * FIVE)\n",
                           "#define FIVE 5\n__device__ int helper(int x) { return x + 1; }\n"};
  const char *included[] = {"deep/ten.h", "two.h"};
  const char *options[] = {
      "--gpu-architecture=compute_75", "-DSEVEN=7", "--std=c++14", "-default-device", "-I", "/nonexistent"};
  nvrtcProgram program;
  const char *lowered;
  OK(nvrtcCreateProgram(&program, source, nullptr, 2, headers, included));
  OK(nvrtcAddNameExpression(program, "inner::fill<float, 3>"));
  OK(nvrtcAddNameExpression(program, "&inner::fill<int, 4>"));
  OK(nvrtcAddNameExpression(program, "&inner::numbers"));
  OK(nvrtcAddNameExpression(program, "&inner::plain"));
  CHECK(nvrtcGetLoweredName(program, "&inner::numbers", &lowered) == NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  nvrtcResult compiled = nvrtcCompileProgram(program, 6, options);
  CHECK(compiled == NVRTC_SUCCESS);
  if (compiled != NVRTC_SUCCESS)
    printf("%s\n", log_of(program).c_str());
  CHECK(nvrtcAddNameExpression(program, "x") == NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK(nvrtcGetLoweredName(program, "other", &lowered) == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  std::vector<char> image = image_of(program);
  CUmodule module;
  CUfunction fill, four, sum;
  CUdeviceptr numbers, x;
  size_t bytes;
  CHECK(cuModuleLoadData(&module, image.data()) == CUDA_SUCCESS);
  OK(nvrtcGetLoweredName(program, "inner::fill<float, 3>", &lowered));
  CHECK(std::string(lowered) == "_ZN5inner4fillIfLi3EEEvPT_i");
  CHECK(cuModuleGetFunction(&fill, module, lowered) == CUDA_SUCCESS);
  OK(nvrtcGetLoweredName(program, "&inner::fill<int, 4>", &lowered));
  CHECK(cuModuleGetFunction(&four, module, lowered) == CUDA_SUCCESS);
  OK(nvrtcGetLoweredName(program, "&inner::numbers", &lowered));
  CHECK(cuModuleGetGlobal(&numbers, &bytes, module, lowered) == CUDA_SUCCESS && bytes == 16);
  CHECK(cuModuleGetFunction(&sum, module, "sum") == CUDA_SUCCESS);
  CHECK(cuMemAlloc(&x, 400) == CUDA_SUCCESS);
  int n = 100, in[] = {1, 2, 3, 4}, out;
  void *params[] = {&x, &n};
  CHECK(cuLaunchKernel(fill, 1, 1, 1, 128, 1, 1, 0, 0, params, nullptr) == CUDA_SUCCESS);
  float first;
  CHECK(cuMemcpyDtoH(&first, x + 396, 4) == CUDA_SUCCESS && first == 37);
  CHECK(cuLaunchKernel(four, 1, 1, 1, 128, 1, 1, 0, 0, params, nullptr) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(&out, x, 4) == CUDA_SUCCESS && out == 47);
  CHECK(cuMemcpyHtoD(numbers, in, 16) == CUDA_SUCCESS);
  CHECK(cuLaunchKernel(sum, 1, 1, 1, 1, 1, 1, 0, 0, params, nullptr) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(&out, x, 4) == CUDA_SUCCESS && out == 11);
  CHECK(cuMemFree(x) == CUDA_SUCCESS && cuModuleUnload(module) == CUDA_SUCCESS);
  OK(nvrtcDestroyProgram(&program));
}

// NVRTC has nv/target's macros without an #include; half types come from ours, whatever folder -I names.
static void targets_and_halves() {
  std::string folder = new_folder("halves"), option = "-I" + folder;
  for (const char *name : {"/cuda_fp16.h", "/cuda_fp16.hpp"})
    std::ofstream(folder + name) << "#error not this one\n";
  const char *source = R"(#include <cuda_fp16.h>
extern "C" __global__ void k(int *x) {
  NV_IF_TARGET(NV_IS_DEVICE, (*x = (int)(float)__hadd(__half(1.0f), __half(41.0f));), (*x = 0;))
})";
  compile(source, {option.c_str()}, nullptr, NVRTC_SUCCESS);
  CHECK(system(("rm -r " + folder).c_str()) == 0);
}

static void mistakes() {
  std::string log;
  size_t bytes;
  nvrtcProgram program = nullptr;
  compile("__global__ void k(int *x) {\n  *x = undeclared;\n}\n", {}, nullptr, NVRTC_ERROR_COMPILATION, &log);
  CHECK(log.find("test.cu") != std::string::npos && log.find("2:") != std::string::npos &&
        log.find("undeclared") != std::string::npos);
  CHECK(log.find(temporary_root() + "/") == std::string::npos);
  compile("__global__ void k() {}", {"--frobnicate"}, nullptr, NVRTC_ERROR_INVALID_OPTION, &log);
  CHECK(log.find("--frobnicate") != std::string::npos);
  compile("#include \"nowhere.h\"\n", {}, nullptr, NVRTC_ERROR_COMPILATION, &log);
  CHECK(log.find("nowhere.h") != std::string::npos);
  CHECK(nvrtcCreateProgram(&program, nullptr, nullptr, 0, nullptr, nullptr) == NVRTC_ERROR_INVALID_INPUT);
  CHECK(nvrtcCreateProgram(&program, "", nullptr, 1, nullptr, nullptr) == NVRTC_ERROR_INVALID_INPUT);
  CHECK(nvrtcCompileProgram(nullptr, 0, nullptr) == NVRTC_ERROR_INVALID_PROGRAM);
  CHECK(nvrtcDestroyProgram(&program) == NVRTC_ERROR_INVALID_PROGRAM);
  OK(nvrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr));
  CHECK(nvrtcGetLTOIRSize(program, &bytes) != NVRTC_SUCCESS);
  OK(nvrtcAddNameExpression(program, "not_there"));
  CHECK(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION);
  OK(nvrtcDestroyProgram(&program));
  CHECK(std::string(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION)) == "NVRTC_ERROR_COMPILATION");
}

// The newest; headers have a folder of their own there.
static std::string entry_in(const std::string &folder) {
  FILE *list = popen(("ls -tp " + folder + " | grep -v / | head -1").c_str(), "r");
  char name[200] = "";
  CHECK(fgets(name, sizeof name, list));
  pclose(list);
  name[strcspn(name, "\n")] = 0;
  return folder + "/" + name;
}

static void headers_beside() {
  std::string folder = new_folder("beside"), name = folder + "/source.cu";
  std::ofstream(folder + "/beside.h") << "#define BESIDE 1\n";
  const char *none[] = {"--no-source-include"};
  nvrtcProgram program;
  OK(nvrtcCreateProgram(&program, "#include \"beside.h\"\n__global__ void k(int *x) { *x = BESIDE; }", name.c_str(), 0,
                        nullptr, nullptr));
  OK(nvrtcCompileProgram(program, 0, nullptr));
  CHECK(nvrtcCompileProgram(program, 1, none) == NVRTC_ERROR_COMPILATION);
  OK(nvrtcDestroyProgram(&program));
  CHECK(system(("rm -r " + folder).c_str()) == 0);
}

static void cache() {
  std::string folder = new_folder("cache"), included = folder + "-headers";
  mkdir(included.c_str(), 0700);
  setenv("UNWARP_CACHE_DIR", folder.c_str(), 1);
  std::ofstream(included + "/value.h") << "#define VALUE 1\n";
  std::string option = "-I" + included;
  const char *source = "#include \"value.h\"\nextern \"C\" __global__ void k(int *x) { *x = VALUE; }\n";
  std::vector<char> first, again, other;
  double cold = compile(source, {option.c_str()}, &first, NVRTC_SUCCESS), warm = 1e9;
  for (int i = 0; i < 3; i++)
    warm = std::min(warm, compile(source, {option.c_str()}, &again, NVRTC_SUCCESS));
  CHECK(first == again && warm < cold / 5);
  printf("cold %.0f ms, warm %.1f ms\n", cold * 1e3, warm * 1e3);
  compile(source, {option.c_str(), "-DMORE"}, &other, NVRTC_SUCCESS); /* other options: another entry */
  std::string file = entry_in(folder);
  CHECK(system(("test $(ls -p " + folder + " | grep -vc /) = 2").c_str()) == 0);
  truncate(file.c_str(), 1000); /* as a crash might leave it, if it were not renamed into place */
  compile(source, {option.c_str(), "-DMORE"}, &again, NVRTC_SUCCESS);
  std::fstream damaged(entry_in(folder), std::ios::in | std::ios::out | std::ios::binary);
  damaged.seekp(3000);
  damaged << "damaged";
  damaged.close();
  compile(source, {option.c_str(), "-DMORE"}, &again, NVRTC_SUCCESS);
  usleep(10000);
  std::ofstream(included + "/value.h") << "#define VALUE 2\n"; /* a header on disk has changed */
  compile(source, {option.c_str()}, &other, NVRTC_SUCCESS);
  CHECK(other != first);
  chmod(folder.c_str(), 0777); /* others may write: not trusted */
  CHECK(compile(source, {option.c_str()}, &again, NVRTC_SUCCESS) > warm * 3);
  setenv("UNWARP_CACHE_DIR", "/proc/none", 1); /* cannot be: no cache, and no error */
  compile("__global__ void k() {}", {}, &again, NVRTC_SUCCESS);
  CHECK(system(("rm -r " + folder + " " + included).c_str()) == 0);
}

/* Options for nvcc in the environment are for what a build compiles. */
static void options_of_others() {
  std::vector<char> image;
  setenv("NVCC_PREPEND_FLAGS", "-no-such", 1);
  setenv("NVCC_APPEND_FLAGS", "-no-such", 1);
  compile("__global__ void of_others(int *p) { *p = 3; }", {}, &image, NVRTC_SUCCESS);
  unsetenv("NVCC_PREPEND_FLAGS");
  unsetenv("NVCC_APPEND_FLAGS");
}

int main() {
  CUcontext context;
  std::string home = new_folder("home");
  setenv("UNWARP_CACHE_DIR", home.c_str(), 1);
  CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
  names_and_headers();
  targets_and_halves();
  mistakes();
  headers_beside();
  options_of_others();
  cache();
  CHECK(system(("rm -r " + home).c_str()) == 0);
  return report("programs");
}
