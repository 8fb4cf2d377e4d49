// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvFatbin: PTX for several architectures, NVRTC's CUBIN and LTO-IR in one binary, which modules, libraries and nvJitLink read; objects; errors.
// link: -lcuda -lnvrtc -lnvJitLink
#include "../check.h"
#include "../fat.h"
#include <cuda.h>
#include <nvFatbin.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <vector>

static std::string ptx(const char *gpu, int value, bool version = true) {
  return std::string(version ? ".version 8.3\n" : "") + ".target " + gpu +
         "\n.address_size 64\n.visible .entry set(.param .u64 p) {\n.reg .b64 %a;\n.reg .b32 %v;\nld.param.u64 %a, "
         "[p];\nmov.u32 %v, " +
         std::to_string(value) + ";\nst.global.u32 [%a], %v;\nret;\n}\n";
}

static std::string get(nvFatbinHandle &handle) {
  size_t size = 0;
  CHECK(nvFatbinSize(handle, &size) == NVFATBIN_SUCCESS && size >= 16);
  std::string binary(size, 0);
  CHECK(nvFatbinGet(handle, &binary[0]) == NVFATBIN_SUCCESS && nvFatbinDestroy(&handle) == NVFATBIN_SUCCESS && !handle);
  return binary;
}

static nvFatbinHandle make(std::vector<const char *> options = {"-compress=false"}) {
  nvFatbinHandle handle;
  CHECK(nvFatbinCreate(&handle, options.data(), options.size()) == NVFATBIN_SUCCESS);
  return handle;
}

static int value_of(CUmodule module) {
  CUfunction function;
  ::device<int> x(1);
  void *arguments[] = {&x.at};
  CHECK(cuModuleGetFunction(&function, module, "set") == CUDA_SUCCESS &&
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS && cuModuleUnload(module) == CUDA_SUCCESS);
  return x[0];
}
static int value_of(const std::string &binary) {
  CUmodule module;
  CHECK(cuModuleLoadData(&module, binary.data()) == CUDA_SUCCESS);
  int value = value_of(module);
  CHECK(cuModuleLoadFatBinary(&module, binary.data()) == CUDA_SUCCESS && value_of(module) == value);
  return value;
}

static std::string compile(int value, bool lto) {
  nvrtcProgram program;
  std::string source = "extern \"C\" __global__ void set(int *x) { *x = " + std::to_string(value) + "; }";
  const char *options[] = {"-arch=sm_80", "-dlto"};
  size_t size = 0;
  CHECK(nvrtcCreateProgram(&program, source.c_str(), "set.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS &&
        nvrtcCompileProgram(program, lto ? 2 : 1, options) == NVRTC_SUCCESS &&
        (lto ? nvrtcGetLTOIRSize(program, &size) : nvrtcGetCUBINSize(program, &size)) == NVRTC_SUCCESS);
  std::string code(size, 0);
  CHECK((lto ? nvrtcGetLTOIR(program, &code[0]) : nvrtcGetCUBIN(program, &code[0])) == NVRTC_SUCCESS &&
        nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return code;
}

static int linked(const std::string &binary) {
  nvJitLinkHandle link;
  const char *options[] = {"-arch=sm_80", "-lto"};
  size_t size = 0;
  CHECK(nvJitLinkCreate(&link, 2, options) == NVJITLINK_SUCCESS &&
        nvJitLinkAddData(link, NVJITLINK_INPUT_FATBIN, binary.data(), binary.size(), "fat") == NVJITLINK_SUCCESS &&
        nvJitLinkComplete(link) == NVJITLINK_SUCCESS && nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_SUCCESS);
  std::string cubin(size, 0);
  CHECK(nvJitLinkGetLinkedCubin(link, &cubin[0]) == NVJITLINK_SUCCESS && nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CUmodule module;
  CHECK(cuModuleLoadData(&module, cubin.data()) == CUDA_SUCCESS);
  return value_of(module);
}

static void add(nvFatbinHandle handle, const char *architecture, int value) {
  std::string text = ptx("sm_50", value);
  CHECK(nvFatbinAddPTX(handle, text.c_str(), text.size() + 1, architecture, "set", nullptr) == NVFATBIN_SUCCESS);
}

static void binaries() {
  nvFatbinHandle handle = make({"-64", "-host=linux", "-compress=true"});
  add(handle, "75", 75), add(handle, "80", 80), add(handle, "90a", 90);
  std::string binary = get(handle);
  CHECK(value_of(binary) == 80 && linked(binary) == 80);

  std::string cubin = compile(5, false), bitcode = compile(6, true);
  handle = make();
  add(handle, "90", 90);
  CHECK(nvFatbinAddCubin(handle, cubin.data(), cubin.size(), "80", "set") == NVFATBIN_SUCCESS);
  binary = get(handle);
  CHECK(value_of(binary) == 5 && linked(binary) == 5);

  handle = make();
  CHECK(nvFatbinAddLTOIR(handle, bitcode.data(), bitcode.size(), "80", nullptr, "-O3") == NVFATBIN_SUCCESS);
  CHECK(linked(get(handle)) == 6);

  /* As NVIDIA's tools write it: the version is the entry's alone. */
  CHECK(value_of(fat::binary(fat::entry(fat::ptx, 80, ptx("sm_80", 7, false)))) == 7);
  CHECK(value_of(fat::binary(fat::entry(fat::ptx, 80, ptx("sm_80", 8, false), fat::lz4))) == 8);
}

static void errors() {
  nvFatbinHandle handle;
  unsigned int major = 0, minor = 0;
  CHECK(nvFatbinVersion(&major, &minor) == NVFATBIN_SUCCESS && major == 12 && minor == 4);
  CHECK(nvFatbinVersion(nullptr, &minor) == NVFATBIN_ERROR_NULL_POINTER);
  for (const char *option : {"--bad", "-compress", "-compress=maybe", "64", "-host="})
    CHECK(nvFatbinCreate(&handle, &option, 1) == NVFATBIN_ERROR_UNRECOGNIZED_OPTION);
  CHECK(nvFatbinCreate(nullptr, nullptr, 0) == NVFATBIN_ERROR_NULL_POINTER);
  handle = make({});
  std::string text = ptx("sm_80", 1), cubin = compile(5, false);
  const char *p = text.c_str();
  for (const char *architecture : {"compute_80", "sm_80", "x", "80aa"})
    CHECK(nvFatbinAddPTX(handle, p, text.size(), architecture, "a", "") == NVFATBIN_ERROR_INVALID_ARCH);
  CHECK(nvFatbinAddPTX(handle, p, 0, "80", "a", "") == NVFATBIN_ERROR_EMPTY_INPUT);
  CHECK(nvFatbinAddPTX(handle, p, text.size(), nullptr, "a", "") == NVFATBIN_ERROR_NULL_POINTER);
  CHECK(nvFatbinAddPTX(handle, ".target sm_80\n", 14, "80", "a", "") == NVFATBIN_ERROR_MISSING_PTX_VERSION);
  CHECK(nvFatbinAddCubin(handle, p, text.size(), "80", "a") == NVFATBIN_ERROR_ELF_SIZE_MISMATCH);
  cubin[cubin.size() / 2] ^= 1;
  CHECK(nvFatbinAddCubin(handle, cubin.data(), cubin.size(), "80", "a") == NVFATBIN_ERROR_ELF_SIZE_MISMATCH);
  CHECK(nvFatbinAddLTOIR(handle, p, text.size(), "80", "a", "") == NVFATBIN_ERROR_INVALID_NVVM);
  CHECK(nvFatbinAddIndex(handle, p, text.size(), "a") == NVFATBIN_ERROR_INVALID_INDEX);
  CHECK(nvFatbinAddReloc(handle, "\177ELF", 4) == NVFATBIN_ERROR_MISSING_FATBIN);
  std::string empty = get(handle);
  CUmodule module;
  CHECK(empty.size() == 16 && cuModuleLoadData(&module, empty.data()) == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK(nvFatbinDestroy(&handle) == NVFATBIN_ERROR_NULL_POINTER);
  for (int i = 0; i < 20; i++)
    CHECK((nvFatbinGetErrorString((nvFatbinResult)i) != nullptr) == (i > 0));
}

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
        cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  errors();
  binaries();
  puts("passed");
}
