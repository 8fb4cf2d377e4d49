/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels and variables as nvcc's host code registers them: a fat binary, and for each kernel the host function that
 * stands for it, for each variable its shadow. Nothing happens then. When the first of a fat binary's kernels or
 * variables is asked for, libcuda loads it (its PTX; GPU code alone is an error of that launch), and the kernel found
 * there by its name gets the host function for a second stub. A variable has two addresses here, the shadow and the
 * module's; the module's is the one in force.
 *
 * A fat binary is loaded once, and a kernel or variable resolved once (once.h), with no lock held that registration
 * takes: threads that want the same wait for it, those that want another one do not, and a library whose constructors
 * register more may be opened meanwhile.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "internal.h"
#include "once.h"
#include "work.h"

typedef struct fat_binary {
  const void *wrapper;
  uwrt_once loaded; /* what the next ones are */
  void *library;    /* of the driver's */
  cudaError_t error;
  char why[800]; /* what the driver says of that */
  struct named *first;
} fat_binary;

typedef struct named {
  struct named *next; /* of the same fat binary */
  fat_binary *of;
  const void *key;  /* the host function, the shadow */
  const char *name; /* the device's */
  int is_kernel;
  void **managed;     /* the host's pointer to a managed variable */
  uwrt_once resolved; /* what the next ones are */
  int is_there;
  const char *why; /* it is not */
  void *place;     /* of a variable, in the module */
  uwrt_kernel kernel;
  uwrt_kernel_settings settings;
  uwrt_variable variable;
  uwrt_module module; /* the kernel or variable alone, as the registry takes it */
} named;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the table */
static uwrt_table names;

/* --- loading ------------------------------------------------------------------------------------------------------ */

static void load(void *one) {
  enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6 };
  fat_binary *binary = one;
  int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
  void *values[] = {binary->why, (void *)sizeof binary->why};
  int (*start)(unsigned int) = (int (*)(unsigned int))uwrt_driver_function("cuInit");
  int (*open)(void **, const void *, int *, void **, unsigned int, int *, void **, unsigned int) =
      (int (*)(void **, const void *, int *, void **, unsigned int, int *, void **, unsigned int))uwrt_driver_function(
          "cuLibraryLoadData");
  if (!start || !open) {
    snprintf(binary->why, sizeof binary->why,
             "libcuda.so.1 is not found, which compiles PTX: let LD_LIBRARY_PATH name its folder");
    binary->error = cudaErrorNotSupported;
    return;
  }
  int code = start(0);
  if (code == 0)
    code = open(&binary->library, binary->wrapper, options, values, 2, NULL, NULL, 0);
  binary->error = (cudaError_t)code; /* the codes of both have the same values */
}

static void *find(fat_binary *binary, const char *function, const char *name, size_t *bytes) {
  void *found = NULL;
  if (strcmp(function, "cuLibraryGetKernel") == 0) {
    int (*get)(void **, void *, const char *) = (int (*)(void **, void *, const char *))uwrt_driver_function(function);
    return get && get(&found, binary->library, name) == 0 ? found : NULL;
  }
  int (*get)(void **, size_t *, void *, const char *) =
      (int (*)(void **, size_t *, void *, const char *))uwrt_driver_function(function);
  return get && get(&found, bytes, binary->library, name) == 0 ? found : NULL;
}

/* A library without PTX lacks hundreds of kernels for one reason, and what its user can do is the same of each. */
static int is_told(const void *base) {
  enum { MOST = 16 };
  static const void *told[MOST];
  static int count;
  int known = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count && !known; i++)
    known = told[i] == base;
  if (!known && count < MOST)
    told[count++] = base;
  pthread_mutex_unlock(&lock);
  return known;
}

static void show_gpu_code(const named *n) {
  Dl_info info = {0};
  int known = dladdr(n->key, &info) && info.dli_fname && *info.dli_fname;
  if (is_told(info.dli_fbase))
    return;
  const char *slash = known ? strrchr(info.dli_fname, '/') : NULL;
  fprintf(stderr,
          "unwarp: note: %s has kernels as GPU code alone, no PTX, and a CPU cannot run that: these (the first asked "
          "for is "
          "'%s') give errors. Build it from its source with unwarp, or with PTX (-gencode "
          "arch=compute_80,code=compute_80), or take a release that has PTX: docs/frameworks.md lists wheels that do\n",
          slash   ? slash + 1
          : known ? info.dli_fname
                  : "the program",
          n->name);
}

static void show(const named *n) {
  if (n->of->error == cudaErrorNoKernelImageForDevice) {
    show_gpu_code(n);
    return;
  }
  size_t length = strcspn(n->why, "\n");
  fprintf(stderr, "unwarp: the %s '%s' is not there: %.*s\n", n->is_kernel ? "kernel" : "variable", n->name,
          (int)length, n->why);
}

/* Is the variable at that place a symbol already? nvcc leaves a file's own variables without .visible: then only this
 * side knows them as symbols. */
static void resolve_variable(named *n, size_t bytes) {
  n->variable = (uwrt_variable){.address = n->place, .name = n->name, .bytes = bytes};
  n->module = (uwrt_module){.abi_version = UWRT_ABI_VERSION,
                            .variable_count = !uwrt_variable_find(n->place, &bytes),
                            .variables = &n->variable};
  if (n->managed)
    *n->managed = n->place;
  if (n->module.variable_count)
    uwrt_register(&n->module);
  n->is_there = 1;
}

static void resolve_kernel(named *n) {
  const uwrt_kernel *kernel;
  if (!uwrt_kernel_find(n->place, &kernel, &n->settings))
    return;
  n->kernel = *kernel;
  n->kernel.stub = n->key;
  n->module = (uwrt_module){.abi_version = UWRT_ABI_VERSION, .kernel_count = 1, .kernels = &n->kernel};
  uwrt_register_made_for(&n->module, n->settings.architecture);
  n->is_there = 1;
}

static void resolve(void *one) {
  named *n = one;
  size_t bytes = 0;
  uwrt_note_use(); /* for libcuda: the primary context is current */
  uwrt_once_run(&n->of->loaded, load, n->of);
  n->why = n->of->why;
  if (n->of->error == cudaSuccess) {
    n->place = find(n->of, n->is_kernel ? "cuLibraryGetKernel" : "cuLibraryGetGlobal", n->name, &bytes);
    n->why = "its fat binary has none of that name";
  }
  if (n->place && n->is_kernel)
    resolve_kernel(n);
  else if (n->place)
    resolve_variable(n, bytes);
  if (!n->is_there)
    show(n);
}

static named *find_named(const void *key) {
  pthread_mutex_lock(&lock);
  named *n = uwrt_table_find(&names, key);
  pthread_mutex_unlock(&lock);
  return n;
}

/* 1: it is there, and registered. */
static int settle(const void *key, int is_kernel, named **known) {
  named *n = *known = find_named(key);
  if (!n || n->is_kernel != is_kernel)
    return 0;
  uwrt_once_run(&n->resolved, resolve, n);
  return n->is_there;
}

int uwrt_fat_kernel(const void *stub) {
  named *n;
  return settle(stub, 1, &n);
}

cudaError_t uwrt_fat_error(const void *stub) {
  named *n = find_named(stub);
  if (!n)
    return cudaErrorInvalidDeviceFunction;
  uwrt_trace_refused(n->name);
  return n->of->error != cudaSuccess ? n->of->error : cudaErrorInvalidDeviceFunction;
}

const void *uwrt_symbol_place(const void *symbol) {
  named *n;
  return settle(symbol, 0, &n) ? n->place : symbol;
}

/* --- what nvcc's host code calls (crt/host_runtime.h) ------------------------------------------------------------- */

#pragma GCC visibility push(default)

void **__cudaRegisterFatBinary(void *fatCubin);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun, const char *deviceName,
                            int thread_limit, void *tid, void *bid, void *bDim, void *gDim, int *wSize);
void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName, int ext, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *deviceAddress, const char *deviceName,
                              int ext, size_t size, int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *deviceName, char *hostVar, size_t size);
void __cudaRegisterTexture(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int norm, int ext);
void __cudaRegisterSurface(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int ext);
void __cudaRegisterUnifiedTable(void **handle, void *table);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                    cudaStream_t stream);
cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                  cudaStream_t stream);

void **__cudaRegisterFatBinary(void *fatCubin) {
  fat_binary *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    uwrt_fatal("out of memory");
  *fresh = (fat_binary){.wrapper = fatCubin, .loaded = UWRT_ONCE_INIT};
  return (void **)fresh;
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

static void add(fat_binary *binary, const void *key, const char *name, int is_kernel, void **managed) {
  named *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !binary)
    uwrt_fatal(fresh ? "a kernel is registered without its fat binary" : "out of memory");
  *fresh = (named){.next = binary->first,
                   .of = binary,
                   .key = key,
                   .name = name,
                   .is_kernel = is_kernel,
                   .managed = managed,
                   .resolved = UWRT_ONCE_INIT};
  pthread_mutex_lock(&lock);
  binary->first = fresh;
  if (!uwrt_table_find(&names, key) && !uwrt_table_insert(&names, key, fresh)) /* the first definition is in force */
    uwrt_fatal("out of memory");
  pthread_mutex_unlock(&lock);
}

void __cudaUnregisterFatBinary(void **handle) {
  fat_binary *gone = (fat_binary *)handle;
  if (!gone)
    return;
  for (named *n = gone->first, *next; n; n = next) {
    next = n->next;
    if (n->module.kernel_count || n->module.variable_count)
      uwrt_unregister(&n->module);
    pthread_mutex_lock(&lock);
    if (uwrt_table_find(&names, n->key) == n)
      uwrt_table_remove(&names, n->key);
    pthread_mutex_unlock(&lock);
    free(n);
  }
  pthread_mutex_lock(&lock);
  if (!names.count)
    uwrt_table_free(&names);
  pthread_mutex_unlock(&lock);
  int (*close)(void *) = gone->library ? (int (*)(void *))uwrt_driver_function("cuLibraryUnload") : NULL;
  if (close)
    close(gone->library);
  free(gone);
}

void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun, const char *deviceName,
                            int thread_limit, void *tid, void *bid, void *bDim, void *gDim, int *wSize) {
  (void)deviceFun, (void)thread_limit, (void)tid, (void)bid, (void)bDim, (void)gDim, (void)wSize;
  add((fat_binary *)handle, hostFun, deviceName, 1, NULL);
}

void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName, int ext, size_t size,
                       int constant, int global) {
  (void)deviceAddress, (void)ext, (void)size, (void)constant, (void)global;
  add((fat_binary *)handle, hostVar, deviceName, 0, NULL);
}

void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *deviceAddress, const char *deviceName,
                              int ext, size_t size, int constant, int global) {
  (void)deviceAddress, (void)ext, (void)size, (void)constant, (void)global;
  add((fat_binary *)handle, hostVarPtrAddress, deviceName, 0, hostVarPtrAddress);
}

/* Their users are refused where the PTX is compiled. */
void __cudaRegisterHostVar(void **handle, const char *deviceName, char *hostVar, size_t size) {
  (void)handle, (void)deviceName, (void)hostVar, (void)size;
}
void __cudaRegisterTexture(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int norm, int ext) {
  (void)handle, (void)hostVar, (void)deviceAddress, (void)deviceName, (void)dim, (void)norm, (void)ext;
}
void __cudaRegisterSurface(void **handle, const void *hostVar, const void **deviceAddress, const char *deviceName,
                           int dim, int ext) {
  (void)handle, (void)hostVar, (void)deviceAddress, (void)deviceName, (void)dim, (void)ext;
}
void __cudaRegisterUnifiedTable(void **handle, void *table) { (void)handle, (void)table; }

/* Before the host's first use of a managed variable. */
char __cudaInitModule(void **handle) {
  fat_binary *binary = (fat_binary *)handle;
  char good = 1;
  for (named *n = binary ? binary->first : NULL, *known; n; n = n->next)
    if (n->managed && !settle(n->key, 0, &known))
      good = 0;
  return good;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr) {
  return cudaGetKernel(kernelPtr, entryFuncAddr);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                               cudaStream_t stream) {
  return cudaLaunchKernel((const void *)kernel, gridDim, blockDim, args, sharedMem, stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                    cudaStream_t stream) {
  return cudaLaunchKernel_ptsz((const void *)kernel, gridDim, blockDim, args, sharedMem, stream);
}

#pragma GCC visibility pop
