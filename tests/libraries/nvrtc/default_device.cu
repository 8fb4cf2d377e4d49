// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --device-as-default-execution-space: what is not marked is the device's, inline or not, as CuPy's header has it; as a module, as text and as
// bitcode, with names; kernels instantiated with their mark. Without the option, and where the source is wrong, it is refused as before.
// link: -lcuda -lnvJitLink
#include "../check.h"
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#define OK(call) CHECK((int)(call) == 0)

static const char source[] = R"(
long long atomicAdd(long long *at, long long by) {
  return atomicAdd(reinterpret_cast<unsigned long long *>(at), static_cast<unsigned long long>(by));
}
__device__ unsigned never_called(unsigned *at) { return atomicInc(at, 5) + __ballot_sync(~0u, 1); }
int unmarked(int *at) { return atomicAdd(at, 2) + threadIdx.x; }
__host__ __device__ int both(int x) { return x + 1; }
constexpr int twice(int x) { return 2 * x; }
struct holder {
  int by;
  holder(int by) : by(by) {}
  int add(int *at) const;
  __device__ static int lane() { return __shfl_sync(0xffffffffu, (int)threadIdx.x, 0); }
};
int holder::add(int *at) const { return atomicAdd(at, by) + lane(); }
namespace deep {
template <class T> T through(T *at) { return atomicAdd(at, (T)both(twice(3))); }
static __device__ int calls;
__constant__ int step = 3;
template <class T> __global__ void sum(T *at, T *to) {
  auto more = [=](T by) { return atomicAdd(at, by); };
  more(1);
  through(at);
  atomicAdd(&calls, 1);
  if (threadIdx.x == 0)
    atomicAdd(to, (T)step);
}
static __global__ void tell(int *to) { *to = calls; }
template <int N, class T> __global__ void fill(T *at) { *at = N; }
template __global__ decltype(fill<7, int>) fill<7, int>;
template __global__ void fill<8, int>(int *);
}
extern "C" __global__ void plain(int *at, long long *wide) {
  unmarked(at);
  holder(3).add(at);
  atomicAdd(wide, 1ll << 40);
}
)";
static const char *const expressions[] = {"deep::sum<int>", "deep::sum<unsigned long long>", "deep::tell",
                                          "&deep::step", "&deep::calls", "deep::fill<7, int>"};
enum { NAMES = sizeof expressions / sizeof *expressions, N = 32 };

static nvrtcResult compile(const char *text, bool named, std::vector<const char *> options, nvrtcProgram *program) {
  OK(nvrtcCreateProgram(program, text, "default.cu", 0, nullptr, nullptr));
  for (int i = 0; named && i < NAMES; i++)
    OK(nvrtcAddNameExpression(*program, expressions[i]));
  return nvrtcCompileProgram(*program, (int)options.size(), options.data());
}

static void run(const void *image, const std::string names[NAMES]) {
  CUmodule module;
  CUfunction plain, sum, tell, fill;
  CUdeviceptr at, wide, step, calls;
  size_t bytes = 0;
  OK(cuModuleLoadData(&module, image));
  OK(cuModuleGetFunction(&plain, module, "plain"));
  OK(cuMemAlloc(&at, 8) || cuMemAlloc(&wide, 8) || cuMemsetD32(at, 0, 2) || cuMemsetD32(wide, 0, 2));
  void *first[] = {&at, &wide};
  OK(cuLaunchKernel(plain, 1, 1, 1, N, 1, 1, 0, nullptr, first, nullptr));
  int got = 0;
  long long far = 0;
  OK(cuMemcpyDtoH(&got, at, sizeof got) || cuMemcpyDtoH(&far, wide, sizeof far));
  CHECK(got == 5 * N && far == (long long)N << 40);
  if (!names[0].empty()) {
    const int four = 4;
    OK(cuModuleGetFunction(&sum, module, names[0].c_str()) || cuModuleGetFunction(&tell, module, names[2].c_str()));
    OK(cuModuleGetGlobal(&step, &bytes, module, names[3].c_str()));
    CHECK(bytes == sizeof four);
    OK(cuModuleGetGlobal(&calls, &bytes, module, names[4].c_str()));
    OK(cuMemcpyHtoD(step, &four, sizeof four) || cuMemsetD32(at, 0, 2) || cuMemsetD32(wide, 0, 2));
    OK(cuLaunchKernel(sum, 1, 1, 1, N, 1, 1, 0, nullptr, first, nullptr));
    OK(cuMemcpyDtoH(&got, at, sizeof got));
    CHECK(got == 8 * N);
    OK(cuMemcpyDtoH(&got, wide, sizeof got));
    CHECK(got == four);
    OK(cuLaunchKernel(tell, 1, 1, 1, 1, 1, 1, 0, nullptr, first, nullptr));
    OK(cuMemcpyDtoH(&got, at, sizeof got));
    CHECK(got == N);
    OK(cuModuleGetFunction(&sum, module, names[1].c_str()));
    OK(cuModuleGetFunction(&fill, module, names[5].c_str()));
    OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, nullptr, first, nullptr));
    OK(cuMemcpyDtoH(&got, at, sizeof got));
    CHECK(got == 7);
  }
  OK(cuMemFree(at) || cuMemFree(wide) || cuModuleUnload(module));
}

int main() {
  static const char option[] = "--device-as-default-execution-space";
  std::string folder = new_folder("default"), names[NAMES], none[NAMES];
  setenv("UNWARP_CACHE_DIR", folder.c_str(), 1);
  CUdevice device;
  CUcontext context;
  OK(cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context));
  nvrtcProgram program;
  size_t bytes = 0;
  OK(compile(source, true, {"-arch=sm_80", option}, &program));
  for (int i = 0; i < NAMES; i++) {
    const char *lowered = nullptr;
    OK(nvrtcGetLoweredName(program, expressions[i], &lowered));
    names[i] = lowered ? lowered : "?";
  }
  CHECK(names[0] == "_ZN4deep3sumIiEEvPT_S2_" && names[3] == "_ZN4deep4stepE");
  OK(nvrtcGetCUBINSize(program, &bytes));
  std::vector<char> image(bytes);
  OK(nvrtcGetCUBIN(program, image.data()));
  run(image.data(), names);
  OK(nvrtcGetPTXSize(program, &bytes));
  std::vector<char> text(bytes);
  OK(nvrtcGetPTX(program, text.data()));
  CHECK(!strstr(text.data(), "__unwarp_name"));
  run(text.data(), names);
  OK(nvrtcDestroyProgram(&program));

  OK(compile(source, false, {"-arch=sm_80", "-default-device", "-dlto"}, &program));
  OK(nvrtcGetLTOIRSize(program, &bytes));
  std::vector<char> bitcode(bytes);
  OK(nvrtcGetLTOIR(program, bitcode.data()) || nvrtcDestroyProgram(&program));
  nvJitLinkHandle link;
  const char *linked[] = {"-arch=sm_80", "-lto"};
  OK(nvJitLinkCreate(&link, 2, linked) ||
     nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, bitcode.data(), bytes, "bitcode"));
  OK(nvJitLinkComplete(link) || nvJitLinkGetLinkedCubinSize(link, &bytes));
  std::vector<char> whole(bytes);
  OK(nvJitLinkGetLinkedCubin(link, whole.data()) || nvJitLinkDestroy(&link));
  run(whole.data(), none);

  CHECK(compile(source, false, {"-arch=sm_80"}, &program) == NVRTC_ERROR_COMPILATION);
  OK(nvrtcDestroyProgram(&program));
  CHECK(compile("__global__ void k() { undeclared(); }", false, {option}, &program) == NVRTC_ERROR_COMPILATION);
  OK(nvrtcGetProgramLogSize(program, &bytes));
  std::vector<char> log(bytes);
  OK(nvrtcGetProgramLog(program, log.data()));
  CHECK(strstr(log.data(), "default.cu(1)") || strstr(log.data(), "default.cu:1"));
  OK(nvrtcDestroyProgram(&program));
  CHECK(system(("rm -rf " + folder).c_str()) == 0);
  return report("default_device");
}
