// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is made at its first use: by eight threads that begin at the same moment, each step in a process of its own, and by four processes with
// one empty cache. All get a right result, and what is compiled is compiled once.
// link: -lcublas -lcublasLt -lcufft -lcurand -lcusparse -lcusolver -lcudnn -lnvrtc
#include "../check.h"
#include "../fat.h"
#include <atomic>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <nvrtc.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

enum { THREADS = 8, PROCESSES = 4, KERNELS = 80 };

/* All threads do it, and none begins before all are there. */
template <class T> static void at_once(T act) {
  std::atomic<int> there(0), good(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; i++)
    threads.emplace_back([&, i] {
      there++;
      while (there < THREADS)
        ;
      good += act(i) ? 1 : 0;
    });
  for (auto &thread : threads)
    thread.join();
  CHECK(good == THREADS);
}

// --- what is compiled

/* Kernel kI adds I and a constant to an element. */
static std::string ptx(int kernels) {
  std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .const .align 4 .u32 more = 1000;\n";
  for (int i = 0; i < kernels; i++)
    text +=
        ".visible .entry k" + std::to_string(i) +
        "(.param .u64 p)\n{\n  .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
        "  ld.param.u64 %d0, [p]; cvta.to.global.u64 %d1, %d0; ld.global.u32 %r0, [%d1]; ld.const.u32 %r1, [more];\n"
        "  add.u32 %r2, %r0, %r1; add.u32 %r2, %r2, " +
        std::to_string(i) + "; st.global.u32 [%d1], %r2; ret;\n}\n";
  return text;
}

static char stubs[THREADS];
static int shadow;
static void **(*register_binary)(void *);
static void (*unregister_binary)(void **);
static void (*register_function)(void **, const void *, char *, const char *, int, void *, void *, void *, void *,
                                 int *);
static void (*register_variable)(void **, void *, char *, const char *, int, size_t, int, int);

/* As nvcc's host code registers a binary; these stay for as long as the process does. */
static void **registered(int kernels) {
  register_binary = (decltype(register_binary))dlsym(RTLD_DEFAULT, "__cudaRegisterFatBinary");
  unregister_binary = (decltype(unregister_binary))dlsym(RTLD_DEFAULT, "__cudaUnregisterFatBinary");
  register_function = (decltype(register_function))dlsym(RTLD_DEFAULT, "__cudaRegisterFunction");
  register_variable = (decltype(register_variable))dlsym(RTLD_DEFAULT, "__cudaRegisterVar");
  static std::string whole = fat::binary(fat::entry(fat::ptx, 70, ptx(kernels)));
  static fat::wrapper wrapper(whole);
  static std::vector<std::string> names;
  void **handle = register_binary(&wrapper);
  for (int i = 0; i < kernels; i++)
    names.push_back("k" + std::to_string(i));
  for (int i = 0; i < kernels; i++)
    register_function(handle, &stubs[i], &names[i][0], names[i].c_str(), -1, nullptr, nullptr, nullptr, nullptr,
                      nullptr);
  register_variable(handle, &shadow, (char *)"more", "more", 0, 4, 1, 0);
  return handle;
}

static bool launches(const void *kernel, int adds) {
  int value = -1, *p;
  if (cudaMalloc(&p, 4) != cudaSuccess || cudaMemcpy(p, &(const int &)7, 4, cudaMemcpyHostToDevice) != cudaSuccess)
    return false;
  void *arguments[] = {&p};
  return cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr) == cudaSuccess &&
         cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost) == cudaSuccess && cudaFree(p) == cudaSuccess &&
         value == 7 + 1000 + adds;
}

static void one_kernel() {
  registered(1);
  at_once([](int) {
    cudaFuncAttributes known;
    return launches(&stubs[0], 0) && cudaFuncGetAttributes(&known, &stubs[0]) == cudaSuccess && known.ptxVersion == 70;
  });
}

static void kernels_of_one_binary() {
  registered(THREADS);
  at_once([](int i) { return launches(&stubs[i], i); });
}

static void symbol() {
  registered(1);
  at_once([](int) {
    int value = -1;
    size_t bytes = 0;
    return cudaMemcpyFromSymbol(&value, shadow, 4) == cudaSuccess && value == 1000 &&
           cudaGetSymbolSize(&bytes, shadow) == cudaSuccess && bytes == 4;
  });
}

/* Some launch, others register more meanwhile, as the constructors of a library do that is opened. */
static void registration_meanwhile() {
  registered(THREADS);
  at_once([](int i) {
    if (i % 2)
      return launches(&stubs[i], i);
    static char other[THREADS][100];
    std::string whole = fat::binary(fat::entry(fat::ptx, 70, ptx(1)));
    fat::wrapper wrapper(whole);
    for (int iteration = 0; iteration < 200; iteration++) {
      void **handle = register_binary(&wrapper);
      for (char &stub : other[i])
        register_function(handle, &stub, (char *)"k0", "k0", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
      unregister_binary(handle);
    }
    return true;
  });
}

static CUmodule module_of(int kernels) {
  CUmodule module = nullptr;
  CHECK(cuInit(0) == CUDA_SUCCESS && cudaFree(nullptr) == cudaSuccess);
  CHECK(cuModuleLoadData(&module, ptx(kernels).c_str()) == CUDA_SUCCESS);
  return module;
}

/* Of a module whose kernels are compiled when they are asked for. */
static void kernel_of_a_module() {
  CUmodule module = module_of(KERNELS);
  at_once([=](int) {
    CUfunction function;
    int target = 0;
    return cuModuleGetFunction(&function, module, "k3") == CUDA_SUCCESS &&
           cuFuncGetAttribute(&target, CU_FUNC_ATTRIBUTE_PTX_VERSION, function) == CUDA_SUCCESS && target == 70 &&
           launches(function, 3);
  });
}

/* Each loads it: one compiles, the others find what it made. */
static void modules() {
  CHECK(cuInit(0) == CUDA_SUCCESS && cudaFree(nullptr) == cudaSuccess);
  const std::string text = ptx(2);
  at_once([&](int) {
    CUmodule module;
    CUfunction function;
    return cuModuleLoadData(&module, text.c_str()) == CUDA_SUCCESS &&
           cuModuleGetFunction(&function, module, "k1") == CUDA_SUCCESS && launches(function, 1);
  });
}

static void run_time_programs() {
  at_once([](int) {
    nvrtcProgram program;
    return nvrtcCreateProgram(&program, "__global__ void k(int *p) { *p += 1; }", "k.cu", 0, nullptr, nullptr) ==
               NVRTC_SUCCESS &&
           nvrtcCompileProgram(program, 0, nullptr) == NVRTC_SUCCESS && nvrtcDestroyProgram(&program) == NVRTC_SUCCESS;
  });
}

// --- the libraries' first calls

static void blas() {
  at_once([](int) {
    cublasHandle_t handle;
    device<double> a(4), b(4), c(4);
    double one = 1, zero = 0;
    for (int i = 0; i < 4; i++)
      a[i] = b[i] = i + 1;
    return cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS &&
           cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2) ==
               CUBLAS_STATUS_SUCCESS &&
           cudaDeviceSynchronize() == cudaSuccess && c[0] == 7 && c[3] == 22 &&
           cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS;
  });
}

static void fourier() {
  at_once([](int i) {
    const int n = 16 + i % 2;
    cufftHandle plan;
    device<float> x(2 * n);
    for (int k = 0; k < 2 * n; k++)
      x[k] = k % 2 ? 0 : 1;
    return cufftPlan1d(&plan, n, CUFFT_C2C, 1) == CUFFT_SUCCESS &&
           cufftExecC2C(plan, (cufftComplex *)x.at, (cufftComplex *)x.at, CUFFT_FORWARD) == CUFFT_SUCCESS &&
           cudaDeviceSynchronize() == cudaSuccess && fabsf(x[0] - n) < 1e-4 && fabsf(x[2]) < 1e-4 &&
           cufftDestroy(plan) == CUFFT_SUCCESS;
  });
}

static void random_numbers() {
  std::atomic<unsigned> first(0);
  at_once([&](int) {
    curandGenerator_t generator;
    device<int> x(100);
    bool good = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW) == CURAND_STATUS_SUCCESS &&
                curandSetPseudoRandomGeneratorSeed(generator, 5) == CURAND_STATUS_SUCCESS &&
                curandGenerate(generator, (unsigned *)x.at, 100) == CURAND_STATUS_SUCCESS &&
                cudaDeviceSynchronize() == cudaSuccess && curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS;
    unsigned none = 0, own = (unsigned)x[99];
    return good && (first.compare_exchange_strong(none, own) || none == own);
  });
}

static void factorisation() {
  at_once([](int) {
    cusolverDnHandle_t handle;
    device<double> a(4), work(1000);
    device<int> pivots(2), info(1);
    a[0] = 4, a[1] = 2, a[2] = 1, a[3] = 3;
    return cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS &&
           cusolverDnDgetrf(handle, 2, 2, a, 2, work, pivots, info) == CUSOLVER_STATUS_SUCCESS &&
           cudaDeviceSynchronize() == cudaSuccess && info[0] == 0 && a[3] == 2.5 &&
           cusolverDnDestroy(handle) == CUSOLVER_STATUS_SUCCESS;
  });
}

static void sparse_and_lt() {
  at_once([](int i) {
    cusparseHandle_t sparse;
    cublasLtHandle_t lt;
    return i % 2 ? cusparseCreate(&sparse) == CUSPARSE_STATUS_SUCCESS &&
                       cusparseDestroy(sparse) == CUSPARSE_STATUS_SUCCESS
                 : cublasLtCreate(&lt) == CUBLAS_STATUS_SUCCESS && cublasLtDestroy(lt) == CUBLAS_STATUS_SUCCESS;
  });
}

/* The first convolution opens oneDNN and makes a plan, which is kept for the problem. */
static void convolution() {
  at_once([](int) {
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t c;
    device<float> in(16 * 8 * 8), filter(16 * 16 * 9), out(16 * 8 * 8);
    float one = 1, zero = 0;
    for (size_t k = 0; k < in.count; k++)
      in[k] = 1;
    for (size_t k = 0; k < filter.count; k++)
      filter[k] = 1;
    const cudnnConvolutionFwdAlgo_t algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    size_t bytes = 0;
    bool good = !cudnnCreate(&handle) && !cudnnCreateTensorDescriptor(&x) && !cudnnCreateTensorDescriptor(&y) &&
                !cudnnCreateFilterDescriptor(&w) && !cudnnCreateConvolutionDescriptor(&c) &&
                !cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 16, 8, 8) &&
                !cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 16, 8, 8) &&
                !cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 16, 16, 3, 3) &&
                !cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT) &&
                !cudnnGetConvolutionForwardWorkspaceSize(handle, x, w, c, y, algorithm, &bytes);
    device<float> work(bytes / 4 + 1);
    return good && !cudnnConvolutionForward(handle, &one, x, in, w, filter, c, algorithm, work, bytes, &zero, y, out) &&
           cudaDeviceSynchronize() == cudaSuccess && out[0] == 16 * 4 && out[9] == 16 * 9;
  });
}

// --- one step in a process of its own, with a cache that is empty

static const struct {
  const char *name;
  void (*run)();
  int compiled; // entries of the cache behind it
} steps[] = {{"one kernel", one_kernel, 1},
             {"kernels of one binary", kernels_of_one_binary, 1},
             {"symbol", symbol, 1},
             {"registration meanwhile", registration_meanwhile, 1},
             {"kernel of a module", kernel_of_a_module, 1},
             {"modules", modules, 1},
             {"run-time programs", run_time_programs, 1},
             {"blas", blas, 0},
             {"fourier", fourier, 0},
             {"random numbers", random_numbers, 0},
             {"factorisation", factorisation, 0},
             {"sparse and lt", sparse_and_lt, 0},
             {"convolution", convolution, 0}};

/* Many processes run a step with one cache; what they say goes into a file beside it. */
static void in_processes(size_t step, int processes) {
  const std::string folder = new_folder("first-use"), said = folder + "/said";
  std::vector<pid_t> started;
  for (int i = 0; i < processes; i++) {
    pid_t process = fork();
    if (process == 0) {
      setenv("UNWARP_CACHE_DIR", (folder + "/cache").c_str(), 1);
      setenv("UNWARP_TRACE", "1", 1);
      if (!freopen(said.c_str(), "a", stderr))
        _exit(3);
      execl("/proc/self/exe", "first_use", std::to_string(step).c_str(), (char *)nullptr);
      _exit(3);
    }
    started.push_back(process);
  }
  int failed = 0, compiled = -1;
  for (pid_t process : started) {
    int status = 0;
    failed += waitpid(process, &status, 0) != process || status != 0;
  }
  FILE *count = popen(("grep -c ': compiled in' " + said).c_str(), "r");
  CHECK(count && fscanf(count, "%d", &compiled) == 1);
  pclose(count);
  if (failed || compiled != steps[step].compiled) {
    wrong++;
    printf("%s, %d processes: %d failed, %d compiled\n", steps[step].name, processes, failed, compiled);
    (void)!system(("grep -vE '^unwarp: (memcpy|memset|launch|.* in) ' " + said + " | head -5").c_str());
  }
  checked++;
  (void)!system(("rm -r " + folder).c_str());
}

int main(int count, char **arguments) {
  if (count > 1) {
    steps[atoi(arguments[1])].run();
    return report(arguments[1]);
  }
  for (size_t step = 0; step < sizeof steps / sizeof *steps; step++) {
    in_processes(step, 1);
    if (steps[step].compiled)
      in_processes(step, PROCESSES);
  }
  return report("first use");
}
