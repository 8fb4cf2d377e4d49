/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * OpenBLAS's kernels are those for the instructions of this processor, or of less where UNWARP_MARCH says so, or those that the user
 * asks for. */
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
  const bool has_kernels = dlsym(RTLD_DEFAULT, "gotoblas_PRESCOTT") != nullptr;
  const std::string march = getenv("UNWARP_MARCH") ? getenv("UNWARP_MARCH") : "", self = names[0];
  const bool avx2 = __builtin_cpu_supports("x86-64-v3"), avx512 = __builtin_cpu_supports("x86-64-v4");
  if (!march.empty() && march != "native") {
    const std::string wanted = avx512 && march == "x86-64-v4" ? "SkylakeX" : avx2 && march >= "x86-64-v3" ? "Haswell" : "Prescott";
    const bool is_amds = core() == "Zen" || core() == "Excavator"; /* of the same instructions as Haswell's */
    CHECK(!has_kernels || core() == wanted || (wanted == "Haswell" && is_amds));
    return report("kernels of a level");
  }
  for (const char *old : {"Prescott", "Core2", "Penryn", "Nehalem", "Sandybridge", "Opteron", "Barcelona", "Bulldozer"})
    CHECK(core() != old || !__builtin_cpu_supports("avx2"));
  CHECK(core() != "Haswell" || !__builtin_cpu_supports("x86-64-v4"));
  for (const char *level : {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"})
    CHECK(!has_kernels || !system((std::string("UNWARP_MARCH=") + level + " '" + self + "'").c_str()));
  CHECK(!has_kernels || count != 1 || !system(("OPENBLAS_CORETYPE=PRESCOTT '" + self + "'").c_str()));
#endif
  CHECK(!getenv("OPENBLAS_CORETYPE"));
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return report("kernels");
}
