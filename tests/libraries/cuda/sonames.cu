// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The libraries by the sonames of CUDA 12 and of CUDA 13: each is there, says the version that its soname has, and finds its functions by NVIDIA's
// versions of symbols.
#include "../check.h"
#include <dlfcn.h>
#include <string>

static int version_of(const char *soname, const char *function) {
  const std::string folder = std::string(getenv("UNWARP")).substr(0, std::string(getenv("UNWARP")).rfind("/bin/"));
  void *library = dlopen((folder + "/lib/" + soname).c_str(), RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  if (!library)
    return fprintf(stderr, "%s\n", dlerror()), 0;
  auto get = (int (*)(int, int *))dlvsym(library, function, soname);
  int major = 0;
  CHECK(get && get(0, &major) == 0);
  return major;
}

int main() {
  CHECK(version_of("libcublas.so.12", "cublasGetProperty") == 12);
  CHECK(version_of("libcublas.so.13", "cublasGetProperty") == 13);
  CHECK(version_of("libcublasLt.so.12", "cublasLtGetProperty") == 12);
  CHECK(version_of("libcublasLt.so.13", "cublasLtGetProperty") == 13);
  CHECK(version_of("libcufft.so.11", "cufftGetProperty") == 11);
  CHECK(version_of("libcufft.so.12", "cufftGetProperty") == 12);
  CHECK(version_of("libcusolver.so.11", "cusolverGetProperty") == 11);
  CHECK(version_of("libcusolver.so.12", "cusolverGetProperty") == 12);
  CHECK(version_of("libcusparse.so.12", "cusparseGetProperty") == 12);
  CHECK(version_of("libcurand.so.10", "curandGetProperty") == 10);
  return report("sonames");
}
