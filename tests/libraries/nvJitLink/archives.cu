// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Archives in a link: device code in their members, host code, tables of contents, the device runtime by its name; damaged ones. A barrier of the
// grid, as that runtime has it.
// link: -lcuda
#include "../check.h"
#include "../fat.h"
#include <cuda.h>
#include <elf.h>
#include <nvJitLink.h>
#include <vector>

static const std::string kernel = R"(
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.extern .func (.param .b32 r) twice(.param .b32 a);
.visible .entry k(.param .u64 x, .param .u64 y)
{
  .reg .b64 %d<9>; .reg .b32 %r<9>;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  mul.wide.u32 %d3, %r1, 4;
  add.u64 %d4, %d1, %d3;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), twice, (a); ld.param.b32 %r3, [b]; }
  st.global.u32 [%d4], %r3;
  { .param .b32 a; .param .b64 b; st.param.b32 [a], 1; call (b), cudaCGGetIntrinsicHandle, (a); ld.param.b64 %d5, [b]; }
  { .param .b64 a; .param .b32 f; .param .b32 b; st.param.b64 [a], %d5; st.param.b32 [f], 0; call (b), cudaCGSynchronize, (a, f); ld.param.b32 %r4, [b]; }
  sub.u32 %r5, %r2, %r1;
  sub.u32 %r5, %r5, 1;
  mul.wide.u32 %d6, %r5, 4;
  add.u64 %d6, %d1, %d6;
  ld.global.u32 %r6, [%d6];
  add.u32 %r6, %r6, %r4;
  add.u64 %d7, %d2, %d3;
  st.global.u32 [%d7], %r6;
  ret;
}
)";
static const std::string twice =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .func (.param .b32 r) twice(.param .b32 a) {\n"
    "  .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret; }\n";

static std::string object_with(const std::string &binary) {
  static const char names[] = "\0.shstrtab\0.nv_fatbin";
  Elf64_Ehdr head = {};
  Elf64_Shdr sections[3] = {};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = binary.empty() ? 2 : 3;
  head.e_shstrndx = 1;
  sections[1].sh_name = 1;
  sections[1].sh_offset = sizeof head;
  sections[1].sh_size = sizeof names;
  sections[2].sh_name = 11;
  sections[2].sh_type = SHT_PROGBITS;
  sections[2].sh_offset = sizeof head + sizeof names;
  sections[2].sh_size = binary.size();
  head.e_shoff = sizeof head + sizeof names + binary.size();
  std::string to((const char *)&head, sizeof head);
  to.append(names, sizeof names);
  return (to + binary).append((const char *)sections, sizeof sections);
}

static std::string member(const std::string &name, const std::string &text) {
  char head[61];
  snprintf(head, sizeof head, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name.c_str(), 0, 0, 0, 0644, text.size());
  return head + text + (text.size() % 2 ? "\n" : "");
}

static nvJitLinkResult add(const std::string &archive, const char *name) {
  const char *options[] = {"-arch=sm_75"};
  nvJitLinkHandle link;
  CHECK(nvJitLinkCreate(&link, 1, options) == NVJITLINK_SUCCESS);
  nvJitLinkResult result = nvJitLinkAddData(link, NVJITLINK_INPUT_LIBRARY, archive.data(), archive.size(), name);
  CHECK(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  return result;
}

int main() {
  using namespace fat;
  const char *options[] = {"-arch=sm_75"};
  std::string archive = "!<arch>\n" + member("/", "odd") + member("host.o/", object_with("")) +
                        member("twice.o/", object_with(binary(entry(ptx, 75, twice)))) + member("text", "nothing");
  nvJitLinkHandle link;
  CHECK(nvJitLinkCreate(&link, 1, options) == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, kernel.data(), kernel.size(), "kernel") == NVJITLINK_SUCCESS);
  CHECK(nvJitLinkAddData(link, NVJITLINK_INPUT_LIBRARY, archive.data(), archive.size(), "mine") == NVJITLINK_SUCCESS);
  std::string unwarp = getenv("UNWARP");
  CHECK(nvJitLinkAddFile(link, NVJITLINK_INPUT_LIBRARY,
                         (unwarp.substr(0, unwarp.rfind("/bin/")) + "/lib/libcudadevrt.a").c_str()) ==
        NVJITLINK_SUCCESS);
  nvJitLinkResult linked = nvJitLinkComplete(link);
  CHECK(linked == NVJITLINK_SUCCESS);
  if (linked != NVJITLINK_SUCCESS) {
    char log[4000] = "";
    nvJitLinkGetErrorLog(link, log);
    printf("%s\n", log);
    return 1;
  }
  size_t bytes;
  CHECK(nvJitLinkGetLinkedCubinSize(link, &bytes) == NVJITLINK_SUCCESS);
  std::vector<char> image(bytes);
  CHECK(nvJitLinkGetLinkedCubin(link, image.data()) == NVJITLINK_SUCCESS &&
        nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CUcontext context;
  CUmodule module;
  CUfunction function;
  enum { BLOCKS = 4 };
  int *x, *y;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
  CHECK(cuModuleLoadData(&module, image.data()) == CUDA_SUCCESS &&
        cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
  CHECK(cudaMallocManaged(&x, BLOCKS * 4) == cudaSuccess && cudaMallocManaged(&y, BLOCKS * 4) == cudaSuccess);
  void *params[] = {&x, &y};
  CHECK(cuLaunchCooperativeKernel(function, BLOCKS, 1, 1, 1, 1, 1, 0, 0, params) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS);
  for (int i = 0; i < BLOCKS; i++)
    CHECK(y[i] == 2 * (BLOCKS - 1 - i));

  CHECK(add("!<arch>\n", "empty") == NVJITLINK_SUCCESS);
  CHECK(add("!<arch>\n" + member("gpu.o/", object_with(binary(entry(gpu_code, 80, "code")))), "gpu") !=
        NVJITLINK_SUCCESS);
  CHECK(add("!<arch>\n" + member("gpu.o/", object_with(binary(entry(gpu_code, 80, "code")))), "/x/libcudadevrt.a") ==
        NVJITLINK_SUCCESS);
  for (size_t shorter : {9, 30, 67, 70, 200})
    CHECK(add(archive.substr(0, shorter), "damaged") != NVJITLINK_SUCCESS || shorter == 70);
  return report("archives");
}
