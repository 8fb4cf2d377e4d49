// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fat binaries: which PTX is taken, compressed ones, GPU code alone, and what is damaged.
#include "../check.h"
#include "../fat.h"
#include <cuda.h>

/* Stores a value, so that it shows which one ran. */
static std::string storing(int number) {
  return ".version 6.4\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 x) {\n  .reg .b64 %p<2>;\n"
         "  ld.param.u64 %p1, [x];\n  st.u32 [%p1], " +
         std::to_string(number) + ";\n  ret;\n}\n";
}

static int loads(const void *image) {
  CUmodule module;
  CUfunction function;
  int *x;
  if (cuModuleLoadData(&module, image) != CUDA_SUCCESS)
    return -1;
  CHECK(cuModuleGetFunction(&function, module, "k") == CUDA_SUCCESS && cudaMallocManaged(&x, 4) == cudaSuccess);
  void *arguments[] = {&x};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr) == CUDA_SUCCESS &&
        cuCtxSynchronize() == CUDA_SUCCESS);
  int number = *x;
  CHECK(cuModuleUnload(module) == CUDA_SUCCESS && cudaFree(x) == cudaSuccess);
  return number;
}

static void refused(const std::string &binary, CUresult code, const char *why) {
  CUmodule module;
  char log[500] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  CUresult result = cuModuleLoadDataEx(&module, binary.data(), 2, options, values);
  CHECK(result == code);
  CHECK(strstr(log, why) != nullptr);
}

int main() {
  using namespace fat;
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
        cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  std::string code(100, 'x');
  std::string several = binary(entry(gpu_code, 80, code) + entry(ptx, 52, storing(52)) + entry(ptx, 75, storing(75)) +
                               entry(ptx, 90, storing(90)));
  CHECK(loads(several.data()) == 75 && loads(new wrapper(several)) == 75);
  std::string newer =
      binary(entry(ptx, 120, storing(120)) + entry(ptx, 90, storing(90)) + entry(ptx, 100, storing(100)));
  CHECK(loads(newer.data()) == 90);
  for (packing how : {lz4, zstd}) {
    std::string packed = binary(entry(gpu_code, 90, code, how) + entry(ptx, 70, storing(70 + how), how));
    CHECK(loads(packed.data()) == 70 + how);
    std::string damaged = packed;
    size_t head = how == lz4 ? damaged.find(".version") - 1 : damaged.rfind("\x28\xb5\x2f\xfd");
    damaged[head] ^= (char)0xff;
    refused(damaged, CUDA_ERROR_INVALID_IMAGE, "damaged");
  }
  refused(binary(entry(gpu_code, 80, code)), CUDA_ERROR_NO_BINARY_FOR_GPU, "GPU code only");
  std::string cut = binary(entry(ptx, 70, storing(1)));
  cut[16 + 8] = (char)0xff; /* the entry is longer than the binary */
  refused(cut, CUDA_ERROR_INVALID_IMAGE, "damaged");

  // Linked, from an entry and from another.
  CUlinkState link;
  void *linked;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS);
  CHECK(cuLinkAddData(link, CU_JIT_INPUT_FATBINARY, &several[0], several.size(), "several", 0, nullptr, nullptr) ==
        CUDA_SUCCESS);
  CHECK(cuLinkComplete(link, &linked, nullptr) == CUDA_SUCCESS && loads(linked) == 75 &&
        cuLinkDestroy(link) == CUDA_SUCCESS);
  CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
  return report("fat");
}
