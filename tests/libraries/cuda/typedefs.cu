// cudaTypedefs.h: pointers to the driver API's functions, by version and without, that cuGetProcAddress fills.
#include <cudaTypedefs.h>

#include <type_traits>

#include "../check.h"

static_assert(std::is_same<PFN_cuMemAlloc, PFN_cuMemAlloc_v3020>::value, "the newest form has both names");
static_assert(std::is_same<PFN_cuMemAlloc_v3020, CUresult (*)(CUdeviceptr *, size_t)>::value, "addresses have 64 bits");
static_assert(
    std::is_same<PFN_cuMemAdvise_v12020, CUresult (*)(CUdeviceptr, size_t, CUmem_advise, CUmemLocation)>::value,
    "not cuMemAdvise of CUDA 11");

template <typename function> static function find(const char *name, int version) {
  void *found = nullptr;
  CUdriverProcAddressQueryResult status;
  CHECK(cuGetProcAddress(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, &status) == CUDA_SUCCESS &&
        status == CU_GET_PROC_ADDRESS_SUCCESS);
  return (function)found;
}

int main() {
  CHECK(cudaFree(nullptr) == cudaSuccess); // makes the primary context current
  auto allocate = find<PFN_cuMemAlloc_v3020>("cuMemAlloc", 3020);
  auto fill = find<PFN_cuMemsetD32>("cuMemsetD32", 12040);
  auto copy = find<PFN_cuMemcpyDtoH_v3020>("cuMemcpyDtoH", 12040);
  auto advise = find<PFN_cuMemAdvise_v12020>("cuMemAdvise", 12020);
  auto release = find<PFN_cuMemFree>("cuMemFree", 12040);
  CUdeviceptr memory = 0;
  unsigned int values[4] = {};
  CHECK(allocate(&memory, sizeof values) == CUDA_SUCCESS && fill(memory, 7, 4) == CUDA_SUCCESS);
  CHECK(copy(values, memory, sizeof values) == CUDA_SUCCESS && values[0] == 7 && values[3] == 7);
  CHECK(advise(0, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, CUmemLocation{}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(release(memory) == CUDA_SUCCESS);
  return report("typedefs");
}
