// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc's host code does, written by hand: fat binaries are registered with their kernels and variables, kernels launched by their host
// functions. Nothing is compiled before; GPU code alone is an error of its launch; a program may register and take back as it likes.
#include "../check.h"
#include "../fat.h"
#include <dlfcn.h>

/* By their names, as the compiler takes calls of them for its own. */
static void **(*register_binary)(void *);
static void (*end_binary)(void **), (*unregister_binary)(void **);
static void (*register_function)(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                                 int *);
static void (*register_variable)(void **, void *, char *, const char *, int, size_t, int, int);
static void (*register_managed)(void **, void **, char *, const char *, int, size_t, int, int);
static char (*init_module)(void **);
static cudaError_t (*get_kernel)(cudaKernel_t *, const void *);
static cudaError_t (*launch_kernel)(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);

template <class T> static void look_up(T &function, const char *name) {
  function = (T)dlsym(RTLD_DEFAULT, name);
  if (!function)
    abort();
}

static void look_all_up() {
  look_up(register_binary, "__cudaRegisterFatBinary");
  look_up(end_binary, "__cudaRegisterFatBinaryEnd");
  look_up(unregister_binary, "__cudaUnregisterFatBinary");
  look_up(register_function, "__cudaRegisterFunction");
  look_up(register_variable, "__cudaRegisterVar");
  look_up(register_managed, "__cudaRegisterManagedVar");
  look_up(init_module, "__cudaInitModule");
  look_up(get_kernel, "__cudaGetKernel");
  look_up(launch_kernel, "__cudaLaunchKernel");
}

static const char *const text = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .const .align 4 .f32 factor = 0f40000000;
.visible .global .align 4 .u32 counter;
.global .align 4 .u32 own[2] = {3, 4};
.visible .global .attribute(.managed) .align 4 .u32 managed = 7;
.visible .entry scale(.param .u64 x, .param .u32 n)
{
  .reg .b64 %d<4>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .pred %p<2>;
  ld.param.u64 %d1, [x];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.s32 %r5, %r3, %r4, %r2;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra E;
  mul.wide.s32 %d2, %r5, 4;
  add.s64 %d3, %d1, %d2;
  ld.global.f32 %f1, [%d3];
  ld.const.f32 %f2, [factor];
  mul.f32 %f3, %f1, %f2;
  st.global.f32 [%d3], %f3;
  atom.global.add.u32 %r2, [counter], 1;
  atom.global.add.u32 %r2, [own+4], 1;
E: ret;
}
)";

/* Host functions and shadows, as nvcc has them: only their addresses matter. */
static void scale_stub() {}
static void gpu_stub() {}
static void other_gpu_stub() { asm volatile("" ::: "memory"); }
static float factor_shadow;
static int counter_shadow, own_shadow[2];
static int *managed_pointer;

static void launches() {
  device<float> x(100);
  for (int i = 0; i < 100; i++)
    x[i] = (float)i;
  int n = 100, count;
  float five = 5, was;
  void *arguments[] = {&x.at, &n};
  CHECK(cudaLaunchKernel((const void *)scale_stub, dim3(4), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && x[99] == 198);
  CHECK(cudaMemcpyFromSymbol(&was, factor_shadow, 4) == cudaSuccess && was == 2);
  CHECK(cudaMemcpyToSymbol(factor_shadow, &five, 4) == cudaSuccess);
  cudaKernel_t kernel;
  CHECK(get_kernel(&kernel, (const void *)scale_stub) == cudaSuccess);
  CHECK(launch_kernel(kernel, dim3(4), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && x[99] == 990);
  CHECK(cudaMemcpyFromSymbol(&count, counter_shadow, 4) == cudaSuccess && count == 200);
  void *address;
  size_t bytes;
  CHECK(cudaGetSymbolAddress(&address, counter_shadow) == cudaSuccess && *(int *)address == 200);
  CHECK(cudaGetSymbolSize(&bytes, counter_shadow) == cudaSuccess && bytes == 4);
  int own[2], seven = 7; // the file's own, as nvcc leaves variables that no other file may name
  CHECK(cudaMemcpyFromSymbol(own, own_shadow, 8) == cudaSuccess && own[0] == 3 && own[1] == 204);
  CHECK(cudaMemcpyToSymbol(own_shadow, &seven, 4, 4) == cudaSuccess &&
        cudaMemcpyFromSymbol(own, own_shadow, 8) == cudaSuccess && own[1] == 7);
  CHECK(cudaMemcpyToSymbol(own_shadow, own, 8, 4) == cudaErrorInvalidValue &&
        cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetSymbolSize(&bytes, own_shadow) == cudaSuccess && bytes == 8);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)scale_stub) == cudaSuccess &&
        attributes.maxThreadsPerBlock >= 32);
  CHECK(attributes.ptxVersion == 52); // CUB chooses block shapes by it: those that its device code was compiled for
  const char *name;
  CHECK(cudaFuncGetName(&name, (const void *)scale_stub) == cudaSuccess && std::string(name) == "scale");
}

/* One note for all that a file has as GPU code alone, whichever kernel is asked for and how often. */
static void check_notes(const std::string &path) {
  FILE *file = fopen(path.c_str(), "r");
  char line[1000];
  int notes = 0;
  while (file && fgets(line, sizeof line, file)) {
    notes += strstr(line, "note: ") && strstr(line, "GPU code alone") && strstr(line, "'for_a_gpu'");
    CHECK(!strstr(line, "other_for_a_gpu"));
  }
  CHECK(notes == 1);
  if (file)
    fclose(file);
}

int main() {
  const std::string folder = new_folder("registered"), notes = folder + "/notes";
  CHECK(freopen(notes.c_str(), "w", stderr));
  look_all_up();
  using namespace fat;
  std::string good = binary(entry(gpu_code, 80, std::string(64, 'x')) + entry(ptx, 52, text, lz4)),
              bad = binary(entry(gpu_code, 80, std::string(64, 'x')));
  wrapper of_good(good), of_bad(bad);
  for (int iteration = 0; iteration < 2; iteration++) {
    void **handle = register_binary(&of_good), **gpu = register_binary(&of_bad);
    register_function(handle, (const void *)scale_stub, (char *)"scale", "scale", -1, nullptr, nullptr, nullptr,
                      nullptr, nullptr);
    register_variable(handle, &factor_shadow, (char *)"factor", "factor", 0, 4, 1, 0);
    register_variable(handle, &counter_shadow, (char *)"counter", "counter", 0, 4, 0, 0);
    register_variable(handle, (char *)own_shadow, (char *)"own", "own", 0, 8, 0, 0);
    register_managed(handle, (void **)&managed_pointer, (char *)"managed", "managed", 0, 4, 0, 0);
    end_binary(handle);
    register_function(gpu, (const void *)gpu_stub, (char *)"for_a_gpu", "for_a_gpu", -1, nullptr, nullptr, nullptr,
                      nullptr, nullptr);
    register_function(gpu, (const void *)other_gpu_stub, (char *)"other_for_a_gpu", "other_for_a_gpu", -1, nullptr,
                      nullptr, nullptr, nullptr, nullptr);
    end_binary(gpu);
    managed_pointer = nullptr;
    CHECK(init_module(handle) && managed_pointer && *managed_pointer == 7);
    launches();
    CHECK(cudaLaunchKernel((const void *)gpu_stub, dim3(1), dim3(1), nullptr, 0, nullptr) ==
          cudaErrorNoKernelImageForDevice);
    CHECK(cudaGetLastError() == cudaErrorNoKernelImageForDevice && cudaGetLastError() == cudaSuccess);
    CHECK(cudaLaunchKernel((const void *)gpu_stub, dim3(1), dim3(1), nullptr, 0, nullptr) ==
          cudaErrorNoKernelImageForDevice);
    CHECK(cudaLaunchKernel((const void *)other_gpu_stub, dim3(1), dim3(1), nullptr, 0, nullptr) ==
          cudaErrorNoKernelImageForDevice);
    cudaGetLastError();
    unregister_binary(handle);
    unregister_binary(gpu);
    CHECK(cudaLaunchKernel((const void *)scale_stub, dim3(1), dim3(1), nullptr, 0, nullptr) ==
          cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
  }
  fflush(stderr);
  check_notes(notes);
  CHECK(system(("rm -rf " + folder).c_str()) == 0);
  return report("registered");
}
