// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvJitLink: modules of PTX that call each other, with other types than they have, and with bitcode of NVVM IR; versions, options, mistakes.
// link: -lcuda
#include "../check.h"
#include <cuda.h>
#include <dlfcn.h>
#include <nvJitLink.h>

static const char *const kernel = R"(
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b32 r) scaled(.param .b64 at, .param .b32 by);
.extern .global .align 4 .b32 counter;
.visible .entry k(.param .u64 x)
{
  .reg .b64 %p<2>; .reg .b32 %r<4>;
  ld.param.u64 %p1, [x];
  mov.u32 %r1, 0f40000000;
  { .param .b64 a; .param .b32 b; .param .b32 c;
    st.param.b64 [a], %p1; st.param.b32 [b], %r1;
    call (c), scaled, (a, b);
    ld.param.b32 %r2, [c]; }
  st.global.b32 [%p1], %r2;
  ld.global.u32 %r3, [counter];
  st.global.u32 [%p1+4], %r3;
  ret;
}
)";
static const char *const function = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .b32 counter = 42;
.visible .func (.param .f32 r) scaled(.param .u64 at, .param .f32 by)
{
  .reg .b64 %p<2>; .reg .f32 %f<4>;
  ld.param.u64 %p1, [at];
  ld.param.f32 %f1, [by];
  ld.f32 %f2, [%p1];
  mul.f32 %f3, %f1, %f2;
  st.param.f32 [r], %f3;
  ret;
}
)";
static const char *const same_in_ir = R"(
target triple = "nvptx64-nvidia-cuda"
@counter = addrspace(1) global i32 42
define float @scaled(ptr %at, float %by) {
  %x = load float, ptr %at
  %y = fmul float %x, %by
  ret float %y
}
)";

static void runs(const void *image) {
  CUmodule module;
  CUfunction function;
  CHECK(cuModuleLoadData(&module, image) == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
  device<float> x(2);
  x[0] = 21;
  void *arguments[] = {&x.at};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(x[0] == 42 && ((int *)x.at)[1] == 42);
  CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
}

static std::string errors_of(nvJitLinkHandle handle) {
  size_t size = 0;
  CHECK(nvJitLinkGetErrorLogSize(handle, &size) == NVJITLINK_SUCCESS);
  std::string text(size + 1, 0);
  CHECK(nvJitLinkGetErrorLog(handle, &text[0]) == NVJITLINK_SUCCESS);
  return text;
}

static nvJitLinkResult add(nvJitLinkHandle handle, nvJitLinkInputType type, const std::string &data) {
  return nvJitLinkAddData(handle, type, data.data(), data.size(), "input");
}

static std::string bitcode_of(const std::string &text) {
  std::string folder = new_folder("links"), unwarp = getenv("UNWARP") ? getenv("UNWARP") : "unwarp";
  FILE *file = fopen((folder + "/f.ll").c_str(), "w");
  fputs(text.c_str(), file);
  fclose(file);
  CHECK(system((unwarp + " -ltoir " + folder + "/f.ll -o " + folder + "/f.ltoir").c_str()) == 0);
  file = fopen((folder + "/f.ltoir").c_str(), "r");
  std::string all(1 << 16, 0);
  all.resize(fread(&all[0], 1, all.size(), file));
  fclose(file);
  CHECK(system(("rm -r " + folder).c_str()) == 0);
  return all;
}

int main() {
  CUdevice device;
  CUcontext context;
  unsigned int major, minor;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
        cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  CHECK(nvJitLinkVersion(&major, &minor) == NVJITLINK_SUCCESS && major == 12);
  nvJitLinkHandle link;
  const char *options[] = {"-arch=sm_80", "-lto", "-O3"};
  const char *unknown[] = {"-arch=sm_80", "-nothing"};
  CHECK(nvJitLinkCreate(&link, 0, nullptr) == NVJITLINK_ERROR_MISSING_ARCH &&
        nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkCreate(&link, 2, unknown) == NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  CHECK(errors_of(link).find("-nothing") != std::string::npos && nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);

  const std::string ir = bitcode_of(same_in_ir);
  for (int with_ir = 0; with_ir < 2; with_ir++) {
    CHECK(nvJitLinkCreate(&link, 3, options) == NVJITLINK_SUCCESS);
    CHECK(add(link, NVJITLINK_INPUT_PTX, kernel) == NVJITLINK_SUCCESS);
    CHECK(add(link, with_ir ? NVJITLINK_INPUT_LTOIR : NVJITLINK_INPUT_PTX, with_ir ? ir : function) ==
          NVJITLINK_SUCCESS);
    CHECK(nvJitLinkComplete(link) == NVJITLINK_SUCCESS);
    size_t size;
    CHECK(nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_SUCCESS &&
          nvJitLinkGetLinkedPtxSize(link, &size) == NVJITLINK_ERROR_INVALID_INPUT);
    CHECK(nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_SUCCESS);
    std::vector<char> cubin(size);
    CHECK(nvJitLinkGetLinkedCubin(link, cubin.data()) == NVJITLINK_SUCCESS &&
          nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
    runs(cubin.data());
  }

  // What is missing, what is there twice, what is not of the type that is said, and how a program asks which PTX is read.
  CHECK(nvJitLinkCreate(&link, 1, options) == NVJITLINK_SUCCESS &&
        add(link, NVJITLINK_INPUT_PTX, kernel) == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkComplete(link) == NVJITLINK_ERROR_PTX_COMPILE && errors_of(link).find("scaled") != std::string::npos);
  CHECK(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkCreate(&link, 1, options) == NVJITLINK_SUCCESS &&
        add(link, NVJITLINK_INPUT_PTX, function) == NVJITLINK_SUCCESS);
  CHECK(add(link, NVJITLINK_INPUT_PTX, function) == NVJITLINK_SUCCESS &&
        nvJitLinkComplete(link) == NVJITLINK_ERROR_PTX_COMPILE);
  CHECK(errors_of(link).find("another module") != std::string::npos && nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkCreate(&link, 1, options) == NVJITLINK_SUCCESS &&
        add(link, NVJITLINK_INPUT_LTOIR, ir) == NVJITLINK_ERROR_LTO_NOT_ENABLED);
  CHECK(add(link, NVJITLINK_INPUT_LTOIR, kernel) == NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
  CHECK(add(link, NVJITLINK_INPUT_CUBIN, "\177ELF, and nothing after it") == NVJITLINK_ERROR_UNRECOGNIZED_INPUT);
  CHECK(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkCreate(&link, 1, options) == NVJITLINK_SUCCESS);
  CHECK(add(link, NVJITLINK_INPUT_PTX, ".version 99.9\n.target sm_80\n.address_size 64\n") ==
        NVJITLINK_ERROR_PTX_COMPILE);
  CHECK(errors_of(link).find("Unsupported .version 99.9; current version is '9.4'") != std::string::npos);
  CHECK(add(link, NVJITLINK_INPUT_PTX, "// newer\n.version\t99.99") == NVJITLINK_ERROR_PTX_COMPILE);
  CHECK(errors_of(link).find("Unsupported .version 99.99; current version is '9.4'") != std::string::npos);
  CHECK(add(link, NVJITLINK_INPUT_PTX, ".version 9.4\n.target sm_80\n.address_size 64\n") == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS && nvJitLinkDestroy(&link) == NVJITLINK_ERROR_INVALID_INPUT);

  // The other version beside this one, by the names that its header gives.
  void *newer = dlopen("libnvJitLink.so.13", RTLD_NOW | RTLD_LOCAL);
  auto version = newer ? (decltype(&nvJitLinkVersion))dlsym(newer, "nvJitLinkVersion") : nullptr;
  CHECK(version && version(&major, &minor) == NVJITLINK_SUCCESS && major == 13);
  CHECK(newer && dlvsym(newer, "__nvJitLinkCreate_13_0", "libnvJitLink.so.13"));
  CHECK(dlsym(RTLD_DEFAULT, "__nvJitLinkCreate_12_4") == (void *)nvJitLinkCreate);
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  return report("links");
}
