/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runtime makes at its first use, by eight threads that begin at the same moment: each step in a process of
 * its own. All get a right result; the driver loads a fat binary once. ThreadSanitizer looks on where the tests are
 * built with it.
 */
#include "check.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>

#include "driver/fake.h"

enum { THREADS = 8, ITERATIONS = 100 };
#define ADDRESS(function) ((const void *)(uintptr_t)(function))

void **__cudaRegisterFatBinary(void *fatCubin);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun, const char *deviceName,
                            int thread_limit, void *tid, void *bid, void *bDim, void *gDim, int *wSize);
void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName, int ext, size_t size,
                       int constant, int global);

static pthread_barrier_t start;

static void *begin(void *act) {
  pthread_barrier_wait(&start);
  (*(void (**)(void))act)();
  return NULL;
}

static void at_once(void (*act)(void)) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&start, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, begin, &act);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&start);
}

/* --- fat binaries ------------------------------------------------------------------------------------------------- */

static int loads; /* without a lock: the runtime has to see to it that one thread loads */
static _Atomic int runs;
static char device_stubs[THREADS], host_stubs[THREADS], host_shadow;
static int device_variable = 42;
static char names[THREADS][4];
static uwrt_kernel kernels[THREADS];
static uwrt_module module;

static void add_one(const uwrt_dims *dims, void **args) {
  (void)dims, (void)args;
  runs++;
}

/* As slow as a compile is to a thread. */
static int load(void) {
  nanosleep(&(struct timespec){0, 50000000}, NULL);
  loads++;
  for (int i = 0; i < THREADS; i++)
    kernels[i] = (uwrt_kernel){.stub = &device_stubs[i], .name = names[i], .entry = add_one};
  module = (uwrt_module){.abi_version = UWRT_ABI_VERSION, .kernel_count = THREADS, .kernels = kernels};
  uwrt_register(&module);
  return 0;
}

static void *kernel(const char *name) { return &device_stubs[atoi(name + 1)]; }
static void *variable(const char *name, size_t *bytes) {
  *bytes = strcmp(name, "v") == 0 ? sizeof device_variable : 0;
  return &device_variable;
}
static const fake_binary binary = {load, kernel, variable};

static void **register_all(const void *stubs) {
  void **handle = __cudaRegisterFatBinary((void *)&binary);
  for (int i = 0; i < THREADS; i++)
    __cudaRegisterFunction(handle, (const char *)stubs + i, names[i], names[i], -1, NULL, NULL, NULL, NULL, NULL);
  return handle;
}

static void prepare_binary(void) {
  for (int i = 0; i < THREADS; i++)
    snprintf(names[i], sizeof names[i], "k%d", i);
  __cudaRegisterVar(register_all(host_stubs), &host_shadow, NULL, "v", 0, sizeof device_variable, 0, 0);
}

static void launch(const void *stub) {
  const dim3 one = {1, 1, 1};
  CHECK_OK(cudaLaunchKernel(stub, one, one, NULL, 0, NULL));
}

static void launch_first(void) { launch(&host_stubs[0]); }
static void same_kernel(void) {
  prepare_binary();
  at_once(launch_first);
  CHECK_NUMBER(runs, THREADS);
  CHECK_NUMBER(loads, 1);
}

static void launch_own(void) {
  static _Atomic int next;
  launch(&host_stubs[next++]);
}
static void own_kernels(void) {
  prepare_binary();
  at_once(launch_own);
  CHECK_NUMBER(runs, THREADS);
  CHECK_NUMBER(loads, 1);
}

static void read_symbol(void) {
  int value = 0;
  size_t bytes = 0;
  CHECK_OK(cudaMemcpyFromSymbol(&value, &host_shadow, sizeof value, 0, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGetSymbolSize(&bytes, &host_shadow));
  CHECK_NUMBER(value, 42);
  CHECK_NUMBER(bytes, sizeof value);
}
static void symbol(void) {
  prepare_binary();
  at_once(read_symbol);
  CHECK_NUMBER(loads, 1);
}

/* The table of names grows while others are looked up in it. */
static void register_or_launch(void) {
  static _Atomic int next;
  int own = next++;
  if (own % 2) {
    launch(&host_stubs[own]);
    return;
  }
  char stubs[ITERATIONS][THREADS];
  void **handles[ITERATIONS];
  for (int i = 0; i < ITERATIONS; i++)
    handles[i] = register_all(stubs[i]);
  for (int i = 0; i < ITERATIONS; i++)
    __cudaUnregisterFatBinary(handles[i]);
}
static void registration_meanwhile(void) {
  prepare_binary();
  at_once(register_or_launch);
  CHECK_NUMBER(runs, THREADS / 2);
}

/* A library that is being opened registers what it has, and who loads a fat binary has to open one: each would wait for
 * the other if the table were locked meanwhile. `opening` is the loader's lock. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static int load_by_opening(void) {
  nanosleep(&(struct timespec){0, 50000000}, NULL);
  pthread_mutex_lock(&opening);
  int error = load();
  pthread_mutex_unlock(&opening);
  return error;
}
static const fake_binary opened = {load_by_opening, kernel, variable};
static void open_or_launch(void) {
  static _Atomic int next;
  static char stubs[THREADS][THREADS];
  int own = next++;
  if (own % 2) {
    launch(&host_stubs[own]);
    return;
  }
  pthread_mutex_lock(&opening);
  nanosleep(&(struct timespec){0, 80000000}, NULL);
  register_all(stubs[own]);
  pthread_mutex_unlock(&opening);
}
static void opening_meanwhile(void) {
  alarm(60);
  for (int i = 0; i < THREADS; i++)
    snprintf(names[i], sizeof names[i], "k%d", i);
  void **handle = __cudaRegisterFatBinary((void *)&opened);
  for (int i = 0; i < THREADS; i++)
    __cudaRegisterFunction(handle, &host_stubs[i], names[i], names[i], -1, NULL, NULL, NULL, NULL, NULL);
  at_once(open_or_launch);
  CHECK_NUMBER(runs, THREADS / 2);
}

/* --- textures ----------------------------------------------------------------------------------------------------- */

static struct textureReference reference = {.__bound = &uwrt_texture_unbound};
static void *texels;

static void bind(void) {
  const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  for (int i = 0; i < ITERATIONS; i++) {
    size_t offset;
    CHECK_OK(cudaBindTexture(&offset, &reference, texels, &floats, 4096));
  }
}
static void texture_reference(void) {
  static const uwrt_variable it = {&reference, "reference", sizeof reference, UWRT_VARIABLE_REFERENCE};
  static const uwrt_module holder = {.abi_version = UWRT_ABI_VERSION, .variable_count = 1, .variables = &it};
  uwrt_register(&holder);
  CHECK_OK(cudaMalloc(&texels, 4096));
  at_once(bind);
  CHECK_OK(cudaUnbindTexture(&reference));
}

static void make_texture(void) {
  const struct cudaChannelFormatDesc bytes = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};
  const struct cudaResourceDesc resource = {.resType = cudaResourceTypePitch2D,
                                            .res.pitch2D = {texels, bytes, 8, 8, 512}};
  const struct cudaTextureDesc sampler = {.readMode = cudaReadModeNormalizedFloat, .sRGB = 1};
  cudaTextureObject_t texture;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &sampler, NULL));
  CHECK_OK(cudaDestroyTextureObject(texture));
}
static void texture_object(void) {
  CHECK_OK(cudaMalloc(&texels, 4096));
  at_once(make_texture);
}

/* --- objects of the runtime --------------------------------------------------------------------------------------- */

static void make_graph(void) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const dim3 one = {1, 1, 1};
  CHECK_OK(cudaLaunchKernel(&host_stubs[0], one, one, NULL, 0, stream));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, stream));
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
}
static void graphs(void) {
  prepare_binary();
  at_once(make_graph);
  CHECK_NUMBER(runs, THREADS);
  CHECK_NUMBER(loads, 1);
}

static cudaGraphExec_t shared_exec;
static void launch_graph(void) { CHECK_OK(cudaGraphLaunch(shared_exec, NULL)); }
static void one_graph(void) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  struct cudaKernelNodeParams of = {.func = host_stubs, .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}};
  prepare_binary();
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddKernelNode(&node, graph, NULL, 0, &of));
  CHECK_OK(cudaGraphInstantiate(&shared_exec, graph, 0));
  at_once(launch_graph);
  CHECK_NUMBER(runs, THREADS);
}

static void use_device(void) {
  struct cudaDeviceProp properties;
  cudaEvent_t event;
  cudaMemPool_t pool;
  void *memory;
  unsigned int flags;
  CHECK_OK(cudaGetDeviceProperties(&properties, 0));
  CHECK_NUMBER(properties.warpSize, 32);
  CHECK_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK_OK(cudaMallocAsync(&memory, 100, cudaStreamPerThread));
  CHECK_OK(cudaFreeAsync(memory, cudaStreamPerThread));
  CHECK_OK(cudaEventCreate(&event));
  CHECK_OK(cudaEventRecord(event, NULL));
  CHECK_OK(cudaEventSynchronize(event));
  CHECK_OK(cudaEventDestroy(event));
  CHECK_OK(cudaStreamGetFlags(NULL, &flags));
  CHECK_OK(cudaMalloc(&memory, 1 << 20));
  CHECK_OK(cudaMemset(memory, 1, 1 << 20));
  CHECK_OK(cudaFree(memory));
}
static void device(void) { at_once(use_device); }

static const struct {
  const char *name;
  void (*run)(void);
} steps[] = {{"same kernel", same_kernel},
             {"own kernels", own_kernels},
             {"symbol", symbol},
             {"registration meanwhile", registration_meanwhile},
             {"opening meanwhile", opening_meanwhile},
             {"texture reference", texture_reference},
             {"texture object", texture_object},
             {"graphs", graphs},
             {"one graph", one_graph},
             {"device", device}};

int main(int count, char **arguments) {
  if (count > 1) {
    steps[atoi(arguments[1])].run();
    return finish();
  }
  for (size_t i = 0; i < COUNT_OF(steps); i++) {
    char number[12];
    snprintf(number, sizeof number, "%zu", i);
    pid_t process = fork();
    if (process == 0) {
      execl("/proc/self/exe", arguments[0], number, (char *)NULL);
      _exit(3);
    }
    int status = -1;
    if (waitpid(process, &status, 0) != process || status != 0)
      failed(__FILE__, __LINE__, "the step '%s' ended with status %#x", steps[i].name, (unsigned int)status);
  }
  return finish();
}
