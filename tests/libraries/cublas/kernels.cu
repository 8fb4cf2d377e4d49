/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenBLAS's kernels are those for the instructions of this processor, or those that the user asks for. */
#include <cublas_v2.h>
#include <dlfcn.h>
#include <strings.h>

#include "../check.h"

static std::string core() {
  auto get = (char *(*)())dlsym(RTLD_DEFAULT, "openblas_get_corename");
  return get ? get() : "";
}

int main(int count, char **names) {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  const char *asked = getenv("OPENBLAS_CORETYPE");
  if (asked) {
    CHECK(!strcasecmp(core().c_str(), asked));
    return report("kernels that were asked for");
  }
#ifdef __x86_64__
  for (const char *old : {"Prescott", "Core2", "Penryn", "Nehalem", "Sandybridge", "Opteron", "Barcelona", "Bulldozer"})
    CHECK(core() != old || !__builtin_cpu_supports("avx2"));
  CHECK(core() != "Haswell" || !__builtin_cpu_supports("x86-64-v4"));
  const bool has_kernels = dlsym(RTLD_DEFAULT, "gotoblas_PRESCOTT") != nullptr;
  CHECK(!has_kernels || count != 1 || !system(("OPENBLAS_CORETYPE=PRESCOTT " + std::string(names[0])).c_str()));
#endif
  CHECK(!getenv("OPENBLAS_CORETYPE"));
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return report("kernels");
}
