// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcufilt: names of kernels as C++ has them, in buffers of the caller's and of the library's; what is no name.
#include "../check.h"
#include <nv_decode.h>
#include <string>

template <class T, int N> __global__ void kernel(T *x) { *x = N; }

static std::string shown(const char *name, int expected = 0) {
  size_t length = 4711;
  int status = 4711;
  char *text = __cu_demangle(name, nullptr, &length, &status);
  CHECK(status == expected && !text == (expected != 0) && (!text || length == strlen(text) + 1));
  std::string found = text ? text : "";
  free(text);
  return found;
}

int main() {
  const char *name;
  CHECK(cudaFuncGetName(&name, kernel<float, 3>) == cudaSuccess && shown(name) == "void kernel<float, 3>(float*)");
  CHECK(shown("_ZN3foo3barIiEEvT_") == "void foo::bar<int>(int)");
  CHECK(shown("kernel", -2).empty() && shown("i", -2).empty() && shown("_Zxx", -2).empty() && shown("", -2).empty());
  CHECK(shown(nullptr, -3).empty());

  int status;
  size_t length = 2;
  char *small = (char *)malloc(length), *grown = __cu_demangle("_Z6kernelPf", small, &length, &status);
  CHECK(status == 0 && grown && !strcmp(grown, "kernel(float*)") && length == 15);
  length = 15;
  char *same = __cu_demangle("_Z1fi", grown, &length, &status);
  CHECK(status == 0 && same == grown && !strcmp(same, "f(int)") && length == 7);
  CHECK(!__cu_demangle("_Z1fi", same, nullptr, &status) && status == -3);
  free(same);
  same = __cu_demangle("_Z1fi", nullptr, nullptr, nullptr);
  CHECK(same && !strcmp(same, "f(int)"));
  free(same);
  return report("names");
}
