// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's argument says which case runs.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CASES int main(int argc, char **argv) { const char *name = argc > 1 ? argv[1] : ""; int known = 0;
#define CASE(which) for (int once = strcmp(name, #which) == 0; once; known = 1, once = 0)
#define END cudaDeviceSynchronize(); if (!known) { printf("no case '%s'\n", name); return 2; } return 0; }

template <class T> T *device(size_t count, bool filled = true) {
  T *memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  if (filled) cudaMemset(memory, 0, count * sizeof(T));
  return memory;
}
