// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles, votes and matches of NVVM IR compute what CUDA's do, through PTX and as LTO.
// link: -lcuda
#include "../check.h"
#include <cuda.h>
#include <nvvm.h>

static const char *const ir = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {i32, i1} @llvm.nvvm.shfl.sync.i32(i32, i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.vote.sync(i32, i32, i1)
declare {i32, i1} @llvm.nvvm.match.all.sync.i32(i32, i32)
define void @k(i32* %to, i32* %from) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %pf = getelementptr i32, i32* %from, i64 %i
  %x = load i32, i32* %pf
  %r0 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 0, i32 %x, i32 5, i32 31)
  %r1 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 1, i32 %x, i32 3, i32 0)
  %r2 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 2, i32 %x, i32 3, i32 31)
  %r3 = call {i32, i1} @llvm.nvvm.shfl.sync.i32(i32 -1, i32 3, i32 %x, i32 1, i32 31)
  %big = icmp sgt i32 %x, 40
  %v0 = call {i32, i1} @llvm.nvvm.vote.sync(i32 -1, i32 0, i1 %big)
  %v1 = call {i32, i1} @llvm.nvvm.vote.sync(i32 -1, i32 1, i1 %big)
  %v2 = call {i32, i1} @llvm.nvvm.vote.sync(i32 -1, i32 2, i1 %big)
  %v3 = call {i32, i1} @llvm.nvvm.vote.sync(i32 -1, i32 3, i1 %big)
  %m0 = call {i32, i1} @llvm.nvvm.match.all.sync.i32(i32 -1, i32 %x)
  %a0 = extractvalue {i32, i1} %r0, 0
  %a1 = extractvalue {i32, i1} %r1, 0
  %a2 = extractvalue {i32, i1} %r2, 0
  %a3 = extractvalue {i32, i1} %r3, 0
  %f1 = extractvalue {i32, i1} %r1, 1
  %b0 = extractvalue {i32, i1} %v0, 1
  %b1 = extractvalue {i32, i1} %v1, 1
  %b2 = extractvalue {i32, i1} %v2, 1
  %b3 = extractvalue {i32, i1} %v3, 0
  %c0 = extractvalue {i32, i1} %m0, 0
  %c1 = extractvalue {i32, i1} %m0, 1
  %bits0 = zext i1 %f1 to i32
  %w0 = zext i1 %b0 to i32
  %w1 = zext i1 %b1 to i32
  %w2 = zext i1 %b2 to i32
  %w3 = zext i1 %c1 to i32
  %j = mul i64 %i, 11
  %p0 = getelementptr i32, i32* %to, i64 %j
  store i32 %a0, i32* %p0
  %p1 = getelementptr i32, i32* %p0, i64 1
  store i32 %a1, i32* %p1
  %p2 = getelementptr i32, i32* %p0, i64 2
  store i32 %a2, i32* %p2
  %p3 = getelementptr i32, i32* %p0, i64 3
  store i32 %a3, i32* %p3
  %p4 = getelementptr i32, i32* %p0, i64 4
  store i32 %bits0, i32* %p4
  %p5 = getelementptr i32, i32* %p0, i64 5
  store i32 %w0, i32* %p5
  %p6 = getelementptr i32, i32* %p0, i64 6
  store i32 %w1, i32* %p6
  %p7 = getelementptr i32, i32* %p0, i64 7
  store i32 %w2, i32* %p7
  %p8 = getelementptr i32, i32* %p0, i64 8
  store i32 %b3, i32* %p8
  %p9 = getelementptr i32, i32* %p0, i64 9
  store i32 %c0, i32* %p9
  %pa = getelementptr i32, i32* %p0, i64 10
  store i32 %w3, i32* %pa
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (i32*, i32*)* @k, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 2, i32 0, i32 3, i32 1}
)";

static std::string compiled(bool lto) {
  const char *options[] = {"-arch=compute_75", "-gen-lto"};
  nvvmProgram program;
  size_t bytes = 0;
  CHECK(nvvmCreateProgram(&program) == NVVM_SUCCESS &&
        nvvmAddModuleToProgram(program, ir, strlen(ir), "warps") == NVVM_SUCCESS);
  CHECK(nvvmCompileProgram(program, lto ? 2 : 1, options) == NVVM_SUCCESS &&
        nvvmGetCompiledResultSize(program, &bytes) == NVVM_SUCCESS);
  std::string result(bytes, 0);
  CHECK(nvvmGetCompiledResult(program, &result[0]) == NVVM_SUCCESS && nvvmDestroyProgram(&program) == NVVM_SUCCESS);
  return result;
}

static void runs(const void *image, bool alike, int threads = 32) {
  enum { WARP = 32, RESULTS = 11 };
  CUmodule module;
  CUfunction function;
  CHECK(cuModuleLoadData(&module, image) == CUDA_SUCCESS &&
        cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS);
  device<int> to(WARP * RESULTS), from(WARP);
  unsigned above = 0;
  for (int i = 0; i < WARP; i++) {
    from[i] = alike ? 77 : 3 * i;
    above |= (unsigned)(from[i] > 40) << i;
  }
  void *arguments[] = {&to.at, &from.at};
  CHECK(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS);
  /* Of a warp with fewer threads: those that match are the ones that there are. */
  for (int i = 0; i < threads && threads < WARP; i++)
    CHECK(to[i * RESULTS + 9] == (alike ? (1 << threads) - 1 : 0) && to[i * RESULTS + 10] == alike);
  for (int i = 0; i < WARP && threads == WARP; i++) {
    int expected[RESULTS] = {from[5],
                             from[i < 3 ? i : i - 3],
                             from[i + 3 < WARP ? i + 3 : i],
                             from[i ^ 1],
                             i >= 3,
                             above == ~0u,
                             above != 0,
                             above == ~0u || !above,
                             (int)above,
                             alike ? -1 : 0,
                             alike};
    for (int k = 0; k < RESULTS; k++)
      CHECK(to[i * RESULTS + k] == expected[k]);
  }
  CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
}

int main() {
  CUcontext context;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS);
  std::string ptx = compiled(false), lto = compiled(true);
  CUlinkState link;
  void *linked;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_NVVM, &lto[0], lto.size(), "warps", 0, nullptr, nullptr) == CUDA_SUCCESS);
  CHECK(cuLinkComplete(link, &linked, nullptr) == CUDA_SUCCESS);
  for (bool alike : {false, true}) {
    runs(ptx.c_str(), alike);
    runs(linked, alike);
    runs(ptx.c_str(), alike, 10);
    runs(linked, alike, 10);
  }
  CHECK(cuLinkDestroy(link) == CUDA_SUCCESS);
  return report("warps");
}
