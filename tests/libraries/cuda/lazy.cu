// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a module of PTX with thousands of kernels those are compiled that are asked for: the cache's entries are counted. Kernels that share a
// variable come together and see one variable; functions and strings go with each; mistakes are told when their kernel is asked for, by line.
#include "../check.h"
#include <algorithm>
#include <chrono>
#include <cuda.h>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

#define OK(call) CHECK((call) == CUDA_SUCCESS)
enum { KERNELS = 5000, WRONG = 4321 };

static std::string folder;

static int compiled() {
  FILE *list = popen(("ls " + folder + " | wc -l").c_str(), "r");
  int count = -1;
  CHECK(fscanf(list, "%d", &count) == 1);
  pclose(list);
  return count;
}

// Kernel i adds i to an element, by a function; 10, 20 and 30 count their threads in `counter`; 40 and 50 reach `table` through a function.
static std::string text_of() {
  std::string text =
      "// made up\n.version 7.0\n.target sm_75\n.address_size 64\n\n"
      ".global .align 4 .u32 counter;\n.visible .global .align 4 .u32 table[2] = {5, 6};\n"
      ".global .align 1 .b8 $str[6] = {104, 101, 108, 108, 111, 0};\n.visible .const .align 4 .u32 limit = 77;\n"
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".func (.reg .u32 %r) more(.reg .u32 %a, .reg .u32 %b) { add.u32 %r, %a, %b; ret; }\n"
      ".func (.reg .u32 %r) look(.reg .u32 %i) { .reg .b64 %d<3>; mov.u64 %d0, table; mul.wide.u32 %d1, %i, 4;\n"
      "  add.u64 %d2, %d0, %d1; ld.global.u32 %r, [%d2]; ret; }\n";
  for (int i = 0; i < KERNELS; i++) {
    std::string n = std::to_string(i);
    text += "/* { */ .visible .entry k" + n +
            "(.param .u64 p) // }\n{\n  .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %q;\n"
            "  ld.param.u64 %d0, [p]; cvta.to.global.u64 %d1, %d0; ld.global.u32 %r0, [%d1];\n";
    if (i == 10 || i == 20 || i == 30)
      text += "  atom.global.add.u32 %r1, [counter], 1; ld.global.u32 %r1, [counter]; st.global.u32 [%d1], %r1;\n";
    else if (i == 40 || i == 50)
      text += "  call (%r2), look, (" + std::to_string(i / 10 - 4) + "); st.global.u32 [%d1], %r2;\n";
    else if (i == 60)
      text += "  mov.u64 %d2, $str; ld.global.u8 %r2, [%d2+1]; st.global.u32 [%d1], %r2;\n";
    else if (i == 70)
      text += "  ld.const.u32 %r2, [limit]; st.global.u32 [%d1], %r2;\n";
    else
      text += "  call (%r2), more, (%r0, " + n + "); st.global.u32 [%d1], %r2;\n";
    if (i == WRONG)
      text += "  frobnicate.u32 %r0, %r1;\n";
    text += "  ret;\n}\n";
  }
  return text;
}

static int run(CUmodule module, int kernel, int before) {
  CUfunction function;
  CUdeviceptr p;
  int after = -1;
  OK(cuMemAlloc(&p, 4));
  OK(cuMemcpyHtoD(p, &before, 4));
  OK(cuModuleGetFunction(&function, module, ("k" + std::to_string(kernel)).c_str()));
  void *params[] = {&p};
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, params, nullptr));
  OK(cuMemcpyDtoH(&after, p, 4));
  OK(cuMemFree(p));
  return after;
}

int main() {
  const char *temporary = getenv("TMPDIR");
  char name[4096];
  snprintf(name, sizeof name, "%s/unwarp-lazy-XXXXXX", temporary ? temporary : P_tmpdir);
  CUcontext context;
  CUmodule module, again;
  CUfunction function;
  CUdeviceptr address;
  CUmoduleLoadingMode mode;
  size_t bytes;
  unsigned int count;
  CHECK(mkdtemp(name));
  folder = name;
  setenv("UNWARP_CACHE_DIR", name, 1);
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuModuleGetLoadingMode(&mode));
  CHECK(mode == CU_MODULE_LAZY_LOADING);
  std::string text = text_of();
  auto start = std::chrono::steady_clock::now();
  OK(cuModuleLoadData(&module, text.c_str()));
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  printf("%zu bytes, %d kernels: loaded in %.0f ms\n", text.size(), KERNELS, seconds * 1e3);
  CHECK(seconds < 2 && compiled() == 0);
  OK(cuModuleGetFunctionCount(&count, module));
  CHECK(count == KERNELS);
  CHECK(run(module, 7, 100) == 107 && run(module, 4999, 1) == 5000 && compiled() == 2);
  int target = 0; // what the text says: code of the host chooses by it
  OK(cuModuleGetFunction(&function, module, "k7"));
  OK(cuFuncGetAttribute(&target, CU_FUNC_ATTRIBUTE_PTX_VERSION, function));
  CHECK(target == 75 && compiled() == 2);
  CHECK(run(module, 7, 1) == 8 && compiled() == 2);

  // One variable, whoever counts in it; constants of the compiler's own part nobody.
  CHECK(run(module, 10, 0) == 1 && compiled() == 3);
  CHECK(run(module, 30, 0) == 2 && run(module, 20, 0) == 3 && run(module, 10, 0) == 4 && compiled() == 3);
  CHECK(run(module, 60, 0) == 'e' && compiled() == 4);

  // A variable by its name first, then its kernels.
  int values[] = {8, 9};
  OK(cuModuleGetGlobal(&address, &bytes, module, "table"));
  CHECK(bytes == 8 && compiled() == 5);
  OK(cuMemcpyHtoD(address, values, 8));
  CHECK(run(module, 40, 0) == 8 && run(module, 50, 0) == 9 && compiled() == 5);
  CHECK(run(module, 70, 0) == 77);
  OK(cuModuleGetGlobal(&address, &bytes, module, "limit"));
  CHECK(bytes == 4 && compiled() == 6);
  CHECK(cuModuleGetGlobal(&address, &bytes, module, "none") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetFunction(&function, module, "more") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetFunction(&function, module, "k5000") == CUDA_ERROR_NOT_FOUND);

  // A mistake: the module loads, its kernel does not, and the line is the module's.
  std::string said = folder + ".said", mistake = "frobnicate", line;
  CHECK(freopen(said.c_str(), "w", stderr));
  CHECK(cuModuleGetFunction(&function, module, ("k" + std::to_string(WRONG)).c_str()) == CUDA_ERROR_INVALID_PTX &&
        compiled() == 6);
  fflush(stderr);
  std::ifstream reading(said);
  std::getline(reading, line);
  std::getline(reading, line);
  size_t at = text.find(mistake);
  CHECK(line.find("module.ptx:" + std::to_string(1 + std::count(text.begin(), text.begin() + at, '\n')) +
                  ": error: the PTX instruction 'frobnicate") == 0);
  CHECK(unlink(said.c_str()) == 0);

  // From the cache; each load has variables of its own.
  OK(cuModuleLoadData(&again, text.c_str()));
  CHECK(run(again, 20, 0) == 1 && run(module, 20, 0) == 5 && compiled() == 6);

  // Several threads ask for the same.
  std::thread threads[4];
  for (std::thread &thread : threads)
    thread = std::thread([&] {
      OK(cuCtxSetCurrent(context));
      CHECK(run(again, 99, 1) == 100 && run(again, 7, 0) == 7);
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(compiled() == 7);
  OK(cuModuleUnload(module));
  OK(cuModuleUnload(again));

  // All at once, and as CUDA's own setting wants it.
  std::string few = text.substr(0, text.find("/* { */ .visible .entry k12("));
  CUfunction functions[12];
  OK(cuModuleLoadData(&module, few.c_str()));
  OK(cuModuleGetFunctionCount(&count, module));
  CHECK(count == 12 && compiled() == 7);
  CHECK(run(module, 3, 3) == 6 && compiled() == 8);
  OK(cuModuleEnumerateFunctions(functions, 12, module));
  CHECK(compiled() == 9 && run(module, 11, 1) == 12);
  OK(cuModuleUnload(module));
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  OK(cuModuleLoadData(&module, few.c_str()));
  CHECK(compiled() == 10);
  OK(cuModuleUnload(module));
  CHECK(cuModuleLoadData(&module, text.substr(text.find("// made up"), 3000).c_str()) == CUDA_ERROR_INVALID_PTX);
  CHECK(system(("rm -r " + folder).c_str()) == 0);
  return report("lazy");
}
